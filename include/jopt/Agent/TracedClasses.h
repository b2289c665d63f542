//===- TracedClasses.h - Which classes somebody monitors --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `tf-idle=none`: which classes are at stage 2 of the tracing facility. A
/// class is wanted there while one of its holders has a monitor that does
/// something. Holders are read as fields, so nothing here runs Java code or
/// initialises a class, and what is known of a class goes with it.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_TRACEDCLASSES_H
#define JOPT_AGENT_TRACEDCLASSES_H

#include "jopt/Agent/Jvm.h"
#include "jopt/TF/Packages.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace jopt::agent {

/// Thread-safe. The lock is held while fields are read, and never while a class
/// is changed.
///
/// Several threads may change the same class at once. Whoever finds that a
/// class is wanted in another state says so here, and then has the JVM hand the
/// class to the hook, which asks isTraced(); the JVM does that for one thread
/// at a time, so the last one gets the last state. Who finds a class that
/// somebody else is changing changes it too, and so has waited for it.
class TracedClasses {
public:
  /// Tags of classes are its own. Fails if the JVM refuses; once.
  llvm::Error connect(JavaVM *VM);

  /// Remembers \p Class if it has holders of \p Library; false if not, though
  /// it is linked, so that one can know.
  bool add(JNIEnv *Jni, jclass Class, const tf::Packages &Library);
  /// False if \p Registry was there already.
  bool addRegistry(JNIEnv *Jni, jclass Registry);
  /// Monitors of the class of \p Monitor do nothing.
  void addIdle(JNIEnv *Jni, jobject Monitor);

  /// \p Class is to be at stage 2.
  bool isTraced(jclass Class) const;
  /// With true all classes are, whatever their holders have.
  void traceAll(bool Always) { All = Always; }
  bool tracesAll() const { return All; }

  /// A class that is to be changed: a local reference.
  struct Change {
    jclass Class;
    void *Entry;
  };
  /// Finds out what is wanted now, of \p Only or of all classes; those that the
  /// caller has to change, and then to give to done().
  std::vector<Change> decide(JNIEnv *Jni, jclass Only);
  void done(llvm::ArrayRef<Change> Changes);

  /// How many classes are at stage 2.
  size_t count(JNIEnv *Jni) const;

private:
  struct Entry {
    jweak Class;
    std::vector<jfieldID> Holders;
    jfieldID Content = nullptr; ///< of a holder
    bool Traced = false;
    unsigned Changing = 0; ///< threads that are at it
  };
  Entry *find(jclass Class) const;
  bool hasMonitor(JNIEnv *Jni, Entry &E, jclass Class);

  mutable std::mutex Lock;
  jvmtiEnv *Jvmti = nullptr;
  std::vector<std::unique_ptr<Entry>> Entries;
  std::vector<jweak> Idle; ///< classes of monitors that do nothing
  std::vector<jweak> Registries;
  std::atomic<bool> All{false};
};

} // namespace jopt::agent

#endif
