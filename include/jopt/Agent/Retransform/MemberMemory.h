//===- MemberMemory.h - Classes that were changed so far --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_RETRANSFORM_MEMBERMEMORY_H
#define JOPT_AGENT_RETRANSFORM_MEMBERMEMORY_H

#include "jopt/Agent/Hook/LoadedClass.h"
#include "jopt/Agent/Hook/WeaveRequest.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <mutex>

namespace jopt::agent {

/// Which classes got probes, and which of them got members when they were
/// loaded. The JVM hands over the bytes that came whenever such a class is
/// retransformed, by whomever, and they must get the same members for good.
///
/// Thread-safe: any number of hooks ask and add at once. The lock is held for
/// looking up and adding, never while the JVM or anything else is called.
class MemberMemory {
public:
  /// Distinguishes class files that came under one name (of loaders).
  static uint64_t hash(Bytes Data);

  /// The loaded class \p C, which the JVM hands to the hook, has members of
  /// these; none if it has not.
  LoadedWith find(jvmtiEnv *Jvmti, const LoadedClass &C) const;

  /// Other probes are at work from now on, or none.
  void startOver();
  /// A class of that name has the probes that are at work.
  void addChanged(llvm::StringRef Name);
  /// Classes of that name may have none of the probes at work.
  void forgetChange(llvm::StringRef Name);
  /// The class that came as \p Name with that hash got members.
  void addMembers(llvm::StringRef Name, uint64_t Hash, LoadedWith With);

  /// It has them, or some of before.
  bool isChanged(llvm::StringRef Name) const;
  /// It has those that are at work, in some loader.
  bool hasThoseAtWork(llvm::StringRef Name) const;
  /// Some class does.
  bool isAnyChanged() const;
  /// Those that have the probes at work; sorted.
  std::vector<std::string> changedNames() const;

  /// \name Classes that come while loaded ones are changed
  /// @{
  /// Such classes are noted from now on, or no more.
  void noteComing(JNIEnv *Jni, bool Notes);
  /// The class \p Name of \p Loader went through the hook, for the probes at
  /// work, when it was loaded.
  void addComing(JNIEnv *Jni, jobject Loader, llvm::StringRef Name);
  bool hasCome(JNIEnv *Jni, jobject Loader, llvm::StringRef Name) const;
  /// @}

  /// There are no probes any more, in any class if \p Everywhere. Returns false
  /// if classes have members that they must get whenever they come again.
  bool forget(bool Everywhere);

private:
  mutable std::mutex Lock;           ///< of what follows
  unsigned Turn = 0;                 ///< how often startOver() was called
  llvm::StringMap<unsigned> Changed; ///< the turn in which it was changed last
  std::map<std::pair<std::string, uint64_t>, LoadedWith> WithMembers;
  bool NotesComing = false;
  /// By name: their loaders, null for the boot loader.
  llvm::StringMap<llvm::SmallVector<jweak, 1>> Coming;
};

} // namespace jopt::agent

#endif
