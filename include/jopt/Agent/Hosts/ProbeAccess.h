//===- ProbeAccess.h - How classes reach their probes -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOSTS_PROBEACCESS_H
#define JOPT_AGENT_HOSTS_PROBEACCESS_H

#include "jopt/Agent/Hook/LoadedClass.h"
#include "jopt/Agent/Hosts/BootLibrary.h"
#include "jopt/Agent/Hosts/ProbeClasses.h"

namespace jopt::agent {

/// Finds out how a class can call what its probes are made of, and sees to it
/// that it can.
///
/// Thread-safe, without a lock: the facts about a loader are in its tag, in the
/// agent's environment, and a thread that finds no tag asks the loader again.
/// That thread is about to resolve classes by the loader anyway, so asking
/// cannot block it any more than that.
class ProbeAccess {
public:
  ProbeAccess(const Environment &Env, BootLibrary &Boot,
              const ProbeClasses &Probes)
      : Env(Env), Boot(Boot), Probes(Probes) {}

  /// How \p C, of which decide() said \p What, gets to what \p S puts into it;
  /// \p Registered, that may be what the program registered. The error says why
  /// it cannot, as a sentence about its loader. Runs Java code.
  llvm::Expected<Dispatch> open(const LoadedClass &C, const Session &S,
                                Decision What, bool Registered);

  /// Classes of \p Loader find the classes of the probes that are of files.
  bool sees(JNIEnv *Jni, jobject Loader) const {
    return !Probes.areHosted() && seesProbes(Jni, Loader);
  }

  /// Which of the probes \p Applied, which were woven into \p C, cannot run
  /// there, and why, as HostedProbes::findUnlinked.
  std::map<unsigned, std::string>
  findUnlinked(const LoadedClass &C, const Session &S,
               const llvm::BitVector &Applied) const;

private:
  bool asksForProbes(JNIEnv *Jni, jobject Loader) const;
  bool seesProbes(JNIEnv *Jni, jobject Loader) const;
  llvm::Error openLink(const LoadedClass &C) const;

  const Environment &Env;
  BootLibrary &Boot;
  const ProbeClasses &Probes;
};

} // namespace jopt::agent

#endif
