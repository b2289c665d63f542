//===- Selection.h - The tests that a change concerns -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which of the recorded tests are to run for a change of the source.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGEREPORT_SELECTION_H
#define JOPT_COVERAGEREPORT_SELECTION_H

#include "jopt/CoverageReport/Changes.h"
#include "jopt/CoverageReport/TestCoverage.h"

namespace jopt::coverage {

/// A method that looks like a test in its class file: by an annotation of
/// JUnit 4 or 5 or TestNG, or by its name in a TestCase.
struct FoundTest {
  std::string Name;   ///< `p.ATest#method`, in UTF-8
  std::string Source; ///< `p/ATest.java`, in UTF-8
};

/// The tests in the class files of \p Inputs, by name.
llvm::Expected<std::vector<FoundTest>>
findTests(llvm::ArrayRef<std::string> Inputs, data::LeftOut Tell);

/// Names are in UTF-8 and in order.
struct Selection {
  std::vector<std::string> Run;        ///< the tests to run, new ones too
  std::vector<std::string> New;        ///< of them, those that never ran
  std::vector<std::string> Open;       ///< of them, those that never ended
  std::vector<std::string> Gone;       ///< recorded ones that are no more
  std::vector<std::string> Unreached;  ///< lines without a test, `p/A.java:3-5`
  std::vector<std::string> NewSources; ///< added files of source
  std::vector<std::string> Unknown;    ///< changed files of source without one
  std::vector<std::string> Others;     ///< changed files of other kinds
};

/// The tests that \p Changes concern, lines of their old side being those of
/// the classes of \p Inputs, which \p Ran is about. \p Tests are all that there
/// are now; null if that is not known. A test is selected if it reached
///   - a line that is removed or replaced; the lines beside it, where lines are
///     added in a method, or it has no code of its own;
///   - any of a file, if what is changed there is outside of methods;
/// and if its own source is changed, or it never ended.
llvm::Expected<Selection> selectTests(llvm::ArrayRef<ChangedFile> Changes,
                                      llvm::ArrayRef<std::string> Inputs,
                                      const TestCoverage &Ran,
                                      const std::vector<FoundTest> *Tests,
                                      Filters Rules, data::LeftOut Tell);

/// Lines as text, `3-5 7`.
std::string toRanges(llvm::ArrayRef<int32_t> Lines);

} // namespace jopt::coverage

#endif
