//===- OnDemand.h - Classes traced while monitored --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `tf-idle=none`. Classes come at stage 1. Registries call
/// `jopt.boot.Monitors.changed` behind whatever changes monitors (tf-watch),
/// on the thread that did it, and that has the JVM change the classes whose
/// state no longer fits: so code and monitors agree when `register` returns.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_RETRANSFORM_ONDEMAND_H
#define JOPT_AGENT_RETRANSFORM_ONDEMAND_H

#include "jopt/Agent/Hosts/BootLibrary.h"
#include "jopt/Agent/Retransform/Retransformer.h"
#include "jopt/Agent/Retransform/TracedClasses.h"

namespace jopt::agent {

/// Decides which classes are traced, and has them changed.
///
/// Thread-safe but for start(). It has no lock of its own: the state of classes
/// is in TracedClasses, behind the lock of that. The thread that reports a
/// change may hold any lock of the program, that of a registry above all, and
/// so nothing here waits for what another thread does in Java. It may wait for
/// another thread that has the JVM change the same class; that one is in the
/// JVM, or in our hook.
class OnDemand {
public:
  OnDemand(Environment &Env, BootLibrary &Boot, Retransformer &Classes)
      : Env(Env), Boot(Boot), Classes(Classes) {}

  /// The function that registries call, as JNI wants it: (registry, class that
  /// was just registered or null for all).
  using Listener = void(JNICALL *)(JNIEnv *, jclass, jclass, jclass);
  /// Prepares a new session that traces on demand. From now on \p Changed
  /// receives the changes of monitors; it has to call monitorsChanged().
  llvm::Error start(JNIEnv *Jni, Listener Changed);
  /// Looks at what there is, once all loaded classes went through the hook.
  /// Waits up to a second for threads that are in code of a registry that tells
  /// nobody.
  void findRegistries(JNIEnv *Jni, const Session &S);
  /// \p Registry may have changed monitors, of all classes if \p Class is null;
  /// returns when their code fits.
  void monitorsChanged(JNIEnv *Jni, const Session &S, jclass Registry,
                       jclass Class);

  /// \name Asked by the hook
  /// @{
  /// The class is to come, or to be, at stage 2.
  bool isToBeTraced(const Session &S, const LoadedClass &C);
  /// It came without it.
  void stayed(llvm::StringRef Name) { Traced.stayed(Name); }
  /// \p Registry, which \p IsLoaded or is just being, cannot be changed, so
  /// that nobody would tell of monitors: everything is traced from now on.
  void traceAlways(JNIEnv *Jni, const Session &S, llvm::StringRef Registry,
                   bool IsLoaded);
  /// @}

  /// How many classes are at stage 2.
  size_t count(JNIEnv *Jni) const { return Traced.count(Jni); }

private:
  bool isInOldRegistry(JNIEnv *Jni, const Session &S) const;
  void findIdle(JNIEnv *Jni, const Session &S, jclass Registry);
  void fitCode(JNIEnv *Jni, jclass Only);

  Environment &Env;
  BootLibrary &Boot;
  Retransformer &Classes;
  TracedClasses Traced;
};

} // namespace jopt::agent

#endif
