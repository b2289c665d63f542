//===- PlacedReport.cpp - The rows of what was placed ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/PlacedReport.h"
#include "jopt/Passes/Pass.h"

using namespace jopt;

PlacedReport::Row &PlacedReport::find(unsigned Probe) {
  auto It = llvm::find_if(Rows, [=](const Row &R) { return R.Probe == Probe; });
  return It == Rows.end() ? Rows.emplace_back(Row{Probe, 0, {}}) : *It;
}

void PlacedReport::note(unsigned N, int32_t BCI, uint32_t Number) {
  if (!KeepsSites)
    return;
  const Advice &A = Advices.set().Advices[N];
  of(A.Probe).Sites.push_back({A.Kind, BCI, /*Line=*/0, Number});
}

void PlacedReport::report(const Method &M) {
  if (Rows.size() > 1)
    llvm::sort(Rows,
               [](const Row &A, const Row &B) { return A.Probe < B.Probe; });
  for (const Row &R : Rows)
    Advices.reportPlaced(M, R.Probe, R.Count, R.Sites);
}

void jopt::reportUncoveredSuper(PassContext &C, const Method &M,
                                ReportRow::Kind What) {
  C.remark(M, What == ReportRow::NoSuperExit
                  ? "exceptions out of super() or this() give no exit"
                  : "exceptions out of super() or this() run no afterCall "
                    "advice");
  // Else the report is asked for problems alone.
  if (!C.get<ClassAdvices>().keepsSites())
    return;
  ReportRow Row;
  Row.What = What;
  C.report(M, std::move(Row));
}
