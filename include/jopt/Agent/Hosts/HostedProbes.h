//===- HostedProbes.h - Probe classes where their hosts are -----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOSTS_HOSTEDPROBES_H
#define JOPT_AGENT_HOSTS_HOSTEDPROBES_H

#include "jopt/Agent/Lifetime/Environment.h"
#include "jopt/Probes/ProbeBundle.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <memory>
#include <mutex>

namespace jopt::agent {

struct Part;

/// The classes of probes in loaders of their own, below those that see what the
/// probes refer to (jopt.boot.ProbeSet, runtime/boot): one copy for each, made
/// when a class there first calls a probe, and gone with the loader, or once
/// the probes are. Used by one thread at a time, but for what any may ask.
class HostedProbes {
public:
  HostedProbes();
  ~HostedProbes();

  /// Hosts find the classes \p All, by internal name, from now on; those of
  /// before too, until closeOthers(). Classes that are at work stay, with what
  /// they know, if they come again with all that refers to them. Of those that
  /// hosts called only \p Called, internal names too, are called any more.
  llvm::Error open(Environment &Env, JNIEnv *Jni,
                   const std::map<std::string, Part> &All,
                   const llvm::StringSet<> &Called);
  /// closeOthers() closes classes of \p Advices that open() made anew, so that
  /// hosts need other call sites.
  bool areReplaced(const AdviceSet &Advices) const;
  /// No host calls the classes of before open() any more, activations in
  /// flight neither: nothing refers to them.
  void closeOthers(JNIEnv *Jni);
  /// The same of all.
  void close(JNIEnv *Jni);

  /// Calls \p Use with each class that is there, all copies; until it fails.
  llvm::Error
  forEachClass(JNIEnv *Jni,
               llvm::function_ref<llvm::Error(jclass Class)> Use) const;

  /// The internal names of the classes; empty: none are open.
  std::vector<std::string> names() const;

  /// \name Asked by any thread
  /// @{
  /// Which of the probes \p Applied of \p Advices classes of \p Loader cannot
  /// have, and what of theirs it does not see, as a clause behind "it". \p
  /// Loading, an internal name, is just being loaded by it; empty: nothing is.
  /// Runs Java code, of the loader too.
  std::map<unsigned, std::string>
  findUnlinked(const Environment &Env, JNIEnv *Jni, jobject Loader,
               llvm::StringRef Loading, const AdviceSet &Advices,
               const llvm::BitVector &Applied) const;
  /// @}

private:
  struct Set;
  using Sets = std::vector<std::unique_ptr<Set>>;
  static llvm::Expected<std::unique_ptr<Set>>
  makeSet(Environment &Env, JNIEnv *Jni, const std::map<std::string, Part> &All,
          uint64_t Hash);
  static void close(JNIEnv *Jni, Sets Old);

  Sets Current, Before;
  int64_t Generation = 0;  ///< of Current: how often a set was opened
  mutable std::mutex Lock; ///< of Current and Generation, for a moment
};

} // namespace jopt::agent

#endif
