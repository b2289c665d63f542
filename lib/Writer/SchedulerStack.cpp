//===- SchedulerStack.cpp - Copies and order on the stack -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How the scheduler keeps its invariant: copies of a value that has more uses,
/// the place of a value among others, and what it stores in a slot because no
/// stack instruction reaches its place.
///
//===----------------------------------------------------------------------===//

#include "RegionScheduler.h"
#include <algorithm>

using namespace jopt;

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// True if the bundle of the uses from \p Lo on need not be copied before
/// something is put on it: it will be on top again when its first use comes.
bool RegionScheduler::waitable(uint32_t Val, uint32_t Lo) const {
  uint32_t Key = R.UseKeys[Lo];
  const ScheduledInst &J = Out.Insts[R.Keys[Key].Inst];
  uint32_t FromLast = Key - J.KeyBase;
  if (FromLast == 0)
    return true;
  // Last but one, and the last is copied as well: one dup2 serves both.
  if (FromLast != 1 || R.Values[Val].Slots != 1)
    return false;
  const KeyInfo &W = R.Keys[J.KeyBase];
  if (W.Val == Val || R.Values[W.Val].Slots != 1 ||
      W.UseIdx + 1 >= R.Values[W.Val].UseEnd)
    return false;
  uint32_t Next = R.UseKeys[W.UseIdx + 1];
  return !in(J, Next) && Next < R.UseKeys[Lo + 1];
}

/// Something is about to be put on the top entry, a bundle.
void RegionScheduler::coverBundle() {
  const Entry &E = Stack.back();
  if (!waitable(E.Val, E.Lo))
    expand();
}

/// The top entry is a bundle u1 < ... < um. If u1 ... uQ stay on top and the
/// rest goes below: does the rest come to the top in time to be copied then?
bool RegionScheduler::staysExposed(unsigned Q) const {
  const Entry &E = Stack.back();
  uint32_t Low = R.UseKeys[E.Lo + Q];
  // The entry directly above the rest: the last one that it is put under.
  uint32_t Above = R.UseKeys[E.Lo + Q - 1];
  for (size_t I = Stack.size() - 1; I-- > 0 && Stack[I].First < Low;) {
    Above = std::max(Above, Stack[I].First);
    if (Stack.size() - I > 3)
      break;
  }
  uint32_t LowInst = R.Keys[Low].Inst;
  for (;;) {
    uint32_t J = R.Keys[Above].Inst;
    if (J == LowInst)
      return false;
    const ScheduledInst &I = Out.Insts[J];
    if (!I.PushSlots)
      return true;
    const ValueInfo &Result = R.Values[R.valueOf(I.I)];
    if (Result.UseBegin == Result.UseEnd)
      return true;
    uint32_t Next = R.UseKeys[Result.UseBegin];
    if (Next > Low)
      return true; // the result will be put below the rest
    Above = Next;
  }
}

/// Copies of the top entry, a bundle: as many as must be made now.
void RegionScheduler::expand() {
  const Entry &E = Stack.back();
  unsigned Uses = E.Hi - E.Lo, Q = 1;
  while (Q + 1 < Uses && !waitable(E.Val, E.Lo + Q) && !staysExposed(Q))
    ++Q;
  for (; Q > 0; --Q)
    split(Q);
}

/// The first \p Count uses of the top entry stay; a copy for the others goes
/// down.
void RegionScheduler::split(unsigned Count) {
  size_t Top = Stack.size() - 1;
  Entry &E = Stack[Top];
  uint32_t Val = E.Val, Lo = E.Lo + Count, Hi = E.Hi, Key = R.UseKeys[Lo];
  ValueInfo &V = R.Values[Val];
  E.Hi = Lo;
  auto [At, Under] = placeOf(Key, Top);
  if (Under <= 2) {
    Out.emitCopy(V.Slots, Under);
    int32_t Start = Stack[At].Start;
    for (size_t I = At; I <= Top; ++I)
      Stack[I].Start = -1;
    Stack.insert(Stack.begin() + At, {Val, Lo, Hi, Key, Start});
    return;
  }
  if (canFloat(V)) {
    floatUses(Val, Lo, Hi);
    return;
  }
  if (V.Local == NoLocal) {
    V.Local = freshLocal(V);
    Out.emitCopy(V.Slots, 0);
    emitStore(Val, V.Local);
  }
  readFrom(V.Local, Lo, Hi);
}

/// `a[i] += x`: \p I takes the two top entries, and both are needed again. One
/// dup2 copies them.
bool RegionScheduler::copyGroup(const ScheduledInst &I) {
  size_t N = Stack.size();
  if (N < 2)
    return false;
  Entry &V = Stack[N - 2], &W = Stack[N - 1];
  if (!V.bundle() || !W.bundle() || slots(V) != 1 || slots(W) != 1 ||
      !in(I, V.First) || !in(I, W.First))
    return false;
  uint32_t KeyV = R.UseKeys[V.Lo + 1], KeyW = R.UseKeys[W.Lo + 1];
  if (KeyW > KeyV || KeyW < V.First)
    return false;
  auto [At, Under] = placeOf(KeyW, N - 2);
  if (Under > 2 || (At > 0 && Stack[At - 1].First < KeyV))
    return false;
  Out.emitCopy(2, Under);
  Entry LowV{V.Val, V.Lo + 1, V.Hi, KeyV, Stack[At].Start};
  Entry LowW{W.Val, W.Lo + 1, W.Hi, KeyW, -1};
  V.Hi = V.Lo + 1;
  W.Hi = W.Lo + 1;
  for (size_t K = At; K < N; ++K)
    Stack[K].Start = -1;
  Stack.insert(Stack.begin() + At, {LowV, LowW});
  return true;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// The top entry goes under the entries below that take \p Under slots, 1 or 2.
void RegionScheduler::placeUnder(unsigned Under) {
  Entry E = Stack.back();
  unsigned Wide = slots(E);
  if (Wide == 1 && Under == 1) {
    Out.emitSwap();
  } else {
    Out.emitCopy(Wide, Under);
    Out.emitPop(Wide);
  }
  size_t At = Stack.size() - 1;
  for (unsigned S = 0; S < Under;)
    S += slots(Stack[--At]);
  E.Start = Stack[At].Start;
  for (size_t I = Stack.size() - 1; I > At; --I) {
    Stack[I] = Stack[I - 1];
    Stack[I].Start = -1;
  }
  Stack[At] = E;
}

/// A value was pushed: bring it where the order of first uses wants it.
void RegionScheduler::placeValue(uint32_t Val, uint32_t Lo, uint32_t Hi,
                                 int32_t Start) {
  if (Lo == Hi) {
    Stack.push_back({Val, Lo, Hi, Never, Start});
    return;
  }
  uint32_t First = R.UseKeys[Lo];
  unsigned Under = placeOf(First, Stack.size()).Under;
  if (Under <= 2) {
    Stack.push_back({Val, Lo, Hi, First, Start});
    if (Under == 0)
      return;
    if (Hi - Lo > 1)
      split(1);
    placeUnder(Under);
    return;
  }
  ValueInfo &V = R.Values[Val];
  if (V.Local != NoLocal) {
    Out.emitPop(V.Slots);
  } else {
    V.Local = freshLocal(V);
    emitStore(Val, V.Local);
  }
  readFrom(V.Local, Lo, Hi);
}

/// Pops what nobody uses from the top. Where the method is about to be left,
/// only what the original popped, too, unless \p Forced.
void RegionScheduler::popDead(bool Forced) {
  auto MayPop = [&](const Entry &E) {
    return E.dead() && (Forced || !Leaving || R.Values[E.Val].Popped);
  };
  while (!Stack.empty() && MayPop(Stack.back())) {
    unsigned Wide = slots(Stack.back());
    Stack.pop_back();
    if (Wide == 1 && !Stack.empty() && slots(Stack.back()) == 1 &&
        MayPop(Stack.back())) {
      Stack.pop_back();
      Wide = 2;
    }
    Out.emitPop(Wide);
  }
}

/// The top entry goes into a local.
void RegionScheduler::storeTop() {
  Entry E = Stack.back();
  Stack.pop_back();
  ValueInfo &V = R.Values[E.Val];
  if (E.dead()) {
    Out.emitPop(V.Slots);
  } else if (canFloat(V)) {
    Out.emitPop(V.Slots);
    floatUses(E.Val, E.Lo, E.Hi);
  } else {
    if (V.Local == NoLocal) {
      V.Local = freshLocal(V);
      emitStore(E.Val, V.Local);
    } else {
      Out.emitPop(V.Slots);
    }
    readFrom(V.Local, E.Lo, E.Hi);
  }
}
