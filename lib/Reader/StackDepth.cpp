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
/// What an opcode does to the depth.
struct DepthChange {
  uint8_t Length = 0;  ///< 0: the instruction has to be decoded
  bool OfPool = false; ///< a pool entry says more
  int8_t By = 0;       ///< without that
  uint8_t Gives = 0;   ///< slots that it leaves on the stack; likewise
  bool Copies = false;
  bool IsOdd = false; ///< what follows the code looks at it
};
} // namespace

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
static const DepthChange *depthChanges() {
  static const auto Table = [] {
    std::array<DepthChange, NumEncodings> T;
    const LiftEffect *Effects = liftEffects();
    for (unsigned Op = 0; Op < NumEncodings; ++Op) {
      const LiftEffect &E = Effects[Op];
      DepthChange &C = T[Op];
      C.By = int8_t(changeOf(E));
      C.Gives = uint8_t(C.By + int(E.PopSlots));
      C.Copies = Op >= op::DUP && Op <= op::DUP2_X2;
      C.IsOdd = !E.Length || E.TakesCount || copiesOrSwaps(Opcode(Op)) ||
                drops(Opcode(Op)) || Op == op::IINC || Op == op::NOP ||
                Op == op::ATHROW || (Op >= op::IRETURN && Op <= op::RETURN);
      C.OfPool = E.Kind == LiftEffect::Field || E.Kind == LiftEffect::Invoke ||
                 (E.Kind == LiftEffect::Constant && E.PoolTags);
      if (!E.TakesCount)
        C.Length = E.Length;
    }
    return T;
  }();
  return Table.data();
}

/// What the instruction at \p P takes and gives, as the pool entry says that it
/// names.
static ClassFile::StackSlots slotsByPool(ClassFile &Class, const uint8_t *P) {
  return Class.stackSlots(*P == op::LDC ? P[1] : readU2(P + 1));
}

/// What that does to the depth.
int OriginalDepths::changeByPool(const uint8_t *P) const {
  const ClassFile::StackSlots Slots = slotsByPool(Class, P);
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
    if (C.OfPool || !C.Length || C.Copies || P[Now] == op::ATHROW ||
        C.Length > Stop - Now || Current + C.By < 0)
      break;
    Current += C.By;
    Most = std::max(Most, Current);
    Now += C.Length;
  }
  At = Now;
  Depth = Current;
  Max = Most;
}

/// The same while copies wait. False also where one is on top again of which
/// nothing was used.
bool OriginalDepths::passCopies() {
  const uint8_t *const P = Code.data() + At;
  const DepthChange &C = depthChanges()[*P];
  if (!pass())
    return false;
  if (C.Copies)
    Copies.push_back(Depth);
  if (C.Copies || Copies.empty() || *P == op::SWAP)
    return true;
  int Gives = C.Gives;
  if (*P == op::PUTFIELD || *P == op::PUTSTATIC)
    Gives = 0;
  else if (C.OfPool)
    Gives = slotsByPool(Class, P).Gives;
  while (!Copies.empty() && Copies.back() > Depth - Gives)
    Copies.pop_back();
  const bool Leaves =
      getOpcodeInfo(*P)->Branches || getOpcodeInfo(*P)->EndsBlock;
  return Leaves || Copies.empty() || Copies.back() != Depth;
}

/// What stands at At drops what \p Before, a call, returned.
bool OriginalDepths::dropsResult(const Splice &S, OriginalStep Before) const {
  const bool IsCall =
      Before.Op >= op::INVOKEVIRTUAL && Before.Op <= op::INVOKEDYNAMIC;
  if (!IsCall || (S.Marks[At] & (Splice::Frame | Splice::Border)))
    return false;
  const unsigned Index = readU2(Code.data() + Before.BCI + 1);
  return Class.stackSlots(Index).Gives == (Code[At] == op::POP ? 1u : 2u);
}

/// Passes over what does more than change the depth, and looks whether code
/// that is scheduled would be otherwise.
bool OriginalDepths::passOdd(Splice &S, OriginalStep Before) {
  const Opcode Op = Code[At];
  // What is below an exception that is thrown, or a value that is returned,
  // would be left out.
  if (Op == op::ATHROW && Depth != 1)
    return false;
  if (Op >= op::IRETURN && Op <= op::RETURN && Depth != -depthChanges()[Op].By)
    return false;
  if (drops(Op))
    S.LeavesOut |= !dropsResult(S, Before);
  const bool IsWide = Op == op::WIDE && Code[At + 1] == op::IINC;
  // A copy does not wait for what does not use the stack.
  if (Op == op::IINC || Op == op::NOP || IsWide)
    S.LeavesOut |= copiesOrSwaps(Before.Op) &&
                   !(S.Marks[At] & (Splice::Frame | Splice::Border));
  return passCopies();
}

/// Follows what does no more than change the depth, up to \p Stop; notes the
/// steps at \p To, and returns the end of these.
OriginalStep *OriginalDepths::followPlain(OriginalStep *To, uint32_t Stop) {
  const DepthChange *const Changes = depthChanges();
  const uint8_t *const P = Code.data();
  uint32_t Now = At;
  int Current = Depth, Most = Max;
  while (Now < Stop && Current >= 0) {
    const DepthChange C = Changes[P[Now]];
    Most = std::max(Most, Current);
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
  Max = Most;
  return To;
}

bool OriginalDepths::follow(Splice &S, bool HasAnchors) {
  const uint32_t Size = uint32_t(Code.size());
  uint32_t Frame = Frames.empty() ? ~0u : Frames[0].BCI;
  S.Steps.resize_for_overwrite(Size + 1);
  OriginalStep *const First = S.Steps.data();
  OriginalStep *To = First;
  for (;;) {
    if (At >= Frame) {
      Depth = depthOf(Frames[Next++]);
      Frame = Next < Frames.size() ? Frames[Next].BCI : ~0u;
      Copies.clear();
    }
    Max = std::max(Max, Depth);
    if (At >= Size || Depth < 0 || (At == S.SuperEnd && At && Depth))
      break;
    const uint32_t Stop =
        std::min({Frame, Size, At < S.SuperEnd ? S.SuperEnd : Size});
    if (Copies.empty())
      To = followPlain(To, Stop);
    if (At >= Stop || Depth < 0)
      continue;
    const OriginalStep Before =
        To == First ? OriginalStep{0, 0, op::NOP} : To[-1];
    const OriginalStep Step = {At, uint16_t(Depth), Code[At]};
    *To++ = Step;
    if (!passOdd(S, Before))
      return false;
    // Without an anchor a line that begins there has the copy too.
    if (copiesOrSwaps(Step.Op) && !HasAnchors)
      S.Marks[At] |= Splice::BehindMove;
  }
  *To++ = {At, uint16_t(Depth), op::NOP};
  S.Steps.truncate(size_t(To - First));
  S.MaxDepth = unsigned(Max);
  return At == Size && Depth >= 0;
}

/// Adds the indices of the instructions that \p F names.
static void addNews(const OriginalFrame &F,
                    llvm::SmallVectorImpl<uint32_t> &To) {
  Bytes Rest = F.Rest;
  auto Add = [&](unsigned Count) {
    for (; Count; --Count) {
      if (Rest[0] == 8) // uninitialized
        To.push_back(readU2(&Rest[1]));
      Rest = Rest.drop_front(frameTypeLength(Rest));
    }
  };
  if (F.Tag < 255) {
    Add(F.Tag > 251 ? F.Tag - 251u : 1);
    return;
  }
  for (int List : {0, 1}) { // locals, then the stack
    (void)List;
    const unsigned Count = readU2(Rest.data());
    Rest = Rest.drop_front(2);
    Add(Count);
  }
}

/// Nothing moves from \p From up to \p End but what javac has everywhere, and
/// nothing is left on the stack.
static bool isPlain(const ConstantPool &Pool, Bytes Code, uint32_t From,
                    uint32_t End) {
  DecodedInst D;
  Opcode Before = op::NOP;
  unsigned Call = 0;
  for (uint32_t At = From; At < End; At = D.end(), Before = D.Op) {
    if (!decodeInst(Code, At, D) || D.Op == op::ATHROW ||
        (D.Op >= op::IRETURN && D.Op <= op::RETURN))
      return false;
    const bool Drops = D.Op == op::POP && Before >= op::INVOKEVIRTUAL &&
                       Before <= op::INVOKEDYNAMIC &&
                       !Pool.member(Call).Descriptor.ends_with("V");
    if (!Drops && mayMove(D.Op, Before))
      return false;
    Call = D.Index;
  }
  return true;
}

bool jopt::isAsScheduled(ClassFile &Class, const Method &M, Splice &S) {
  llvm::SmallVector<uint32_t, 16> Places;
  for (const OriginalFrame &F : S.Frames)
    if (F.HasUninit)
      addNews(F, Places);
  DecodedInst D;
  if (!S.KeepsThis && !M.is(ACC_STATIC))
    for (uint32_t At = 0; decodeInst(S.Code.Code, At, D); At = D.end())
      if (liftEffects()[D.Op].Kind == LiftEffect::Store && D.Index == 0)
        Places.push_back(At);
  const llvm::ArrayRef<OriginalFrame> Frames = S.Frames;
  const llvm::ArrayRef<OriginalJump> Jumps = S.Jumps;
  uint32_t Begin = 0, End = 0; // the block that was looked at last
  for (const uint32_t Place : Places) {
    if (Begin <= Place && Place < End)
      continue;
    const auto Next = llvm::partition_point(
        Frames, [&](const OriginalFrame &F) { return F.BCI <= Place; });
    const auto First = Next == Frames.begin() ? Next : std::prev(Next);
    const auto Jump = llvm::partition_point(
        Jumps, [&](const OriginalJump &J) { return J.BCI < Place; });
    Begin = std::max(First == Next ? 0 : First->BCI,
                     Jump == Jumps.begin() ? 0 : Jump[-1].BCI);
    End = std::min(Next == Frames.end() ? uint32_t(S.Code.Code.size())
                                        : Next->BCI,
                   Jump == Jumps.end() ? ~0u : Jump->BCI);
    if (isPlain(Class.Pool, S.Code.Code, Begin, End))
      continue;
    OriginalDepths Part(Class, S.Code.Code.take_front(End), {First, Next});
    if (First != Next)
      Part.at(First->BCI);
    const bool Follows = Part.follow(S, /*HasAnchors=*/true);
    S.Steps.clear();
    if (!Follows || S.LeavesOut)
      return false;
  }
  return true;
}

bool jopt::noteSteps(ClassFile &Class, Splice &S, bool HasAnchors) {
  if (!S.Steps.empty())
    return true;
  if (OriginalDepths(Class, S.Code.Code, S.Frames).follow(S, HasAnchors))
    return true;
  S.Steps.clear();
  return false;
}
