//===- Statistics.h - Counters in release builds ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Named counters. LLVM's own are compiled out of release builds, and a tracer
/// needs its numbers there.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_STATISTICS_H
#define JOPT_SUPPORT_STATISTICS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <cstdint>

namespace jopt {

namespace detail {
extern std::atomic<bool> StatisticsOn;
}

/// Counters count from now on. Nobody else pays for them: the processors of a
/// machine share each one.
void enableStatistics();

/// A process-wide counter with static storage. Registered on first use, so no
/// static constructor runs. Thread-safe. Declare it with JOPT_STATISTIC.
class Statistic {
public:
  constexpr Statistic(const char *Group, const char *Name, const char *Help)
      : Group(Group), Name(Name), Help(Help) {}

  void add(uint64_t N) {
    if (detail::StatisticsOn.load(std::memory_order_relaxed))
      count(N);
  }
  Statistic &operator++() {
    add(1);
    return *this;
  }
  Statistic &operator+=(uint64_t N) {
    add(N);
    return *this;
  }
  uint64_t value() const { return Value.load(std::memory_order_relaxed); }

  const char *const Group; ///< the pass or component, as in `-stats`
  const char *const Name;
  const char *const Help;

private:
  [[gnu::cold]] void count(uint64_t N);

  std::atomic<uint64_t> Value{0};
  std::atomic<bool> Registered{false};
};

/// Prints the non-zero counters, sorted by group and name.
void printStatistics(llvm::raw_ostream &OS);
/// The same as one JSON object, `{"group.name": value, ...}`.
void printStatisticsJSON(llvm::raw_ostream &OS);

} // namespace jopt

#define JOPT_STATISTIC(Var, Group, Name, Help)                                 \
  static ::jopt::Statistic Var(Group, Name, Help)

#endif
