//===- Counters.h - What the agent did --------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_TELEMETRY_COUNTERS_H
#define JOPT_AGENT_TELEMETRY_COUNTERS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <atomic>
#include <cstdint>

namespace jopt::agent {

/// A row of Counters.def, but for what it means, which docs/Agent.md tells.
struct CounterRow {
  llvm::StringRef Stats, Property, Report;
};

/// Counts since the agent was loaded, a member for each row of Counters.def.
/// Any thread may add; what is read while others add is a moment's view.
struct Counters {
  using Count = std::atomic<uint64_t>;
#define COUNTER(Name, Stats, Property, Report, What) Count Name{0};
#include "jopt/Agent/Telemetry/Counters.def"

  /// The value of a counter that does not apply; it is not published.
  static constexpr uint64_t None = ~uint64_t(0);

  /// Calls \p Use for each row, in their order, with the value that it has now.
  void forEach(
      llvm::function_ref<void(const CounterRow &, uint64_t Value)> Use) const {
#define COUNTER(Name, Stats, Property, Report, What)                           \
  Use({Stats, Property, Report}, Name);
#include "jopt/Agent/Telemetry/Counters.def"
  }
};

} // namespace jopt::agent

#endif
