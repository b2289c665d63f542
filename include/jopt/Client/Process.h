//===- Process.h - A process as /proc has it --------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The facts that a client needs about a process before it touches it.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_CLIENT_PROCESS_H
#define JOPT_CLIENT_PROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace jopt::client {

/// A process at one moment; a value.
struct Process {
  pid_t Pid = 0;             ///< as this process sees it
  pid_t OwnPid = 0;          ///< as it sees itself, in its pid namespace
  uid_t User = 0;            ///< effective
  gid_t Group = 0;           ///< effective
  std::vector<gid_t> Groups; ///< further ones
  char State = '?';          ///< the letter of /proc/PID/stat
  uint64_t Start = 0;        ///< in ticks since the machine was started
  uint64_t Caught = 0;       ///< signals that it has handlers for, a bit each
  std::vector<std::string> Arguments; ///< of its command line

  /// Reads /proc/\p Pid; nothing if there is no such process.
  static std::optional<Process> read(pid_t Pid);

  /// It has a handler for \p Signal.
  bool catches(int Signal) const { return Caught >> (Signal - 1) & 1; }
  bool isStopped() const { return State == 'T' || State == 't'; }
  /// It has ended; its parent has not taken notice.
  bool hasEnded() const { return State == 'Z' || State == 'X'; }
  bool isSame(const Process &Other) const {
    return Pid == Other.Pid && Start == Other.Start;
  }
};

/// The numbers of all processes, ascending.
std::vector<pid_t> allProcesses();

/// The content of \p Path, a file of /proc; empty if it cannot be read, or if
/// it has more than 4 MB: other users decide on much of it.
std::string readProc(const llvm::Twine &Path);

/// Where the link \p Path leads; empty if nobody says.
std::string readLink(const llvm::Twine &Path);

/// The files of which \p P has parts in its memory, each once, as
/// /proc/PID/maps has them: "… (deleted)" where nobody else finds them. Fails
/// where this user may not know.
llvm::Expected<std::vector<std::string>> mappedFiles(const Process &P);

/// "nobody (65534)".
std::string userName(uid_t User);

} // namespace jopt::client

#endif
