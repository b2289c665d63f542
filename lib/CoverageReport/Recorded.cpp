//===- Recorded.cpp - What jopt's own coverage recorded -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/Recorded.h"
#include "jopt/Coverage/Plan.h"
#include "jopt/Coverage/Rules.h"
#include "jopt/Data/Coverage.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;

/// What \p C says of each of JaCoCo's probes.
static Expected<std::vector<uint64_t>> probesOf(const data::CoveredClass &C) {
  if (!C.Rules.empty()) {
    auto Rules = decodeRules(C.Rules, uint32_t(C.Values.size()));
    if (!Rules)
      return Rules.takeError();
    return inflate(*Rules, C.Values);
  }
  const std::optional<Strategy> S = findStrategy(C.Strategy);
  if (S != Strategy::JaCoCo && S != Strategy::JaCoCoCounts)
    return makeError("JaCoCo's probes do not follow from the strategy '" +
                     C.Strategy + "'");
  return C.Values;
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
  To.add(Session{R.id().str(), R.start(), R.start()});
  for (const data::CoveredClass &C : *Classes) {
    auto Values = probesOf(C);
    Error E = Values ? Error::success() : Values.takeError();
    if (!E) {
      ClassCoverage Own{C.Id, C.Name,
                        llvm::BitVector(unsigned(Values->size()))};
      for (unsigned I = 0; I < Values->size(); ++I)
        if ((*Values)[I])
          Own.Probes.set(I);
      E = To.add(Own);
    }
    if (E)
      Tell("class " + toDisplayUTF8(C.Name) + ": " + toMessage(std::move(E)));
  }
  return Error::success();
}
