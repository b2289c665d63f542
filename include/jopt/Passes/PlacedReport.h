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
  /// \p Probes: all that the method has, if they are known.
  explicit PlacedReport(ClassAdvices &Advices,
                        llvm::ArrayRef<unsigned> Probes = {})
      : Advices(Advices), KeepsSites(Advices.keepsSites()),
        HasOne(Probes.size() == 1), Only(HasOne ? Probes.front() : None) {}

  /// Advice \p N was placed at \p BCI; -1: at no place of the original code.
  /// \p Number: the place counts at run time by that number, if it is not 0.
  void add(unsigned N, int32_t BCI, uint32_t Number = 0) {
    count(Advices.set().Advices[N].Probe);
    note(N, BCI, Number);
  }
  /// The same for all of \p List.
  void add(llvm::ArrayRef<unsigned> List, int32_t BCI) {
    if (HasOne) {
      count(Only, unsigned(List.size()));
      if (KeepsSites)
        keepSites(List, BCI);
      return;
    }
    for (unsigned N : List)
      add(N, BCI);
  }
  /// \p Probe was placed \p Times more; where, note says.
  void count(unsigned Probe, unsigned Times = 1) {
    Total += Times;
    if (Probe == Only)
      OnlyCount += Times;
    else
      addOther(Probe, Times);
  }
  /// Notes a place of advice \p N without counting it.
  void note(unsigned N, int32_t BCI, uint32_t Number = 0) {
    if (KeepsSites)
      keepSite(N, BCI, Number);
  }
  /// Hands the rows to the report, by ascending probe.
  void report(const Method &M) {
    if (!Rest)
      Advices.reportPlaced(M, Only, OnlyCount, {});
    else
      reportEach(M);
  }

  unsigned total() const { return Total; }
  bool keepsSites() const { return KeepsSites; }

private:
  struct Row {
    unsigned Probe, Count;
    llvm::SmallVector<ReportRow::Site, 8> Sites;
  };
  void addOther(unsigned Probe, unsigned Times);
  void keepSite(unsigned N, int32_t BCI, uint32_t Number);
  void keepSites(llvm::ArrayRef<unsigned> List, int32_t BCI);
  void reportEach(const Method &M);
  Row &rowOf(unsigned Probe);

  ClassAdvices &Advices;
  const bool KeepsSites;
  const bool HasOne; ///< the method has no probe but Only
  /// Most methods have one probe: it is counted here. No other is there yet if
  /// Rest is empty.
  static constexpr unsigned None = ~0u;
  unsigned Only, OnlyCount = 0;
  unsigned Total = 0;
  std::optional<llvm::SmallVector<Row, 1>> Rest;
};

/// Reports that exceptions out of super() or this() of the constructor \p M run
/// no exit advice, or no afterCall advice: no handler may cover that call (JVM
/// specification, 4.10.2.4). \p What is NoSuperExit or NoSuperAfterCall.
void reportUncoveredSuper(PassContext &C, const Method &M,
                          ReportRow::Kind What);

} // namespace jopt

#endif
