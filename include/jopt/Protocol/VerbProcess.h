//===- VerbProcess.h - A verb of jopt as a process --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A server carries out each request by a process of its own, which runs `jopt
/// VERB ...`: it can be ended at any time, and the probes that it put into a
/// JVM go with it.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROTOCOL_VERBPROCESS_H
#define JOPT_PROTOCOL_VERBPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>

namespace jopt::protocol {

class JsonStream;

/// A running process. Owns its pipes; ends it when destroyed. For the one
/// thread of a server: the kernel ends the process when that thread ends.
class VerbProcess {
public:
  /// A longer line is cut into several.
  static constexpr size_t MaxLine = 1 << 16;

  /// Runs \p Program with \p Arguments, standard input closed.
  static llvm::Expected<std::unique_ptr<VerbProcess>>
  start(llvm::StringRef Program, llvm::ArrayRef<std::string> Arguments);
  VerbProcess(const VerbProcess &) = delete;
  ~VerbProcess();

  /// Where it writes its results and its messages; -1: it has closed that.
  enum Stream { Output, Messages };
  int descriptor(Stream S) const { return Pipes[S].Descriptor; }
  /// Reads once from \p S, and calls \p Use for each line that is whole.
  void read(Stream S, llvm::function_ref<void(llvm::StringRef)> Use);
  /// Both are closed.
  bool isSilent() const {
    return Pipes[Output].Descriptor < 0 && Pipes[Messages].Descriptor < 0;
  }
  /// Asks it to end, as Ctrl-C does.
  void stop();
  /// Ends it for certain.
  void kill();
  /// The exit status once it has ended; of a signal 128 and its number.
  std::optional<int> status();

private:
  VerbProcess() = default;

  struct Pipe {
    int Descriptor = -1;
    std::string Rest; ///< a line that is not whole yet
  };
  Pipe Pipes[2];
  pid_t Pid = -1; ///< -1: it was waited for
  std::optional<int> Status;
};

/// Waits a second at most until \p Client or one of \p Verbs writes something,
/// and reads it once from each that did: lines of verbs, by their index, go to
/// \p Use. \p Client may be null. False: it has gone.
bool readAny(
    JsonStream *Client, llvm::ArrayRef<VerbProcess *> Verbs,
    llvm::function_ref<void(size_t, VerbProcess::Stream, llvm::StringRef)> Use);

} // namespace jopt::protocol

#endif
