//===- FlightEvents.h - Changed classes in flight recordings ----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_FLIGHTEVENTS_H
#define JOPT_AGENT_FLIGHTEVENTS_H

#include "jopt/Agent/Jvm.h"
#include <condition_variable>
#include <mutex>
#include <vector>

namespace jopt::agent {

/// Makes an event `jopt.ClassChanged` for each changed class as long as the
/// JVM's flight recorder is there. Events are made by a thread of its own: the
/// recorder loads classes and takes locks, and the hook may be anywhere. It has
/// no class of its own in the JVM (`jdk.jfr.EventFactory`).
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

  std::mutex Lock; ///< of what follows
  std::condition_variable Some;
  std::vector<Record> Waiting;
  bool Started = false;

  /// \name Of the thread alone
  /// @{
  bool Missing = false;      ///< the JVM has no flight recorder
  jclass Recorder = nullptr; ///< global references
  jobject Factory = nullptr;
  /// @}
};

} // namespace jopt::agent

#endif
