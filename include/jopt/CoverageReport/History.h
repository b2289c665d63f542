//===- History.h - The totals of earlier reports ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A table with a line for each report, which reports of the same product
/// share: the time of the newest session, then what was missed and covered of
/// each counter.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGEREPORT_HISTORY_H
#define JOPT_COVERAGEREPORT_HISTORY_H

#include "jopt/CoverageReport/Bundle.h"

namespace jopt::coverage {

struct HistoryEntry {
  std::string Time; ///< as timeText() has it
  CounterSet Counted;
};

/// \p Milliseconds since 1970 in UTC, as `2026-11-30 12:00:00`.
std::string timeText(int64_t Milliseconds);

/// The entries of \p Text, by time. An error names the line.
llvm::Expected<std::vector<HistoryEntry>> readHistory(llvm::StringRef Text);

/// Adds the totals of \p B; a report of the same session replaces the older
/// one. An error if \p B has no session.
llvm::Error addToHistory(const Bundle &B, std::vector<HistoryEntry> &All);

/// Writes what readHistory() reads.
void writeHistory(llvm::ArrayRef<HistoryEntry> All, llvm::raw_ostream &OS);

} // namespace jopt::coverage

#endif
