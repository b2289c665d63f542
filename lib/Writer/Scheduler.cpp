//===- Scheduler.cpp - Values onto the operand stack ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The schedule of one region. The searches down the stack end after three
/// slots, since no stack instruction reaches further; so the whole is linear.
///
//===----------------------------------------------------------------------===//

#include "Scheduler.h"
#include <algorithm>

using namespace jopt;

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

/// A copy of the top (of \p Slots slots, one value or two) goes under \p Under
/// slots.
void Scheduler::emitCopy(unsigned Slots, unsigned Under) {
  ++NumCopies;
  emitItem(CodeItem::StackOp, 0,
           Opcode((Slots == 1 ? op::DUP : op::DUP2) + Under));
}

void Scheduler::emitPop(unsigned Slots) {
  emitItem(CodeItem::StackOp, 0, Slots == 1 ? op::POP : op::POP2);
}

void Scheduler::emitStore(uint32_t Val, uint32_t Slot) {
  ++NumSpills;
  emitItem(CodeItem::Store, Slot,
           Opcode(Values[Val].Load - op::ILOAD + op::ISTORE));
  setLast(Slot, Values[Val].Slots);
}

CodeItem Scheduler::loadItem(uint32_t Val, int32_t Res) const {
  const ValueInfo &V = Values[Val];
  if (Res == Float)
    return {Pos, Serial, V.DefInst, CodeItem::Inst, 0};
  return {Pos, Serial, uint32_t(Res), CodeItem::Load, V.Load};
}

void Scheduler::emitLoad(uint32_t Val, int32_t Res) {
  ++Serial;
  Items.push_back(loadItem(Val, Res));
}

//===----------------------------------------------------------------------===//
// Locals
//===----------------------------------------------------------------------===//

void Scheduler::setLast(uint32_t Slot, unsigned Width) {
  LastSets[Slot] = Serial;
  if (Width == 2)
    LastSets[Slot + 1] = Serial;
}

uint32_t Scheduler::lastSet(const ValueInfo &V) const {
  uint32_t Last = LastSets[V.Slot];
  return V.Slots == 2 ? std::max(Last, LastSets[V.Slot + 1]) : Last;
}

/// True if \p V can be computed again here.
bool Scheduler::canFloat(const ValueInfo &V) const {
  return V.Pure && (V.Slot == NoLocal || lastSet(V) < V.DefSerial);
}

void Scheduler::addReader(uint32_t Slot, uint32_t Val) {
  ValueInfo &V = Values[Val];
  if (V.InList)
    return;
  V.InList = true;
  if (Readers[Slot] == NoValue)
    Touched.push_back(Slot);
  V.NextReader = Readers[Slot];
  Readers[Slot] = Val;
}

/// The uses [\p Lo, \p Hi) compute the value again.
void Scheduler::floatUses(uint32_t Val, uint32_t Lo, uint32_t Hi) {
  for (uint32_t U = Lo; U < Hi; ++U)
    Keys[UseKeys[U]].Res = Float;
  if (Lo < Hi && Values[Val].Slot != NoLocal)
    addReader(Values[Val].Slot, Val);
}

/// A local that nobody reads after \p LastKey, and that nobody reads now.
uint32_t Scheduler::freshLocal(unsigned Width, uint32_t LastKey) {
  while (!FreshInUse.empty() && FreshInUse.front().LastKey < KeyNow) {
    FreeLocals[FreshInUse.front().Width].push_back(FreshInUse.front().Slot);
    std::pop_heap(FreshInUse.begin(), FreshInUse.end());
    FreshInUse.pop_back();
  }
  uint32_t Slot;
  if (!FreeLocals[Width].empty()) {
    Slot = FreeLocals[Width].pop_back_val();
  } else if (Width == 1 && !FreeLocals[2].empty()) {
    Slot = FreeLocals[2].pop_back_val();
    FreeLocals[1].push_back(Slot + 1);
  } else {
    Slot = FreshTop;
    FreshTop += Width;
    if (FreshTop > 65535) {
      TooManySlots = true;
      FreshTop = FreshBase;
      Slot = FreshBase;
    }
    MaxLocals = std::max(MaxLocals, FreshTop);
    if (LastSets.size() < Slot + 2)
      LastSets.resize(Slot + 2);
  }
  FreshInUse.push_back({LastKey, Slot, Width});
  std::push_heap(FreshInUse.begin(), FreshInUse.end());
  return Slot;
}

/// \p Slot is about to be overwritten by \p I: whoever reads it later gets a
/// local of its own.
void Scheduler::rescueReaders(uint32_t Slot, unsigned Width,
                              const ScheduledInst &I) {
  uint32_t Limit = I.KeyBase + I.NumUses;
  auto Walk = [&](uint32_t S, bool OnlyPairs) {
    uint32_t V = Readers[S];
    if (V == NoValue)
      return;
    uint32_t Stay = NoValue;
    while (V != NoValue) {
      uint32_t Next = Values[V].NextReader;
      if (OnlyPairs && Values[V].Slots != 2) {
        Values[V].NextReader = Stay;
        Stay = V;
      } else {
        Values[V].InList = false;
        rescue(V, S, Limit);
      }
      V = Next;
    }
    Readers[S] = Stay;
  };
  if (Slot)
    Walk(Slot - 1, true);
  Walk(Slot, false);
  if (Width == 2)
    Walk(Slot + 1, false);
}

void Scheduler::rescue(uint32_t Val, uint32_t Slot, uint32_t Limit) {
  ValueInfo &V = Values[Val];
  auto ReadsSlot = [&](int32_t Res) {
    return Res == Float || Res == int32_t(Slot);
  };
  int32_t Found = OnStack;
  uint32_t First = Never, Count = 0;
  for (uint32_t U = V.UseEnd; U-- > V.UseBegin && UseKeys[U] >= Limit;)
    if (ReadsSlot(Keys[UseKeys[U]].Res)) {
      First = UseKeys[U];
      Found = Keys[First].Res;
      ++Count;
    }
  if (V.Local == Slot)
    V.Local = NoLocal;
  if (Found == OnStack)
    return;
  if (V.Local == NoLocal) {
    if (Count == 1 && loadEarly(First))
      return;
    cover();
    emitLoad(Val, Found);
    V.Local = freshLocal(V.Slots, UseKeys[V.UseEnd - 1]);
    emitStore(Val, V.Local);
  }
  for (uint32_t U = V.UseEnd; U-- > V.UseBegin && UseKeys[U] >= Limit;)
    if (ReadsSlot(Keys[UseKeys[U]].Res))
      Keys[UseKeys[U]].Res = int32_t(V.Local);
}

/// The use \p Key can load its operand now, and no later: it waits on the
/// stack, if its place there is not too deep.
bool Scheduler::loadEarly(uint32_t Key) {
  KeyInfo &K = Keys[Key];
  unsigned Under = 0;
  size_t At = Stack.size();
  while (At > 0 && Stack[At - 1].First < Key && Under <= 2)
    Under += slots(Stack[--At]);
  if (Under > 2)
    return false;
  if (Under && slideBelow(Key, At))
    return true;
  cover();
  int32_t Start = int32_t(Items.size());
  emitLoad(K.Val, K.Res);
  K.Res = OnStack;
  placeValue(K.Val, K.UseIdx, K.UseIdx + 1, Start);
  return true;
}

/// \p I sets a slot to a value that has more uses: they can read the slot. Not
/// where the original made copies.
void Scheduler::makeHome(const ScheduledInst &I) {
  if (Stack.empty())
    return;
  Entry &E = Stack.back();
  ValueInfo &V = Values[E.Val];
  if (E.First != I.KeyBase || !E.bundle() || V.KeepLate || V.Local != NoLocal ||
      V.InList)
    return;
  V.Local = I.I->index();
  for (uint32_t U = E.Lo + 1; U < E.Hi; ++U)
    Keys[UseKeys[U]].Res = int32_t(V.Local);
  E.Hi = E.Lo + 1;
  addReader(V.Local, E.Val);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// True if the bundle of the uses from \p Lo on need not be copied before
/// something is put on it: it will be on top again when its first use comes.
bool Scheduler::waitable(uint32_t Val, uint32_t Lo) const {
  uint32_t Key = UseKeys[Lo];
  const ScheduledInst &J = Insts[Keys[Key].Inst];
  uint32_t FromLast = Key - J.KeyBase;
  if (FromLast == 0)
    return true;
  // Last but one, and the last is copied as well: one dup2 serves both.
  if (FromLast != 1 || Values[Val].Slots != 1)
    return false;
  const KeyInfo &W = Keys[J.KeyBase];
  if (W.Val == Val || Values[W.Val].Slots != 1 ||
      W.UseIdx + 1 >= Values[W.Val].UseEnd)
    return false;
  uint32_t Next = UseKeys[W.UseIdx + 1];
  return !in(J, Next) && Next < UseKeys[Lo + 1];
}

/// Something is about to be put on the top entry.
void Scheduler::cover() {
  if (Stack.empty())
    return;
  const Entry &E = Stack.back();
  if (E.bundle() && !waitable(E.Val, E.Lo))
    expand();
}

/// The top entry is a bundle u1 < ... < um. If u1 ... uQ stay on top and the
/// rest goes below: does the rest come to the top in time to be copied then?
bool Scheduler::staysExposed(unsigned Q) const {
  const Entry &E = Stack.back();
  uint32_t Low = UseKeys[E.Lo + Q];
  // The entry directly above the rest: the last one that it is put under.
  uint32_t Above = UseKeys[E.Lo + Q - 1];
  for (size_t I = Stack.size() - 1; I-- > 0 && Stack[I].First < Low;) {
    Above = std::max(Above, Stack[I].First);
    if (Stack.size() - I > 3)
      break;
  }
  uint32_t LowInst = Keys[Low].Inst;
  for (;;) {
    uint32_t J = Keys[Above].Inst;
    if (J == LowInst)
      return false;
    const ScheduledInst &I = Insts[J];
    if (!I.PushSlots)
      return true;
    const ValueInfo &Result = Values[valueOf(I.I)];
    if (Result.UseBegin == Result.UseEnd)
      return true;
    uint32_t Next = UseKeys[Result.UseBegin];
    if (Next > Low)
      return true; // the result will be put below the rest
    Above = Next;
  }
}

/// Copies of the top entry, a bundle: as many as must be made now.
void Scheduler::expand() {
  const Entry &E = Stack.back();
  unsigned Uses = E.Hi - E.Lo, Q = 1;
  while (Q + 1 < Uses && !waitable(E.Val, E.Lo + Q) && !staysExposed(Q))
    ++Q;
  for (; Q > 0; --Q)
    split(Q);
}

/// The first \p Count uses of the top entry stay; a copy for the others goes
/// down.
void Scheduler::split(unsigned Count) {
  size_t Top = Stack.size() - 1;
  Entry &E = Stack[Top];
  uint32_t Val = E.Val, Lo = E.Lo + Count, Hi = E.Hi, Key = UseKeys[Lo];
  ValueInfo &V = Values[Val];
  E.Hi = Lo;
  unsigned Under = 0;
  size_t At = Top;
  while (At > 0 && Stack[At - 1].First < Key && Under <= 2)
    Under += slots(Stack[--At]);
  if (Under <= 2) {
    emitCopy(V.Slots, Under);
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
    V.Local = freshLocal(V.Slots, UseKeys[V.UseEnd - 1]);
    emitCopy(V.Slots, 0);
    emitStore(Val, V.Local);
  }
  for (uint32_t U = Lo; U < Hi; ++U)
    Keys[UseKeys[U]].Res = int32_t(V.Local);
}

/// `a[i] += x`: \p I takes the two top entries, and both are needed again. One
/// dup2 copies them.
bool Scheduler::copyGroup(const ScheduledInst &I) {
  size_t N = Stack.size();
  if (N < 2)
    return false;
  Entry &V = Stack[N - 2], &W = Stack[N - 1];
  if (!V.bundle() || !W.bundle() || slots(V) != 1 || slots(W) != 1 ||
      !in(I, V.First) || !in(I, W.First))
    return false;
  uint32_t KeyV = UseKeys[V.Lo + 1], KeyW = UseKeys[W.Lo + 1];
  if (KeyW > KeyV || KeyW < V.First)
    return false;
  unsigned Under = 0;
  size_t At = N - 2;
  while (At > 0 && Stack[At - 1].First < KeyW && Under <= 2)
    Under += slots(Stack[--At]);
  if (Under > 2 || (At > 0 && Stack[At - 1].First < KeyV))
    return false;
  emitCopy(2, Under);
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
void Scheduler::placeUnder(unsigned Under) {
  Entry E = Stack.back();
  unsigned Wide = slots(E);
  if (Wide == 1 && Under == 1) {
    emitItem(CodeItem::StackOp, 0, op::SWAP);
  } else {
    emitCopy(Wide, Under);
    emitPop(Wide);
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
void Scheduler::placeValue(uint32_t Val, uint32_t Lo, uint32_t Hi,
                           int32_t Start) {
  if (Lo == Hi) {
    Stack.push_back({Val, Lo, Hi, Never, Start});
    return;
  }
  uint32_t First = UseKeys[Lo];
  unsigned Under = 0;
  for (size_t I = Stack.size();
       I-- > 0 && Stack[I].First < First && Under <= 2;)
    Under += slots(Stack[I]);
  if (Under <= 2) {
    Stack.push_back({Val, Lo, Hi, First, Start});
    if (Under == 0)
      return;
    if (Hi - Lo > 1)
      split(1);
    placeUnder(Under);
    return;
  }
  ValueInfo &V = Values[Val];
  if (V.Local != NoLocal) {
    emitPop(V.Slots);
  } else {
    V.Local = freshLocal(V.Slots, UseKeys[V.UseEnd - 1]);
    emitStore(Val, V.Local);
  }
  for (uint32_t U = Lo; U < Hi; ++U)
    Keys[UseKeys[U]].Res = int32_t(V.Local);
}

/// Pops what nobody uses from the top. Where the method is about to be left,
/// only what the original popped, too, unless \p Forced.
void Scheduler::popDead(bool Forced) {
  auto MayPop = [&](const Entry &E) {
    return E.dead() && (Forced || !Leaving || Values[E.Val].Popped);
  };
  while (!Stack.empty() && MayPop(Stack.back())) {
    unsigned Wide = slots(Stack.back());
    Stack.pop_back();
    if (Wide == 1 && !Stack.empty() && slots(Stack.back()) == 1 &&
        MayPop(Stack.back())) {
      Stack.pop_back();
      Wide = 2;
    }
    emitPop(Wide);
  }
}

/// The top entry goes into a local.
void Scheduler::storeTop() {
  Entry E = Stack.back();
  Stack.pop_back();
  ValueInfo &V = Values[E.Val];
  if (E.dead()) {
    emitPop(V.Slots);
  } else if (canFloat(V)) {
    emitPop(V.Slots);
    floatUses(E.Val, E.Lo, E.Hi);
  } else {
    if (V.Local == NoLocal) {
      V.Local = freshLocal(V.Slots, UseKeys[V.UseEnd - 1]);
      emitStore(E.Val, V.Local);
    } else {
      emitPop(V.Slots);
    }
    for (uint32_t U = E.Lo; U < E.Hi; ++U)
      Keys[UseKeys[U]].Res = int32_t(V.Local);
  }
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Makes the operands of \p I the top of the stack, in order; \p Exact: and
/// nothing else be there. False if they are not on the stack, which only
/// malformed IR brings about.
bool Scheduler::arrange(const ScheduledInst &I, bool Exact) {
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

/// Every operand that is on the stack is at its place.
bool Scheduler::matches(const ScheduledInst &I, bool Exact) const {
  size_t At = Stack.size();
  for (uint32_t Key = I.KeyBase; Key < I.KeyBase + I.NumUses; ++Key) {
    if (Keys[Key].Res != OnStack)
      continue;
    if (At == 0 || Stack[At - 1].First != Key || Stack[At - 1].bundle())
      return false;
    --At;
  }
  return !Exact || At == 0;
}

bool Scheduler::arrangeSlowly(const ScheduledInst &I, bool Exact) {
  auto CountOnStack = [&](uint32_t Limit) {
    uint32_t Count = 0;
    for (uint32_t Key = I.KeyBase; Key < Limit; ++Key)
      Count += Keys[Key].Res == OnStack;
    return Count;
  };
  uint32_t End = I.KeyBase + I.NumUses;
  uint32_t OnTop = CountOnStack(End);
  if (OnTop || Exact)
    popDead(/*Forced=*/true);

  // Slide loads under a bundle before it is copied: so the copy goes under
  // both at once.
  if (!Stack.empty()) {
    const Entry &E = Stack.back();
    if (E.bundle() && in(I, E.First) && !in(I, UseKeys[E.Lo + 1]))
      slideBelowBundle(I, E.First);
  }
  if (!Stack.empty() && Stack.back().bundle() && in(I, Stack.back().First) &&
      !copyGroup(I))
    expand();

  while (!matches(I, Exact)) {
    size_t N = Stack.size();
    if (N >= 2 && !Stack[N - 1].dead() && Stack[N - 2].dead() &&
        slots(Stack[N - 1]) == 1 && slots(Stack[N - 2]) == 1) {
      emitItem(CodeItem::StackOp, 0, op::SWAP);
      emitPop(1);
      int32_t Start = Stack[N - 2].Start;
      Stack[N - 2] = Stack[N - 1];
      Stack[N - 2].Start = Start;
      Stack.pop_back();
      continue;
    }
    // Into locals, from the top down to the lowest that is needed.
    OnTop = CountOnStack(End);
    size_t Lowest = N;
    while (OnTop && Lowest > 0) {
      const Entry &E = Stack[--Lowest];
      for (uint32_t U = E.Lo; U < E.Hi && in(I, UseKeys[U]); ++U)
        --OnTop;
    }
    if (OnTop)
      return false;
    if (Exact)
      Lowest = 0;
    while (Stack.size() > Lowest)
      storeTop();
  }
  return loadOperands(I);
}

/// The top entry, a bundle, is the operand \p First of \p I: operands below it
/// that are to be loaded slide to their places where they can.
void Scheduler::slideBelowBundle(const ScheduledInst &I, uint32_t First) {
  uint32_t Above = 0;
  for (uint32_t Key = I.KeyBase; Key < I.KeyBase + I.NumUses; ++Key)
    Above += Keys[Key].Res == OnStack;
  if (Above > Stack.size())
    return;
  // Only if the operands that are there stand as they should.
  size_t At = Stack.size();
  for (uint32_t Key = I.KeyBase; Key < I.KeyBase + I.NumUses; ++Key)
    if (Keys[Key].Res == OnStack && Stack[--At].First != Key)
      return;
  for (uint32_t Key = I.KeyBase + I.NumUses - 1; Key > First; --Key) {
    if (Keys[Key].Res == OnStack)
      --Above;
    else
      slideBelow(Key, Stack.size() - Above);
  }
}

/// Inserts the load for the use \p Key where the code of the entry \p At
/// begins, if nothing since then changed what it loads.
bool Scheduler::slideBelow(uint32_t Key, size_t At) {
  int32_t Start = Stack[At].Start;
  if (Start < 0)
    return false;
  KeyInfo &K = Keys[Key];
  const ValueInfo &V = Values[K.Val];
  CodeItem Item = loadItem(K.Val, K.Res);
  const CodeItem &Right = Items[Start];
  uint32_t Last = 0;
  if (K.Res != Float) {
    Last = LastSets[K.Res];
    if (V.Slots == 2)
      Last = std::max(Last, LastSets[K.Res + 1]);
  } else if (V.Slot != NoLocal) {
    Last = lastSet(V);
  }
  if (Last >= Right.Serial)
    return false;
  // The neighbour's position: a range that begins there must not begin
  // earlier because of the load.
  Item.Pos = Right.Pos;
  Item.Serial = Right.Serial;
  Items.insert(Items.begin() + Start, Item);
  for (size_t I = At; I < Stack.size(); ++I)
    if (Stack[I].Start >= Start)
      ++Stack[I].Start;
  K.Res = OnStack;
  Stack.insert(Stack.begin() + At, {K.Val, K.UseIdx, K.UseIdx + 1, Key, Start});
  return true;
}

/// The operands on the stack are at their places; the others come between.
bool Scheduler::loadOperands(const ScheduledInst &I) {
  uint32_t Above = 0;
  for (uint32_t Key = I.KeyBase; Key < I.KeyBase + I.NumUses; ++Key)
    Above += Keys[Key].Res == OnStack;
  for (uint32_t Key = I.KeyBase + I.NumUses; Key-- > I.KeyBase;) {
    KeyInfo &K = Keys[Key];
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
    int32_t Start = int32_t(Items.size());
    emitLoad(K.Val, K.Res);
    K.Res = OnStack;
    Stack.push_back({K.Val, K.UseIdx, K.UseIdx + 1, Key, Start});
    if (Under)
      placeUnder(Under);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

void Scheduler::enterRegion(llvm::ArrayRef<Parameter *> Params) {
  Stack.clear();
  FreshTop = FreshBase;
  for (uint32_t V = 0; V < Params.size(); ++V)
    stackUp(V);
  settle();
}

/// \p Val is the next value of a stack that is there without code for it.
void Scheduler::stackUp(uint32_t Val) {
  const ValueInfo &V = Values[Val];
  bool Dead = V.UseBegin == V.UseEnd;
  Stack.push_back(
      {Val, V.UseBegin, V.UseEnd, Dead ? Never : UseKeys[V.UseBegin], -1});
}

/// Brings such a stack into order.
void Scheduler::settle() {
  popDead(/*Forced=*/false);
  size_t N = Stack.size();
  if (N >= 2 && !Stack[N - 1].dead() &&
      Stack[N - 1].First > Stack[N - 2].First) {
    Entry E = Stack.back();
    Stack.pop_back();
    placeValue(E.Val, E.Lo, E.Hi, -1);
  }
}

void Scheduler::leaveRegion() {
  for (uint32_t Slot : Touched)
    Readers[Slot] = NoValue;
  Touched.clear();
  FreshInUse.clear();
  FreeLocals[1].clear();
  FreeLocals[2].clear();
}

/// Schedules the blocks [\p From, \p To), just numbered.
bool Scheduler::scheduleRegion(uint32_t From, uint32_t To) {
  uint32_t Begin = Blocks[From].FirstInst, End = uint32_t(Insts.size());
  IROp Last = Insts.back().I->op();
  Leaving = Last == irop::Return || Last == irop::Throw;
  Pos = Begin;
  KeyNow = 0;
  size_t Item = Items.size();
  enterRegion(Blocks[From].B->parameters());
  bool Ok = true;
  for (uint32_t N = Begin; N < End && Ok; ++N)
    Ok = schedule(N);
  leaveRegion();
  for (uint32_t B = From; B < To; ++B) {
    while (Item < Items.size() && Items[Item].Pos < Blocks[B].FirstInst)
      ++Item;
    Blocks[B].FirstItem = uint32_t(Item);
  }
  return Ok;
}

/// Instruction \p Number yields the pure value \p Val. True if that is all
/// there is to do: it is computed where it is used, or came to its place
/// otherwise. False: it is computed here and now.
bool Scheduler::schedulePure(uint32_t Number, uint32_t Val) {
  const ValueInfo &V = Values[Val];
  unsigned Uses = V.UseEnd - V.UseBegin;
  if (Uses == 0)
    return true;
  bool Floats = Insts[Number].I->floating() || (Uses > 1 && !V.Keep);
  if (!Floats) {
    unsigned Under = 0;
    uint32_t First = UseKeys[V.UseBegin];
    size_t At = Stack.size();
    while (At > 0 && Stack[At - 1].First < First && Under <= 2)
      Under += slots(Stack[--At]);
    // Under one slot it is left to swap, as compilers do it.
    if (Under == 2 && Uses == 1) {
      Keys[First].Res = Float;
      if (slideBelow(First, At))
        return true;
      Keys[First].Res = OnStack;
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
bool Scheduler::placePair(uint32_t Number, uint32_t Val, size_t At) {
  if (Number + 1 >= Insts.size() || Values[Val].Slots != 1 ||
      Stack.back().bundle())
    return false;
  const ScheduledInst &Next = Insts[Number + 1];
  if (Next.NumUses != 0 || Next.PushSlots != 1 || Next.I->floating())
    return false;
  uint32_t Other = valueOf(Next.I);
  ValueInfo &O = Values[Other];
  uint32_t First = UseKeys[Values[Val].UseBegin];
  if (!O.Pure || O.UseEnd - O.UseBegin != 1 ||
      UseKeys[O.UseBegin] != First - 1 ||
      First == Insts[Keys[First].Inst].KeyBase)
    return false;
  emitItem(CodeItem::Inst, Number, 0);
  Pos = Number + 1;
  O.DefSerial = Serial + 1;
  emitItem(CodeItem::Inst, Number + 1, 0);
  emitCopy(2, 2);
  emitPop(2);
  Entry Low{Val, Values[Val].UseBegin, Values[Val].UseEnd, First,
            Stack[At].Start};
  Entry High{Other, O.UseBegin, O.UseEnd, First - 1, -1};
  for (size_t E = At; E < Stack.size(); ++E)
    Stack[E].Start = -1;
  Stack.insert(Stack.begin() + At, {Low, High});
  Paired = Number + 1;
  return true;
}

/// Raw code takes the whole stack and leaves a new one.
bool Scheduler::scheduleRaw(uint32_t Number) {
  if (!arrange(Insts[Number], /*Exact=*/true))
    return false;
  Stack.clear();
  emitItem(CodeItem::Inst, Number, 0);
  for (uint32_t N = Number + 1;
       N < Insts.size() && Insts[N].I->op() == irop::RawValue; ++N)
    stackUp(valueOf(Insts[N].I));
  settle();
  return true;
}

/// Schedules instruction \p Number.
bool Scheduler::schedule(uint32_t Number) {
  const ScheduledInst &I = Insts[Number];
  if (Number == Paired)
    return true;
  IROp Op = I.I->op();
  Pos = Number;
  KeyNow = I.KeyBase;

  if (isTerminator(Op)) {
    if (!arrange(I, /*Exact=*/!Leaving))
      return false;
    if (Op != irop::FallThrough)
      emitItem(CodeItem::Inst, Number, 0);
    return true;
  }

  if (Op == irop::Raw)
    return scheduleRaw(Number);
  if (Op == irop::RawValue)
    return true;

  int32_t Start = int32_t(Items.size());
  if (I.NumUses == 0) {
    if (I.PushSlots) {
      uint32_t Val = valueOf(I.I);
      Values[Val].DefSerial = Serial + 1;
      if (Values[Val].Pure && schedulePure(Number, Val))
        return true;
      cover();
      Start = int32_t(Items.size());
    } else if (Op == irop::LocalInc) {
      rescueReaders(I.I->index(), 1, I);
    }
  } else {
    // Nothing is there to be dropped.
    if (Op == irop::Drop && Keys[I.KeyBase].Res != OnStack)
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
  emitItem(CodeItem::Inst, Number, 0);
  if (Op == irop::LocalSet)
    setLast(I.I->index(), I.PopSlots);
  else if (Op == irop::LocalInc)
    setLast(I.I->index(), 1);
  if (I.PushSlots) {
    uint32_t Val = valueOf(I.I);
    placeValue(Val, Values[Val].UseBegin, Values[Val].UseEnd, Start);
  }
  popDead(/*Forced=*/false);
  return true;
}
