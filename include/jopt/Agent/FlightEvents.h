//===- FlightEvents.h - Changed classes in flight recordings ----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_FLIGHTEVENTS_H
#define JOPT_AGENT_FLIGHTEVENTS_H

#include "jopt/Agent/Jvm.h"
#include <atomic>
#include <vector>

namespace jopt::agent {

/// Makes an event `jopt.ClassChanged` for each changed class as long as the
/// JVM's flight recorder is there. Events are made by a thread of its own: the
/// recorder loads classes and takes locks, and the hook may be anywhere. It has
/// no class of its own in the JVM (`jdk.jfr.EventFactory`).
///
/// The thread waits by a monitor of JVMTI: one that waits in native code by
/// any other means is waited for when the JVM ends, 0.3 s long.
class FlightEvents {
public:
  /// Starts the thread, at the first call. Without it nothing happens.
  void start(jvmtiEnv *Jvmti, JNIEnv *Jni);
  /// Thread-safe, calls no Java. When very many wait the new one is dropped.
  void add(llvm::StringRef Class, size_t BytesBefore, size_t BytesAfter,
           uint64_t Nanoseconds);

private:
  struct Record {
    std::string Class;
    jint Before, After;
    jlong Nanoseconds;
  };
  [[noreturn]] void run(JNIEnv *Jni);
  bool isRecording(JNIEnv *Jni);
  bool makeFactory(JNIEnv *Jni);
  void commit(JNIEnv *Jni, llvm::ArrayRef<Record> Records);
  void commit(JNIEnv *Jni, const Record &R);

  jvmtiEnv *Jvmti = nullptr; ///< like the monitor, set before the thread runs
  jrawMonitorID Monitor = nullptr; ///< of Waiting and Idle
  std::vector<Record> Waiting;
  bool Idle = false; ///< the thread is to be told of the next record
  std::atomic<bool> Started{false}; ///< the monitor is there, and the thread

  /// \name Of the thread alone
  /// @{
  bool Missing = false;      ///< the JVM has no flight recorder
  jclass Recorder = nullptr; ///< global references
  jobject Factory = nullptr;
  /// @}
};

} // namespace jopt::agent

#endif
