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
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Bytecode/Descriptor.h"
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

/// What an opcode does to the depth.
struct OriginalDepths::DepthChange {
  uint8_t Length = 0; ///< 0: the instruction has to be decoded
  enum : uint8_t { Fixed, Field, Invoke, Constant } Kind = Fixed;
  int8_t By = 0;     ///< without what the pool entry says
  uint8_t Gives = 0; ///< slots that it leaves on the stack; likewise
  bool Copies = false;
  bool IsOdd = false; ///< what follows the code looks at it
};

/// Slots that \p E takes and gives, as a change of the depth, without what
/// depends on the instruction.
static int changeOf(const LiftEffect &E) {
  int Change = E.Kind == LiftEffect::Store || E.Ty.is(Type::Void)
                   ? 0
                   : int(E.Ty.slots());
  switch (E.Kind) {
  case LiftEffect::Move: {
    const int Group = E.Moves.Group;
    return E.Moves.Kind == StackMove::Copy   ? Group
           : E.Moves.Kind == StackMove::Drop ? -Group
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
const OriginalDepths::DepthChange *OriginalDepths::depthChanges() {
  static const auto Table = [] {
    std::array<DepthChange, NumEncodings> T;
    const LiftEffect *Effects = liftEffects();
    for (unsigned Op = 0; Op < NumEncodings; ++Op) {
      const LiftEffect &E = Effects[Op];
      DepthChange &C = T[Op];
      C.By = int8_t(changeOf(E));
      C.Gives = uint8_t(C.By + int(E.PopSlots));
      C.Copies = Op >= op::DUP && Op <= op::DUP2_X2;
      C.IsOdd = !E.Length || E.TakesCount || C.Copies || drops(Op) ||
                Op == op::IINC || Op == op::NOP || Op == op::ATHROW ||
                (Op >= op::IRETURN && Op <= op::RETURN);
      C.Kind = E.Kind == LiftEffect::Field    ? DepthChange::Field
               : E.Kind == LiftEffect::Invoke ? DepthChange::Invoke
               : E.Kind == LiftEffect::Constant && E.PoolTags
                   ? DepthChange::Constant
                   : DepthChange::Fixed;
      if (!E.TakesCount)
        C.Length = E.Length;
    }
    return T;
  }();
  return Table.data();
}

OriginalDepths::OriginalDepths(ClassFile &Class, Splice &S)
    : Class(Class), S(S), Code(S.Code.Code), Frames(S.Frames) {}

/// What an instruction that names entry \p Index of the pool does to the depth
/// because of it, if it is one of \p Kind.
PoolEffect OriginalDepths::effectOf(unsigned Index, unsigned Kind) const {
  const ConstantPool &Pool = Class.Pool;
  if (Kind == DepthChange::Constant) {
    const unsigned Width = constantType(Class, Index).slots();
    return {int16_t(Width), uint8_t(Width)};
  }
  const unsigned Of = Pool[Index].B;
  const llvm::StringRef Descriptor =
      Pool.has(Of, CPTag::NameAndType) ? Pool.utf8(Pool[Of].B) : "";
  if (Kind == DepthChange::Field) {
    const unsigned Width =
        isFieldDescriptor(Descriptor) ? slotsOf(Descriptor) : 0;
    return {int16_t(Width), uint8_t(Width)};
  }
  const std::optional<ParameterCount> Arguments = countParameters(Descriptor);
  if (!Arguments || Arguments->Count > 255)
    return {0, 0};
  const llvm::StringRef Result = returnDescriptor(Descriptor);
  const unsigned Gives = Result == "V" ? 0 : slotsOf(Result);
  return {int16_t(int(Gives) - int(Arguments->Slots)), uint8_t(Gives)};
}

/// The same of the instruction at \p P, as a class asks for it again and again.
inline PoolEffect OriginalDepths::effectByPool(const uint8_t *P,
                                               unsigned Kind) const {
  const unsigned Index = *P == op::LDC ? P[1] : readU2(P + 1);
  if (Index >= S.PoolEffects.size())
    S.PoolEffects.resize(std::max<size_t>(Index + 1, Class.Pool.size()));
  PoolEffect &Of = S.PoolEffects[Index];
  if (Of.By == PoolEffect::Unknown)
    Of = effectOf(Index, Kind);
  if (*P == op::PUTFIELD || *P == op::PUTSTATIC)
    return {int16_t(-Of.By), 0};
  return Of;
}

/// Passes over the instruction at At, of which \p C is, and which is no longer
/// than that. What it leaves on the stack.
inline unsigned OriginalDepths::passPlain(const DepthChange &C) {
  PoolEffect Of = {0, C.Gives};
  if (C.Kind != DepthChange::Fixed)
    Of = effectByPool(Code.data() + At, C.Kind);
  Depth += C.By + Of.By;
  At += C.Length;
  return Of.Gives;
}

/// Passes over one instruction. What it leaves on the stack.
std::optional<unsigned> OriginalDepths::pass() {
  const DepthChange *const Changes = depthChanges();
  const DepthChange &C = Changes[Code[At]];
  if (C.Length && C.Length <= Code.size() - At)
    return passPlain(C);
  DecodedInst I;
  if (!decodeInst(Code, At, I))
    return std::nullopt;
  // The only one that says itself how much it takes.
  Depth += Changes[I.Op].By - (I.Op == op::MULTIANEWARRAY ? I.Value : 0);
  At = I.end();
  return C.Gives;
}

std::optional<unsigned> OriginalDepths::at(uint32_t BCI) {
  if (Behind && Frames[Behind - 1].BCI > BCI)
    Behind = 0;
  while (Behind < Frames.size() && Frames[Behind].BCI <= BCI)
    ++Behind;
  const OriginalFrame *Last = Behind ? &Frames[Behind - 1] : nullptr;
  // What was passed over last may have ended a block.
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
  int Current = Depth, Most = Max;
  while (Now < Stop) {
    const DepthChange &C = Changes[P[Now]];
    if (C.Kind != DepthChange::Fixed || !C.Length || C.Copies ||
        P[Now] == op::ATHROW || C.Length > Stop - Now || Current + C.By < 0)
      break;
    Current += C.By;
    Most = std::max(Most, Current);
    Now += C.Length;
  }
  At = Now;
  Depth = Current;
  Max = Most;
}

/// \p Op was passed over, and left \p Gives slots on the stack: which copies
/// are used now. False where one is on top again of which nothing was used.
bool OriginalDepths::useCopies(Opcode Op, unsigned Gives) {
  while (!Copies.empty() && Copies.back() > Depth - int(Gives))
    Copies.pop_back();
  if (Copies.empty() || Copies.back() != Depth)
    return true;
  return getOpcodeInfo(Op)->Branches || getOpcodeInfo(Op)->EndsBlock;
}

/// What stands at At drops what \p Before, a call, returned.
bool OriginalDepths::dropsResult(OriginalStep Before) const {
  const bool IsCall =
      Before.Op >= op::INVOKEVIRTUAL && Before.Op <= op::INVOKEDYNAMIC;
  if (!IsCall || (S.Marks[At] & (Splice::Frame | Splice::Border)))
    return false;
  return effectByPool(&Code[Before.BCI], DepthChange::Invoke).Gives ==
         (Code[At] == op::POP ? 1u : 2u);
}

/// Passes over what does more than change the depth, and looks whether code
/// that is scheduled would be otherwise.
bool OriginalDepths::passOdd(OriginalStep Before) {
  const Opcode Op = Code[At];
  // What is below an exception that is thrown, or a value that is returned,
  // would be left out.
  if (Op == op::ATHROW && Depth != 1)
    return false;
  if (Op >= op::IRETURN && Op <= op::RETURN && Depth != -depthChanges()[Op].By)
    return false;
  if (drops(Op))
    S.LeavesOut |= !dropsResult(Before);
  const bool IsWide = Op == op::WIDE && Code[At + 1] == op::IINC;
  // A copy does not wait for what does not use the stack.
  if (Op == op::IINC || Op == op::NOP || IsWide)
    S.LeavesOut |= copiesOrSwaps(Before.Op) &&
                   !(S.Marks[At] & (Splice::Frame | Splice::Border));
  const bool IsCopy = depthChanges()[Op].Copies;
  const std::optional<unsigned> Gives = pass();
  if (Gives && IsCopy)
    Copies.push_back(Depth);
  return Gives && (IsCopy || Copies.empty() || useCopies(Op, *Gives));
}

/// Passes over what does as much wherever it is, up to \p Stop, as long as no
/// copy waits.
OriginalStep *OriginalDepths::followFixed(OriginalStep *Step, uint32_t Stop) {
  const DepthChange *const Changes = depthChanges();
  const uint8_t *const P = Code.data();
  uint32_t Now = At;
  int Current = Depth, Most = Max;
  while (Now < Stop) {
    const Opcode Op = P[Now];
    const DepthChange &C = Changes[Op];
    if (C.IsOdd || C.Kind != DepthChange::Fixed || Current < 0)
      break;
    *Step++ = {Now, uint16_t(Current), Op};
    Current += C.By;
    Most = std::max(Most, Current);
    Now += C.Length;
  }
  At = Now;
  Depth = Current;
  Max = Most;
  return Step;
}

bool OriginalDepths::follow(bool HasAnchors) {
  const DepthChange *const Changes = depthChanges();
  const uint32_t Size = uint32_t(Code.size());
  uint32_t Frame = Frames.empty() ? ~0u : Frames[0].BCI;
  // Instructions of no length do not get there.
  S.Steps.resize_for_overwrite(Size + 1);
  OriginalStep *Step = S.Steps.data();
  const OriginalStep None = {0, 0, op::NOP};
  for (;;) {
    if (At >= Frame) {
      Depth = depthOf(Frames[Next++]);
      Frame = Next < Frames.size() ? Frames[Next].BCI : ~0u;
      Max = std::max(Max, Depth);
      Copies.clear();
    }
    if (At == S.SuperEnd && At && Depth)
      break;
    if (Copies.empty()) {
      const uint32_t Border = At < S.SuperEnd ? S.SuperEnd : Size;
      Step = followFixed(Step, std::min(Border, Frame));
    }
    if (At >= Size || Depth < 0)
      break;
    if (At >= Frame)
      continue;
    *Step = {At, uint16_t(Depth), Code[At]};
    const DepthChange &C = Changes[Step->Op];
    if (!C.IsOdd && C.Length <= Size - At) {
      const unsigned Gives = passPlain(C);
      if (!Copies.empty() && Step->Op != op::SWAP &&
          !useCopies(Step->Op, Gives))
        return false;
    } else if (!passOdd(Step == S.Steps.data() ? None : Step[-1])) {
      return false;
    }
    Max = std::max(Max, Depth);
    // Without an anchor a line that begins there has the copy too.
    if (copiesOrSwaps(Step->Op) && !HasAnchors)
      S.Marks[At] |= Splice::BehindMove;
    ++Step;
  }
  *Step++ = {At, uint16_t(Depth), op::NOP};
  S.Steps.truncate(size_t(Step - S.Steps.data()));
  S.MaxDepth = unsigned(Max);
  return At == Size && Depth >= 0;
}

bool jopt::noteSteps(ClassFile &Class, Splice &S, bool HasAnchors) {
  if (!S.Steps.empty())
    return true;
  if (OriginalDepths(Class, S).follow(HasAnchors))
    return true;
  S.Steps.clear();
  return false;
}
