//===- LocalSocket.h - Where a client listens -------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_CLIENT_LOCALSOCKET_H
#define JOPT_CLIENT_LOCALSOCKET_H

#include "jopt/Client/StagingDirectory.h"
#include "jopt/Client/Target.h"

namespace jopt::client {

/// A local socket in a staging directory, to which the agent of one JVM
/// connects once. The other end sees when this process goes.
class LocalSocket {
public:
  /// Listens at \p Name in \p Folder, which nobody else can enter.
  static llvm::Expected<LocalSocket> listen(const StagingDirectory &Folder,
                                            llvm::StringRef Name);
  /// Takes the agent of \p T, which has connected.
  llvm::Error accept(const Target &T);
  /// The connection; negative before accept(). It does not block.
  int get() const { return Connected.get(); }

private:
  explicit LocalSocket(Descriptor Listening)
      : Listening(std::move(Listening)) {}
  Descriptor Listening, Connected;
};

} // namespace jopt::client

#endif
