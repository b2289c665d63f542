//===- Recorded.cpp - What jopt's own coverage recorded -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/Recorded.h"
#include "jopt/Coverage/Plan.h"
#include "jopt/Coverage/Rules.h"
#include "jopt/CoverageReport/EdgeReport.h"
#include "jopt/Data/Coverage.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;

/// JaCoCo's probes from the edges that \p C recorded.
static Expected<ClassCoverage> coverageOfEdges(const data::CoveredClass &C) {
  auto How = findEdgeStrategy(C.Strategy);
  if (How && getEdgeStrategies()[*How].IsSampled)
    return makeError("JaCoCo's probes do not follow from a sample");
  auto Methods = countEdges(C);
  if (!Methods)
    return Methods.takeError();
  ClassCoverage Own{C.Id, C.Name, {}};
  for (auto &[Graph, Counts] : *Methods) {
    for (int64_t Count : probesOf(Graph, Counts))
      Own.Probes.push_back(Count > 0);
    Own.Edges.push_back(std::move(Counts));
  }
  return Own;
}

/// JaCoCo's probes and lines from the points that \p C recorded.
static Expected<ClassCoverage> coverageOfSegments(const data::CoveredClass &C) {
  auto Rules = decodeRules(C.Rules, uint32_t(C.Values.size()));
  if (!Rules)
    return Rules.takeError();
  ClassCoverage Own{C.Id, C.Name, {}};
  for (uint64_t Arrived : inflate(Rules->Rules, C.Values))
    Own.Segments.push_back(Arrived != 0);
  return Own;
}

static Expected<ClassCoverage> coverageOf(const data::CoveredClass &C) {
  if (isEdgesText(C.Rules))
    return coverageOfEdges(C);
  if (const auto S = findStrategy(C.Strategy);
      S && getStrategyInfo(*S).Points == PointSet::Segments)
    return coverageOfSegments(C);
  if (!tellsOfProbes(C.Strategy))
    return makeError("JaCoCo's probes do not follow from the strategy '" +
                     C.Strategy + "'");
  std::vector<uint64_t> Passed = C.Values;
  size_t NumProbes = Passed.size();
  if (!C.Rules.empty()) {
    auto Rules = decodeRules(C.Rules, uint32_t(C.Values.size()));
    if (!Rules)
      return Rules.takeError();
    Passed = inflate(Rules->Rules, C.Values);
    NumProbes = Rules->NumProbes;
  }
  ClassCoverage Own{C.Id, C.Name, llvm::BitVector(unsigned(NumProbes)),
                    llvm::BitVector(unsigned(Passed.size() - NumProbes))};
  for (unsigned I = 0; I < Passed.size(); ++I)
    if (Passed[I])
      I < NumProbes ? Own.Probes.set(I)
                    : Own.Lines.set(I - unsigned(NumProbes));
  return Own;
}

Error coverage::addRun(const data::Run &R, CoverageData &To,
                       data::LeftOut Tell) {
  auto Classes = data::readCoverage(R, Tell);
  if (!Classes)
    return Classes.takeError();
  if (Classes->empty()) {
    Tell("run " + R.id() + " has no coverage");
    return Error::success();
  }
  To.add(SessionInfo{R.id().str(), R.start(), R.start()});
  for (const data::CoveredClass &C : *Classes) {
    auto Own = coverageOf(C);
    Error E = Own ? To.add(*Own) : Own.takeError();
    if (!E)
      continue;
    To.leaveOut(C.Name);
    Tell("class " + toDisplayUTF8(C.Name) + ": " + toMessage(std::move(E)));
  }
  return Error::success();
}
