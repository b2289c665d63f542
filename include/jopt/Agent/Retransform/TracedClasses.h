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
/// initialises a class, and the record of a class goes away with it.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_RETRANSFORM_TRACEDCLASSES_H
#define JOPT_AGENT_RETRANSFORM_TRACEDCLASSES_H

#include "jopt/Agent/Lifetime/Jvm.h"
#include "jopt/TF/Packages.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringMap.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace jopt::agent {

/// A class that comes gets stage 2 at once if others with one of its
/// annotations have monitors: that spares a change behind its registration, and
/// is put right there where it was wrong. What classes of one name came with is
/// the same for all of them, so that it is known of each.
///
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

  /// Annotations have other numbers from now on.
  void restart();

  /// A class \p Name comes with these annotations: it is to be at stage 2.
  bool comes(llvm::StringRef Name, llvm::SmallBitVector Annotations);
  /// It is not.
  void stayed(llvm::StringRef Name);

  /// Remembers \p Class if it has holders of \p Library; false if not, though
  /// it is linked, so that one can know. One that is not is to be at stage 1.
  bool add(JNIEnv *Jni, jclass Class, const tf::Packages &Library);
  /// False if \p Registry was there already.
  bool addRegistry(JNIEnv *Jni, jclass Registry);
  /// Monitors of the class of \p Monitor do nothing.
  void addIdle(JNIEnv *Jni, jobject Monitor);

  /// \p Class is to be at stage 2.
  bool isTraced(jclass Class) const;
  /// All classes are, whatever their holders have, until restart().
  void traceAll() { All = true; }

  /// A class that is to be changed: a global reference.
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
  /// The properties with which classes of one name came.
  struct Coming {
    llvm::SmallBitVector Annotations;
    bool Traced = false;
  };
  struct Entry : Coming {
    jweak Class = nullptr;
    std::vector<jfieldID> Holders;
    jfieldID Content = nullptr; ///< of a holder
    unsigned Changing = 0;      ///< threads that are at it
  };
  Entry *find(jclass Class) const;
  bool hasMonitor(JNIEnv *Jni, Entry &E, jclass Class);

  mutable std::mutex Lock;
  jvmtiEnv *Jvmti = nullptr;
  std::vector<std::unique_ptr<Entry>> Entries;
  llvm::StringMap<Coming> Names;
  llvm::SmallBitVector Monitored; ///< annotations, as far as was seen
  std::vector<jweak> Idle;        ///< classes of monitors that do nothing
  std::vector<jweak> Registries;
  std::atomic<bool> All{false};
};

} // namespace jopt::agent

#endif
