//===- ValueHomes.h - Where a value can be had again ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_OPTIMIZE_VALUEHOMES_H
#define JOPT_LIB_PASSES_OPTIMIZE_VALUEHOMES_H

#include "jopt/IR/Model/CFG.h"
#include "jopt/IR/Surgery/Builder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace jopt {

/// Makes values of one block available at other places, while the body keeps
/// its blocks and edges: a constant is made again, a value that is in a slot is
/// read from there, and any other gets a slot of its own, which the frames
/// between declare. A pass asks find() for all places before it changes
/// anything, then take() for each.
class ValueHomes {
public:
  explicit ValueHomes(Body &F) : F(F), Graph(F, FlowEdges::Normal) {}

  /// Whether \p V can be had in front of \p At, to where control comes through
  /// the block of \p V only. False too if that takes long to find.
  bool find(Value *V, Instruction *At);
  /// \p V where \p B stands, which is in front of \p At: what find() found.
  Value *take(Builder &B, Value *V, Instruction *At);

private:
  struct Home {
    Instruction *Constant = nullptr;
    std::optional<unsigned> Slot; ///< none: one of its own
  };
  using Place = Block::InstList::iterator;
  bool walk(Block *First, Place Behind, Instruction *At);
  bool isKept(unsigned Slot, Type Ty) const;
  bool findSlot(Value *V, Instruction *At);

  Body &F;
  FlowGraph Graph;
  size_t Looks = 0; ///< instructions that were looked at
  /// Of the last walk: blocks that are entered, and instructions that write
  /// slots.
  llvm::SmallSetVector<Block *, 16> Entered;
  llvm::SmallVector<const Instruction *, 16> Writes;
  llvm::DenseMap<std::pair<const Value *, const Instruction *>, Home> Homes;
  /// By value: its slot, and the frames that declare it.
  struct OwnSlot {
    std::optional<unsigned> Slot; ///< once it was taken
    llvm::SmallSetVector<Block *, 8> Frames;
  };
  llvm::DenseMap<const Value *, OwnSlot> Own;
};

} // namespace jopt

#endif
