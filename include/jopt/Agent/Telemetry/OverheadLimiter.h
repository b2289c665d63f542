//===- OverheadLimiter.h - What probes may cost -----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_TELEMETRY_OVERHEADLIMITER_H
#define JOPT_AGENT_TELEMETRY_OVERHEADLIMITER_H

#include "jopt/Agent/Attach/Session.h"
#include "jopt/Agent/Hosts/ProbeClasses.h"
#include "jopt/Agent/Telemetry/TimerThread.h"

namespace jopt::agent {

/// Looks each second whether the probes at work stay within `max-rate` and
/// `max-overhead`. For one thread at a time.
class OverheadLimiter {
public:
  /// A moment, and the CPU time that the process has used by then.
  struct Moment {
    TimerThread::Clock::time_point Time;
    double CPU = 0; ///< in seconds
  };

  /// Begins anew for \p S, which is at work now: what was counted so far does
  /// not count.
  void start(Environment &Env, JNIEnv *Jni, const Session &S,
             const ProbeClasses &Probes);
  /// The counts of the fragments of \p S, which is at work, since start(), by
  /// advice; nothing for those that do not count. Empty if none has to count.
  /// Needs no class of the program.
  const std::vector<std::optional<FragmentCalls>> &
  count(Environment &Env, JNIEnv *Jni, const Session &S,
        const ProbeClasses &Probes);
  /// The parts of \p S, which is at work, that passed a bound since the last
  /// look, and which bound, as a sentence; empty if none did. Needs no class of
  /// the program.
  std::string look(Environment &Env, JNIEnv *Jni, const Session &S,
                   const ProbeClasses &Probes);

  /// The events of \p S since start(), and the time that they took, as a
  /// sentence; empty if none was counted. Only of the probes called \p Names,
  /// if there are any. Needs no class of the program.
  std::string summary(Environment &Env, JNIEnv *Jni, const Session &S,
                      const ProbeClasses &Probes,
                      llvm::ArrayRef<std::string> Names);

  /// \name The same without a JVM, and at a given moment
  /// @{
  void start(Moment Now);
  /// The same for the probes of \p A, with the counts since the last look in
  /// \p Taken.
  std::string look(const AgentOptions &O, const AdviceSet &A,
                   llvm::ArrayRef<FragmentCalls> Taken, Moment Now);
  /// @}

  /// The time between two looks.
  static constexpr std::chrono::milliseconds Second{1000};

private:
  Moment Begin;         ///< of start()
  Moment Last;          ///< of the last look
  unsigned TooSlow = 0; ///< looks on end with too much overhead
  std::vector<std::optional<FragmentCalls>>
      Counted;                          ///< since start(), by advice
  std::vector<FragmentCalls> SinceLook; ///< by probe
};

} // namespace jopt::agent

#endif
