//===- ClientSocket.h - The connection to a client --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_TELEMETRY_CLIENTSOCKET_H
#define JOPT_AGENT_TELEMETRY_CLIENTSOCKET_H

#include "jopt/Support/Descriptor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <chrono>

namespace jopt::agent {

/// The agent's end of a local socket on which a client listens. The client
/// sends nothing; it closes its end when it goes.
///
/// Used by one thread at a time.
class ClientSocket {
public:
  /// Connects to the socket \p Path, which a process of this one's user or of
  /// root has to listen on. Does not wait.
  static llvm::Expected<ClientSocket> connect(llvm::StringRef Path);

  explicit operator bool() const { return bool(Socket); }
  /// Gives the descriptor away; -1 if there is none.
  int release() { return Socket.release(); }
  void close() { Socket = Descriptor(); }

  /// There was a client, and it has gone.
  bool isGone() const { return Socket && isGone(Socket.get()); }
  static bool isGone(int FD);
  /// Sends all of \p Text; false if the client does not take it in \p Time.
  bool send(llvm::StringRef Text, std::chrono::milliseconds Time);

private:
  Descriptor Socket; ///< does not block
};

} // namespace jopt::agent

#endif
