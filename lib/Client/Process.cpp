//===- Process.cpp - A process as /proc has it ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Client/Process.h"
#include "jopt/Support/SharedPlaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <dirent.h>
#include <pwd.h>
#include <set>
#include <unistd.h>

using namespace jopt;
using namespace jopt::client;
using llvm::StringRef;

std::string client::readProc(const llvm::Twine &Path) {
  constexpr size_t Limit = 4 << 20;
  auto Text = readRegular(Path.str(), {Limit});
  if (Text)
    return std::move(*Text);
  llvm::consumeError(Text.takeError());
  return {};
}

std::string client::readLink(const llvm::Twine &Path) {
  char To[4096];
  ssize_t N = ::readlink(Path.str().c_str(), To, sizeof(To));
  return N < 0 ? std::string() : std::string(To, size_t(N));
}

/// The numbers in \p Text, between blanks.
template <typename T> static std::vector<T> numbers(StringRef Text, int Radix) {
  std::vector<T> All;
  llvm::SmallVector<StringRef> Parts;
  Text.split(Parts, '\t', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    llvm::SmallVector<StringRef> Words;
    Part.split(Words, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef W : Words) {
      uint64_t Value = 0;
      if (!W.trim().getAsInteger(unsigned(Radix), Value))
        All.push_back(T(Value));
    }
  }
  return All;
}

static void readStatus(Process &P, StringRef Status) {
  llvm::SmallVector<StringRef> Lines;
  Status.split(Lines, '\n');
  for (StringRef Line : Lines) {
    auto [Name, Value] = Line.split(':');
    if (Name == "Uid") {
      if (auto Ids = numbers<uid_t>(Value, 10); Ids.size() > 1)
        P.User = Ids[1];
    } else if (Name == "Gid") {
      if (auto Ids = numbers<gid_t>(Value, 10); Ids.size() > 1)
        P.Group = Ids[1];
    } else if (Name == "Groups") {
      P.Groups = numbers<gid_t>(Value, 10);
    } else if (Name == "NSpid") {
      if (auto Ids = numbers<pid_t>(Value, 10); !Ids.empty())
        P.OwnPid = Ids.back();
    } else if (Name == "SigCgt") {
      if (auto Bits = numbers<uint64_t>(Value, 16); !Bits.empty())
        P.Caught = Bits.front();
    }
  }
}

std::optional<Process> Process::read(pid_t Pid) {
  const std::string Folder = "/proc/" + std::to_string(Pid);
  const std::string Stat = readProc(Folder + "/stat");
  // The name, in parentheses, may have anything in it.
  const size_t Name = Stat.rfind(") ");
  if (Pid <= 0 || Name == std::string::npos)
    return std::nullopt;
  llvm::SmallVector<StringRef> Fields;
  StringRef(Stat).drop_front(Name + 2).split(Fields, ' ');
  constexpr size_t StartField = 22 - 3; // The third is the first of these.
  Process P;
  P.Pid = P.OwnPid = Pid;
  P.State = Fields[0].empty() ? '?' : Fields[0][0];
  if (Fields.size() > StartField)
    (void)llvm::to_integer(Fields[StartField], P.Start);
  const std::string Status = readProc(Folder + "/status");
  // A number of a thread has such a folder too.
  if (!StringRef(Status).contains("\nTgid:\t" + std::to_string(Pid) + "\n"))
    return std::nullopt;
  readStatus(P, Status);
  const std::string Line = readProc(Folder + "/cmdline");
  for (StringRef Rest = Line; !Rest.empty();) {
    auto [Argument, More] = Rest.split('\0');
    P.Arguments.push_back(Argument.str());
    Rest = More;
  }
  return P;
}

std::vector<pid_t> client::allProcesses() {
  std::vector<pid_t> All;
  DIR *Folder = ::opendir("/proc");
  if (!Folder)
    return All;
  while (const dirent *E = ::readdir(Folder))
    if (pid_t Pid; llvm::to_integer(StringRef(E->d_name), Pid, 10))
      All.push_back(Pid);
  ::closedir(Folder);
  llvm::sort(All);
  return All;
}

llvm::Expected<std::vector<std::string>> client::mappedFiles(const Process &P) {
  // A process has 65,530 of them, unless its system allows more.
  constexpr size_t Limit = 32 << 20;
  auto Text = readRegular("/proc/" + std::to_string(P.Pid) + "/maps", {Limit});
  if (!Text)
    return Text.takeError();
  std::set<std::string> Files;
  llvm::SmallVector<StringRef> Lines;
  StringRef(*Text).split(Lines, '\n');
  for (StringRef Line : Lines)
    if (size_t At = Line.find(" /"); At != StringRef::npos)
      Files.insert(Line.drop_front(At + 1).str());
  return std::vector<std::string>(Files.begin(), Files.end());
}

std::string client::userName(uid_t User) {
  const passwd *P = ::getpwuid(User);
  return (P ? std::string(P->pw_name) + " " : std::string()) + "(" +
         std::to_string(User) + ")";
}
