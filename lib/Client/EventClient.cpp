//===- EventClient.cpp - Reading along what probes write
//--------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Client/EventClient.h"
#include "jopt/Support/Diagnostics.h"
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>

using namespace jopt;
using namespace jopt::client;
using llvm::StringRef;

/// How long it takes at most that probes leave.
static constexpr std::chrono::seconds LeaveTime(10);

/// More than the agent keeps of a client that is slow.
static constexpr size_t MaxLine = 16 << 20;

llvm::Expected<EventClient>
EventClient::listen(const StagingDirectory &Folder) {
  auto Made = LocalSocket::listen(Folder, StagingDirectory::EventSocket);
  if (!Made)
    return Made.takeError();
  return EventClient(std::move(*Made));
}

int EventClient::read(const Target &T, const Reader &R) {
  std::string Rest;
  std::optional<Clock::time_point> Deadline;
  int Status = 0;
  while (true) {
    if (!Deadline && R.Interrupted()) {
      ::shutdown(Socket.get(), SHUT_WR);
      Deadline = Clock::now() + LeaveTime;
    }
    if (Deadline && Clock::now() > *Deadline) {
      R.Say("the JVM does not say that the probes are gone; it takes them out "
            "as soon as it can");
      return 2;
    }
    pollfd Poll = {Socket.get(), POLLIN, 0};
    if (::poll(&Poll, 1, /*timeout=*/200) <= 0)
      continue;
    char Part[1 << 14];
    const ssize_t N = ::read(Socket.get(), Part, sizeof(Part));
    if (N < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (N <= 0) {
      R.Say("process " + std::to_string(T.process().Pid) +
            " has ended, and its probes with it");
      return Status;
    }
    Rest.append(Part, size_t(N));
    size_t From = 0;
    for (size_t End; (End = Rest.find('\n', From)) != std::string::npos;
         From = End + 1) {
      const StringRef Line = StringRef(Rest).slice(From, End);
      const char Mark = Line.empty() ? ' ' : Line.front();
      const StringRef Text = Line.drop_front(!Line.empty());
      switch (Mark) {
      case ' ':
        R.Print(Text);
        break;
      case '?': // Something could not be done.
        Status = 2;
        [[fallthrough]];
      case '!':
        R.Say(Text);
        break;
      default:
        R.Say(Text.str() + ": the probes are gone");
        return Mark == '.' ? Status : 2;
      }
    }
    Rest.erase(0, From);
    if (Rest.size() > MaxLine) {
      R.Say("a line of more than 16 MB came, which no probe prints: nothing is "
            "followed any more");
      return 2;
    }
  }
}
