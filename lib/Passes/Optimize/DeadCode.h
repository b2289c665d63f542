//===- DeadCode.h - Taking instructions away --------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_OPTIMIZE_DEADCODE_H
#define JOPT_LIB_PASSES_OPTIMIZE_DEADCODE_H

#include "LineKeeper.h"
#include "jopt/Passes/Analysis/Effects.h"
#include "jopt/Passes/Analysis/SlotLiveness.h"

namespace jopt {

/// How often each value of \p F is used, by Value::id().
std::vector<unsigned> countUses(const Body &F);

/// Puts \p New in the place of \p Old, which has \p Count uses. Takes as long
/// as it is to the last of them.
void replaceUses(Instruction &Old, Value &New, unsigned Count);

/// Takes instructions away, with what only they use.
class DeadCode {
public:
  DeadCode(Body &F, PassContext &C);

  /// Takes \p I away, whose result has no use, then each of its operands that
  /// has no other use and does nothing but its result.
  void erase(Instruction *I);
  /// Takes \p I away if it has no use and does nothing. True if it went.
  bool eraseIfUnused(Instruction &I);
  unsigned uses(const Value &V) const { return Uses[V.id()]; }
  /// The terminator of \p B goes to its successor \p Only alone.
  void goOneWay(Block &B, size_t Only);
  /// \p I was made, and is in its block.
  void added(const Instruction &I);
  /// An operand was replaced.
  void replaced(const Value &Old, const Value &New);
  /// Puts \p New in the place of \p Old.
  void replaceUses(Instruction &Old, Value &New);
  unsigned numErased() const { return NumErased; }
  LineKeeper &lines() { return Lines; }
  const Effects &effects() const { return What; }

private:
  Body &F;
  const Effects &What;
  LineKeeper Lines;
  std::vector<unsigned> Uses; ///< by Value::id()
  unsigned NumErased = 0;
};

/// Has frames declare none of \p Slots where they are not read. Returns how
/// many frames changed.
unsigned pruneFrames(Body &F, const SlotLiveness &L,
                     const llvm::BitVector &Slots);

} // namespace jopt

#endif
