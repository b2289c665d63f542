//===- EventClient.h - Receives what probes write ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_CLIENT_EVENTCLIENT_H
#define JOPT_CLIENT_EVENTCLIENT_H

#include "jopt/Client/LocalSocket.h"
#include <functional>

namespace jopt::client {

/// The client's end of what a JVM's agent tells while its probes are at work.
class EventClient {
public:
  /// Listens at `follow` in \p Folder, which nobody else can enter.
  static llvm::Expected<EventClient> listen(const StagingDirectory &Folder);
  /// The agent of \p T, which said that it is connected, is.
  llvm::Error accept(const Target &T) { return Socket.accept(T); }

  /// For whoever reads.
  struct Reader {
    std::function<void(llvm::StringRef Line)> Print; ///< what probes printed
    std::function<void(llvm::StringRef Line)> Say; ///< the log, and the reason
    std::function<bool()> Interrupted;             ///< the user has enough
  };
  /// Reads to the end: 0, or 2 if the probes passed a bound, or did not say
  /// that they are gone in time.
  int read(const Target &T, const Reader &R);

private:
  explicit EventClient(LocalSocket S) : Socket(std::move(S)) {}
  LocalSocket Socket;
};

} // namespace jopt::client

#endif
