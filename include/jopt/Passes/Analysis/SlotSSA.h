//===- SlotSSA.h - Which store a read of a slot sees ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Slots as if each store made a new variable.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_ANALYSIS_SLOTSSA_H
#define JOPT_PASSES_ANALYSIS_SLOTSSA_H

#include "jopt/Passes/Pass.h"

namespace jopt {

/// Definitions of slots, and which of them each read sees: SSA over a body that
/// keeps its slots. Of a handler each store in its range is a way in, with what
/// held where the range begins.
class SlotSSA {
public:
  static inline AnalysisKey Key;
  static SlotSSA run(const Body &F, PassContext &C);

  enum : unsigned { None = ~0u }; ///< no definition is known
  struct Def {
    enum Kind : uint8_t { Entry, Store, Phi } K;
    const Instruction *I = nullptr; ///< Store
    const Block *At = nullptr;      ///< Phi
    /// Phi: definitions, and the blocks they come from.
    llvm::SmallVector<std::pair<unsigned, const Block *>, 2> Operands = {};
  };

  /// False if the method is too large to be looked at.
  bool isKnown() const { return Known; }
  /// In an order in which most operands come before their use.
  llvm::ArrayRef<Def> defs() const { return Defs; }
  /// The definition that \p Read, a local.get or local.inc, sees.
  unsigned seenBy(const Instruction &Read) const { return Seen[Read.id()]; }
  /// The definition that \p Store, a local.set or local.inc, makes.
  unsigned madeBy(const Instruction &Store) const { return Made[Store.id()]; }

private:
  friend class SlotSSABuilder;
  bool Known = false;
  std::vector<Def> Defs;
  std::vector<unsigned> Seen, Made; ///< by Value::id()
};

} // namespace jopt

#endif
