//===- Environment.h - What all parts of the agent need ---------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_LIFETIME_ENVIRONMENT_H
#define JOPT_AGENT_LIFETIME_ENVIRONMENT_H

#include "jopt/Agent/Lifetime/Jvm.h"
#include "jopt/Agent/Telemetry/Counters.h"
#include "jopt/Agent/Telemetry/Log.h"
#include "jopt/Agent/Telemetry/ReportStore.h"
#include "jopt/Agent/Telemetry/TimerThread.h"
#include "jopt/Passes/PlaceNumbers.h"

namespace jopt::agent {

/// The JVM that the agent is in, and where its parts say and count what
/// happens. The pointers are set before any other part is used (Agent::connect)
/// and stay; so do the loaders, from VMInit on. Log, counters and the thread
/// for what is done later are thread-safe.
struct Environment {
  JavaVM *VM = nullptr;
  jvmtiEnv *Jvmti = nullptr;
  Loaders Known;
  Log TheLog;
  Counters Count;
  ReportStore Rows;
  PlaceNumbers Numbers;      ///< of places that count (count-places)
  TimerThread Later{TheLog}; ///< takes tasks while probes are at work

  /// A class stays as it was, and runs: counts it, and says once why.
  void leave(llvm::StringRef Class, const llvm::Twine &Why) {
    ++Count.Failed;
    Rows.leave(Class, Why.str());
    TheLog.once(LogLevel::Warning, Class + ": left as it was: " + Why);
  }
};

} // namespace jopt::agent

#endif
