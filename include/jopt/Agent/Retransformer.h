//===- Retransformer.h - Classes that are there already ---------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loaded classes are changed, and changed back, by asking the JVM to hand them
/// to the hook again, in batches: each is one stop of all threads.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_RETRANSFORMER_H
#define JOPT_AGENT_RETRANSFORMER_H

#include "jopt/Agent/MemberMemory.h"

namespace jopt::agent {

/// Holds no lock while the JVM changes classes, as that runs the hook. Any
/// thread may change a batch; walk() is for one thread at a time.
class Retransformer {
public:
  Retransformer(Environment &Env, const MemberMemory &Memory)
      : Env(Env), Memory(Memory) {}

  /// The classes that are changed at once: all threads stop for each batch.
  static constexpr size_t BatchSize = 64;

  /// Takes all loaded classes from the probes of before to \p New, or to none
  /// if it is null. How many could not be changed.
  unsigned walk(JNIEnv *Jni, const Session *New);

  /// Changes \p Batch. Those that the JVM refuses stay as they are, and are
  /// named in the log; how many.
  unsigned change(JNIEnv *Jni, llvm::ArrayRef<jclass> Batch);

  /// Changes those loaded classes in which \p S may trace methods.
  void changeTraced(JNIEnv *Jni, const Session &S);

private:
  std::vector<jclass> collect(JNIEnv *Jni,
                              llvm::function_ref<bool(jclass)> Is) const;
  unsigned changeAll(JNIEnv *Jni, llvm::ArrayRef<jclass> Meant);
  unsigned pass(JNIEnv *Jni, const Session *New);
  bool isMeant(JNIEnv *Jni, const Session *New, jclass Class) const;
  bool isModifiable(jclass Class) const;

  Environment &Env;
  const MemberMemory &Memory;
  jlong Walks = 0; ///< so far: the tag of the classes that the last one saw
};

} // namespace jopt::agent

#endif
