//===- RegionScheduler.h - The schedule of one region -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Schedules a region: blocks that are joined only by falling through. The
/// words used here, and an example, are in Scheduler.h.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_REGIONSCHEDULER_H
#define JOPT_LIB_WRITER_REGIONSCHEDULER_H

#include "ScheduleSlots.h"

namespace jopt {

/// Schedules regions one after the other.
class RegionScheduler {
public:
  /// Begins an empty schedule of \p F, whose blocks its owner puts into Out.
  void start(const Body &F);
  /// Schedules the blocks [\p From, \p To), which form one region. Fails if
  /// they use values of others, or slots that do not exist.
  llvm::Error schedule(uint32_t From, uint32_t To);

  ScheduleWriter Out; ///< of the body
  ScheduleSlots Slots;

private:
  /// One cell of the symbolic stack. It serves a run of the uses of its value.
  struct Entry {
    uint32_t Val;
    uint32_t Lo, Hi; ///< uses it serves, in UseKeys
    uint32_t First;  ///< key of its first use, Never if dead
    int32_t Start;   ///< in Items; -1: nothing may be inserted below it
    bool dead() const { return Lo == Hi; }
    bool bundle() const { return Hi - Lo > 1; }
  };

  // Instructions (RegionScheduler.cpp).
  void enter(llvm::ArrayRef<Parameter *> Params);
  bool scheduleNumbered(uint32_t From, uint32_t To);
  bool scheduleInst(uint32_t Number);
  bool schedulePure(uint32_t Number, uint32_t Val);
  bool placePair(uint32_t Number, uint32_t Val, size_t At);
  bool arrange(const ScheduledInst &I, bool Exact);
  bool scheduleRaw(uint32_t Number);
  void stackUp(uint32_t Val);
  void settle();

  // Copies and order (SchedulerStack.cpp).
  /// Something is about to be put on the top entry.
  void cover() {
    if (!Stack.empty() && Stack.back().bundle())
      coverBundle();
  }
  void coverBundle();
  bool waitable(uint32_t Val, uint32_t Lo) const;
  void expand();
  bool staysExposed(unsigned Q) const;
  void split(unsigned I);
  bool copyGroup(const ScheduledInst &I);
  void placeValue(uint32_t Val, uint32_t Lo, uint32_t Hi, int32_t Start);
  void placeUnder(unsigned Slots);
  void popDead(bool Forced);
  void storeTop();

  // Operands (SchedulerOperands.cpp).
  bool arrangeSlowly(const ScheduledInst &I, bool Exact);
  bool dropBelowTop();
  bool storeDownTo(const ScheduledInst &I, bool Exact);
  bool matches(const ScheduledInst &I, bool Exact) const;
  uint32_t countOnStack(const ScheduledInst &I) const;
  void slideBelowBundle(const ScheduledInst &I, uint32_t First);
  bool slideBelow(uint32_t Key, size_t At);
  bool loadOperands(const ScheduledInst &I);

  // Values in slots (SchedulerSlots.cpp).
  void rescueReaders(uint32_t Slot, unsigned Width, const ScheduledInst &I);
  void rescue(uint32_t Val, uint32_t Slot, uint32_t Limit);
  bool loadEarly(uint32_t Key);
  void makeHome(const ScheduledInst &I);
  bool canFloat(const ValueInfo &V) const;
  /// The uses [\p Lo, \p Hi) compute the value again.
  void floatUses(uint32_t Val, uint32_t Lo, uint32_t Hi) {
    for (uint32_t U = Lo; U < Hi; ++U)
      R.Keys[R.UseKeys[U]].Res = Float;
    ValueInfo &V = R.Values[Val];
    if (Lo < Hi && V.Slot != NoLocal)
      Slots.addReader(V.Slot, Val, V);
  }
  /// They read \p Slot.
  void readFrom(uint32_t Slot, uint32_t Lo, uint32_t Hi) {
    for (uint32_t U = Lo; U < Hi; ++U)
      R.Keys[R.UseKeys[U]].Res = int32_t(Slot);
  }
  void emitStore(uint32_t Val, uint32_t Slot);
  /// The item that gives a use with \p Res, which is not OnStack, its operand.
  CodeItem loadItem(uint32_t Val, int32_t Res) const {
    const ValueInfo &V = R.Values[Val];
    if (Res == Float)
      return {Out.Pos, Out.Serial, V.DefInst, CodeItem::Inst, 0};
    return {Out.Pos, Out.Serial, uint32_t(Res), CodeItem::Load, V.Load};
  }
  void emitLoad(uint32_t Val, int32_t Res) {
    ++Out.Serial;
    Out.Items.push_back(loadItem(Val, Res));
  }
  /// For all uses of \p V that are to come.
  uint32_t freshLocal(const ValueInfo &V) {
    return Slots.fresh(V.Slots, R.UseKeys[V.UseEnd - 1], KeyNow);
  }

  bool in(const ScheduledInst &I, uint32_t Key) const {
    return Key - I.KeyBase < I.NumUses;
  }
  unsigned slots(const Entry &E) const { return R.Values[E.Val].Slots; }
  struct Depth {
    size_t At;      ///< in Stack
    unsigned Under; ///< slots above it; more than 2: too many
  };
  /// Where an entry with the first use \p Key belongs below the entry \p From.
  /// No stack instruction reaches further than two slots.
  Depth placeOf(uint32_t Key, size_t From) const {
    Depth D{From, 0};
    while (D.At > 0 && Stack[D.At - 1].First < Key && D.Under <= 2)
      D.Under += slots(Stack[--D.At]);
    return D;
  }

  // Of the region.
  RegionValues R;
  std::vector<Entry> Stack;
  bool Leaving = false; ///< it ends with a return or athrow
  // Of the instruction.
  uint32_t Paired = ~0u; ///< one that its neighbour took along
  uint32_t KeyNow = 0;   ///< smallest key of the current one
};

} // namespace jopt

#endif
