//===- ScheduleCheck.h - Schedules run again --------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs a schedule symbolically and compares what it does with the IR: every
/// anchored instruction once, in order, with its own operands; slots read when
/// they hold what they held; stacks between blocks as the IR says.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_UNITTESTS_WRITER_SCHEDULECHECK_H
#define JOPT_UNITTESTS_WRITER_SCHEDULECHECK_H

#include "Schedule.h"
#include <string>

namespace jopt {

/// The first difference between \p S and \p F, whose schedule it is; empty if
/// there is none.
std::string checkSchedule(const Schedule &S, const Body &F);

} // namespace jopt

#endif
