//===- AttachReply.h - What an attach answers -------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_ATTACH_ATTACHREPLY_H
#define JOPT_AGENT_ATTACH_ATTACHREPLY_H

#include "jopt/Agent/Telemetry/Log.h"
#include <jni.h>

namespace jopt::agent {

/// The answers to an attach; `jcmd` prints the number. docs/Agent.md has them.
enum class AttachStatus : jint {
  Done = 0,
  BadOptions = 101,      ///< unknown, malformed, or a file that is not there
  BadProbes = 102,       ///< files that cannot be read, compiled or used
  NotCapable = 103,      ///< the JVM refuses what the agent needs
  BadProbeClasses = 104, ///< those of the probes cannot link, or are refused
  BadFile = 105,         ///< log, dump, stats or report cannot be written
  LeftUndone = 106,      ///< at work, but some loaded classes were not changed
  NothingMatches = 107,  ///< at work, but no probe matches a loaded class
};

/// The file `answer=FILE`, which gives the client what jcmd would not. Its
/// first line is the number. Lines for the client's standard error follow, each
/// behind a `!`, and lines for its standard output, each behind a blank. While
/// it lives it receives what goes to the log.
class AttachReply : public LogListener {
public:
  /// Of an attach with \p Options, which may be wrong: the file is the first.
  AttachReply(Log &TheLog, llvm::StringRef Options);
  ~AttachReply() override { TheLog.remove(*this); }
  AttachReply(const AttachReply &) = delete;
  AttachReply &operator=(const AttachReply &) = delete;

  /// Text for people, of any number of lines.
  void print(llvm::StringRef Text) { add(Printed, ' ', Text); }
  /// The same, of what was left undone and why.
  void warn(llvm::StringRef Text);
  /// Makes the file, if there is to be one; whole, or not at all. An answer
  /// that cannot be written is for the log.
  void write(AttachStatus Status);

private:
  void onLine(LogLevel L, llvm::StringRef Line, bool Shown) override;
  static void add(std::string &To, char Mark, llvm::StringRef Text);

  Log &TheLog;
  std::string File; ///< empty: nobody wants one
  std::mutex Lock;  ///< of what follows
  std::string Heard, Printed;
};

} // namespace jopt::agent

#endif
