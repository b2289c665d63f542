//===- AttachReply.h - What an attach answers -------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_ATTACH_ATTACHREPLY_H
#define JOPT_AGENT_ATTACH_ATTACHREPLY_H

#include "jopt/Agent/Telemetry/ClientSocket.h"
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
  /// A thread of the agent does it, and tells the client when it is done.
  UnderWay = 108,
};

/// The answer to an attach: the file `answer=FILE`, or a message to the client
/// that listens on the socket `client=SOCKET`. It has more than jcmd shows. The
/// first line is the number; a client may get lines behind a `~` before, which
/// it shows at once. Lines for the client's standard error follow, each
/// behind a `!`, and lines for its standard output, each behind a blank.
///
/// Used by one thread at a time, but for the log.
class AttachReply : public LogListener {
public:
  /// Of an attach with \p Options, which may be wrong: whoever wants an answer
  /// is named in the first. Connects to the client.
  AttachReply(Log &TheLog, llvm::StringRef Options);
  ~AttachReply() override;
  AttachReply(const AttachReply &) = delete;
  AttachReply &operator=(const AttachReply &) = delete;

  /// A client waits on its socket.
  bool hasClient() const { return bool(Client); }
  /// When it asked.
  std::chrono::steady_clock::time_point asked() const { return Asked; }
  /// The answer was given.
  bool isWritten() const { return IsWritten; }
  /// It did, and waits no more.
  bool isClientGone() const { return Client.isGone(); }

  /// From now on it receives what goes to the log.
  void listen();
  /// A line that the client shows at once. Nobody waits for one that is slow.
  void announce(const llvm::Twine &Line);
  /// Text for people, of any number of lines.
  void print(llvm::StringRef Text) { add(Printed, ' ', Text); }
  /// The same, of what was left undone and why.
  void warn(llvm::StringRef Text);
  /// Gives the answer, if somebody wants one: whole, or not at all. The second
  /// call does nothing. The log says if the answer cannot be given.
  void write(AttachStatus Status);

private:
  void onLine(LogLevel L, llvm::StringRef Line, bool Shown) override;
  static void add(std::string &To, char Mark, llvm::StringRef Text);

  Log &TheLog;
  const std::chrono::steady_clock::time_point Asked =
      std::chrono::steady_clock::now();
  std::string File; ///< empty: none is wanted
  ClientSocket Client;
  bool Listens = false, IsWritten = false;
  std::mutex Lock; ///< of what follows
  std::string Heard, Printed;
};

} // namespace jopt::agent

#endif
