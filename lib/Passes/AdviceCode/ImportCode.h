//===- ImportCode.h - Code from another class -------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Copies instructions and blocks of a body into one of another class: pool
/// entries and types are made anew there, slots move up.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_ADVICECODE_IMPORTCODE_H
#define JOPT_LIB_PASSES_ADVICECODE_IMPORTCODE_H

#include "jopt/IR/Surgery/Builder.h"
#include "llvm/ADT/DenseMap.h"

namespace jopt {

/// One copy of the code of \p From in \p To. \p From must not have dynamic
/// calls and constants, nor method handles and types.
class CodeImporter {
public:
  /// Slot 0 of \p From becomes slot \p FirstSlot of \p To.
  CodeImporter(const Body &From, Body &To, unsigned FirstSlot, int32_t Advice);

  /// Reads of slot \p Slot of the original become copies of \p V, a constant
  /// or a value that floats.
  void substitute(unsigned Slot, Value *V) { Given[Slot] = V; }

  /// Puts copies of all instructions of \p B but a `return` in front of \p At
  /// in \p Into.
  void copyInstructions(const Block &B, Block *Into,
                        Block::InstList::iterator At);
  /// Makes a block for each of the original, in front of \p Before, without
  /// instructions. \p Slots is what all other slots hold meanwhile; \p Outer
  /// are the handlers around all of it.
  void createBlocks(Block *Before, llvm::ArrayRef<Type> Slots,
                    const ThrowEdge *Outer);

  Value *value(const Value *V) const { return Values.lookup(V); }
  Block *block(const Block *B) const { return Blocks.lookup(B); }
  Type type(Type T) const;

private:
  uint16_t poolEntry(const Instruction &I) const;
  Instruction *copy(const Instruction &I);

  const Body &From;
  Body &To;
  const unsigned FirstSlot;
  const int32_t Advice;
  llvm::DenseMap<const Value *, Value *> Values;
  llvm::DenseMap<const Block *, Block *> Blocks;
  llvm::DenseMap<unsigned, Value *> Given;
  /// By site of the original.
  llvm::SmallVector<Type, 4> Sites;
};

} // namespace jopt

#endif
