//===- SourcePage.h - A source file with its coverage -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_COVERAGEREPORT_SOURCEPAGE_H
#define JOPT_LIB_COVERAGEREPORT_SOURCEPAGE_H

#include "PageParts.h"
#include "jopt/CoverageReport/TestCoverage.h"
#include <set>

namespace jopt::coverage {

/// A source file, and what else is known of it.
struct SourceView {
  const SourceCounters &Source;
  llvm::StringRef Text;           ///< in UTF-8; empty if it is not known
  const std::set<int32_t> *Added; ///< lines of a change; null if none
  const TestedSource *Tests;      ///< null if no test reached it
  /// The pages of tests, by number.
  llvm::ArrayRef<PageLink> TestPages;
};

/// Writes the content of \p P: the lines, with a mark and a colour for each one
/// that counts, and the tests that reach them.
void writeSourceText(Page &P, const SourceView &V);

} // namespace jopt::coverage

#endif
