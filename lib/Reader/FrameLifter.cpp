//===- FrameLifter.cpp - Lifting by the StackMapTable ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockLifter.h"
#include "Lifters.h"
#include "RawScanner.h"
#include "StackMap.h"
#include "jopt/Support/Diagnostics.h"
#include <algorithm>

using namespace jopt;
using llvm::Error;

namespace {
class FrameLifter {
public:
  FrameLifter(Body &F, LiftScratch &S, const LiftOptions &O)
      : F(F), Code(S.Code), Leaders(S.Leaders),
        Lifter(F, Code.Code, O, S.State), Frames(S.Frames), IndexAt(S.IndexAt),
        Blocks(S.Blocks), Scanner(F, Code.Code, S.State),
        Raw(O.Raw == KeepRaw::Straight) {
    F.Raw = O.Raw;
  }

  Error run(Bytes StackMap);

private:
  void cut();
  uint32_t keepRaw(Block *B, uint32_t From, uint32_t To);
  Error enter(Block *B, const StackMapFrame *Frame, bool Falls);
  Error leave(Block *B, const BlockEnd &End, Block *Next);
  Error checkArity();
  Block *blockAt(uint32_t BCI) const { return Blocks[IndexAt[BCI]]; }

  Body &F;
  const CodeView &Code;
  CodeLeaders &Leaders;
  BlockLifter Lifter;
  std::vector<StackMapFrame> &Frames;
  std::vector<uint32_t> &IndexAt;
  std::vector<Block *> &Blocks;
  RawScanner Scanner;
  const bool Raw;
};
} // namespace

void FrameLifter::cut() {
  Blocks.clear();
  IndexAt.resize(Code.Code.size());
  Leaders.forEachLeader([&](uint32_t BCI) {
    IndexAt[BCI] = uint32_t(Blocks.size());
    Block *B = F.createBlock();
    B->setBCI(int32_t(BCI));
    Blocks.push_back(B);
  });
}

/// Exception table entries become sets of the blocks they cover. Borders begin
/// blocks, so walking these with the set of open entries is enough.
void jopt::coverByHandlers(Body &F, llvm::ArrayRef<CodeView::Handler> Handlers,
                           llvm::ArrayRef<Block *> Blocks) {
  struct Border {
    uint32_t BCI;
    bool Open;
    TryEntry *Entry;
  };
  std::vector<Border> Borders;
  for (const CodeView::Handler &H : Handlers) {
    Block *const *Target = llvm::partition_point(
        Blocks, [&](const Block *B) { return B->bci() < int(H.Target); });
    TryEntry *E = F.addTry(*Target, H.CatchType);
    if (H.Start == H.End)
      continue;
    Borders.push_back({H.Start, true, E});
    Borders.push_back({H.End, false, E});
  }
  llvm::sort(Borders, [](const Border &A, const Border &B) {
    return A.BCI != B.BCI ? A.BCI < B.BCI
                          : A.Entry->Priority < B.Entry->Priority;
  });
  const ThrowEdge *Open = nullptr;
  size_t Next = 0;
  for (Block *B : Blocks) {
    for (; Next < Borders.size() && Borders[Next].BCI == uint32_t(B->bci());
         ++Next)
      Open = Borders[Next].Open ? F.withTry(Open, Borders[Next].Entry)
                                : F.withoutTry(Open, Borders[Next].Entry);
    B->setThrowEdges(Open);
  }
}

Error FrameLifter::enter(Block *B, const StackMapFrame *Frame, bool Falls) {
  uint32_t BCI = uint32_t(B->bci());
  if (!Frame) {
    if (!Falls)
      return makeError("bytecode " + llvm::Twine(BCI) +
                       ": code after an unconditional transfer has no frame");
    if (Leaders.isTarget(BCI))
      return makeError("bytecode " + llvm::Twine(BCI) +
                       ": branch target or handler has no frame");
    // Stack and slots go on; the block's parameters stand for the values.
    llvm::SmallVector<Type, 8> Types;
    for (Value *V : Lifter.Stack)
      Types.push_back(Lifter.typeOf(V));
    F.setParameters(B, Types);
    for (size_t I = 0; I < Types.size(); ++I)
      Lifter.Stack[I] = B->parameters()[I];
    return Error::success();
  }
  if (Falls && Lifter.Stack.size() != Frame->Stack.size())
    return makeError("bytecode " + llvm::Twine(BCI) +
                     ": the frame has another stack than the code before it");
  F.setSharedFrame(B, Frame->Slots);
  F.setParameters(B, Frame->Stack);
  Lifter.Stack.assign(B->parameters().begin(), B->parameters().end());
  Lifter.Slots.enter(Frame->Slots);
  return Error::success();
}

/// Keeps the code from \p From on raw, as far as it can be; returns where the
/// instructions begin that are lifted.
uint32_t FrameLifter::keepRaw(Block *B, uint32_t From, uint32_t To) {
  uint32_t End = Scanner.scan(From, To);
  if (End == From)
    return From;
  F.append(F.createRaw(Scanner.Raw, Lifter.Stack), B);
  Lifter.Stack.clear();
  for (Type T : Scanner.Stack) {
    if (T.is(Type::High))
      continue;
    Instruction *V =
        F.create(irop::RawValue, op::NOP, T, {}, int32_t(Scanner.Raw.BCI));
    F.append(V, B);
    Lifter.Stack.push_back(V);
  }
  return End;
}

Error FrameLifter::leave(Block *B, const BlockEnd &End, Block *Next) {
  llvm::SmallVector<Block *, 8> Succs;
  Instruction *T = End.Terminator;
  if (End.K == BlockEnd::FallThrough) {
    T = F.create(irop::FallThrough, op::NOP, Type::Void, {});
    F.append(T, B);
    Succs.push_back(Next);
    F.setSuccessors(T, Succs);
  } else if (End.K != BlockEnd::Branch) {
    return makeError("bytecode " + llvm::Twine(End.Last.BCI) +
                     ": subroutines cannot be described by frames");
  } else {
    const DecodedInst &D = End.Last;
    switch (T->op()) {
    case irop::Return:
    case irop::Throw:
      // Values left on the stack are dropped with the activation.
      Lifter.Stack.clear();
      return Error::success();
    case irop::Goto:
      Succs.push_back(blockAt(uint32_t(D.Value)));
      F.setSuccessors(T, Succs);
      break;
    case irop::If:
      if (!Next)
        return makeError("control runs off the end of the code");
      Succs.push_back(blockAt(uint32_t(D.Value)));
      Succs.push_back(Next);
      F.setSuccessors(T, Succs);
      break;
    default: { // switches
      llvm::SmallVector<int32_t, 16> Keys;
      Succs.push_back(blockAt(uint32_t(D.Value)));
      for (uint32_t C = 0; C < D.NumCases; ++C) {
        Keys.push_back(D.caseKey(C));
        Succs.push_back(blockAt(uint32_t(D.caseTarget(C))));
      }
      F.setSuccessors(T, Succs, Keys);
    }
    }
  }
  F.setExitValues(B, Lifter.Stack);
  return Error::success();
}

/// Every successor must expect what the block leaves on the stack.
Error FrameLifter::checkArity() {
  for (Block *B : Blocks)
    for (Block *S : B->terminator()->successors()) {
      bool Same = S->parameters().size() == B->exitValues().size();
      for (size_t I = 0; Same && I < B->exitValues().size(); ++I)
        Same = S->parameters()[I]->type().slots() ==
               B->exitValues()[I]->type().slots();
      if (!Same)
        return makeError(
            "bytecode " + llvm::Twine(S->bci()) +
            ": the stack differs from that at the branch in block " +
            llvm::Twine(B->bci()));
    }
  return Error::success();
}

Error FrameLifter::run(Bytes StackMap) {
  Lifter.SiteAt.assign(Code.Code.size(), BlockLifter::NoSite);
  Lifter.Stack.clear();
  Frames.clear();
  if (!StackMap.empty())
    if (Error E = decodeStackMap(F, StackMap, Lifter.SiteAt, Frames))
      return E;
  for (const StackMapFrame &Frame : Frames) {
    if (!Leaders.isInstruction(Frame.BCI))
      return makeError("StackMapTable: no instruction at " +
                       llvm::Twine(Frame.BCI));
    Leaders.addLeader(Frame.BCI);
  }
  // Code behind the call can stay raw.
  if (Raw)
    if (uint32_t End = endOfSuperCall(F, Code.Code); End < Code.Code.size())
      Leaders.addLeader(End);
  cut();
  if (!Code.Handlers.empty())
    coverByHandlers(F, Code.Handlers, Blocks);
  for (const CodeView::Handler &H : Code.Handlers)
    if (!blockAt(H.Target)->isHandler())
      F.setHandler(blockAt(H.Target), caughtType(F, H.CatchType));

  Lifter.Slots.reset(F.numSlots(), F.initialLocals());
  bool Falls = true;
  size_t NextFrame = 0;
  for (size_t I = 0; I < Blocks.size(); ++I) {
    Block *B = Blocks[I];
    Block *Next = I + 1 < Blocks.size() ? Blocks[I + 1] : nullptr;
    const auto From = uint32_t(B->bci());
    const uint32_t To =
        Next ? uint32_t(Next->bci()) : uint32_t(Code.Code.size());
    const StackMapFrame *Frame = nullptr;
    if (NextFrame < Frames.size() && Frames[NextFrame].BCI == From)
      Frame = &Frames[NextFrame++];
    bool Handler = B->isHandler();
    if (Handler && (!Frame || Frame->Stack.size() != 1))
      return makeError("bytecode " + llvm::Twine(From) +
                       ": handler has no frame with one value on the stack");
    if (Error E = enter(B, Frame, Falls))
      return E;
    auto End = Lifter.lift(B, Raw ? keepRaw(B, From, To) : From, To);
    if (!End)
      return End.takeError();
    if (Error E = leave(B, *End, Next))
      return E;
    Falls = B->terminator()->op() == irop::FallThrough ||
            B->terminator()->op() == irop::If;
  }
  for (uint32_t Site = 0; Site < F.NewSites.size(); ++Site)
    if (!F.NewSites[Site])
      return makeError("StackMapTable: an uninitialised type names no `new`");
  return checkArity();
}

Error jopt::liftByFrames(Body &F, LiftScratch &S, Bytes StackMap,
                         const LiftOptions &O) {
  return FrameLifter(F, S, O).run(StackMap);
}
