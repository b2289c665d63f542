//===- ActivationsInFlight.h - Who runs in a loop ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// HotSpot runs an activation of a method whose class is redefined in its
/// interpreter until it returns, whether the method changed or not; one in an
/// endless loop for ever. So whoever changes classes looks at the stacks first.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_RETRANSFORM_ACTIVATIONSINFLIGHT_H
#define JOPT_AGENT_RETRANSFORM_ACTIVATIONSINFLIGHT_H

#include "jopt/Agent/Retransform/VirtualThreads.h"
#include "llvm/ADT/ArrayRef.h"
#include <mutex>
#include <tuple>

namespace jopt::agent {

/// An activation in a loop of its method.
struct LoopingActivation {
  size_t Class = 0;         ///< which of those that were asked about
  jlong Thread = 0;         ///< its number (Thread.getId)
  jint Depth = 0;           ///< from the bottom of the stack; 0 not known
  jmethodID Id = nullptr;   ///< of its method
  std::string ClassName;    ///< internal
  std::string Method, Name; ///< of the method, of the thread
  jint Line = 0;            ///< where it is; 0 not known

  /// By all that a stack shows this is \p Other still.
  bool isSame(const LoopingActivation &Other) const {
    return std::tie(Thread, Depth, Id) ==
           std::tie(Other.Thread, Other.Depth, Other.Id);
  }
};

/// The result of one look at the stacks.
struct StackView {
  /// Activations of the classes that were asked about.
  std::vector<LoopingActivation> Loops;
  /// Activations of code that was replaced since they began, whether they are
  /// in a loop or not, of any class; of methods that are the same after the
  /// change as before the JVM does not tell.
  size_t Old = 0;
  std::vector<LoopingActivation> OldLoops; ///< those of them in a loop
  bool Complete = true; ///< no thread was left out for want of time
};

/// Looks at the stacks of all threads. Each look stops them for a moment.
/// Thread-safe: one at a time.
class ActivationsInFlight {
public:
  enum class Threads {
    Platform, ///< those that JVMTI lists
    All,      ///< virtual ones too, in bounded time
  };

  /// Which of \p Classes have methods with activations in a loop. Without the
  /// JVM's help nothing is found.
  StackView look(JavaVM *VM, JNIEnv *Jni, llvm::ArrayRef<jclass> Classes,
                 Threads Which);

private:
  bool connect(JavaVM *VM);

  std::mutex Lock;           ///< of what follows
  jvmtiEnv *Jvmti = nullptr; ///< its own, for tags
  bool Failed = false;
  VirtualThreads Virtual;
};

} // namespace jopt::agent

#endif
