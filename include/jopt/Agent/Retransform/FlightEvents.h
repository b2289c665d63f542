//===- FlightEvents.h - Changed classes in flight recordings ----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_RETRANSFORM_FLIGHTEVENTS_H
#define JOPT_AGENT_RETRANSFORM_FLIGHTEVENTS_H

#include "jopt/Agent/Telemetry/TimerThread.h"
#include <mutex>
#include <vector>

namespace jopt::agent {

/// Makes an event `jopt.ClassChanged` for each changed class as long as the
/// JVM's flight recorder is there. Events are made by the agent's thread: the
/// recorder loads classes and takes locks, and the hook may be anywhere. It has
/// no class of its own in the JVM (`jdk.jfr.EventFactory`).
class FlightEvents {
public:
  explicit FlightEvents(TimerThread &Later) : Later(Later) {}

  /// Thread-safe, calls no Java. When very many wait the new one is dropped.
  void add(llvm::StringRef Class, size_t BytesBefore, size_t BytesAfter,
           uint64_t Nanoseconds);

private:
  struct Record {
    std::string Class;
    jint Before, After;
    jlong Nanoseconds;
  };
  void commit(JNIEnv *Jni);
  bool isRecording(JNIEnv *Jni);
  bool makeFactory(JNIEnv *Jni);
  void commit(JNIEnv *Jni, const Record &R);

  TimerThread &Later;
  std::mutex Lock; ///< of Waiting; held for adding and swapping
  std::vector<Record> Waiting;

  /// \name Of the thread alone
  /// @{
  bool Missing = false;      ///< the JVM has no flight recorder
  jclass Recorder = nullptr; ///< global references
  jobject Factory = nullptr;
  /// @}
};

} // namespace jopt::agent

#endif
