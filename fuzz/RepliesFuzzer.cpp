//===- RepliesFuzzer.cpp - Any bytes as what JVMs tell --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The bytes are the reply of a JVM to an attach, which comes through a socket,
/// and the figures that it keeps in memory.
///
//===----------------------------------------------------------------------===//

#include "jopt/Client/AttachSocket.h"
#include "jopt/Client/PerfData.h"
#include "jopt/Support/Temporary.h"
#include <cstdlib>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

using namespace jopt;
using namespace jopt::client;

namespace {
/// A JVM that listens.
class Listener {
public:
  Listener() : Folder(llvm::cantFail(makeTemporaryFolder("fuzz"))) {
    Socket = Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un Address = {};
    Address.sun_family = AF_UNIX;
    const std::string Path = path();
    Path.copy(Address.sun_path, sizeof(Address.sun_path) - 1);
    if (::bind(Socket.get(), reinterpret_cast<sockaddr *>(&Address),
               sizeof(Address)) != 0 ||
        ::chmod(Path.c_str(), 0600) != 0 || ::listen(Socket.get(), 1) != 0)
      abort();
  }
  std::string path() const { return Folder.path() + "/s"; }
  /// Takes one request, and answers.
  void answer(Bytes With) const {
    const Descriptor To(
        ::accept4(Socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
    char Request[256];
    if (::read(To.get(), Request, sizeof(Request)) > 0)
      (void)::send(To.get(), With.data(), With.size(), MSG_NOSIGNAL);
  }

private:
  Temporary Folder;
  Descriptor Socket;
};
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const Bytes All(Data, Size);
  (void)PerfData::read(All);
  static const Listener Jvm;
  static const View Files(*Process::read(::getpid()));
  std::thread Other([&] { Jvm.answer(All); });
  auto Worth = [] { return llvm::Error::success(); };
  const auto Deadline = Clock::now() + std::chrono::seconds(10);
  AttachSocket S = llvm::cantFail(
      AttachSocket::connect(Files, Jvm.path(), ::geteuid(), Deadline, Worth));
  if (!S)
    abort();
  auto R = S.ask(2, "load", {}, Deadline, Worth);
  Other.join();
  if (!R)
    llvm::consumeError(R.takeError());
  else if (R->Text.size() > Size)
    abort();
  return 0;
}
