//===- ScheduleSlots.cpp - Local slots while scheduling -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Fresh slots are given again as soon as their last reader is behind.
///
//===----------------------------------------------------------------------===//

#include "ScheduleSlots.h"
#include <algorithm>

using namespace jopt;

void ScheduleSlots::start(uint32_t NumSlots) {
  FreshBase = MaxSlots = NumSlots;
  TooMany = false;
  // One beyond the last: a pair may begin there.
  LastSets.assign(FreshBase + 1, 0);
  Readers.assign(FreshBase + 1, NoValue);
}

void ScheduleSlots::leaveRegion() {
  for (uint32_t Slot : Touched)
    Readers[Slot] = NoValue;
  Touched.clear();
  FreshInUse.clear();
  Free[1].clear();
  Free[2].clear();
}

uint32_t ScheduleSlots::fresh(unsigned Width, uint32_t LastKey,
                              uint32_t KeyNow) {
  while (!FreshInUse.empty() && FreshInUse.front().LastKey < KeyNow) {
    Free[FreshInUse.front().Width].push_back(FreshInUse.front().Slot);
    std::pop_heap(FreshInUse.begin(), FreshInUse.end());
    FreshInUse.pop_back();
  }
  uint32_t Slot;
  if (!Free[Width].empty()) {
    Slot = Free[Width].pop_back_val();
  } else if (Width == 1 && !Free[2].empty()) {
    Slot = Free[2].pop_back_val();
    Free[1].push_back(Slot + 1);
  } else {
    Slot = FreshTop;
    FreshTop += Width;
    if (FreshTop > 65535) {
      TooMany = true;
      FreshTop = FreshBase;
      Slot = FreshBase;
    }
    MaxSlots = std::max(MaxSlots, FreshTop);
    if (LastSets.size() < Slot + 2)
      LastSets.resize(Slot + 2);
  }
  FreshInUse.push_back({LastKey, Slot, Width});
  std::push_heap(FreshInUse.begin(), FreshInUse.end());
  return Slot;
}
