//===- AuditEntry.h - Who asked for what, and when --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_ATTACH_AUDITENTRY_H
#define JOPT_AGENT_ATTACH_AUDITENTRY_H

#include "jopt/Agent/Attach/Session.h"
#include "jopt/Agent/Lifetime/Jvm.h"
#include <string>
#include <vector>

namespace jopt::agent {

/// The agent's status, by the names of its properties without `jopt.agent.`.
using StatusLines = std::vector<std::pair<std::string, std::string>>;

/// A start, an attach, or another event that changed the probes at work. The
/// JVM does not tell which process attached; that process runs as the JVM's own
/// user, or as root.
struct AuditEntry {
  std::string Since;   ///< the time, UTC
  std::string By;      ///< what was done, in which thread, the JVM's user
  std::string Options; ///< as they were given
  std::string Files;   ///< of probes, each with its digest
  std::string Names;   ///< of probes

  AuditEntry() = default;
  /// An event that happens now, on this thread. \p S: the session at work, or
  /// null.
  AuditEntry(JNIEnv *Jni, llvm::StringRef What, llvm::StringRef Options,
             const Session *S);

  /// For the log, which has time and thread already.
  std::string line() const;
  /// Adds `since` and the others to \p Status.
  void describe(StatusLines &Status) const;
};

/// "NAME=VALUE" of all parameters of the probes of \p S, as they are now.
std::string describeParams(JNIEnv *Jni, const Session &S);

} // namespace jopt::agent

#endif
