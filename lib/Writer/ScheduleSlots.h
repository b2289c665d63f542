//===- ScheduleSlots.h - Local slots while scheduling -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The state of local slots: when each was set last, which values are still to
/// be read from it, and which fresh ones are free.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_SCHEDULESLOTS_H
#define JOPT_LIB_WRITER_SCHEDULESLOTS_H

#include "RegionValues.h"
#include <algorithm>

namespace jopt {

/// The slots of a body, and the fresh ones of its current region: those are
/// never live at a frame, so frames do not know them.
class ScheduleSlots {
public:
  /// Before the first region of a body with \p NumSlots slots.
  void start(uint32_t NumSlots);
  void enterRegion() { FreshTop = FreshBase; }
  void leaveRegion();

  /// Slots that the body has.
  uint32_t numSlots() const { return FreshBase; }
  /// One more than the highest slot that is used.
  uint32_t maxSlots() const { return MaxSlots; }
  /// A slot above 65,535 was asked for.
  bool overflowed() const { return TooMany; }

  /// The slot, of \p Width, is set by the item \p Serial.
  void set(uint32_t Slot, unsigned Width, uint32_t Serial) {
    LastSets[Slot] = Serial;
    if (Width == 2)
      LastSets[Slot + 1] = Serial;
  }
  /// The item that set it last; 0 if none did.
  uint32_t lastSet(uint32_t Slot, unsigned Width) const {
    uint32_t Last = LastSets[Slot];
    return Width == 2 ? std::max(Last, LastSets[Slot + 1]) : Last;
  }

  /// A slot that nobody reads after \p LastKey, and that nobody reads now, at
  /// \p KeyNow.
  uint32_t fresh(unsigned Width, uint32_t LastKey, uint32_t KeyNow);

  /// First of the list of values to be read from \p Slot
  /// (ValueInfo::NextReader), NoValue if it is empty.
  uint32_t &firstReader(uint32_t Slot) { return Readers[Slot]; }
  /// Adds \p V, number \p Val, to that list unless it is in one.
  void addReader(uint32_t Slot, uint32_t Val, ValueInfo &V) {
    if (V.InList)
      return;
    V.InList = true;
    if (Readers[Slot] == NoValue)
      Touched.push_back(Slot);
    V.NextReader = Readers[Slot];
    Readers[Slot] = Val;
  }

private:
  struct FreshSlot {
    uint32_t LastKey, Slot, Width;
    bool operator<(const FreshSlot &O) const { return LastKey > O.LastKey; }
  };

  // Of the body.
  std::vector<uint32_t> LastSets; ///< by slot: serial of the last set
  std::vector<uint32_t> Readers;  ///< by slot
  uint32_t FreshBase = 0;
  uint32_t MaxSlots = 0;
  bool TooMany = false;

  // Of the region.
  std::vector<uint32_t> Touched;          ///< slots with a list of readers
  std::vector<FreshSlot> FreshInUse;      ///< heap by LastKey
  llvm::SmallVector<uint32_t, 8> Free[3]; ///< by width
  uint32_t FreshTop = 0;
};

} // namespace jopt

#endif
