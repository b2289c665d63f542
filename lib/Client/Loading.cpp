//===- Loading.cpp - The agent and what it is asked -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Client/Loading.h"
#include "jopt/Client/LocalSocket.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <cerrno>
#include <poll.h>

using namespace jopt;
using namespace jopt::client;
using llvm::Error;
using llvm::StringRef;
namespace path = llvm::sys::path;

CarriedFiles::CarriedFiles(pid_t Pid) {
  const std::string Folder = "/proc/" + std::to_string(Pid);
  const std::string Theirs = readLink(Folder + "/ns/mnt");
  auto P = Process::read(Pid);
  MayBeNeeded = Theirs.empty() || Theirs != readLink("/proc/self/ns/mnt") ||
                readLink(Folder + "/root") != readLink("/proc/self/root") ||
                !P || P->User != ::geteuid();
  if (P && ::geteuid() == 0 && P->User != 0)
    Stranger = std::move(P);
}

Error CarriedFiles::add(const std::string &Path) {
  if (!MayBeNeeded || Trees.count(Path))
    return Error::success();
  auto Tree =
      Stranger ? FileTree::readFor(*Stranger, Path) : FileTree::read(Path);
  if (!Tree)
    return Tree.takeError();
  Trees.emplace(Path, std::move(*Tree));
  return Error::success();
}

/// All that \p Path has can be read by this process now.
static bool isReadable(const std::string &Path) {
  namespace fs = llvm::sys::fs;
  if (!fs::is_directory(Path))
    return ::access(Path.c_str(), R_OK) == 0;
  std::error_code EC;
  for (fs::recursive_directory_iterator I(Path, EC), End; I != End && !EC;
       I.increment(EC))
    if (::access(I->path().c_str(), R_OK) != 0)
      return false;
  return !EC;
}

llvm::Expected<std::string>
CarriedFiles::place(const std::string &Path, const Target &T,
                    const StagingDirectory &Folder) const {
  auto At = Trees.find(Path);
  if (At == Trees.end() || (T.files().sees(Path) && isReadable(Path)))
    return Path;
  // Two may have one name.
  const auto Number = std::distance(Trees.begin(), At);
  return Folder.write((llvm::Twine(Number) + "/" + path::filename(Path)).str(),
                      At->second);
}

Error CarriedFiles::copy(const std::string &Path,
                         const StagingDirectory &Folder, StringRef Name) const {
  auto At = Trees.find(Path);
  std::optional<FileTree> Read;
  if (At == Trees.end()) {
    auto Tree = FileTree::read(Path);
    if (!Tree)
      return Tree.takeError();
    Read = std::move(*Tree);
  }
  return Folder.write(Name, Read ? *Read : At->second).takeError();
}

std::vector<std::string> client::filesOfAgent(const std::string &Library) {
  std::vector<std::string> Files;
  for (StringRef Name :
       {"jopt-runtime.jar", "jopt-probes.jar", "jopt-ready-probes.jar"}) {
    llvm::SmallString<128> File = path::parent_path(Library);
    path::append(File, Name);
    if (llvm::sys::fs::exists(File))
      Files.push_back(File.str().str());
  }
  return Files;
}

llvm::Expected<StagingDirectory> client::makeFolderFor(const Target &T) {
  // FOLDER/lib/libjopt-agent.so
  StringRef Folder = path::parent_path(path::parent_path(T.findings().Agent));
  return StagingDirectory::make(T.process(), T.files(),
                                StagingDirectory::isOurs(Folder) ? Folder
                                                                 : StringRef());
}

/// Puts the agent with its files where \p T sees it; its path there.
static llvm::Expected<std::string> placeAgent(const Target &T,
                                              const StagingDirectory &Folder,
                                              const std::string &Library,
                                              const CarriedFiles &Carried) {
  const std::string &Has = T.findings().Agent;
  const bool IsCopy =
      !Has.empty() &&
      StagingDirectory::isOurs(path::parent_path(path::parent_path(Has)));
  if (!Has.empty() && !IsCopy)
    return Has;
  auto Put = [&](const std::string &File) -> Error {
    return Carried.copy(File, Folder, ("lib/" + path::filename(File)).str());
  };
  if (Has.empty() && T.files().sees(Library) && isReadable(Library))
    return Library;
  for (const std::string &File : filesOfAgent(Library))
    if (Error E = Put(File))
      return E;
  if (IsCopy)
    return Has; // The JVM knows it by this name, wherever its file is.
  if (Error E = Put(Library))
    return E;
  return Folder.path() + "/lib/" + path::filename(Library).str();
}

/// Parses \p Text, the content of the file that the agent wrote.
static llvm::Expected<AgentReply> parseAnswer(StringRef Text) {
  AgentReply A;
  auto [First, Rest] = Text.split('\n');
  if (!llvm::to_integer(First, A.Status, 10))
    return makeError("the agent's answer is broken");
  while (!Rest.empty()) {
    auto [Line, More] = Rest.split('\n');
    if (Line.consume_front(" "))
      A.Printed += (Line + "\n").str();
    else if (Line.consume_front("!"))
      A.Said += (Line + "\n").str();
    Rest = More;
  }
  return A;
}

/// Takes the whole lines for \p Say in front of the answer from \p Text.
static void takeAnnounced(std::string &Text,
                          llvm::function_ref<void(StringRef)> Say) {
  for (size_t End; StringRef(Text).starts_with("~") &&
                   (End = Text.find('\n')) != std::string::npos;) {
    Say(StringRef(Text).slice(1, End));
    Text.erase(0, End + 1);
  }
}

/// All that the agent sends, but for what goes to \p Say at once. It may be at
/// work until \p Deadline.
static llvm::Expected<std::string>
readAnswer(const LocalSocket &From, Clock::time_point Deadline,
           llvm::function_ref<void(StringRef)> Say) {
  // Reports of big programs are long.
  constexpr size_t Limit = size_t(256) << 20;
  std::string Text;
  char Part[1 << 14];
  while (true) {
    const auto Rest = std::chrono::duration_cast<std::chrono::milliseconds>(
        Deadline - Clock::now());
    pollfd Poll = {From.get(), POLLIN, 0};
    if (Rest.count() <= 0 || ::poll(&Poll, 1, int(Rest.count())) == 0)
      return makeError("the agent does not answer in time (-timeout=TIME waits "
                       "longer): what is not done yet it leaves undone, and "
                       "takes back the rest");
    const ssize_t N = ::read(From.get(), Part, sizeof(Part));
    if (N < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (N <= 0 && Text.empty())
      return makeError("the JVM has ended before the agent answered");
    if (N <= 0)
      return Text;
    Text.append(Part, size_t(N));
    takeAnnounced(Text, Say);
    if (Text.size() > Limit)
      return makeError("the agent's answer has no end");
  }
}

llvm::Expected<AgentReply>
client::load(Target &T, const StagingDirectory &Folder,
             const std::string &Library, const CarriedFiles &Carried,
             llvm::ArrayRef<std::string> Options, std::chrono::seconds Timeout,
             llvm::function_ref<void(StringRef)> Say) {
  auto Path = placeAgent(T, Folder, Library, Carried);
  if (!Path)
    return Path.takeError();
  if (Error E = Folder.write("options", llvm::join(Options, "\n") + "\n"))
    return E;
  auto Answer = LocalSocket::listen(Folder, StagingDirectory::AnswerSocket);
  if (!Answer)
    return Answer.takeError();
  const auto Deadline = Clock::now() + Timeout;
  auto Ask = [&] {
    return T.ask("load",
                 {*Path, "true",
                  "client=" + Folder.path() + "/" +
                      StagingDirectory::AnswerSocket + ",@" + Folder.path() +
                      "/options"},
                 Timeout);
  };
  auto Reply = Ask();
  // One that is starting says so, from Java 21 on; before, the agent waits.
  for (const auto End = Clock::now() + std::chrono::seconds(10);
       Reply &&
       StringRef(Reply->Text).contains("permitted in the live phase") &&
       Clock::now() < End;
       Reply = Ask())
    ::poll(nullptr, 0, /*timeout=*/50);
  if (!Reply)
    return Reply.takeError();
  if (Error E = Answer->accept(T)) {
    llvm::consumeError(std::move(E));
    std::string Why = StringRef(Reply->Text).trim().str();
    std::replace(Why.begin(), Why.end(), '\n', ' '); // of one error
    if (Why.empty())
      Why = "it gives the number " + std::to_string(Reply->Code);
    return makeError("process " + std::to_string(T.process().Pid) +
                     " does not let the agent in: " + Why);
  }
  auto Text = readAnswer(*Answer, Deadline, Say);
  if (!Text)
    return Text.takeError();
  return parseAnswer(*Text);
}
