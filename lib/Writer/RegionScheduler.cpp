//===- RegionScheduler.cpp - The schedule of one region -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From instruction to instruction. The searches down the stack end after three
/// slots, since no stack instruction reaches further; so the whole is linear.
///
//===----------------------------------------------------------------------===//

#include "RegionScheduler.h"

using namespace jopt;

void RegionScheduler::start(const Body &F) {
  Out.start();
  Slots.start(
      std::max<uint32_t>(F.numSlots(), uint32_t(F.initialLocals().size())));
  R.start(F);
  Paired = ~0u;
}

llvm::Error RegionScheduler::schedule(uint32_t From, uint32_t To) {
  if (llvm::Error E = R.number(Out, From, To, Slots.numSlots()))
    return E;
  if (!scheduleNumbered(From, To))
    return badBlock(*Out.Blocks[From].B,
                    "operands cannot be found on the stack");
  return llvm::Error::success();
}

void RegionScheduler::enter(llvm::ArrayRef<Parameter *> Params) {
  Stack.clear();
  Slots.enterRegion();
  for (uint32_t V = 0; V < Params.size(); ++V)
    stackUp(V);
  settle();
}

/// \p Val is the next value of a stack that is there without code for it.
void RegionScheduler::stackUp(uint32_t Val) {
  const ValueInfo &V = R.Values[Val];
  bool Dead = V.UseBegin == V.UseEnd;
  Stack.push_back(
      {Val, V.UseBegin, V.UseEnd, Dead ? Never : R.UseKeys[V.UseBegin], -1});
}

/// Brings such a stack into order.
void RegionScheduler::settle() {
  popDead(/*Forced=*/false);
  size_t N = Stack.size();
  if (N >= 2 && !Stack[N - 1].dead() &&
      Stack[N - 1].First > Stack[N - 2].First) {
    Entry E = Stack.back();
    Stack.pop_back();
    placeValue(E.Val, E.Lo, E.Hi, -1);
  }
}

/// Schedules the blocks [\p From, \p To), just numbered.
bool RegionScheduler::scheduleNumbered(uint32_t From, uint32_t To) {
  uint32_t Begin = Out.Blocks[From].FirstInst, End = uint32_t(Out.Insts.size());
  IROp Last = Out.Insts.back().I->op();
  Leaving = Last == irop::Return || Last == irop::Throw;
  Out.Pos = Begin;
  KeyNow = 0;
  size_t Item = Out.Items.size();
  enter(Out.Blocks[From].B->parameters());
  bool Ok = true;
  for (uint32_t N = Begin; N < End && Ok; ++N)
    Ok = scheduleInst(N);
  Slots.leaveRegion();
  for (uint32_t B = From; B < To; ++B) {
    while (Item < Out.Items.size() &&
           Out.Items[Item].Pos < Out.Blocks[B].FirstInst)
      ++Item;
    Out.Blocks[B].FirstItem = uint32_t(Item);
  }
  return Ok;
}

/// Instruction \p Number yields the pure value \p Val. True if that is all
/// there is to do: it is computed where it is used, or came to its place
/// otherwise. False: it is computed here and now.
bool RegionScheduler::schedulePure(uint32_t Number, uint32_t Val) {
  const ValueInfo &V = R.Values[Val];
  unsigned Uses = V.UseEnd - V.UseBegin;
  if (Uses == 0)
    return true;
  bool Floats = Out.Insts[Number].I->floating() || (Uses > 1 && !V.Keep);
  if (!Floats) {
    uint32_t First = R.UseKeys[V.UseBegin];
    auto [At, Under] = placeOf(First, Stack.size());
    // Under one slot it is left to swap, as compilers do it.
    if (Under == 2 && Uses == 1) {
      R.Keys[First].Res = Float;
      if (slideBelow(First, At))
        return true;
      R.Keys[First].Res = OnStack;
      if (placePair(Number, Val, At))
        return true;
    }
    Floats = Under > 2;
  }
  if (Floats)
    floatUses(Val, V.UseBegin, V.UseEnd);
  return Floats;
}

/// \p Val and the value behind it, both of one slot, go under the same two
/// slots: one dup2_x2 moves both.
bool RegionScheduler::placePair(uint32_t Number, uint32_t Val, size_t At) {
  if (Number + 1 >= Out.Insts.size() || R.Values[Val].Slots != 1 ||
      Stack.back().bundle())
    return false;
  const ScheduledInst &Next = Out.Insts[Number + 1];
  if (Next.NumUses != 0 || Next.PushSlots != 1 || Next.I->floating())
    return false;
  uint32_t Other = R.valueOf(Next.I);
  ValueInfo &O = R.Values[Other];
  uint32_t First = R.UseKeys[R.Values[Val].UseBegin];
  if (!O.Pure || O.UseEnd - O.UseBegin != 1 ||
      R.UseKeys[O.UseBegin] != First - 1 ||
      First == Out.Insts[R.Keys[First].Inst].KeyBase)
    return false;
  Out.emitItem(CodeItem::Inst, Number, 0);
  Out.Pos = Number + 1;
  O.DefSerial = Out.Serial + 1;
  Out.emitItem(CodeItem::Inst, Number + 1, 0);
  Out.emitCopy(2, 2);
  Out.emitPop(2);
  Entry Low{Val, R.Values[Val].UseBegin, R.Values[Val].UseEnd, First,
            Stack[At].Start};
  Entry High{Other, O.UseBegin, O.UseEnd, First - 1, -1};
  for (size_t E = At; E < Stack.size(); ++E)
    Stack[E].Start = -1;
  Stack.insert(Stack.begin() + At, {Low, High});
  Paired = Number + 1;
  return true;
}

/// Makes the operands of \p I the top of the stack, in order; \p Exact: and
/// nothing else be there. False if they are not on the stack, which only
/// malformed IR brings about.
bool RegionScheduler::arrange(const ScheduledInst &I, bool Exact) {
  // Nearly always everything is in place.
  size_t N = Stack.size();
  if (N >= I.NumUses && (!Exact || N == I.NumUses)) {
    bool Fits = true;
    for (uint32_t K = 0; K < I.NumUses && Fits; ++K) {
      const Entry &E = Stack[N - 1 - K];
      Fits = E.First == I.KeyBase + K && !E.bundle();
    }
    if (Fits)
      return true;
  }
  return arrangeSlowly(I, Exact);
}

/// Raw code takes the whole stack and leaves a new one.
bool RegionScheduler::scheduleRaw(uint32_t Number) {
  if (!arrange(Out.Insts[Number], /*Exact=*/true))
    return false;
  Stack.clear();
  Out.emitItem(CodeItem::Inst, Number, 0);
  for (uint32_t N = Number + 1;
       N < Out.Insts.size() && Out.Insts[N].I->op() == irop::RawValue; ++N)
    stackUp(R.valueOf(Out.Insts[N].I));
  settle();
  return true;
}

/// Schedules instruction \p Number.
bool RegionScheduler::scheduleInst(uint32_t Number) {
  const ScheduledInst &I = Out.Insts[Number];
  if (Number == Paired)
    return true;
  IROp Op = I.I->op();
  Out.Pos = Number;
  KeyNow = I.KeyBase;

  if (isTerminator(Op)) {
    if (!arrange(I, /*Exact=*/!Leaving))
      return false;
    if (Op != irop::FallThrough)
      Out.emitItem(CodeItem::Inst, Number, 0);
    return true;
  }

  if (Op == irop::Raw)
    return scheduleRaw(Number);
  if (Op == irop::RawValue)
    return true;

  int32_t Start = int32_t(Out.Items.size());
  if (I.NumUses == 0) {
    if (I.PushSlots) {
      uint32_t Val = R.valueOf(I.I);
      R.Values[Val].DefSerial = Out.Serial + 1;
      if (R.Values[Val].Pure && schedulePure(Number, Val))
        return true;
      cover();
      Start = int32_t(Out.Items.size());
    } else if (Op == irop::LocalInc) {
      rescueReaders(I.I->index(), 1, I);
    }
  } else {
    // Nothing is there to be dropped.
    if (Op == irop::Drop && R.Keys[I.KeyBase].Res != OnStack)
      return true;
    if (Op == irop::LocalSet) {
      rescueReaders(I.I->index(), I.PopSlots, I);
      makeHome(I);
    }
    if (!arrange(I, /*Exact=*/false))
      return false;
    Stack.resize(Stack.size() - (I.NumUses - 1));
    Start = Stack.back().Start;
    Stack.pop_back();
  }
  Out.emitItem(CodeItem::Inst, Number, 0);
  if (Op == irop::LocalSet)
    Slots.set(I.I->index(), I.PopSlots, Out.Serial);
  else if (Op == irop::LocalInc)
    Slots.set(I.I->index(), 1, Out.Serial);
  if (I.PushSlots) {
    uint32_t Val = R.valueOf(I.I);
    placeValue(Val, R.Values[Val].UseBegin, R.Values[Val].UseEnd, Start);
  }
  popDead(/*Forced=*/false);
  return true;
}
