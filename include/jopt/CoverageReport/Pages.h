//===- Pages.h - Coverage as pages for a browser ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A folder of static pages: one for the product, each module, package, class,
/// source file and test. They are complete without scripts, and have no script
/// or style within them, so servers that forbid these show them. A script adds
/// sorting, a search and keys.
///
/// Pages have the names of what they show: a link to one stays right when
/// others are added.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGEREPORT_PAGES_H
#define JOPT_COVERAGEREPORT_PAGES_H

#include "jopt/CoverageReport/Compare.h"
#include "jopt/CoverageReport/History.h"
#include "jopt/CoverageReport/TestCoverage.h"
#include <memory>

namespace jopt::coverage {

struct PageOptions {
  std::string Folder;  ///< made if it is not there
  std::string Version; ///< what made the pages
  /// The text of a source file, in UTF-8, by its path as `p/A.java`; empty if
  /// it is not known.
  llvm::function_ref<std::string(llvm::StringRef)> TextOf;
  /// What the report leaves out, and why.
  llvm::ArrayRef<std::string> Warnings;
  llvm::ArrayRef<HistoryEntry> History;     ///< empty: none is kept
  const ChangedCoverage *Changes = nullptr; ///< null: of no change
  const TestCoverage *Tests = nullptr;      ///< null: no test was recorded
};

/// Writes the pages of one bundle, which like the options must outlive it.
/// Nothing appears before finish(). An error names the file.
class CoveragePages {
public:
  CoveragePages(const Bundle &B, const PageOptions &O);
  ~CoveragePages();

  /// Writes the page of a source file that tests reached, before finish().
  llvm::Error add(const TestedSource &S);
  /// Writes all others, once.
  llvm::Error finish();

private:
  class Writer;
  std::unique_ptr<Writer> Own;
};

} // namespace jopt::coverage

#endif
