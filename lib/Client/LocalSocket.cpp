//===- LocalSocket.cpp - Where a client listens ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Client/LocalSocket.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/Support/Errno.h"
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>

using namespace jopt;
using namespace jopt::client;

llvm::Expected<LocalSocket> LocalSocket::listen(const StagingDirectory &Folder,
                                                llvm::StringRef Name) {
  const std::string Path = Folder.here(Name);
  sockaddr_un Address = {};
  Address.sun_family = AF_UNIX;
  std::memcpy(Address.sun_path, Path.data(),
              std::min(Path.size(), sizeof(Address.sun_path) - 1));
  Descriptor FD(
      ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!FD ||
      ::bind(FD.get(), reinterpret_cast<sockaddr *>(&Address),
             sizeof(Address)) != 0 ||
      ::listen(FD.get(), 1) != 0)
    return makeError(Location((Folder.path() + "/" + Name).str()),
                     std::strerror(errno));
  return LocalSocket(std::move(FD));
}

llvm::Error LocalSocket::accept(const Target &T) {
  Connected = Descriptor(
      llvm::sys::RetryAfterSignal(-1, ::accept4, Listening.get(), nullptr,
                                  nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  ucred Peer = {};
  socklen_t Size = sizeof(Peer);
  if (!Connected ||
      ::getsockopt(Connected.get(), SOL_SOCKET, SO_PEERCRED, &Peer, &Size) != 0)
    return makeError(std::string("the agent is not connected: ") +
                     std::strerror(errno));
  Listening = Descriptor();
  if (Peer.uid != T.process().User)
    return makeError("another user is connected");
  return llvm::Error::success();
}
