//===- KeptRights.cpp - A file, written with rights that are given up -----===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Archive/KeptRights.h"
#include "jopt/Archive/Transaction.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Interrupt.h"
#include "jopt/Support/SharedPlaces.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace jopt;
using llvm::Error;
using llvm::StringRef;

/// What the other process says when the file is there.
static constexpr StringRef Written = "written";

static std::string readAll(int FD) {
  std::string Text;
  char Part[1 << 14];
  while (true) {
    const ssize_t N = ::read(FD, Part, sizeof(Part));
    if (N < 0 && errno == EINTR)
      continue;
    if (N <= 0)
      return Text;
    Text.append(Part, size_t(N));
  }
}

static bool sendAll(int FD, StringRef Text) {
  while (!Text.empty()) {
    const ssize_t N = ::send(FD, Text.data(), Text.size(), MSG_NOSIGNAL);
    if (N < 0 && errno == EINTR)
      continue;
    if (N <= 0)
      return false;
    Text = Text.drop_front(size_t(N));
  }
  return true;
}

/// Behind the content stands its length: without it nobody asked for the file.
static constexpr size_t LengthSize = 16;

static std::string lengthOf(size_t Length) {
  std::string Text = std::to_string(Length);
  return std::string(LengthSize - Text.size(), '0') + Text;
}

/// The other process.
[[noreturn]] static void serve(int Socket, const std::string &Path) {
  // It goes when the first one does, and leaves nothing half done.
  catchFurtherInterrupts();
  const std::string Text = readAll(Socket);
  if (Text.size() < LengthSize)
    ::_exit(0);
  StringRef Content = StringRef(Text).drop_back(LengthSize);
  if (StringRef(Text).take_back(LengthSize) != lengthOf(Content.size()))
    ::_exit(0);
  {
    Transaction T;
    Error E = T.stage(Path, Rope(toBytes(Content)), /*Mode=*/0);
    if (!E)
      E = T.commit();
    sendAll(Socket, E ? toMessage(std::move(E)) : Written.str());
  }
  ::_exit(0);
}

llvm::Expected<KeptRights> KeptRights::forFile(StringRef Path) {
  const std::string File = Path.str();
  StringRef Folder = llvm::sys::path::parent_path(Path);
  auto Replaced = replaceableFile(Path);
  if (!Replaced)
    return Replaced.takeError();
  if (*Replaced &&
      ::access(Folder.empty() ? "." : Folder.str().c_str(), W_OK | X_OK) != 0)
    return makeError(Location(File), std::strerror(errno));
  int Sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Sockets) != 0)
    return makeError(Location(File), std::strerror(errno));
  const pid_t Child = ::fork();
  if (Child == 0) {
    ::close(Sockets[0]);
    serve(Sockets[1], File);
  }
  ::close(Sockets[1]);
  if (Child < 0) {
    ::close(Sockets[0]);
    return makeError(Location(File), std::strerror(errno));
  }
  return KeptRights(File, Child, Sockets[0]);
}

KeptRights::KeptRights(KeptRights &&Other) noexcept
    : Path(std::move(Other.Path)), Child(std::exchange(Other.Child, -1)),
      Socket(std::exchange(Other.Socket, -1)) {}

KeptRights::~KeptRights() { end(); }

std::string KeptRights::end() {
  if (Child < 0)
    return "";
  ::shutdown(Socket, SHUT_WR);
  std::string Said = readAll(Socket);
  ::close(Socket);
  while (::waitpid(Child, nullptr, 0) < 0 && errno == EINTR)
    ;
  Child = Socket = -1;
  return Said;
}

Error KeptRights::write(StringRef Content) {
  if (sendAll(Socket, Content))
    sendAll(Socket, lengthOf(Content.size()));
  const std::string Said = end();
  if (Said == Written)
    return Error::success();
  return Said.empty() ? makeError(Location(Path), "cannot be written")
                      : makeError(Said);
}
