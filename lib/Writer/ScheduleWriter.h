//===- ScheduleWriter.h - A schedule as it grows ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The state of emission, from one instruction to the next.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_SCHEDULEWRITER_H
#define JOPT_LIB_WRITER_SCHEDULEWRITER_H

#include "Schedule.h"

namespace jopt {

/// A schedule that is being written.
class ScheduleWriter : public Schedule {
public:
  /// Begins with an empty schedule.
  void start() {
    Items.clear();
    Insts.clear();
    NumCopies = NumSpills = 0;
    RawBytes = 0;
    Serial = 0;
  }

  void emitItem(CodeItem::KindTy Kind, uint32_t Arg, Opcode Op) {
    Items.push_back({Pos, ++Serial, Arg, Kind, Op});
  }
  /// A copy of the top (of \p Slots slots, one value or two) goes under
  /// \p Under slots.
  void emitCopy(unsigned Slots, unsigned Under) {
    ++NumCopies;
    emitItem(CodeItem::StackOp, 0,
             Opcode((Slots == 1 ? op::DUP : op::DUP2) + Under));
  }
  void emitPop(unsigned Slots) {
    emitItem(CodeItem::StackOp, 0, Slots == 1 ? op::POP : op::POP2);
  }
  void emitSwap() { emitItem(CodeItem::StackOp, 0, op::SWAP); }

  uint32_t Serial = 0; ///< of the last item
  uint32_t Pos = 0;    ///< number of the instruction at work
};

} // namespace jopt

#endif
