//===- BegunLines.cpp - Lines that something was thrown in ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BegunLines.h"
#include "CodeFlow.h"
#include "jopt/Coverage/MethodGraph.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace jopt;
using namespace jopt::coverage;

static bool isSet(const llvm::BitVector &Bits, uint32_t I) {
  return I < Bits.size() && Bits.test(I);
}

/// Control reaches the points behind a line's beginning only from there. If it
/// passed none of them, an exception was thrown before.
llvm::Error jopt::coverage::addBegunLines(const FilterInput &In,
                                          const FilterOutput &Filtered,
                                          const ClassCoverage &Ran,
                                          uint32_t FirstProbe, uint32_t &Line,
                                          LineTable &Lines) {
  auto All = findPoints(PointSet::ProbesAndLines, In.F, In.M, In.Code);
  if (!All)
    return All.takeError();
  All->FirstProbe = FirstProbe;
  All->FirstOther = Line;
  const auto Count = uint32_t(All->Points.size());
  Line += Count - All->NumProbes;
  if (Line > Ran.Lines.size())
    return makeError("other lines were recorded");
  auto Graph = makeGraph(In.F, In.M, In.Code, All->Points);
  if (!Graph)
    return Graph.takeError();
  std::vector<uint32_t> Begins(Count - All->NumProbes);
  std::iota(Begins.begin(), Begins.end(), All->NumProbes);
  const std::vector<PointSuccessors> Next = follow(*Graph, Begins);
  size_t N = 0;
  for (size_t I = 0; I < In.Flow.size(); ++I) {
    if (In.Flow.place(I).Line < 0 || In.Flow.place(I).HasLineZero)
      continue;
    const PointSuccessors &F = Next[N];
    const bool IsBegun = Ran.Lines.test(All->numberOf(Begins[N++]));
    if (!IsBegun || Filtered.Ignored[I] || Filtered.Merged.count(I))
      continue;
    LineCounters Own;
    Own.Fate =
        llvm::any_of(F.Points,
                     [&](uint32_t Q) {
                       return isSet(Q < All->NumProbes ? Ran.Probes : Ran.Lines,
                                    All->numberOf(Q));
                     })
            ? LineCounters::Ran
            : LineCounters::Threw;
    Lines.add(In.Flow.place(I).Line, Own);
  }
  return llvm::Error::success();
}
