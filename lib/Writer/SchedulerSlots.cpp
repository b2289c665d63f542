//===- SchedulerSlots.cpp - Values in local slots -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where the scheduler reads a value from a slot: a load of the original again,
/// the slot that the value was stored in (its home), or a fresh one. Before a
/// slot is overwritten, whoever is still to read it gets another.
///
//===----------------------------------------------------------------------===//

#include "RegionScheduler.h"

using namespace jopt;

void RegionScheduler::emitStore(uint32_t Val, uint32_t Slot) {
  ++Out.NumSpills;
  Out.emitItem(CodeItem::Store, Slot,
               Opcode(R.Values[Val].Load - op::ILOAD + op::ISTORE));
  Slots.set(Slot, R.Values[Val].Slots, Out.Serial);
}

/// True if \p V can be computed again here.
bool RegionScheduler::canFloat(const ValueInfo &V) const {
  return V.Pure &&
         (V.Slot == NoLocal || Slots.lastSet(V.Slot, V.Slots) < V.DefSerial);
}

/// \p Slot is about to be overwritten by \p I: whoever reads it later gets a
/// local of its own.
void RegionScheduler::rescueReaders(uint32_t Slot, unsigned Width,
                                    const ScheduledInst &I) {
  uint32_t Limit = I.KeyBase + I.NumUses;
  auto Walk = [&](uint32_t S, bool OnlyPairs) {
    uint32_t V = Slots.firstReader(S);
    if (V == NoValue)
      return;
    uint32_t Stay = NoValue;
    while (V != NoValue) {
      uint32_t Next = R.Values[V].NextReader;
      if (OnlyPairs && R.Values[V].Slots != 2) {
        R.Values[V].NextReader = Stay;
        Stay = V;
      } else {
        R.Values[V].InList = false;
        rescue(V, S, Limit);
      }
      V = Next;
    }
    Slots.firstReader(S) = Stay;
  };
  if (Slot)
    Walk(Slot - 1, true);
  Walk(Slot, false);
  if (Width == 2)
    Walk(Slot + 1, false);
}

void RegionScheduler::rescue(uint32_t Val, uint32_t Slot, uint32_t Limit) {
  ValueInfo &V = R.Values[Val];
  auto ReadsSlot = [&](int32_t Res) {
    return Res == Float || Res == int32_t(Slot);
  };
  int32_t Found = OnStack;
  uint32_t First = Never, Count = 0;
  for (uint32_t U = V.UseEnd; U-- > V.UseBegin && R.UseKeys[U] >= Limit;)
    if (ReadsSlot(R.Keys[R.UseKeys[U]].Res)) {
      First = R.UseKeys[U];
      Found = R.Keys[First].Res;
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
    V.Local = freshLocal(V);
    emitStore(Val, V.Local);
  }
  for (uint32_t U = V.UseEnd; U-- > V.UseBegin && R.UseKeys[U] >= Limit;)
    if (ReadsSlot(R.Keys[R.UseKeys[U]].Res))
      R.Keys[R.UseKeys[U]].Res = int32_t(V.Local);
}

/// The use \p Key can load its operand now, and no later: it waits on the
/// stack, if its place there is not too deep.
bool RegionScheduler::loadEarly(uint32_t Key) {
  KeyInfo &K = R.Keys[Key];
  auto [At, Under] = placeOf(Key, Stack.size());
  if (Under > 2)
    return false;
  if (Under && slideBelow(Key, At))
    return true;
  cover();
  int32_t Start = int32_t(Out.Items.size());
  emitLoad(K.Val, K.Res);
  K.Res = OnStack;
  placeValue(K.Val, K.UseIdx, K.UseIdx + 1, Start);
  return true;
}

/// \p I sets a slot to a value that has more uses: they can read the slot. Not
/// where the original made copies.
void RegionScheduler::makeHome(const ScheduledInst &I) {
  if (Stack.empty())
    return;
  Entry &E = Stack.back();
  ValueInfo &V = R.Values[E.Val];
  if (E.First != I.KeyBase || !E.bundle() || V.KeepLate || V.Local != NoLocal ||
      V.InList)
    return;
  V.Local = I.I->index();
  readFrom(V.Local, E.Lo + 1, E.Hi);
  E.Hi = E.Lo + 1;
  Slots.addReader(V.Local, E.Val, V);
}
