//===- ProbePoints.cpp - Places that coverage is about --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/ProbePoints.h"
#include "CodeFlow.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/BitVector.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;

/// The probes of \p Flow, in the order of their numbers.
static llvm::SmallVector<ProbePoint, 4> pointsOf(const CodeFlow &Flow) {
  llvm::SmallVector<ProbePoint, 4> Points;
  Points.reserve(Flow.leading().size() + 4); // and a few lines
  auto Add = [&](ProbePoint::Kinds Kind, size_t From, size_t To,
                 bool IsLine = false) {
    Points.push_back(
        {Kind, IsLine, uint16_t(Flow.bci(From)), uint16_t(Flow.bci(To))});
  };
  size_t Next = 0;
  const CodeFlow::Place *const Places = &Flow.place(0);
  auto AddFallsTo = [&](size_t Last) {
    for (; Next <= Last; ++Next)
      if (const CodeFlow::Place &P = Places[Next]; P.hasProbe())
        Add(ProbePoint::Fall, Next - 1, Next, !P.IsMulti);
  };
  for (const uint32_t I : Flow.leading()) {
    AddFallsTo(I);
    if (Flow.leaves(I))
      Add(ProbePoint::Leave, I, I);
    else if (Flow.isSwitch(I))
      Flow.forEachTarget(I, [&](size_t To) {
        if (Flow.place(To).IsMulti)
          Add(ProbePoint::Switch, I, To);
      });
    else if (Flow.isJump(I) && Flow.place(Flow.target(I)).IsMulti)
      Add(ProbePoint::Jump, I, Flow.target(I));
  }
  if (Flow.size())
    AddFallsTo(Flow.size() - 1);
  return Points;
}

/// The instructions that begin what \p Which has beside probes, or instead.
static llvm::BitVector startsOf(PointSet Which, const ClassFile &F,
                                const Method &M, CodeFlow &Flow) {
  llvm::BitVector Starts(unsigned(Flow.size()));
  auto Start = [&](size_t I) {
    if (I < Flow.size())
      Starts.set(unsigned(I));
  };
  if (Which == PointSet::Entries || Which == PointSet::Segments)
    Start(0);
  if (Which == PointSet::ProbesAndLines)
    for (size_t I = 0; I < Flow.size(); ++I)
      if (Flow.place(I).Line >= 0)
        Start(I);
  if (Which != PointSet::Segments)
    return Starts;
  for (size_t I = 0; I < Flow.size(); ++I) {
    if (!Flow.place(I).onlyFallsIn())
      Start(I);
    if (Flow.leads(I) || Flow.throws(I, F, M))
      Start(I + 1);
  }
  return Starts;
}

MethodPoints coverage::findPoints(PointSet Which, const ClassFile &F,
                                  const Method &M, CodeFlow &Flow) {
  MethodPoints All;
  if (Which == PointSet::Probes || Which == PointSet::ProbesAndLines)
    All.Points = pointsOf(Flow);
  All.NumProbes = uint32_t(All.Points.size());
  if (Which == PointSet::Probes)
    return All;
  const llvm::BitVector Starts = startsOf(Which, F, M, Flow);
  for (unsigned I : Starts.set_bits()) {
    const auto BCI = uint16_t(Flow.bci(I));
    All.Points.push_back(
        {ProbePoint::Arrive, Which == PointSet::ProbesAndLines, BCI, BCI});
  }
  return All;
}

Expected<MethodPoints> coverage::findPoints(PointSet Which, const ClassFile &F,
                                            const Method &M,
                                            const CodeView &Code) {
  auto Flow = CodeFlow::create(F, Code);
  if (!Flow)
    return Flow.takeError();
  return findPoints(Which, F, M, *Flow);
}

Expected<ClassPoints> coverage::findPoints(PointSet Which, const ClassFile &F) {
  ClassPoints All;
  for (const Method &M : F.Methods) {
    MethodPoints &Own = All.Methods.emplace_back();
    Own.FirstProbe = All.NumProbes;
    const int Index = M.codeAttribute(F.Pool);
    if (Index < 0)
      continue;
    CodeView Code;
    Error E = parseCode(F, M.Attributes[size_t(Index)].Data, Code);
    if (!E) {
      auto Points = findPoints(Which, F, M, Code);
      if (Points) {
        Own.Points = std::move(Points->Points);
        Own.NumProbes = Points->NumProbes;
      } else
        E = Points.takeError();
    }
    if (E)
      return makeError(F.displayName(M) + ": " + toMessage(std::move(E)));
    All.NumProbes += Own.NumProbes;
  }
  All.Count = All.NumProbes;
  for (MethodPoints &M : All.Methods) {
    M.FirstOther = All.Count;
    All.Count += uint32_t(M.Points.size()) - M.NumProbes;
  }
  return All;
}

std::optional<MethodPoints> coverage::findStraightPoints(const ClassFile &F,
                                                         const CodeView &Code) {
  return CodeFlow::straightPoints(F, Code);
}
