//===- StackDepth.cpp - How deep the operand stack is ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Counts the slots of the operand stack from the last frame up to a place in
/// original code that nobody lifted.
///
//===----------------------------------------------------------------------===//

#include "FrameScan.h"
#include "Lift.h"
#include "OpcodeFacts.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Reader/Lifter.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

using namespace jopt;

/// Slots that the stack of \p F takes: two for a double (3) or long (4).
static int depthOf(const OriginalFrame &F) {
  if (F.Tag < 64 || (F.Tag > 247 && F.Tag < 255))
    return 0;
  FrameStack Stack(F);
  int Depth = 0;
  for (unsigned N = Stack.Count; N; --N) {
    Depth += Stack.Types[0] == 3 || Stack.Types[0] == 4 ? 2 : 1;
    Stack.Types = Stack.Types.drop_front(frameTypeLength(Stack.Types));
  }
  return Depth;
}

namespace {
/// How an opcode changes the depth.
struct DepthChange {
  uint8_t Length = 0;  ///< 0: the instruction has to be decoded
  bool OfPool = false; ///< a pool entry says more
  int8_t By = 0;       ///< without that
  bool IsOdd = false;  ///< it has to be decoded, or leaves the method
};
} // namespace

/// A return, or athrow.
static bool leaves(Opcode Op) {
  return Op == op::ATHROW || (Op >= op::IRETURN && Op <= op::RETURN);
}

/// Slots that \p E takes and gives, as a change of the depth, without what
/// depends on the instruction.
static int changeOf(const LiftEffect &E) {
  int Change = E.Kind == LiftEffect::Store || E.Ty.is(Type::Void)
                   ? 0
                   : int(E.Ty.slots());
  switch (E.Kind) {
  case LiftEffect::Move: {
    const int Group = E.Moves.Group;
    return E.Moves.Kind == StackShuffle::Copy   ? Group
           : E.Moves.Kind == StackShuffle::Drop ? -Group
                                                : 0;
  }
  case LiftEffect::Constant:
    if (E.PoolTags)
      Change = 0;
    break;
  case LiftEffect::Field:
  case LiftEffect::Invoke:
    // PopSlots counts one for the field.
    Change = E.TakesField;
    break;
  case LiftEffect::Object:
    Change = 1;
    break;
  case LiftEffect::Load:
  case LiftEffect::Element:
    Change = E.Ty.is(Type::Top) ? 1 : int(E.Ty.slots());
    break;
  default:
    break;
  }
  return Change - int(E.PopSlots);
}

/// By encoding.
static const DepthChange *depthChanges() {
  static const auto Table = [] {
    std::array<DepthChange, NumEncodings> T;
    const LiftEffect *Effects = liftEffects();
    for (unsigned Op = 0; Op < NumEncodings; ++Op) {
      const LiftEffect &E = Effects[Op];
      DepthChange &C = T[Op];
      C.By = int8_t(changeOf(E));
      C.IsOdd = !E.Length || E.TakesCount || leaves(Opcode(Op));
      C.OfPool = E.Kind == LiftEffect::Field || E.Kind == LiftEffect::Invoke ||
                 (E.Kind == LiftEffect::Constant && E.PoolTags);
      if (!E.TakesCount)
        C.Length = E.Length;
    }
    return T;
  }();
  return Table.data();
}

/// How the instruction at \p P changes the depth, by the pool entry that it
/// names.
int OriginalDepths::changeByPool(const uint8_t *P) const {
  const ClassFile::StackSlots Slots =
      Class.stackSlots(*P == op::LDC ? P[1] : readU2(P + 1));
  return *P == op::PUTFIELD || *P == op::PUTSTATIC
             ? -int(Slots.Gives)
             : int(Slots.Gives) - int(Slots.Takes);
}

/// Passes over one instruction.
bool OriginalDepths::pass() {
  const DepthChange *const Changes = depthChanges();
  const uint8_t *const P = Code.data() + At;
  const DepthChange &C = Changes[*P];
  if (!C.Length || C.Length > Code.size() - At) {
    DecodedInst I;
    if (!decodeInst(Code, At, I))
      return false;
    // The only one that says itself how much it takes.
    Depth += Changes[I.Op].By - (I.Op == op::MULTIANEWARRAY ? I.Value : 0);
    At = I.end();
    return true;
  }
  if (C.OfPool)
    Depth += changeByPool(P);
  Depth += C.By;
  At += C.Length;
  return true;
}

std::optional<unsigned> OriginalDepths::at(uint32_t BCI) {
  if (Behind && Frames[Behind - 1].BCI > BCI)
    Behind = 0;
  while (Behind < Frames.size() && Frames[Behind].BCI <= BCI)
    ++Behind;
  const OriginalFrame *Last = Behind ? &Frames[Behind - 1] : nullptr;
  // The instruction that was passed over last may have ended a block.
  if (Last && (Last->BCI >= At || At > BCI)) {
    At = Last->BCI;
    Depth = depthOf(*Last);
  } else if (At > BCI) {
    At = 0;
    Depth = 0;
  }
  while (At < BCI && Depth >= 0) {
    skipFixed(std::min(BCI, uint32_t(Code.size())));
    if (At < BCI && !pass())
      return std::nullopt;
  }
  if (At != BCI || Depth < 0)
    return std::nullopt;
  return unsigned(Depth);
}

/// Passes over what takes and gives as much wherever it is, up to \p Stop.
void OriginalDepths::skipFixed(uint32_t Stop) {
  const DepthChange *const Changes = depthChanges();
  const uint8_t *const P = Code.data();
  uint32_t Now = At;
  int Current = Depth;
  while (Now < Stop) {
    const DepthChange &C = Changes[P[Now]];
    if (C.OfPool || !C.Length || C.Length > Stop - Now || Current + C.By < 0)
      break;
    Current += C.By;
    Now += C.Length;
  }
  At = Now;
  Depth = Current;
}

/// Follows what does no more than change the depth, up to \p Stop; notes the
/// steps at \p To, and returns the end of these.
OriginalStep *OriginalDepths::followPlain(OriginalStep *To, uint32_t Stop) {
  const DepthChange *const Changes = depthChanges();
  const uint8_t *const P = Code.data();
  uint32_t Now = At;
  int Current = Depth;
  while (Now < Stop && Current >= 0) {
    const DepthChange C = Changes[P[Now]];
    if (C.IsOdd || C.Length > Stop - Now)
      break;
    *To++ = {Now, uint16_t(Current), P[Now]};
    Current += C.By;
    if (C.OfPool)
      Current += changeByPool(P + Now);
    Now += C.Length;
  }
  At = Now;
  Depth = Current;
  return To;
}

bool OriginalDepths::follow(CodePatch &S) {
  const uint32_t Size = uint32_t(Code.size());
  uint32_t Frame = Frames.empty() ? ~0u : Frames[0].BCI;
  S.Steps.resize_for_overwrite(Size + 1);
  OriginalStep *const First = S.Steps.data();
  OriginalStep *To = First;
  for (;;) {
    if (At >= Frame) {
      Depth = depthOf(Frames[Next++]);
      Frame = Next < Frames.size() ? Frames[Next].BCI : ~0u;
    }
    if (At >= Size || Depth < 0 || (At == S.SuperEnd && At && Depth))
      break;
    const uint32_t Stop =
        std::min({Frame, Size, At < S.SuperEnd ? S.SuperEnd : Size});
    To = followPlain(To, Stop);
    if (At >= Stop || Depth < 0)
      continue;
    const Opcode Op = Code[At];
    *To++ = {At, uint16_t(Depth), Op};
    if (!pass())
      return false;
    if (leaves(Op) && Depth)
      return false;
  }
  *To++ = {At, uint16_t(Depth), op::NOP};
  S.Steps.truncate(size_t(To - First));
  return At == Size && Depth >= 0;
}

bool jopt::noteSteps(ClassFile &Class, CodePatch &S) {
  if (!S.Steps.empty())
    return true;
  if (OriginalDepths(Class, S.Code.Code, S.Frames).follow(S))
    return true;
  S.Steps.clear();
  return false;
}
