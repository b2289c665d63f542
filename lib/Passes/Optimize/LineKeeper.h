//===- LineKeeper.h - Lines that keep an instruction ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_OPTIMIZE_LINEKEEPER_H
#define JOPT_LIB_PASSES_OPTIMIZE_LINEKEEPER_H

#include "jopt/Passes/Analysis/LineNumbers.h"

namespace jopt {

/// Takes instructions away so that each line that had some keeps one, where
/// debuggers get everything (DebugTables::Keep): a nop, if all others go.
class LineKeeper {
public:
  LineKeeper(Body &F, PassContext &C);

  /// The line of \p I; 0 if there is none, or if nobody asks.
  unsigned lineOf(const Instruction &I) const { return lineAt(I.bci()); }
  unsigned lineAt(int32_t BCI) const;
  /// Lines count.
  bool isKept() const { return Keeps; }
  /// \p I goes, but not alone from its line.
  bool hasOthers(const Instruction &I) const {
    const unsigned Line = lineOf(I);
    return !Line || Count.lookup(Line) > 1;
  }
  /// Takes \p I out of its block. A nop may stand there instead.
  void erase(Instruction *I);
  /// \p I was made.
  void add(const Instruction &I);
  /// \p I went with its block, to which no way led.
  void forget(const Instruction &I);

private:
  void count() const;

  Body &F;
  PassContext &C;
  const bool Keeps;
  mutable bool IsCounted = false;
  mutable LineNumbers Lines; ///< a copy: analyses go when the body changes
  mutable llvm::SmallDenseMap<unsigned, unsigned, 32> Count; ///< by line
};

} // namespace jopt

#endif
