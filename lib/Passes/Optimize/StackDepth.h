//===- StackDepth.h - How much is on the operand stack ----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_OPTIMIZE_STACKDEPTH_H
#define JOPT_LIB_PASSES_OPTIMIZE_STACKDEPTH_H

#include "jopt/IR/Model/Body.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace jopt {

/// The depth of the operand stack in front of instructions, for a walk from the
/// end of a block: the values that are there and used later. In slots.
class StackDepth {
public:
  explicit StackDepth(const Block &B) { add(B.exitValues()); }

  /// The walk comes to \p I.
  void stepOver(const Instruction &I) {
    if (Waiting.erase(&I))
      Depth -= I.type().slots();
    add(I.operands());
  }
  unsigned depth() const { return Depth; }
  /// The largest depth that there was.
  unsigned most() const { return Most; }

private:
  void add(llvm::ArrayRef<Value *> Uses) {
    for (const Value *V : Uses)
      if (Waiting.insert(V).second)
        Depth += V->type().slots();
    Most = std::max(Most, Depth);
  }

  llvm::SmallPtrSet<const Value *, 16> Waiting;
  unsigned Depth = 0, Most = 0;
};

} // namespace jopt

#endif
