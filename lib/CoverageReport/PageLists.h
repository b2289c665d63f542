//===- PageLists.h - Pages about the whole report ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_COVERAGEREPORT_PAGELISTS_H
#define JOPT_LIB_COVERAGEREPORT_PAGELISTS_H

#include "PageTree.h"
#include "jopt/CoverageReport/Compare.h"
#include "jopt/CoverageReport/History.h"

namespace jopt::coverage {

/// The methods that are the most complex and the least covered.
void writeRisks(Page &P, const PageTree &Tree);

/// The runs that were recorded, with their times in UTC.
void writeSessions(Page &P, llvm::ArrayRef<SessionInfo> Sessions);

/// How lines and branches were covered from report to report.
void writeHistory(Page &P, llvm::ArrayRef<HistoryEntry> All);

/// What a change adds, by source file; \p LinkTo has their pages.
void writeChanges(Page &P, const ChangedCoverage &C,
                  llvm::function_ref<std::string(llvm::StringRef)> LinkTo);

/// The names for the search, as a script.
void writeNames(const PageTree &Tree, llvm::raw_ostream &OS);

} // namespace jopt::coverage

#endif
