//===- AttachSocket.cpp - HotSpot's attach protocol -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Client/AttachSocket.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

using namespace jopt;
using namespace jopt::client;
using llvm::Error;
using llvm::StringRef;

/// How often it is asked whether to go on.
static constexpr int LookMilliseconds = 100;

/// The agent answers in a file, and JVMs in a line.
static constexpr size_t MaxReply = 1 << 20;

/// Waits until \p FD is ready for \p Events.
static Error wait(int FD, short Events, Clock::time_point Deadline,
                  StillWorth Worth) {
  while (true) {
    // Also of one that never stops sending.
    if (Clock::now() >= Deadline)
      return makeError("it does not answer");
    pollfd Poll = {FD, Events, 0};
    int N = ::poll(&Poll, 1, LookMilliseconds);
    if (N > 0)
      return Error::success();
    if (N < 0 && errno != EINTR)
      return makeError(std::strerror(errno));
    if (Error E = Worth())
      return E;
  }
}

/// Anybody can make something of this name in /tmp before the JVM does.
static Error refuseOthers(StringRef Path, const llvm::Twine &Why) {
  return makeError(Location(Path), Why + ": nothing was sent to it; it has to "
                                         "go before anybody can attach");
}

/// \p Socket is as a JVM of \p User makes it.
static Error checkSocket(const Descriptor &Socket, StringRef Path, uid_t User) {
  struct stat S = {};
  if (::fstat(Socket.get(), &S) != 0)
    return makeError(Location(Path), std::strerror(errno));
  if (!S_ISSOCK(S.st_mode))
    return refuseOthers(Path, "is no socket");
  if (S.st_uid != User)
    return refuseOthers(Path, "belongs to user " + userName(S.st_uid) +
                                  ", not to the JVM's user " + userName(User));
  if (S.st_mode & (S_IRWXG | S_IRWXO))
    return refuseOthers(Path, "others may write to it, so no JVM made it");
  return Error::success();
}

/// Who listens at the other end of \p Socket.
static Error checkPeer(const Descriptor &Socket, StringRef Path, uid_t User) {
  ucred Peer = {};
  socklen_t Size = sizeof(Peer);
  if (::getsockopt(Socket.get(), SOL_SOCKET, SO_PEERCRED, &Peer, &Size) != 0)
    return makeError(Location(Path), std::strerror(errno));
  if (Peer.uid != User)
    return refuseOthers(Path, "user " + userName(Peer.uid) +
                                  " listens there, not the JVM's user " +
                                  userName(User));
  return Error::success();
}

llvm::Expected<AttachSocket> AttachSocket::connect(const View &V,
                                                   StringRef Path, uid_t User,
                                                   Clock::time_point Deadline,
                                                   StillWorth Worth) {
  AttachSocket S;
  // The one that is checked is the one that is connected to.
  Descriptor Found = V.open(Path, O_PATH | O_NOFOLLOW);
  // A JVM that listens already answers another signal with a thread dump.
  if (!Found && errno != ENOENT)
    return makeError(Location(Path), std::strerror(errno));
  if (!Found)
    return S;
  if (Error E = checkSocket(Found, Path, User))
    return E;
  const std::string Name = "/proc/self/fd/" + std::to_string(Found.get());
  sockaddr_un Address = {};
  Address.sun_family = AF_UNIX;
  std::memcpy(Address.sun_path, Name.data(), Name.size());
  Descriptor FD(
      ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!FD)
    return makeError(std::strerror(errno));
  while (::connect(FD.get(), reinterpret_cast<sockaddr *>(&Address),
                   sizeof(Address)) != 0) {
    if (errno == EINTR)
      continue;
    if (errno == ECONNREFUSED || errno == ENOENT)
      return S;
    // It is there, and others wait before this one.
    if (errno != EAGAIN)
      return makeError(Location(Path), std::strerror(errno));
    if (Error E = Worth())
      return E;
    if (Clock::now() >= Deadline)
      return makeError("others wait for it already, and it does not answer");
    ::poll(nullptr, 0, LookMilliseconds);
  }
  if (Error E = checkPeer(FD, Path, User))
    return E;
  S.Socket = std::move(FD);
  return S;
}

Error AttachSocket::send(StringRef Data, Clock::time_point Deadline,
                         StillWorth Worth) {
  while (!Data.empty()) {
    ssize_t N = ::send(Socket.get(), Data.data(), Data.size(), MSG_NOSIGNAL);
    if (N >= 0) {
      Data = Data.drop_front(size_t(N));
      continue;
    }
    if (errno == EAGAIN) {
      if (Error E = wait(Socket.get(), POLLOUT, Deadline, Worth))
        return E;
    } else if (errno != EINTR) {
      return makeError(std::strerror(errno));
    }
  }
  return Error::success();
}

/// \p Command and \p Arguments, each with a zero behind it.
static std::string request(unsigned Version, StringRef Command,
                           llvm::ArrayRef<std::string> Arguments) {
  std::string Body = Command.str() + '\0';
  for (const std::string &A : Arguments)
    Body += A + '\0';
  constexpr size_t Always = 3;
  for (size_t N = Arguments.size(); Version == 1 && N < Always; ++N)
    Body += '\0';
  const std::string Head = std::to_string(Version) + '\0';
  return Version == 1 ? Head + Body
                      : Head + std::to_string(Body.size()) + '\0' + Body;
}

llvm::Expected<SocketReply>
AttachSocket::ask(unsigned Version, StringRef Command,
                  llvm::ArrayRef<std::string> Arguments,
                  Clock::time_point Deadline, StillWorth Worth) {
  if (Error E = send(request(Version, Command, Arguments), Deadline, Worth))
    return E;
  std::string Text;
  char Part[4096];
  while (true) {
    if (Error E = wait(Socket.get(), POLLIN, Deadline, Worth))
      return E;
    ssize_t N = ::read(Socket.get(), Part, sizeof(Part));
    if (N > 0)
      Text.append(Part, size_t(N));
    if (Text.size() > MaxReply)
      return makeError("it answers with more than 1 MB");
    if (N > 0)
      continue;
    if (N == 0)
      break;
    if (errno != EINTR && errno != EAGAIN && errno != ECONNRESET)
      return makeError(std::strerror(errno));
    if (errno == ECONNRESET)
      break;
  }
  SocketReply R;
  auto [Code, Rest] = StringRef(Text).split('\n');
  if (!llvm::to_integer(Code, R.Code, 10))
    return makeError(Text.empty()
                         ? "it hung up without an answer: it may be ending"
                         : "it answers '" + Code + "', no number");
  R.Text = Rest.str();
  return R;
}
