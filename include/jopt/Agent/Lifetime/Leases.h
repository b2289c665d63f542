//===- Leases.h - How long probes stay --------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_LIFETIME_LEASES_H
#define JOPT_AGENT_LIFETIME_LEASES_H

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace jopt::agent {

/// How long the probes at work stay (`for=`). Guests came beside others, and
/// leave alone. Used under the lock of attaches, where nothing else is said.
struct Leases {
  using Clock = std::chrono::steady_clock;

  /// The time of the probes that came last, if they have one.
  std::optional<std::chrono::milliseconds> Last;
  Clock::time_point Began; ///< the change of loaded classes for these
  /// When the probes that are no guests leave.
  std::optional<Clock::time_point> End;
  std::vector<std::string> Guests; ///< by their names
  bool AreLeaving = false;         ///< guests are: nothing ends that
  bool AreFromStart = false;       ///< the probes at work came with the JVM

  /// `off`s that wait for the lock: for these a walk ends that puts probes in.
  /// Any thread.
  std::atomic<unsigned> Offs{0};
  size_t Left =
      0; ///< classes that a walk has still to change, at its last batch
  std::atomic<bool> JvmEnds{false}; ///< any thread

  /// Probes come for \p Time, \p Beside those at work or in place of them.
  void begin(std::optional<std::chrono::milliseconds> Time, bool Beside) {
    Last = Time;
    if (Beside)
      return;
    Guests.clear();
    AreFromStart = false;
    End.reset();
    if (Time)
      End = Clock::now() + *Time;
  }
  /// The time of those that came last is over.
  bool isOver() const { return Last && Clock::now() - Began > *Last; }
};

} // namespace jopt::agent

#endif
