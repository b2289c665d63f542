//===- Transaction.cpp - Files that appear together -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Archive/Transaction.h"
#include "jopt/Archive/Inputs.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Leftovers.h"
#include "jopt/Support/SharedPlaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstring>
#include <unistd.h>
#include <utility>

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

Transaction::Transaction()
    : Suffix(temporarySuffix()), Lock(std::make_unique<std::mutex>()) {}

Transaction::Transaction(Transaction &&Other) : Transaction() {
  *this = std::move(Other);
}

Transaction &Transaction::operator=(Transaction &&Other) {
  if (this != &Other) {
    rollBack();
    Suffix = Other.Suffix;
    NewFolder = std::exchange(Other.NewFolder, {});
    NewContents = std::move(Other.NewContents);
    Files = std::exchange(Other.Files, {});
    KnownFolders = std::exchange(Other.KnownFolders, {});
    MadeFolders = std::exchange(Other.MadeFolders, {});
    Streams = std::exchange(Other.Streams, {});
    ToRemove = std::exchange(Other.ToRemove, {});
  }
  return *this;
}

Transaction::~Transaction() { rollBack(); }

void Transaction::rollBack() {
  Files.clear();
  NewContents = Temporary();
  NewFolder.clear();
  KnownFolders.clear();
  // Only those that are empty go: what others put there meanwhile stays.
  while (!MadeFolders.empty())
    MadeFolders.pop_back();
  Streams.clear();
  ToRemove.clear();
}

void Transaction::addFolder(StringRef Folder) {
  if (fs::exists(Folder))
    return;
  NewFolder = Folder.rtrim('/').str();
  NewContents = Temporary(NewFolder + Suffix);
  removeLeftovers(path::parent_path(NewFolder), path::filename(NewFolder));
}

bool Transaction::isInNewFolder(StringRef Path) const {
  return !NewFolder.empty() && Path.consume_front(NewFolder) &&
         Path.starts_with("/");
}

std::string Transaction::temporaryFor(StringRef Path) const {
  if (isInNewFolder(Path))
    return NewFolder + Suffix + Path.drop_front(NewFolder.size()).str();
  const StringRef Name = path::filename(Path);
  return Path.drop_back(Name.size()).str() + temporaryName(Name, Suffix);
}

/// With the lock held.
Error Transaction::makeFolders(StringRef Folder) {
  if (KnownFolders.contains(Folder))
    return Error::success();
  SmallVector<std::string, 4> Missing;
  for (StringRef F = Folder; !F.empty() && !fs::exists(F);
       F = path::parent_path(F))
    Missing.push_back(F.str());
  for (const std::string &F : llvm::reverse(Missing)) {
    Temporary Made(F, Temporary::Extent::EmptyFolder);
    if (std::error_code EC = fs::create_directory(F)) {
      Made.keep();
      std::string Final = F;
      if (size_t At = Final.find(Suffix); At != std::string::npos)
        Final.erase(At, Suffix.size());
      return makeError(Location(Final),
                       "cannot make the folder: " + EC.message());
    }
    MadeFolders.push_back(std::move(Made));
  }
  if (Missing.empty())
    removeLeftovers(Folder);
  KnownFolders.try_emplace(Folder);
  return Error::success();
}

/// Gives the file \p FD in \p Folder its mode, with which it was made: whether
/// that was enough is asked once for the folder.
Error Transaction::setMode(int FD, StringRef Folder, unsigned Mode) {
  {
    std::lock_guard<std::mutex> Guard(*Lock);
    if (KnownFolders.lookup(Folder) == Mode)
      return Error::success();
    fs::file_status Made;
    if (!fs::status(FD, Made) && (Made.permissions() & 0777) == Mode) {
      KnownFolders[Folder] = Mode;
      return Error::success();
    }
  }
  std::error_code EC = fs::setPermissions(FD, static_cast<fs::perms>(Mode));
  return EC ? makeError("cannot set the mode: " + EC.message())
            : Error::success();
}

Error Transaction::stage(StringRef Path, const Rope &Content, unsigned Mode,
                         const InputFile *Of) {
  std::string Final = Path.str();
  if (!isInNewFolder(Path)) {
    auto File = replaceableFile(Path);
    if (!File)
      return File.takeError();
    if (!*File) {
      std::lock_guard<std::mutex> Guard(*Lock);
      Streams.push_back({Path.str(), Content});
      return Error::success();
    }
    Final = std::move(**File);
  }
  const std::string Staged = temporaryFor(Final);
  {
    std::lock_guard<std::mutex> Guard(*Lock);
    if (Error E = makeFolders(path::parent_path(Staged)))
      return E;
    // An older version goes with what stands for it.
    if (!isInNewFolder(Final))
      Files[Final] = {Temporary(Staged), Of};
  }
  Mode &= 0777;
  int FD;
  auto Open = [&] {
    return fs::openFileForWrite(Staged, FD, fs::CD_CreateNew, fs::OF_None,
                                Mode ? Mode : 0666);
  };
  std::error_code EC = Open();
  // An older version is in a new folder, or a link that somebody made is here.
  if (EC == std::errc::file_exists && !::unlink(Staged.c_str()))
    EC = Open();
  if (EC)
    return makeError(Location(Path), "cannot write: " + EC.message());
  Error E = Content.writeTo(FD, Path);
  if (Mode && !E)
    E = inFile(setMode(FD, path::parent_path(Staged), Mode), Path);
  // A full disk may show only here.
  if (::close(FD) != 0 && !E)
    E = makeError(Location(Path),
                  Twine("cannot write: ") + std::strerror(errno));
  return E;
}

Expected<ByteRange> Transaction::staged(StringRef Path) const {
  std::string Final = Path.str();
  if (!isInNewFolder(Path)) {
    auto File = replaceableFile(Path);
    if (!File)
      return File.takeError();
    if (*File)
      Final = std::move(**File);
  }
  return ByteRange::openFile(temporaryFor(Final), Path);
}

bool Transaction::isStaged(StringRef Path) const {
  auto File = replaceableFile(Path);
  if (!File) {
    llvm::consumeError(File.takeError());
    return false;
  }
  std::lock_guard<std::mutex> Guard(*Lock);
  return *File && Files.count(**File);
}

void Transaction::remove(StringRef Path, StringRef Folder,
                         const InputFile *Of) {
  ToRemove.push_back({Path.str(), Folder.rtrim('/').str(), Of});
}

/// Somebody changed the file that \p Of was.
static bool isChanged(const InputFile *Of) { return Of && !Of->isAsFound(); }

Error Transaction::removeOld(std::vector<const InputFile *> *Left) {
  for (const Old &O : ToRemove) {
    if (isChanged(O.Of)) {
      if (Left)
        Left->push_back(O.Of);
      continue;
    }
    if (std::error_code EC = fs::remove(O.Path))
      return makeError(Location(O.Path), "cannot remove: " + EC.message());
    StringRef Parent = path::parent_path(O.Path);
    for (; Parent.size() > O.Folder.size() && Parent.starts_with(O.Folder);
         Parent = path::parent_path(Parent)) {
      if (::rmdir(Parent.str().c_str()) == 0)
        continue;
      if (errno == ENOTEMPTY || errno == EEXIST)
        break;
      return makeError(Location(Parent),
                       Twine("cannot remove: ") + std::strerror(errno));
    }
  }
  ToRemove.clear();
  return Error::success();
}

void Transaction::stageStandardOutput(Rope Content) {
  Streams.push_back({"-", std::move(Content)});
}

std::vector<const InputFile *> Transaction::changed() const {
  std::vector<const InputFile *> Found;
  for (const auto &[Final, File] : Files)
    if (isChanged(File.Of))
      Found.push_back(File.Of);
  for (const Old &O : ToRemove)
    if (isChanged(O.Of))
      Found.push_back(O.Of);
  return Found;
}

Error Transaction::writeStreams() {
  for (const Stream &S : Streams) {
    if (S.Path == "-") {
      if (Error E = S.Content.writeTo(STDOUT_FILENO, "standard output"))
        return E;
      continue;
    }
    auto To = openThrough(S.Path);
    if (!To)
      return To.takeError();
    if (Error E = S.Content.writeTo(To->get(), S.Path))
      return E;
  }
  Streams.clear();
  return Error::success();
}

Error Transaction::commit(std::vector<const InputFile *> *Left) {
  auto Rename = [&](const std::string &From, const std::string &To) -> Error {
    std::error_code EC = fs::rename(From, To);
    if (!EC)
      return Error::success();
    Error E = makeError(Location(To), "cannot write: " + EC.message());
    rollBack();
    return E;
  };
  // First what fails most, a full device: then no file has appeared.
  if (Error E = writeStreams()) {
    rollBack();
    return E;
  }
  // A rollback removes the temporary files that are still in Files.
  while (!Files.empty()) {
    auto &[Final, Of] = *Files.begin();
    if (isChanged(Of.Of)) {
      if (Left)
        Left->push_back(Of.Of);
    } else if (Error E = Rename(Of.File.path(), Final)) {
      return E;
    } else {
      Of.File.keep();
    }
    Files.erase(Files.begin());
  }
  if (!NewFolder.empty()) {
    if (Error E = makeFolders(NewFolder + Suffix))
      return E;
    if (Error E = Rename(NewFolder + Suffix, NewFolder))
      return E;
    NewContents.keep();
    NewFolder.clear();
  }
  for (Temporary &Folder : MadeFolders)
    Folder.keep();
  MadeFolders.clear();
  return removeOld(Left);
}
