//===- StraightScheduler.h - Regions with nothing to schedule ---*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Most regions are as a compiler wrote them and have no copies: each value is
/// used once, by the instruction that finds it on top of the stack. They need
/// no numbers.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_STRAIGHTSCHEDULER_H
#define JOPT_LIB_WRITER_STRAIGHTSCHEDULER_H

#include "ScheduleSlots.h"

namespace jopt {

/// Schedules such regions; gives what a RegionScheduler would make of them.
class StraightScheduler {
public:
  /// Writes to \p Out; slots are those of the body of \p Slots.
  StraightScheduler(ScheduleWriter &Out, const ScheduleSlots &Slots)
      : Out(Out), Slots(Slots) {}

  /// Emits the region [\p From, \p To) if there is nothing to schedule. False,
  /// with nothing done, otherwise, and where anything is malformed.
  bool schedule(uint32_t From, uint32_t To);

private:
  bool emit(Block &B, bool Last);

  ScheduleWriter &Out;
  const ScheduleSlots &Slots;
  llvm::SmallVector<Value *, 16> Stack; ///< where emit() stands
};

} // namespace jopt

#endif
