//===- TimerThread.h - What the agent does later ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_TELEMETRY_TIMERTHREAD_H
#define JOPT_AGENT_TELEMETRY_TIMERTHREAD_H

#include "jopt/Agent/Lifetime/Jvm.h"
#include "jopt/Agent/Telemetry/Log.h"
#include <chrono>
#include <functional>
#include <map>

namespace jopt::agent {

/// The message where the agent has no thread.
inline constexpr llvm::StringLiteral NoThread =
    "the JVM has no thread for the agent: nothing is done later, and there are "
    "no events in flight recordings";

/// The agent's own thread in the JVM: a daemon that runs tasks when their time
/// has come, one at a time. It runs from the first task on until it is stopped:
/// programs that no probe matches end without it.
///
/// It waits by a monitor of JVMTI: a thread that waits in native code by any
/// other means is waited for when the JVM ends, 0.3 s long. So tasks take no
/// lock that somebody may hold for long.
class TimerThread {
public:
  using Clock = std::chrono::steady_clock;
  using Task = std::function<void(JNIEnv *)>;
  /// Whose task it is: each has one at most.
  using Owner = const void *;

  /// \p TheLog gets a message if the JVM has no thread to give after all.
  explicit TimerThread(Log &TheLog) : TheLog(TheLog) {}
  /// Tasks run from now on; false: the JVM has no thread to give. Before the
  /// first start they are dropped. For one thread at a time; calls Java.
  bool start(jvmtiEnv *Jvmti, JNIEnv *Jni);
  /// The calling thread is that of a TimerThread.
  static bool isHere();
  /// The thread goes as soon as no task waits: who has one that he needs no
  /// more cancels it. Also for the tasks themselves.
  void stop();
  /// Makes a thread for tasks that were scheduled after the last one had gone,
  /// as stop() said: it goes when none waits. Calls Java.
  void runRest(JNIEnv *Jni);

  /// \name On any thread, the hook's too; they call no Java
  /// @{
  /// Runs \p What once, in \p Delay; in place of what waited of \p Of.
  void schedule(Owner Of, std::chrono::milliseconds Delay, Task What);
  /// Waiting tasks of \p Of will not run. A running task does not notice.
  void cancel(Owner Of);
  /// @}

private:
  struct Entry {
    Clock::time_point When;
    Task What;
  };
  class Owned;
  bool makeThread(JNIEnv *Jni);
  Task next();
  void beginThread();
  void run(JNIEnv *Jni);

  Log &TheLog;
  jvmtiEnv *Jvmti = nullptr;
  jrawMonitorID Monitor = nullptr; ///< of what follows
  std::map<Owner, Entry> Waiting;
  /// That will run: a global reference, null once it does.
  jthread Thread = nullptr;
  bool Running = false;  ///< the thread is there, or about to be
  bool Stopping = false; ///< it is to go when nothing waits
};

} // namespace jopt::agent

#endif
