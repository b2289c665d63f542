//===- SchedulerOperands.cpp - Operands to the top of the stack -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How the scheduler gives an instruction its operands, in order.
///
//===----------------------------------------------------------------------===//

#include "RegionScheduler.h"

using namespace jopt;

/// Every operand that is on the stack is at its place.
bool RegionScheduler::matches(const ScheduledInst &I, bool Exact) const {
  size_t At = Stack.size();
  for (uint32_t Key = I.KeyBase; Key < I.KeyBase + I.NumUses; ++Key) {
    if (R.Keys[Key].Res != OnStack)
      continue;
    if (At == 0 || Stack[At - 1].First != Key || Stack[At - 1].bundle())
      return false;
    --At;
  }
  return !Exact || At == 0;
}

/// Where something is not.
bool RegionScheduler::arrangeSlowly(const ScheduledInst &I, bool Exact) {
  if (countOnStack(I) || Exact)
    popDead(/*Forced=*/true);

  // Slide loads under a bundle before it is copied: so the copy goes under
  // both at once.
  if (!Stack.empty()) {
    const Entry &E = Stack.back();
    if (E.bundle() && in(I, E.First) && !in(I, R.UseKeys[E.Lo + 1]))
      slideBelowBundle(I, E.First);
  }
  if (!Stack.empty() && Stack.back().bundle() && in(I, Stack.back().First) &&
      !copyGroup(I))
    expand();

  while (!matches(I, Exact))
    if (!dropBelowTop() && !storeDownTo(I, Exact))
      return false;
  return loadOperands(I);
}

/// `swap; pop` if the top is used and what is below is not.
bool RegionScheduler::dropBelowTop() {
  size_t N = Stack.size();
  if (N < 2 || Stack[N - 1].dead() || !Stack[N - 2].dead() ||
      slots(Stack[N - 1]) != 1 || slots(Stack[N - 2]) != 1)
    return false;
  Out.emitSwap();
  Out.emitPop(1);
  int32_t Start = Stack[N - 2].Start;
  Stack[N - 2] = Stack[N - 1];
  Stack[N - 2].Start = Start;
  Stack.pop_back();
  return true;
}

/// Stores into locals, from the top down to the lowest operand of \p I, or all
/// if \p Exact. False if operands are missing.
bool RegionScheduler::storeDownTo(const ScheduledInst &I, bool Exact) {
  uint32_t Wanted = countOnStack(I);
  size_t Lowest = Stack.size();
  while (Wanted && Lowest > 0) {
    const Entry &E = Stack[--Lowest];
    for (uint32_t U = E.Lo; U < E.Hi && in(I, R.UseKeys[U]); ++U)
      --Wanted;
  }
  if (Wanted)
    return false;
  if (Exact)
    Lowest = 0;
  while (Stack.size() > Lowest)
    storeTop();
  return true;
}

/// How many operands of \p I are taken from the stack.
uint32_t RegionScheduler::countOnStack(const ScheduledInst &I) const {
  uint32_t Count = 0;
  for (uint32_t Key = I.KeyBase; Key < I.KeyBase + I.NumUses; ++Key)
    Count += R.Keys[Key].Res == OnStack;
  return Count;
}

/// The top entry, a bundle, is the operand \p First of \p I: operands below it
/// that are to be loaded slide to their places where they can.
void RegionScheduler::slideBelowBundle(const ScheduledInst &I, uint32_t First) {
  uint32_t Above = countOnStack(I);
  if (Above > Stack.size())
    return;
  // Only if the operands that are there stand as they should.
  size_t At = Stack.size();
  for (uint32_t Key = I.KeyBase; Key < I.KeyBase + I.NumUses; ++Key)
    if (R.Keys[Key].Res == OnStack && Stack[--At].First != Key)
      return;
  for (uint32_t Key = I.KeyBase + I.NumUses - 1; Key > First; --Key) {
    if (R.Keys[Key].Res == OnStack)
      --Above;
    else
      slideBelow(Key, Stack.size() - Above);
  }
}

/// Inserts the load for the use \p Key where the code of the entry \p At
/// begins, if nothing since then changed what it loads.
bool RegionScheduler::slideBelow(uint32_t Key, size_t At) {
  int32_t Start = Stack[At].Start;
  if (Start < 0)
    return false;
  KeyInfo &K = R.Keys[Key];
  const ValueInfo &V = R.Values[K.Val];
  CodeItem Item = loadItem(K.Val, K.Res);
  const CodeItem &Right = Out.Items[Start];
  uint32_t Slot = K.Res == Float ? V.Slot : uint32_t(K.Res);
  if (Slot != NoLocal && Slots.lastSet(Slot, V.Slots) >= Right.Serial)
    return false;
  // The neighbour's position: a range that begins there must not begin
  // earlier because of the load.
  Item.Pos = Right.Pos;
  Item.Serial = Right.Serial;
  Out.Items.insert(Out.Items.begin() + Start, Item);
  for (size_t I = At; I < Stack.size(); ++I)
    if (Stack[I].Start >= Start)
      ++Stack[I].Start;
  K.Res = OnStack;
  Stack.insert(Stack.begin() + At, {K.Val, K.UseIdx, K.UseIdx + 1, Key, Start});
  return true;
}

/// The operands on the stack are at their places; the others come between.
bool RegionScheduler::loadOperands(const ScheduledInst &I) {
  uint32_t Above = countOnStack(I);
  for (uint32_t Key = I.KeyBase + I.NumUses; Key-- > I.KeyBase;) {
    KeyInfo &K = R.Keys[Key];
    if (K.Res == OnStack) {
      --Above;
      continue;
    }
    size_t At = Stack.size() - Above;
    if (Above && slideBelow(Key, At))
      continue;
    unsigned Under = 0;
    for (size_t S = At; S < Stack.size() && Under <= 2; ++S)
      Under += slots(Stack[S]);
    if (Under > 2) {
      while (Stack.size() > At)
        storeTop();
      Above = Under = 0;
    }
    if (!Above)
      cover();
    int32_t Start = int32_t(Out.Items.size());
    emitLoad(K.Val, K.Res);
    K.Res = OnStack;
    Stack.push_back({K.Val, K.UseIdx, K.UseIdx + 1, Key, Start});
    if (Under)
      placeUnder(Under);
  }
  return true;
}
