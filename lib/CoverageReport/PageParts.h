//===- PageParts.h - What pages of a report consist of ----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Texts that functions here take are UTF-8; they escape them. Links are
/// relative to the folder of the report.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_COVERAGEREPORT_PAGEPARTS_H
#define JOPT_LIB_COVERAGEREPORT_PAGEPARTS_H

#include "jopt/CoverageReport/Bundle.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

namespace jopt::coverage {

/// Names for the files of a folder.
class FileNames {
public:
  /// A name like \p Wanted, with \p Ending, of characters that need no escape
  /// in a link. It differs from all others, by more than the case of letters.
  std::string take(llvm::StringRef Wanted, llvm::StringRef Ending = ".html");

private:
  llvm::StringSet<> Taken; ///< in small letters
};

/// `singular` or `plural` behind a number.
std::string counted(uint64_t N, llvm::StringRef One, llvm::StringRef Many);

/// A text with a link.
struct PageLink {
  std::string Text, Link; ///< no link: the text alone
};

/// One page: begun by the constructor, ended by the destructor.
class Page {
public:
  /// \p Depth is the number of folders that the page is in; \p Path the pages
  /// above it, \p Others those that concern the whole report.
  Page(llvm::raw_ostream &OS, llvm::StringRef Title, unsigned Depth,
       llvm::ArrayRef<PageLink> Path, llvm::ArrayRef<PageLink> Others,
       llvm::StringRef Version);
  ~Page();
  Page(const Page &) = delete;

  llvm::raw_ostream &OS;
  /// Leads from the page to the folder of the report.
  std::string Root;

  void link(const PageLink &L);
  /// A paragraph that warns.
  void warn(llvm::StringRef Text);
  /// The share of each kind in a line.
  void summary(const CounterSet &C);

private:
  const std::string Version;
};

/// A package, a class or another part, in a table.
struct ElementRow {
  PageLink Name;
  const CounterSet *Counted;
  std::string Id; ///< of its row; may be empty
};

/// The rows with instructions, those first that miss most, and their total.
/// Kinds of counters are those before \p Kinds. \p Element is what a row is.
void writeCounterTable(Page &P, llvm::StringRef Caption,
                       llvm::StringRef Element, std::vector<ElementRow> Rows,
                       const CounterSet &Total, unsigned Kinds);

/// A map of the largest rows, by size and coverage.
void writeTreemap(Page &P, llvm::ArrayRef<ElementRow> Rows);

} // namespace jopt::coverage

#endif
