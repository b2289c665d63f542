//===- ClientSocket.cpp - The connection to a client ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Telemetry/ClientSocket.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/Support/Errno.h"
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

llvm::Expected<ClientSocket> ClientSocket::connect(StringRef Path) {
  sockaddr_un Address = {};
  Address.sun_family = AF_UNIX;
  if (Path.size() >= sizeof(Address.sun_path))
    return makeError(Location(Path), "no path of a socket: it is too long");
  std::memcpy(Address.sun_path, Path.data(), Path.size());
  ClientSocket S;
  S.Socket = Descriptor(
      ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  ucred Peer = {};
  socklen_t Size = sizeof(Peer);
  if (!S.Socket ||
      llvm::sys::RetryAfterSignal(-1, ::connect, S.Socket.get(),
                                  reinterpret_cast<const sockaddr *>(&Address),
                                  sizeof(Address)) != 0 ||
      ::getsockopt(S.Socket.get(), SOL_SOCKET, SO_PEERCRED, &Peer, &Size) != 0)
    return makeError(Location(Path), std::strerror(errno));
  if (Peer.uid != ::geteuid() && Peer.uid != 0)
    return makeError(Location(Path), "another user listens there");
  return S;
}

bool ClientSocket::isGone(int FD) {
  // It says nothing: what can be read is its end.
  pollfd Poll = {FD, POLLIN | POLLRDHUP, 0};
  return ::poll(&Poll, 1, 0) > 0;
}

bool ClientSocket::send(StringRef Text, std::chrono::milliseconds Time) {
  using Clock = std::chrono::steady_clock;
  const auto End = Clock::now() + Time;
  while (!Text.empty()) {
    const ssize_t N = ::send(Socket.get(), Text.data(), Text.size(),
                             MSG_NOSIGNAL | MSG_DONTWAIT);
    if (N >= 0) {
      Text = Text.drop_front(size_t(N));
      continue;
    }
    if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
      return false;
    const auto Rest = std::chrono::duration_cast<std::chrono::milliseconds>(
        End - Clock::now());
    pollfd Poll = {Socket.get(), POLLOUT, 0};
    if (Rest.count() <= 0 || ::poll(&Poll, 1, int(Rest.count())) == 0)
      return false;
  }
  return true;
}
