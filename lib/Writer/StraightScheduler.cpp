//===- StraightScheduler.cpp - Regions with nothing to schedule -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StraightScheduler.h"
#include "llvm/Support/Casting.h"
#include <algorithm>

using namespace jopt;

/// Takes \p Operands from the top of \p Stack; false if they are not there.
static bool take(llvm::SmallVectorImpl<Value *> &Stack,
                 llvm::ArrayRef<Value *> Operands) {
  if (Stack.size() < Operands.size() ||
      !std::equal(Operands.begin(), Operands.end(),
                  Stack.end() - Operands.size()))
    return false;
  Stack.truncate(Stack.size() - Operands.size());
  return true;
}

static uint32_t stackSlots(llvm::ArrayRef<Value *> Values) {
  uint32_t Slots = 0;
  for (const Value *V : Values)
    Slots += V->type().slots();
  return Slots;
}

/// A value that is loaded at its use.
static bool floats(const Value *V) {
  auto *I = llvm::dyn_cast<Instruction>(V);
  return I && I->floating();
}

/// Emits \p B, with Stack on entry. \p Last: its terminator becomes code.
bool StraightScheduler::emit(Block &B, bool Last) {
  auto Emit = [&](Instruction &I, uint32_t Push) {
    Out.Pos = uint32_t(Out.Insts.size());
    Out.Insts.push_back({&I, 0, 0, stackSlots(I.operands()), Push});
    Out.emitItem(CodeItem::Inst, Out.Pos, 0);
  };
  for (Instruction &I : B) {
    IROp Op = I.op();
    if (Op == irop::RawValue) {
      Stack.push_back(&I);
      Out.Insts[Out.Pos].PushSlots += I.type().slots();
      continue;
    }
    if (Op == irop::Anchor)
      continue;
    if (Op == irop::Advice || !take(Stack, I.operands()))
      return false;
    if (isTerminator(Op)) {
      if (&I != &*std::prev(B.end()) || !take(Stack, B.exitValues()) ||
          !Stack.empty())
        return false;
      if (!Last)
        return llvm::none_of(B.exitValues(), floats);
      if (Op != irop::FallThrough)
        Emit(I, 0);
      return true;
    }
    unsigned Push = I.isInit() ? 0 : I.type().slots();
    if (I.floating() || Op == irop::LocalGet) {
      if (Op == irop::LocalGet && I.index() + Push > Slots.numSlots())
        return false;
    } else if (llvm::any_of(Stack, floats)) {
      return false; // They would be loaded behind this one.
    } else if (Op == irop::Raw) {
      if (!Stack.empty())
        return false;
      Out.RawBytes += I.raw().Code.size();
    } else if (Op == irop::LocalSet || Op == irop::LocalInc) {
      unsigned Width = Op == irop::LocalInc ? 1 : stackSlots(I.operands());
      if (I.index() + Width > Slots.numSlots())
        return false;
    }
    Emit(I, Push);
    if (Push)
      Stack.push_back(&I);
  }
  return false;
}

bool StraightScheduler::schedule(uint32_t From, uint32_t To) {
  size_t NumInsts = Out.Insts.size(), NumItems = Out.Items.size();
  size_t Copied = Out.RawBytes;
  for (uint32_t N = From; N < To; ++N) {
    ScheduledBlock &B = Out.Blocks[N];
    B.Joined = N != From;
    B.FirstInst = uint32_t(Out.Insts.size());
    B.FirstItem = uint32_t(Out.Items.size());
    auto Params = B.B->parameters();
    bool Ok =
        !B.Joined || Params.size() == Out.Blocks[N - 1].B->exitValues().size();
    Stack.assign(Params.begin(), Params.end());
    if (Ok && emit(*B.B, N + 1 == To))
      continue;
    Out.Insts.resize(NumInsts);
    Out.Items.resize(NumItems);
    Out.RawBytes = Copied;
    return false;
  }
  return true;
}
