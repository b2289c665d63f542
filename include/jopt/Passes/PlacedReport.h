//===- PlacedReport.h - The rows of what was placed -------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Counts the advices that a pass placed in a method, and notes where: a row of
/// the report for each probe.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_PLACEDREPORT_H
#define JOPT_PASSES_PLACEDREPORT_H

#include "jopt/Passes/ClassAdvices.h"

namespace jopt {

class PassContext;

/// What one pass placed in one method. Used by its thread.
class PlacedReport {
public:
  explicit PlacedReport(ClassAdvices &Advices)
      : Advices(Advices), KeepsSites(Advices.keepsSites()) {}

  /// Advice \p N was placed at \p BCI; -1: at no place of the original code.
  /// \p Number: the place counts at run time by that number, if it is not 0.
  void add(unsigned N, int32_t BCI, uint32_t Number = 0) {
    count(Advices.set().Advices[N].Probe);
    if (KeepsSites)
      note(N, BCI, Number);
  }
  /// The same for all of \p List.
  void add(llvm::ArrayRef<unsigned> List, int32_t BCI) {
    for (unsigned N : List)
      add(N, BCI);
  }
  /// \p Probe was placed \p Times more; where, note says.
  void count(unsigned Probe, unsigned Times = 1) {
    of(Probe).Count += Times;
    Total += Times;
  }
  /// Notes a place of advice \p N without counting it.
  void note(unsigned N, int32_t BCI, uint32_t Number = 0);
  /// Hands the rows to the report, by ascending probe.
  void report(const Method &M);

  unsigned total() const { return Total; }
  bool keepsSites() const { return KeepsSites; }

private:
  struct Row {
    unsigned Probe, Count;
    std::vector<ReportRow::Site> Sites;
  };
  Row &of(unsigned Probe) {
    return !Rows.empty() && Rows.back().Probe == Probe ? Rows.back()
                                                       : find(Probe);
  }
  Row &find(unsigned Probe);

  ClassAdvices &Advices;
  const bool KeepsSites;
  unsigned Total = 0;
  llvm::SmallVector<Row, 1> Rows;
};

/// Reports that exceptions out of super() or this() of the constructor \p M run
/// no exit advice, or no afterCall advice: no handler may cover that call (JVM
/// specification, 4.10.2.4). \p What is NoSuperExit or NoSuperAfterCall.
void reportUncoveredSuper(PassContext &C, const Method &M,
                          ReportRow::Kind What);

} // namespace jopt

#endif
