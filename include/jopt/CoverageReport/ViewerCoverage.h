//===- ViewerCoverage.h - Coverage for the viewer ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGEREPORT_VIEWERCOVERAGE_H
#define JOPT_COVERAGEREPORT_VIEWERCOVERAGE_H

#include "jopt/CoverageReport/Bundle.h"
#include "jopt/CoverageReport/TestCoverage.h"
#include "jopt/Data/Viewer.h"

namespace jopt::coverage {

/// Adds the elements of \p B, from packages to methods, and its lines.
void addCoverage(const Bundle &B, size_t Input, data::ViewerPage &To);

/// Gathers which lines each of \p Ran's tests reached, and adds that.
class ViewerTests {
public:
  explicit ViewerTests(const TestCoverage &Ran);
  void add(const TestedSource &S);
  void finish(size_t Input, data::ViewerPage &To);

private:
  const TestCoverage &Ran;
  std::vector<int64_t> Reached; ///< lines, by test
  data::ViewerTable Lines;
};

} // namespace jopt::coverage

#endif
