//===- Counters.h - What the agent did --------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_COUNTERS_H
#define JOPT_AGENT_COUNTERS_H

#include <atomic>
#include <cstdint>

namespace jopt::agent {

/// Counts of the hook, since the agent was loaded. Any thread may add; what is
/// read while others add is a moment's view.
struct Counters {
  using Count = std::atomic<uint64_t>;
  Count Seen{0};       ///< classes that the JVM handed over
  Count Filtered{0};   ///< of these, not looked at, for their name or loader
  Count Unmatched{0};  ///< no probe selects anything in them
  Count Unchanged{0};  ///< read, and left as they were
  Count Changed{0};    ///< got probes
  Count Failed{0};     ///< left alone as a whole: see the log
  Count Problems{0};   ///< methods and parts that were left undone
  Count Unreadable{0}; ///< no class files
  Count Nested{0}; ///< loaded by what the agent itself called: not looked at
  Count BytesBefore{0}, BytesAfter{0}; ///< of changed classes
  Count Nanoseconds{0};                ///< in the hook
};

} // namespace jopt::agent

#endif
