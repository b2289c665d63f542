//===- Scheduler.h - Values onto the operand stack --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Time-ordered stack scheduling: puts the SSA values of a body back on the
/// operand stack, by copies (dup), exchanges (swap), reloads of pure values,
/// and, where nothing else helps, by spilling into fresh locals.
///
/// Words used here:
///  - region: blocks that are joined only by falling through.
///  - key: the moment a use consumes its operand. Instruction by instruction,
///    last operand first, since the last one is on top.
///  - entry: one cell of the symbolic stack. It serves a run of the uses of its
///    value; a bundle is an entry with more than one use left.
///  - start: where in the output the code that computes an entry begins.
///  - pure: a value that may be computed again at each use, a constant or what
///    is in a slot; its uses float if they do so.
///  - home: the slot that a value was stored in, where later uses read it.
///
/// The invariant that makes the schedule: the first pending use of an entry
/// comes before the first pending use of every entry below it.
///
/// An example: `return this.f++`. The instructions, the uses by key, and the
/// values with their uses are
///
///   %a = local.get 0         %a: 0, 4 (the original copied it)
///   %v = getfield %a         key 0: %a                %v: 2, 5
///   %c = const 1             %c: 1
///   %s = add %v, %c          key 1: %c, key 2: %v     %s: 3
///   putfield %a, %s          key 3: %s, key 4: %a
///   return %v                key 5: %v
///
/// The steps, with the stack behind each, top at the right:
///
///   aload_0    %a is pure, but stays: the original    a(0,4)
///              copied it
///   dup        getfield takes the top, a bundle: it   a(4) a(0)
///              is split, the copy for 4 goes below
///   getfield   %v is first used at 2, before 4, so    a(4) v(2,5)
///              on top is its place
///   dup_x1     %c will cover v, and add finds it      v(5) a(4) v(2)
///              below %c: now is the time to split.
///              The use 5 comes after 4, so its copy
///              goes under a
///   iconst_1                                          v(5) a(4) v(2) c(1)
///   iadd       its operands are in order; so are      v(5) a(4) s(3)
///              those of what follows
///   putfield                                          v(5)
///   ireturn
///
/// Who does it, by how long it lasts:
///  - a body: Scheduler finds the regions;
///  - a region: StraightScheduler, if nothing needs to be scheduled, else
///    RegionScheduler with the numbers of RegionValues; ScheduleSlots knows
///    what is in slots;
///  - an instruction: ScheduleWriter emits.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_SCHEDULER_H
#define JOPT_LIB_WRITER_SCHEDULER_H

#include "RegionScheduler.h"
#include "StraightScheduler.h"

namespace jopt {

/// Schedules bodies one after another, reusing its memory. One thread at a
/// time. Linear in the size of the body.
class Scheduler {
public:
  Scheduler() = default;
  Scheduler(const Scheduler &) = delete; // its parts refer to each other

  /// Fails if the body cannot be expressed: a block that does not end, uses of
  /// values from elsewhere, a successor that is not where it must be, more than
  /// 65,535 slots.
  llvm::Error run(Body &F);

  /// The result, valid until the next run.
  Schedule &result() { return Region.Out; }

private:
  llvm::Error place(Body &F);

  std::vector<uint8_t> Targeted; ///< by ordinal: entered by a branch
  RegionScheduler Region;
  StraightScheduler Straight{Region.Out, Region.Slots};
};

} // namespace jopt

#endif
