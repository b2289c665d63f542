//===- MethodCounter.h - The counters of a method's code --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_COVERAGE_METHODCOUNTER_H
#define JOPT_LIB_COVERAGE_METHODCOUNTER_H

#include "FilterOutput.h"
#include "jopt/Coverage/CodeEdges.h"
#include "llvm/ADT/SmallBitVector.h"

namespace jopt::coverage {

/// The coverage of an instruction. A branch of it is covered if its probe was
/// passed, or if any branch of the instruction that it leads to is covered.
struct CountedInst {
  int32_t Line = -1;
  /// It is known that control arrived here, also if no branch was passed.
  bool HasArrived = false;
  uint32_t NumBranches = 0;
  llvm::SmallBitVector Covered; ///< by branch
  /// Where control comes from if no probe stands there, and by which branch.
  CountedInst *Before = nullptr;
  uint32_t BranchBefore = 0;

  bool isCovered(uint32_t Branch = Replacements::Any) const {
    return Branch == Replacements::Any
               ? HasArrived || Covered.any()
               : Branch < Covered.size() && Covered.test(Branch);
  }

  void cover(uint32_t Branch) {
    if (Covered.size() <= Branch)
      Covered.resize(Branch + 1);
    Covered.set(Branch);
  }
  /// Covers it, and what leads here alone.
  void propagate(uint32_t Branch) {
    for (CountedInst *I = this; I;) {
      const bool Known = I->isCovered();
      I->cover(Branch);
      if (Known)
        return;
      Branch = I->BranchBefore;
      I = I->Before;
    }
  }
  void addBranch(CountedInst &To, uint32_t Branch) {
    ++NumBranches;
    To.Before = this;
    To.BranchBefore = Branch;
    if (To.isCovered())
      propagate(Branch);
  }
  void addProbe(bool Passed, uint32_t Branch) {
    ++NumBranches;
    if (Passed)
      propagate(Branch);
  }
};

/// The counters of one method.
class MethodCounter {
public:
  /// \p Probes are those of the class; null if none was passed.
  MethodCounter(const CodeFlow &Flow, const llvm::BitVector *Probes,
                uint32_t FirstProbe)
      : Flow(Flow), Probes(Probes), Probe(FirstProbe), Insts(Flow.size()) {
    build();
  }

  /// The number behind that of its last probe.
  uint32_t nextProbe() const { return Probe; }

  /// Covers the instructions of segments that control arrived at. \p Points are
  /// those of PointSet::Segments, numbered in \p Segments. A branch is covered
  /// if nothing else explains that control went on where it leads.
  void arrive(const MethodPoints &Points, const llvm::BitVector &Segments);
  /// Covers the instructions of runs that were begun, and branches that were
  /// taken.
  void arrive(const CodeEdges &Edges, const EdgeCounts &Counts);
  void apply(const FilterOutput &Filtered);
  /// \p Lines gets what has a line.
  CounterSet count(const FilterOutput &Filtered, LineTable &Lines) const;
  /// Adds all instructions, as they are before apply().
  void addInstructions(LineTable &To) const;

private:
  void build();
  /// When branch \p Branch of \p I is taken, and to which other line it leads.
  std::string describe(size_t I, uint32_t Branch,
                       const FilterOutput &Filtered) const;
  /// Calls \p Use with each instruction that \p I leads to, and its branch.
  void forEachBranch(size_t I,
                     llvm::function_ref<void(size_t, uint32_t)> Use) const;
  void addInst(size_t I);
  void addSwitch(size_t I);
  bool nextProbePassed() {
    const uint32_t P = Probe++;
    return Probes && P < Probes->size() && Probes->test(P);
  }

  const CodeFlow &Flow;
  const llvm::BitVector *const Probes;
  uint32_t Probe;
  std::vector<CountedInst> Insts;
  struct Jump {
    size_t From, To;
    uint32_t Branch;
  };
  std::vector<Jump> Jumps;
};

} // namespace jopt::coverage

#endif
