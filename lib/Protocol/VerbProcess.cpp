//===- VerbProcess.cpp - A verb of jopt as a process ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Protocol/VerbProcess.h"
#include "jopt/Protocol/JsonStream.h"
#include "jopt/Support/Diagnostics.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace jopt;
using namespace jopt::protocol;
using llvm::StringRef;

/// In the new process; does not return.
[[noreturn]] static void runProgram(const char *Program, char *const *Arguments,
                                    int Output, int Messages, pid_t Parent) {
  // If the server is killed, the verb takes its probes out and ends.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  const int Nothing = ::open("/dev/null", O_RDONLY);
  if (::getppid() == Parent && Nothing >= 0 && ::dup2(Nothing, 0) == 0 &&
      ::dup2(Output, 1) == 1 && ::dup2(Messages, 2) == 2)
    ::execv(Program, Arguments);
  ::_exit(127);
}

llvm::Expected<std::unique_ptr<VerbProcess>>
VerbProcess::start(StringRef Program, llvm::ArrayRef<std::string> Arguments) {
  int Ends[2][2] = {{-1, -1}, {-1, -1}};
  auto Fail = [&] {
    const int Code = errno;
    for (auto &Of : Ends)
      for (int End : Of)
        if (End >= 0)
          ::close(End);
    return makeError("no process for jopt " + Arguments.front() + ": " +
                     std::strerror(Code));
  };
  if (::pipe2(Ends[Output], O_CLOEXEC) || ::pipe2(Ends[Messages], O_CLOEXEC))
    return Fail();
  const std::string Path = Program.str();
  std::vector<char *> Words = {const_cast<char *>("jopt")};
  for (const std::string &Word : Arguments)
    Words.push_back(const_cast<char *>(Word.c_str()));
  Words.push_back(nullptr);
  const pid_t Server = ::getpid();
  const pid_t Pid = ::fork();
  if (Pid < 0)
    return Fail();
  if (Pid == 0)
    runProgram(Path.c_str(), Words.data(), Ends[Output][1], Ends[Messages][1],
               Server);
  std::unique_ptr<VerbProcess> New(new VerbProcess);
  New->Pid = Pid;
  for (Stream S : {Output, Messages}) {
    ::close(Ends[S][1]);
    New->Pipes[S].Descriptor = Ends[S][0];
  }
  return New;
}

VerbProcess::~VerbProcess() {
  for (Pipe &Of : Pipes)
    if (Of.Descriptor >= 0)
      ::close(Of.Descriptor);
  if (status())
    return;
  kill();
  while (::waitpid(Pid, nullptr, 0) < 0 && errno == EINTR)
    ;
}

void VerbProcess::read(Stream S, llvm::function_ref<void(StringRef)> Use) {
  Pipe &Of = Pipes[S];
  char Buffer[16384];
  const ssize_t Count = ::read(Of.Descriptor, Buffer, sizeof(Buffer));
  if (Count < 0 && errno == EINTR)
    return;
  if (Count <= 0) {
    if (!Of.Rest.empty())
      Use(Of.Rest);
    Of.Rest.clear();
    ::close(Of.Descriptor);
    Of.Descriptor = -1;
    return;
  }
  Of.Rest.append(Buffer, size_t(Count));
  StringRef Left = Of.Rest;
  for (size_t End = Left.find('\n');
       End != StringRef::npos || Left.size() > MaxLine; End = Left.find('\n')) {
    const StringRef Line = Left.take_front(std::min(End, MaxLine));
    Use(Line);
    Left = Left.drop_front(Line.size());
    Left.consume_front("\n");
  }
  Of.Rest = Left.str();
}

void VerbProcess::stop() {
  if (!status())
    ::kill(Pid, SIGTERM);
}

void VerbProcess::kill() {
  if (!status())
    ::kill(Pid, SIGKILL);
}

std::optional<int> VerbProcess::status() {
  int How = 0;
  if (!Status && Pid > 0 && ::waitpid(Pid, &How, WNOHANG) == Pid) {
    Status = WIFEXITED(How) ? WEXITSTATUS(How) : 128 + WTERMSIG(How);
    Pid = -1;
  }
  return Status;
}

bool protocol::readAny(
    JsonStream *Client, llvm::ArrayRef<VerbProcess *> Verbs,
    llvm::function_ref<void(size_t, VerbProcess::Stream, StringRef)> Use) {
  std::vector<pollfd> Waits;
  auto Add = [&](int Descriptor) {
    Waits.push_back({Descriptor, POLLIN, 0}); // -1 is passed over
  };
  Add(Client ? Client->input() : -1);
  bool IsEnding = false;
  for (const VerbProcess *V : Verbs) {
    Add(V->descriptor(VerbProcess::Output));
    Add(V->descriptor(VerbProcess::Messages));
    IsEnding |= V->isSilent();
  }
  // A verb may close its output some time before it ends.
  if (::poll(Waits.data(), Waits.size(), IsEnding ? 100 : 1000) < 0)
    return true;
  for (size_t N = 0; N < Verbs.size(); ++N)
    for (auto S : {VerbProcess::Output, VerbProcess::Messages})
      if (Waits[1 + 2 * N + S].revents)
        Verbs[N]->read(S, [&](StringRef Line) { Use(N, S, Line); });
  return !Waits[0].revents || Client->fill();
}
