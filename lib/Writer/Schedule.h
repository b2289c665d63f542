//===- Schedule.h - Code in the order of a stack machine --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The output of the scheduler for a body, which the rest of the writer
/// encodes.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_SCHEDULE_H
#define JOPT_LIB_WRITER_SCHEDULE_H

#include "jopt/IR/Model/Body.h"
#include <vector>

namespace jopt {

/// An item that the scheduler emits, in order.
struct CodeItem {
  enum KindTy : uint8_t {
    Inst,    ///< an IR instruction, or a pure one again; Arg: its number
    StackOp, ///< dup, swap, pop ...
    Load,    ///< of a fresh local, or a home; Arg: the slot, Op: iload ...
    Store,   ///< into a fresh local; likewise
  };
  /// Position key: the number of the instruction that caused the item. Never
  /// decreases.
  uint32_t Pos;
  /// Orders items in time: an item slid in front of another shares its serial.
  uint32_t Serial;
  uint32_t Arg;
  KindTy Kind;
  Opcode Op;
};

/// An instruction that may become code, numbered through the body.
struct ScheduledInst {
  Instruction *I;
  uint32_t KeyBase;   ///< key of the last operand; region-local
  uint32_t NumUses;   ///< operands; for terminators the exit list, too
  uint32_t PopSlots;  ///< slots that its operands take
  uint32_t PushSlots; ///< slots that its result takes; 0 for <init> calls.
                      ///< Raw: what all its values take
};

/// A block at its place.
struct ScheduledBlock {
  Block *B;
  uint32_t FirstInst; ///< number of its first instruction
  uint32_t FirstItem; ///< first item that belongs to it
  uint32_t Offset;    ///< filled in by the emitter
  /// Its code continues that of the block before; no stack to set up.
  bool Joined;
};

/// A body in the order in which it becomes code.
struct Schedule {
  std::vector<CodeItem> Items;
  std::vector<ScheduledInst> Insts;
  std::vector<ScheduledBlock> Blocks;
  /// Place in Blocks by Block::id().
  std::vector<uint32_t> OrdinalOf;
  unsigned MaxLocals = 0;
  size_t NumTargets = 0;  ///< successors of all terminators
  size_t RawBytes = 0;    ///< of code that is copied
  unsigned NumCopies = 0; ///< dup forms
  unsigned NumSpills = 0; ///< stores to fresh locals
};

} // namespace jopt

#endif
