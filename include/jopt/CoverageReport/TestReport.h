//===- TestReport.h - What tests reached, for others ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The matrix of tests and lines as files, a source file at a time.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGEREPORT_TESTREPORT_H
#define JOPT_COVERAGEREPORT_TESTREPORT_H

#include "jopt/CoverageReport/TestCoverage.h"

namespace jopt::coverage {

/// How much each test reached.
class TestSums {
public:
  explicit TestSums(const TestCoverage &Ran)
      : Ran(Ran), Lines(Ran.tests().size()), Sources(Ran.tests().size()) {}

  void add(const TestedSource &S);
  /// A line for each test; \p HasSums: sources were added.
  void print(llvm::raw_ostream &OS, bool HasSums) const;

private:
  const TestCoverage &Ran;
  std::vector<uint64_t> Lines, Sources;
};

/// A table of tests, source files and lines as ranges, `3-5 7`.
void writeTestCSVHeader(llvm::raw_ostream &OS);
void writeTestCSV(const TestedSource &S, const TestCoverage &Ran,
                  llvm::raw_ostream &OS);

/// LCOV's records of the file at \p Path, one for each test that reached it.
void writeTestLCOV(const TestedSource &S, const TestCoverage &Ran,
                   llvm::StringRef Path, llvm::raw_ostream &OS);

} // namespace jopt::coverage

#endif
