//===- Target.cpp - A JVM that something is asked of ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Client/Target.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/SharedPlaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sys/syscall.h>

using namespace jopt;
using namespace jopt::client;
using llvm::Error;
using llvm::StringRef;

static std::string name(pid_t Pid) { return "process " + std::to_string(Pid); }

/// The process lets go of \p P by itself.
static Error checkState(const Process &P) {
  if (P.hasEnded())
    return makeError(name(P.Pid) +
                     " has ended, and only its parent does not know yet");
  if (P.isStopped())
    return makeError(name(P.Pid) +
                     " is stopped and cannot answer: kill -CONT " +
                     std::to_string(P.Pid) + " lets it go on");
  return Error::success();
}

/// An option of the JVM by itself, as HotSpot writes its arguments.
static bool hasArgument(const ProcessFindings &F, StringRef Argument) {
  llvm::SmallVector<StringRef> Words;
  if (F.Perf)
    F.Perf->text("java.rt.vmArgs").split(Words, ' ');
  for (const std::string &A : F.P.Arguments)
    Words.push_back(A);
  return llvm::is_contained(Words, Argument);
}

/// It says that nobody may attach to it.
static bool refusesAttach(const ProcessFindings &F) {
  if (F.Perf)
    if (StringRef C = F.Perf->text("sun.rt.jvmCapabilities"); !C.empty())
      return C.front() != '1';
  return hasArgument(F, "-XX:+DisableAttachMechanism");
}

/// Takes the user and the groups of \p P, for good.
static Error become(const Process &P) {
  if (::geteuid() != 0)
    return Error::success();
  if (::setgroups(P.Groups.size(), P.Groups.data()) != 0 ||
      ::setresgid(P.Group, P.Group, P.Group) != 0 ||
      ::setresuid(P.User, P.User, P.User) != 0)
    return makeError("this process cannot take the rights of user " +
                     userName(P.User) + ", of whom " + name(P.Pid) +
                     " is: " + std::strerror(errno));
  return Error::success();
}

Error client::whyNotAttachable(const ProcessFindings &F) {
  const Process &P = F.P;
  if (Error E = checkState(P); E && P.hasEnded())
    return E;
  else
    llvm::consumeError(std::move(E));
  if (::geteuid() != 0 && ::geteuid() != P.User)
    return makeError(name(P.Pid) + " is of user " + userName(P.User) +
                     ": that user or root may attach to it, and this is " +
                     userName(::geteuid()));
  if (!F.isJvm())
    return makeError(
        F.MapsKnown ? name(P.Pid) + " is no JVM of HotSpot's: it has no "
                                    "libjvm.so; 'jopt ps' lists those that "
                                    "are"
                    : name(P.Pid) + " does not show whether it is a JVM: "
                                    "try as root");
  if (Error E = checkState(P))
    return E;
  if (refusesAttach(F))
    return makeError(name(P.Pid) + " was started with "
                                   "-XX:+DisableAttachMechanism, so it lets "
                                   "nobody attach; start it with -agentpath:");
  return Error::success();
}

llvm::Expected<Target> Target::open(pid_t Pid) {
  auto P = Process::read(Pid);
  if (!P)
    return makeError("there is no " + name(Pid));
  Target T{ProcessFindings(std::move(*P))};
  if (Error E = whyNotAttachable(T.Found))
    return E;
  T.Handle = Descriptor(int(::syscall(SYS_pidfd_open, Pid, 0)));
  if (Error E = T.stillRuns())
    return E;
  if (Error E = become(T.process()))
    return E;
  return T;
}

Error Target::stillRuns() const {
  auto Now = Process::read(process().Pid);
  // Reading may fail once. To give up for that after the signal that has the
  // JVM listen would make it print a thread dump instead.
  if (!Now)
    Now = Process::read(process().Pid);
  if (!Now || !Now->isSame(process()))
    return makeError(name(process().Pid) + " has ended");
  return checkState(*Now);
}

std::string Target::socketPath() const {
  return "/tmp/.java_pid" + std::to_string(process().OwnPid);
}

/// SIGQUIT has the JVM listen, and would end any process that does not catch
/// it.
Error Target::mayBeWoken(Clock::time_point Deadline) const {
  // One that is just starting will catch it.
  const auto Patience =
      std::min(Deadline, Clock::now() + std::chrono::seconds(5));
  while (true) {
    if (Error E = stillRuns())
      return E;
    auto Now = Process::read(process().Pid);
    if (Now && Now->catches(SIGQUIT))
      return Error::success();
    const bool Reduced = hasArgument(Found, "-Xrs") ||
                         hasArgument(Found, "-XX:+ReduceSignalUsage");
    if (!Reduced && Clock::now() < Patience) {
      ::poll(nullptr, 0, 50);
      continue;
    }
    return makeError(
        name(process().Pid) +
        (Reduced
             ? " was started with -Xrs, so it listens from its start, but "
               "its socket " +
                   socketPath() +
                   " is gone, and the signal that would have it listen "
                   "again would end it"
             : " does not catch the signal that has a JVM listen, and which "
               "would end it"));
  }
}

static Error signalProcess(const Descriptor &Handle, pid_t Pid, int Signal) {
  const long Failed = Handle ? ::syscall(SYS_pidfd_send_signal, Handle.get(),
                                         Signal, nullptr, 0)
                             : ::kill(Pid, Signal);
  return Failed ? makeError("cannot signal " + name(Pid) + ": " +
                            std::strerror(errno))
                : Error::success();
}

namespace {
/// The file that says that the next SIGQUIT asks the JVM to listen.
class Trigger {
public:
  Trigger(const View &Files, const Process &P) {
    const std::string Name = ".attach_pid" + std::to_string(P.OwnPid);
    Path = Files.pathOf("/tmp/" + Name, Parent);
    if (!make()) {
      // It looks in the folder that it runs in first.
      Path = "/proc/" + std::to_string(P.Pid) + "/cwd/" + Name;
      if (!make())
        Path.clear();
    }
  }
  ~Trigger() {
    if (!Path.empty())
      ::unlink(Path.c_str());
  }
  Trigger(const Trigger &) = delete;
  Trigger &operator=(const Trigger &) = delete;
  explicit operator bool() const { return !Path.empty(); }
  /// Why there is none.
  const std::string &why() const { return Why; }

private:
  bool make() {
    if (Path.empty()) {
      Why = std::strerror(errno);
      return false;
    }
    auto File = openOwn(Path);
    if (!File)
      Why = toMessage(File.takeError());
    return bool(File);
  }
  Descriptor Parent;
  std::string Path, Why;
};
} // namespace

llvm::Expected<AttachSocket> Target::connect(Clock::time_point Deadline) {
  auto Worth = [this] { return stillRuns(); };
  auto Try = [&] {
    return AttachSocket::connect(files(), socketPath(), process().User,
                                 Deadline, Worth);
  };
  auto Socket = Try();
  if (!Socket || *Socket)
    return Socket;
  if (Error E = mayBeWoken(Deadline))
    return E;
  // It is there until the JVM listens.
  Trigger File(files(), process());
  if (!File)
    return makeError("the file that asks " + name(process().Pid) +
                     " to listen cannot be made in its /tmp: " + File.why());
  if (Error E = signalProcess(Handle, process().Pid, SIGQUIT))
    return E;
  while (true) {
    Socket = Try();
    if (!Socket || *Socket)
      return Socket;
    if (Error E = stillRuns())
      return E;
    if (Clock::now() >= Deadline)
      return makeError("it does not open the socket " + socketPath());
    ::poll(nullptr, 0, 10);
  }
}

llvm::Expected<SocketReply> Target::ask(StringRef Command,
                                        llvm::ArrayRef<std::string> Arguments,
                                        std::chrono::seconds Timeout) {
  const auto Deadline = Clock::now() + Timeout;
  auto Worth = [this] { return stillRuns(); };
  auto Once =
      [&](unsigned In, StringRef What,
          llvm::ArrayRef<std::string> With) -> llvm::Expected<SocketReply> {
    auto Socket = connect(Deadline);
    if (!Socket)
      return Socket.takeError();
    return Socket->ask(In, What, With, Deadline, Worth);
  };
  auto Explain = [&](Error E) {
    std::string Text = toMessage(std::move(E));
    const bool IsLate = StringRef(Text).starts_with("it does not ");
    if (StringRef(Text).starts_with("it "))
      Text = name(process().Pid) + ": " + Text;
    if (IsLate)
      Text += " within " + std::to_string(Timeout.count()) +
              " s (-timeout=TIME waits longer): it may be frozen, or swapped "
              "out, or at something that takes long; what it was asked it may "
              "still do";
    return makeError(Text);
  };
  if (!Version) {
    // Those that have only version 1 do not know the command.
    auto R = Once(1, "getversion", {});
    if (!R)
      return Explain(R.takeError());
    unsigned Offered = 1;
    if (R->Code == 0)
      (void)llvm::to_integer(StringRef(R->Text).trim().split(' ').first,
                             Offered);
    Version = Offered >= 2 ? 2 : 1;
  }
  auto R = Once(Version, Command, Arguments);
  if (!R)
    return Explain(R.takeError());
  return R;
}
