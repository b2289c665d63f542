//===- LineVerb.cpp - jopt line -------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LineVerb.h"
#include "jopt/Archive/ClassPath.h"
#include "jopt/Reader/ClassReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using llvm::Error;
using llvm::StringRef;

using ClassFiles = std::vector<llvm::SmallVector<uint8_t, 0>>;

static llvm::Expected<std::string> makeOf(StringRef Place,
                                          const ClassFiles &Files) {
  std::vector<Bytes> All(Files.begin(), Files.end());
  return makeLineProbe(Place, All);
}

/// The class files that process \p Pid has of \p Name, which may have `*`.
static llvm::Expected<ClassFiles> askForClass(pid_t Pid, StringRef Name,
                                              AskAgent Ask) {
  auto Reply = Ask(Pid, ("class-file=" + Name).str());
  if (!Reply)
    return Reply.takeError();
  ClassFiles Files;
  for (StringRef Line : llvm::split(Reply->Printed, '\n')) {
    std::string Data;
    if (!Line.empty() && llvm::tryGetFromHex(Line.trim(), Data))
      Files.emplace_back(Data.begin(), Data.end());
  }
  return Files;
}

static llvm::Expected<std::string> makeOfProcess(const OneLinerRequest &L,
                                                 StringRef Class, pid_t Pid,
                                                 AskAgent Ask) {
  if (Class.contains("$$Lambda") || Class.contains("/0x"))
    return makeError("'" + Class +
                     "' is a hidden class, which the JVM lets nobody change; "
                     "the body of a lambda is a method of the class that has "
                     "it in its source: name that class and the line");
  auto Files = askForClass(Pid, Class, Ask);
  if (!Files)
    return Files.takeError();
  if (Files->empty())
    return makeError("process " + llvm::Twine(Pid) + " has no class '" + Class +
                     "', or no class file of it; 'jopt classes " +
                     llvm::Twine(Pid) + " PATTERN' lists the loaded ones");
  auto Xml = makeOf(L.Place, *Files);
  if (Xml)
    return Xml;
  // The line may be one of a class in that class.
  auto Nested = askForClass(Pid, (Class + "$*").str(), Ask);
  if (!Nested || Nested->empty()) {
    if (!Nested)
      llvm::consumeError(Nested.takeError());
    return Xml;
  }
  llvm::consumeError(Xml.takeError());
  for (auto &Data : *Nested)
    Files->push_back(std::move(Data));
  return makeOf(L.Place, *Files);
}

/// The words that are inputs: not options, and not what these write.
static std::vector<std::string> inputsIn(llvm::ArrayRef<std::string> Words) {
  std::vector<std::string> Inputs;
  for (size_t N = 0; N < Words.size(); ++N) {
    const StringRef Word = Words[N];
    if (Word == "-o" || Word == "--o")
      ++N;
    else if (!Word.starts_with("-") && llvm::sys::fs::exists(Word))
      Inputs.push_back(Word.str());
  }
  return Inputs;
}

static llvm::Expected<std::string> makeOfInputs(const OneLinerRequest &L,
                                                StringRef Class) {
  const std::vector<std::string> Inputs = inputsIn(L.Rest);
  if (Inputs.empty())
    return makeError("jopt line needs the number of a process, which 'jopt ps' "
                     "lists, or inputs: their classes say which variables "
                     "there are");
  auto All = readClassPath(Inputs, /*Threads=*/1);
  if (!All)
    return All.takeError();
  std::string Internal = Class.str();
  std::replace(Internal.begin(), Internal.end(), '.', '/');
  ClassFiles Files, Nested;
  for (auto &[Path, Data] : *All) {
    auto Read = readClass(Data);
    if (!Read) {
      llvm::consumeError(Read.takeError());
      continue;
    }
    const StringRef Name = (*Read)->name();
    const StringRef Simple =
        StringRef(Internal).contains('/') ? Name : Name.rsplit('/').second;
    const StringRef Own = Simple.empty() ? Name : Simple;
    if (Own == Internal)
      Files.push_back(Data);
    else if (Own.starts_with(Internal + "$"))
      Nested.push_back(Data);
  }
  if (Files.empty())
    return makeError("no class '" + Class + "' in the inputs");
  auto Xml = makeOf(L.Place, Files);
  if (Xml || Nested.empty())
    return Xml;
  llvm::consumeError(Xml.takeError());
  for (auto &Data : Nested)
    Files.push_back(std::move(Data));
  return makeOf(L.Place, Files);
}

llvm::Expected<std::string> jopt::makeLineFile(const OneLinerRequest &L,
                                               std::optional<pid_t> Pid,
                                               AskAgent Ask) {
  auto Class = lineClass(L.Place);
  if (!Class)
    return Class.takeError();
  return Pid ? makeOfProcess(L, *Class, *Pid, Ask) : makeOfInputs(L, *Class);
}

llvm::Expected<Temporary> jopt::saveLineFile(StringRef Xml,
                                             OneLinerRequest &L) {
  auto Folder = makeTemporaryFolder("jopt-line-");
  if (!Folder)
    return Folder.takeError();
  const std::string Path = Folder->path() + "/line.xml";
  std::error_code EC;
  llvm::raw_fd_ostream OS(Path, EC);
  OS << Xml;
  OS.close();
  if (EC || OS.has_error()) {
    OS.clear_error();
    return makeError("cannot write " + Path);
  }
  L.Place = Path;
  return Folder;
}
