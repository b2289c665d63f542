//===- Dominators.h - What every way to a place goes through ----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Dominators of blocks and instructions, by LLVM's dominator tree.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_ANALYSIS_DOMINATORS_H
#define JOPT_PASSES_ANALYSIS_DOMINATORS_H

#include "jopt/IR/Model/CFG.h"
#include "jopt/Passes/Pass.h"
#include "llvm/Support/GenericDomTree.h"
#include "llvm/Support/GenericDomTreeConstruction.h"

namespace jopt {

/// What every way from the entry of a method to a place in it goes through. To
/// what no way leads, every way goes through everything: over normal edges
/// alone, to handlers too. See FlowEdges for what edges cost.
template <FlowEdges Edges> class Dominators {
public:
  static inline AnalysisKey Key;
  static Dominators run(const Body &F, PassContext &) { return Dominators(F); }

  bool dominates(const Block &A, const Block &B) const {
    return Tree.dominates(&(*Graph)[A], &(*Graph)[B]);
  }
  /// \p A was begun whenever \p B begins. Nothing dominates itself.
  bool dominates(const Instruction &A, const Instruction &B) const {
    if (A.block() != B.block())
      return dominates(*A.block(), *B.block());
    for (const Instruction &I : A.block()->instructions())
      if (&I == &A || &I == &B)
        return &I == &A && &A != &B;
    llvm_unreachable("both are in the block");
  }

  /// For LLVM's algorithms.
  FlowGraph &graph() const { return *Graph; }
  const llvm::DominatorTreeBase<FlowNode, false> &tree() const { return Tree; }

private:
  explicit Dominators(const Body &F)
      : Graph(std::make_unique<FlowGraph>(F, Edges)) {
    Tree.recalculate(*Graph);
  }

  std::unique_ptr<FlowGraph> Graph;
  llvm::DominatorTreeBase<FlowNode, false> Tree;
};

} // namespace jopt

#endif
