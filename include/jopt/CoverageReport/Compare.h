//===- Compare.h - The coverage of changes, and its changes -----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Shows which of the lines that a diff adds were run, and how two recordings
/// differ.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGEREPORT_COMPARE_H
#define JOPT_COVERAGEREPORT_COMPARE_H

#include "jopt/CoverageReport/Bundle.h"
#include "jopt/CoverageReport/Changes.h"

namespace jopt::coverage {

/// The lines that changes add to source files of a bundle. Paths are in UTF-8.
struct ChangedCoverage {
  struct File {
    std::string Path;
    std::vector<std::pair<int32_t, LineCounters>> Lines; ///< that count
  };
  std::vector<File> Files;          ///< with lines that count, as in the diff
  CounterSet Counted;               ///< instructions, branches and lines alone
  size_t Known = 0;                 ///< changed source files of the bundle
  std::vector<std::string> Unknown; ///< changed files of source that are not
  std::vector<std::string> Others;  ///< changed files of other kinds
};

/// Lines of the new side of \p Changes are those of the classes of \p B.
ChangedCoverage coverChanges(llvm::ArrayRef<ChangedFile> Changes,
                             const Bundle &B);

/// Writes which lines were not run, or have branches that were not taken.
void printChanges(const ChangedCoverage &C, llvm::raw_ostream &OS);

/// Writes the counters of both, and by source file which lines are covered in
/// \p B alone, in \p A alone, and have other branches covered.
void printDifference(const Bundle &A, const Bundle &B, llvm::raw_ostream &OS);

/// The lines that differ as a table.
void writeDifferenceCSV(const Bundle &A, const Bundle &B,
                        llvm::raw_ostream &OS);

/// The counters of both and the lines that differ, as an object.
void writeDifferenceJSON(const Bundle &A, const Bundle &B,
                         llvm::raw_ostream &OS);

/// Of 100; an empty counter is all covered.
double percent(const Counter &C);

} // namespace jopt::coverage

#endif
