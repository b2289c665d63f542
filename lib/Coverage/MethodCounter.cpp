//===- MethodCounter.cpp - The counters of a method's code ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MethodCounter.h"
#include "BranchNames.h"

using namespace jopt;
using namespace jopt::coverage;

void MethodCounter::addSwitch(size_t I) {
  uint32_t Branch = 0;
  Flow.forEachTarget(I, [&](size_t To) {
    if (Flow.place(To).IsMulti)
      Insts[I].addProbe(nextProbePassed(), Branch);
    else
      Jumps.push_back({I, To, Branch});
    ++Branch;
  });
}

void MethodCounter::addInst(size_t I) {
  if (Flow.leaves(I)) {
    Insts[I].addProbe(nextProbePassed(), 0);
  } else if (Flow.isSwitch(I)) {
    addSwitch(I);
  } else if (Flow.isJump(I)) {
    if (Flow.place(Flow.target(I)).IsMulti)
      Insts[I].addProbe(nextProbePassed(), 1);
    else
      Jumps.push_back({I, Flow.target(I), 1});
  }
}

void MethodCounter::build() {
  CountedInst *Before = nullptr; // control falls from there
  int32_t Line = -1;
  for (size_t I = 0; I < Flow.size(); ++I) {
    const CodeFlow::Place &P = Flow.place(I);
    if (P.hasProbe()) {
      Before->addProbe(nextProbePassed(), 0);
      Before = nullptr;
    }
    if (P.IsLabel && !P.IsSuccessor)
      Before = nullptr;
    if (P.Line >= 0)
      Line = P.Line;
    Insts[I].Line = Line;
    if (Before)
      Before->addBranch(Insts[I], 0);
    Before = &Insts[I];
    addInst(I);
  }
  for (const Jump &J : Jumps)
    Insts[J.From].addBranch(Insts[J.To], J.Branch);
}

void MethodCounter::forEachBranch(
    size_t I, llvm::function_ref<void(size_t, uint32_t)> Use) const {
  if (Flow.isSwitch(I)) {
    uint32_t Branch = 0;
    Flow.forEachTarget(I, [&](size_t To) { Use(To, Branch++); });
    return;
  }
  if (Flow.isJump(I))
    Use(Flow.target(I), 1);
  if (!Flow.endsBlock(I) && I + 1 < Flow.size())
    Use(I + 1, 0);
}

void MethodCounter::arrive(const MethodPoints &Points,
                           const llvm::BitVector &Segments) {
  bool HasArrived = false;
  uint32_t Next = 0;
  for (size_t I = 0; I < Flow.size(); ++I) {
    if (Next < Points.Points.size() && Points.Points[Next].From == Flow.bci(I))
      HasArrived = Segments.test(Points.numberOf(Next++));
    Insts[I].HasArrived = HasArrived;
  }
  std::vector<unsigned> Ways(Flow.size()); // to each instruction
  if (!Ways.empty())
    Ways.front() = 1;
  for (const CodeFlow::Handler &H : Flow.handlers())
    ++Ways[H.Target];
  for (size_t I = 0; I < Flow.size(); ++I)
    forEachBranch(I, [&](size_t To, uint32_t) { ++Ways[To]; });
  for (size_t I = 0; I < Flow.size(); ++I) {
    CountedInst &Own = Insts[I];
    if (!Own.HasArrived)
      continue;
    unsigned NumArrived = 0;
    forEachBranch(
        I, [&](size_t To, uint32_t) { NumArrived += Insts[To].HasArrived; });
    forEachBranch(I, [&](size_t To, uint32_t Branch) {
      if (Insts[To].HasArrived && (Ways[To] == 1 || NumArrived == 1))
        Own.cover(Branch);
    });
    if (Flow.leaves(I))
      Own.cover(0);
  }
}

void MethodCounter::arrive(const CodeEdges &Edges, const EdgeCounts &Counts) {
  for (auto [Run, Count] : llvm::zip(Edges.Code, Counts.Runs))
    for (size_t I = Flow.indexAt(Run.Start), Last = Flow.indexAt(Run.Last);
         Count > 0 && I <= Last; ++I)
      Insts[I].HasArrived = true;
  for (auto [E, Count] : llvm::zip(Edges.Graph.Edges, Counts.Edges)) {
    if (Count <= 0 || E.From == Edges.Graph.root() ||
        E.To == Edges.Graph.root())
      continue;
    const size_t From = Flow.indexAt(Edges.Code[E.From].Last);
    forEachBranch(From, [&](size_t To, uint32_t Branch) {
      if (Flow.bci(To) == Edges.Code[E.To].Start)
        Insts[From].cover(Branch);
    });
  }
}

void MethodCounter::apply(const FilterOutput &Filtered) {
  auto Unite = [&](CountedInst &I, const CountedInst &By) {
    I.HasArrived |= By.HasArrived;
    if (I.Covered.size() < By.Covered.size())
      I.Covered.resize(By.Covered.size());
    I.Covered |= By.Covered;
  };
  for (auto [Copy, Counts] : Filtered.Merged)
    Unite(Insts[Filtered.representative(Counts)], Insts[Copy]);
  for (auto [Copy, Counts] : Filtered.Merged) {
    const CountedInst &By = Insts[Filtered.representative(Counts)];
    Insts[Copy].HasArrived = By.HasArrived;
    Insts[Copy].NumBranches = By.NumBranches;
    Insts[Copy].Covered = By.Covered;
  }
  for (const auto &[Inst, By] : Filtered.Replaced) {
    llvm::SmallBitVector Covered(unsigned(By.Branches.size()));
    unsigned Branch = 0;
    for (const auto &[Target, Ways] : By.Branches) {
      if (llvm::any_of(Ways, [&](const Replacements::Way &W) {
            return Insts[W.Inst].isCovered(W.Branch);
          }))
        Covered.set(Branch);
      ++Branch;
    }
    Insts[Inst].NumBranches = Branch;
    Insts[Inst].Covered = Covered;
  }
}

std::string MethodCounter::describe(size_t I, uint32_t Branch,
                                    const FilterOutput &Filtered) const {
  std::string What;
  size_t Target = I;
  if (auto By = Filtered.Replaced.find(I); By != Filtered.Replaced.end()) {
    // Branches somebody wrote, of which the target alone is known.
    auto At = By->second.Branches.begin();
    std::advance(At, Branch);
    Target = At->first;
  } else {
    // Behind code that the compiler added its numbers are too, as in a switch
    // over strings: that code, and the load of a number.
    if ((I < 1 || !Filtered.Ignored[I - 1]) &&
        (I < 2 || !Filtered.Ignored[I - 2]))
      What = branchName(Flow, I, Branch);
    forEachBranch(I, [&](size_t To, uint32_t B) {
      if (B == Branch)
        Target = To;
    });
  }
  if (const int32_t Line = Target < Insts.size() ? Insts[Target].Line : -1;
      Line >= 0 && Line != Insts[I].Line)
    What += (What.empty() ? "to line " : ", to line ") + std::to_string(Line);
  return What;
}

CounterSet MethodCounter::count(const FilterOutput &Filtered,
                                LineTable &Lines) const {
  CounterSet C;
  for (size_t N = 0; N < Insts.size(); ++N) {
    if (Filtered.Ignored[N] || Filtered.Merged.count(N))
      continue;
    const CountedInst &I = Insts[N];
    LineCounters Own;
    Own.Instructions.add(I.isCovered());
    if (I.NumBranches > 1) {
      const uint32_t Covered =
          std::min<uint32_t>(I.Covered.count(), I.NumBranches);
      Own.Branches = {I.NumBranches - Covered, Covered};
      const uint32_t Ways = Covered ? Covered - 1 : 0;
      C[Complexity] += {I.NumBranches - 1 - Ways, Ways};
    }
    C[Instructions] += Own.Instructions;
    C[Branches] += Own.Branches;
    if (I.Line < 0)
      continue;
    Lines.add(I.Line, Own);
    for (uint32_t B = 0; B < I.NumBranches && Own.Branches.Covered; ++B)
      if (!I.isCovered(B))
        if (std::string What = describe(N, B, Filtered); !What.empty())
          Lines.addMissed(I.Line, std::move(What));
  }
  if (!C[Instructions].total())
    return {};
  C[coverage::Lines] = Lines.count();
  C[Methods].add(C[Instructions].Covered);
  C[Complexity].add(C[Instructions].Covered);
  return C;
}

void MethodCounter::addInstructions(LineTable &To) const {
  for (const CountedInst &I : Insts) {
    if (I.Line < 0)
      continue;
    LineCounters Own;
    Own.Instructions.add(I.isCovered());
    To.add(I.Line, Own);
  }
}
