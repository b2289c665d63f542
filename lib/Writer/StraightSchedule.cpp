//===- StraightSchedule.cpp - Regions with nothing to schedule ------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Most regions are as a compiler wrote them and have no copies: each value is
/// used once, by the instruction that finds it on top of the stack. They need
/// no numbers, and give what the scheduler would make of them.
///
//===----------------------------------------------------------------------===//

#include "Scheduler.h"
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

/// Emits \p B, with StraightStack on entry. \p Last: its terminator becomes
/// code.
bool Scheduler::emitStraight(Block &B, bool Last) {
  auto Emit = [&](Instruction &I, uint32_t Push) {
    Pos = uint32_t(Insts.size());
    Insts.push_back({&I, 0, 0, stackSlots(I.operands()), Push});
    emitItem(CodeItem::Inst, Pos, 0);
  };
  auto &Stack = StraightStack;
  for (Instruction &I : B) {
    IROp Op = I.op();
    if (Op == irop::RawValue) {
      Stack.push_back(&I);
      Insts[Pos].PushSlots += I.type().slots();
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
      if (Op == irop::LocalGet && I.index() + Push > FreshBase)
        return false;
    } else if (llvm::any_of(Stack, floats)) {
      return false; // They would be loaded behind this one.
    } else if (Op == irop::Raw) {
      if (!Stack.empty())
        return false;
      RawBytes += I.raw().Code.size();
    } else if (Op == irop::LocalSet || Op == irop::LocalInc) {
      unsigned Width = Op == irop::LocalInc ? 1 : stackSlots(I.operands());
      if (I.index() + Width > FreshBase)
        return false;
    }
    Emit(I, Push);
    if (Push)
      Stack.push_back(&I);
  }
  return false;
}

/// Emits the region [\p From, \p To) if there is nothing to schedule. False,
/// with nothing done, otherwise, and where anything is malformed.
bool Scheduler::scheduleStraight(uint32_t From, uint32_t To) {
  size_t NumInsts = Insts.size(), NumItems = Items.size();
  size_t Copied = RawBytes;
  for (uint32_t N = From; N < To; ++N) {
    ScheduledBlock &B = Blocks[N];
    B.Joined = N != From;
    B.FirstInst = uint32_t(Insts.size());
    B.FirstItem = uint32_t(Items.size());
    auto Params = B.B->parameters();
    bool Ok =
        !B.Joined || Params.size() == Blocks[N - 1].B->exitValues().size();
    StraightStack.assign(Params.begin(), Params.end());
    if (Ok && emitStraight(*B.B, N + 1 == To))
      continue;
    Insts.resize(NumInsts);
    Items.resize(NumItems);
    RawBytes = Copied;
    return false;
  }
  return true;
}
