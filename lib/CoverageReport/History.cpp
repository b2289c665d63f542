//===- History.cpp - The totals of earlier reports ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/History.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

std::string coverage::timeText(int64_t Milliseconds) {
  const auto Seconds = std::time_t(Milliseconds / 1000);
  std::tm Parts;
  char Text[64] = {};
  if (!::gmtime_r(&Seconds, &Parts) ||
      !std::strftime(Text, sizeof(Text), "%Y-%m-%d %H:%M:%S", &Parts))
    return std::to_string(Milliseconds);
  return Text;
}

static std::string heading() {
  std::string Text = "time";
  for (unsigned K = 0; K < NumCounters; ++K)
    for (StringRef What : {"_MISSED", "_COVERED"})
      Text += ("," + counterName(CounterKind(K)) + What).str();
  return Text;
}

Expected<std::vector<HistoryEntry>> coverage::readHistory(StringRef Text) {
  std::vector<HistoryEntry> All;
  llvm::SmallVector<StringRef, 0> Lines;
  Text.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (size_t N = 0; N < Lines.size(); ++N) {
    if (N == 0) {
      if (Lines[0] != heading())
        return makeError("line 1: the first line of a history is " + heading());
      continue;
    }
    llvm::SmallVector<StringRef> Cells;
    Lines[N].split(Cells, ',');
    HistoryEntry &E = All.emplace_back();
    E.Time = Cells.front().str();
    bool IsWrong = Cells.size() != 1 + 2 * NumCounters;
    for (unsigned K = 0; K < NumCounters && !IsWrong; ++K)
      IsWrong = Cells[1 + 2 * K].getAsInteger(10, E.Counted[K].Missed) ||
                Cells[2 + 2 * K].getAsInteger(10, E.Counted[K].Covered);
    if (IsWrong)
      return makeError("line " + llvm::Twine(N + 1) +
                       ": a line of a history has a time and " +
                       llvm::Twine(2 * NumCounters) + " numbers");
  }
  return All;
}

Error coverage::addToHistory(const Bundle &B, std::vector<HistoryEntry> &All) {
  if (B.Sessions.empty())
    return makeError("a history wants data with a session, whose time it has");
  HistoryEntry Own{timeText(B.Sessions.back().Dump), B.Counted};
  auto At = llvm::lower_bound(All, Own,
                              [](const HistoryEntry &A, const HistoryEntry &B) {
                                return A.Time < B.Time;
                              });
  if (At != All.end() && At->Time == Own.Time)
    *At = std::move(Own);
  else
    All.insert(At, std::move(Own));
  return Error::success();
}

void coverage::writeHistory(llvm::ArrayRef<HistoryEntry> All,
                            llvm::raw_ostream &OS) {
  OS << heading() << '\n';
  for (const HistoryEntry &E : All) {
    OS << E.Time;
    for (const Counter &C : E.Counted)
      OS << ',' << C.Missed << ',' << C.Covered;
    OS << '\n';
  }
}
