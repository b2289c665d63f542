//===- PlacedReport.cpp - The rows of what was placed ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/PlacedReport.h"
#include "jopt/Passes/Pass.h"

using namespace jopt;

PlacedReport::Row &PlacedReport::rowOf(unsigned Probe) {
  if (!Rest)
    Rest.emplace();
  auto It =
      llvm::find_if(*Rest, [=](const Row &R) { return R.Probe == Probe; });
  return It == Rest->end() ? Rest->emplace_back(Row{Probe, 0, {}}) : *It;
}

void PlacedReport::addOther(unsigned Probe, unsigned Times) {
  if (Only == None) {
    Only = Probe;
    OnlyCount = Times;
  } else {
    rowOf(Probe).Count += Times;
  }
}

void PlacedReport::keepSite(unsigned N, int32_t BCI, uint32_t Number) {
  const Advice &A = Advices.set().Advices[N];
  rowOf(A.Probe).Sites.push_back({A.Kind, BCI, /*Line=*/0, Number});
}

void PlacedReport::keepSites(llvm::ArrayRef<unsigned> List, int32_t BCI) {
  if (List.empty())
    return;
  auto &Sites = rowOf(Only).Sites;
  for (unsigned N : List)
    Sites.push_back(
        {Advices.set().Advices[N].Kind, BCI, /*Line=*/0, /*Number=*/0});
}

void PlacedReport::reportEach(const Method &M) {
  if (Only != None)
    rowOf(Only).Count += OnlyCount;
  if (HasOne)
    return Advices.reportPlaced(M, Only, OnlyCount, Rest->front().Sites);
  llvm::sort(*Rest,
             [](const Row &A, const Row &B) { return A.Probe < B.Probe; });
  for (const Row &R : *Rest)
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
