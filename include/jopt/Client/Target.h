//===- Target.h - A JVM that something is asked of --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_CLIENT_TARGET_H
#define JOPT_CLIENT_TARGET_H

#include "jopt/Client/AttachSocket.h"
#include "jopt/Client/PerfData.h"

namespace jopt::client {

/// The facts that a client finds about a process without touching it.
struct ProcessFindings {
  Process P;
  View Files;
  std::string Jvm;   ///< the file of the JVM's code; empty: it has none, or
                     ///< nobody may know
  std::string Agent; ///< jopt's agent that it has loaded, by the path that it
                     ///< was loaded by; empty if none
  std::string Told;  ///< what that told of itself last, "NAME: VALUE" lines
  std::optional<PerfData> Perf;
  bool MapsKnown = false; ///< this user may look at what it has loaded

  explicit ProcessFindings(Process P);
  bool isJvm() const { return !Jvm.empty() || Perf; }
  /// "17.0.15"; empty if nobody says.
  std::string javaVersion() const;
  /// The main class or the archive that was started, as somebody typed it.
  std::string program() const;
};

/// A sentence that says why nobody may attach to \p F, and what to do; success
/// if that can be tried.
llvm::Error whyNotAttachable(const ProcessFindings &F);

/// A JVM that takes requests. From open() on this process is the JVM's user.
class Target {
public:
  /// The JVM \p Pid, if it is one that can be attached to; else a sentence that
  /// says why not. Nothing was done to it then. If this process is root's it
  /// takes the rights of the JVM's user for good.
  static llvm::Expected<Target> open(pid_t Pid);

  const Process &process() const { return Found.P; }
  const View &files() const { return Found.Files; }
  const ProcessFindings &findings() const { return Found; }

  /// Has the JVM carry out a command of its attach protocol, in \p Timeout. The
  /// error is a sentence; whether the JVM goes on with what it was asked is not
  /// known then.
  llvm::Expected<SocketReply> ask(llvm::StringRef Command,
                                  llvm::ArrayRef<std::string> Arguments,
                                  std::chrono::seconds Timeout);
  /// Success as long as the process is there and runs.
  llvm::Error stillRuns() const;

private:
  explicit Target(ProcessFindings F) : Found(std::move(F)) {}
  llvm::Error mayBeWoken(Clock::time_point Deadline) const;
  llvm::Expected<AttachSocket> connect(Clock::time_point Deadline);
  std::string socketPath() const;

  ProcessFindings Found;
  Descriptor Handle;    ///< of the process: its number may become another's
  unsigned Version = 0; ///< of the protocol; 0: not known yet
};

} // namespace jopt::client

#endif
