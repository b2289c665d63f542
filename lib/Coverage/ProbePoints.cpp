//===- ProbePoints.cpp - Where JaCoCo has probes --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/ProbePoints.h"
#include "CodeFlow.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;

/// The probes of \p Flow, in the order of their numbers.
static std::vector<ProbePoint> pointsOf(const CodeFlow &Flow) {
  std::vector<ProbePoint> Points;
  auto Add = [&](ProbePoint::Kinds Kind, size_t From, size_t To,
                 bool IsLine = false) {
    Points.push_back({Kind, IsLine, uint16_t(Flow.inst(From).BCI),
                      uint16_t(Flow.inst(To).BCI)});
  };
  for (size_t I = 0; I < Flow.size(); ++I) {
    if (const CodeFlow::Place &P = Flow.place(I); P.hasProbe())
      Add(ProbePoint::Fall, I - 1, I, !P.IsMulti);
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
  return Points;
}

Expected<std::vector<ProbePoint>>
coverage::findProbePoints(const ClassFile &F, const CodeView &Code) {
  auto Flow = CodeFlow::create(F, Code);
  if (!Flow)
    return Flow.takeError();
  return pointsOf(*Flow);
}

Expected<ClassPoints> coverage::findProbePoints(const ClassFile &F) {
  ClassPoints All;
  for (const Method &M : F.Methods) {
    MethodPoints &Own = All.Methods.emplace_back();
    Own.First = All.Count;
    const int Index = M.codeAttribute(F.Pool);
    if (Index < 0)
      continue;
    CodeView Code;
    Error E = parseCode(F, M.Attributes[size_t(Index)].Data, Code);
    if (!E) {
      auto Points = findProbePoints(F, Code);
      if (Points)
        Own.Points = std::move(*Points);
      else
        E = Points.takeError();
    }
    if (E)
      return makeError(F.displayName(M) + ": " + toMessage(std::move(E)));
    All.Count += uint32_t(Own.Points.size());
  }
  return All;
}
