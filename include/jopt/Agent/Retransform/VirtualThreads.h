//===- VirtualThreads.h - Threads that JVMTI does not list ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_RETRANSFORM_VIRTUALTHREADS_H
#define JOPT_AGENT_RETRANSFORM_VIRTUALTHREADS_H

#include "jopt/Agent/Lifetime/Jvm.h"
#include <chrono>
#include <vector>

namespace jopt::agent {

/// Finds virtual threads (Java 21 and later) in the heap: JVMTI's lists of
/// threads leave them out. Used under a lock of its owner.
class VirtualThreads {
public:
  using Clock = std::chrono::steady_clock;

  /// Local references to those that are there; \p Jvmti may tag objects, and
  /// has no other tag -1. Stops at \p End, and sets \p Complete to false then.
  /// The JVM's threads stand still meanwhile. Where no virtual thread was ever
  /// made there is no walk. Those that are being made are left out: they run
  /// nothing, and the JVM crashes when it is asked for their stack.
  std::vector<jthread> find(jvmtiEnv *Jvmti, JNIEnv *Jni, Clock::time_point End,
                            bool &Complete);

private:
  bool areThere(jvmtiEnv *Jvmti, JNIEnv *Jni);
  void dropUnmade(JNIEnv *Jni, std::vector<jthread> &Threads);

  jclass Class = nullptr; ///< java.lang.VirtualThread, a global reference
  bool Missing = false;   ///< this JVM has none
  jfieldID Continuation = nullptr; ///< null: not known
};

} // namespace jopt::agent

#endif
