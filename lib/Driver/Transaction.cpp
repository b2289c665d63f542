//===- Transaction.cpp - Files that appear together -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Driver/Transaction.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstring>
#include <unistd.h>
#include <utility>

using namespace jopt;
using namespace llvm;

Transaction::Transaction(Transaction &&Other) { *this = std::move(Other); }

Transaction &Transaction::operator=(Transaction &&Other) {
  if (this != &Other) {
    rollBack();
    Files = std::exchange(Other.Files, {});
    MadeFolders = std::exchange(Other.MadeFolders, {});
    Streams = std::exchange(Other.Streams, {});
  }
  return *this;
}

Transaction::~Transaction() { rollBack(); }

void Transaction::rollBack() {
  for (const File &F : Files)
    sys::fs::remove(F.Temporary);
  // Only those that are empty go: what others put there meanwhile stays.
  for (const std::string &Folder : reverse(MadeFolders))
    ::rmdir(Folder.c_str());
  Files.clear();
  MadeFolders.clear();
  Streams.clear();
}

Error Transaction::makeFolders(StringRef Folder) {
  SmallVector<std::string, 4> Missing;
  while (!Folder.empty() && !sys::fs::exists(Folder)) {
    Missing.push_back(Folder.str());
    Folder = sys::path::parent_path(Folder);
  }
  for (const std::string &F : reverse(Missing)) {
    if (std::error_code EC = sys::fs::create_directory(F))
      return makeError(Location(F), "cannot make the folder: " + EC.message());
    MadeFolders.push_back(F);
  }
  return Error::success();
}

Error Transaction::stage(StringRef Path, const Rope &Content, unsigned Mode) {
  sys::fs::file_status Status;
  SmallString<128> Real;
  if (!sys::fs::status(Path, Status)) {
    if (Status.type() == sys::fs::file_type::directory_file)
      return makeError(Location(Path), "cannot write: is a folder");
    if (Status.type() != sys::fs::file_type::regular_file) {
      Streams.push_back({Path.str(), Content});
      return Error::success();
    }
    // A link stays, and what it points at is replaced.
    if (sys::fs::is_symlink_file(Path) && !sys::fs::real_path(Path, Real))
      Path = Real;
  }
  if (Error E = makeFolders(sys::path::parent_path(Path)))
    return E;
  SmallString<128> Temporary;
  int FD;
  if (std::error_code EC = sys::fs::createUniqueFile(
          Path + ".%%%%%%%%.tmp", FD, Temporary, sys::fs::OF_None,
          sys::fs::all_read | sys::fs::all_write))
    return makeError(Location(Path), "cannot write: " + EC.message());
  Files.push_back({std::string(Temporary), Path.str()});
  Error E = Content.writeTo(FD, Path);
  if (Mode && !E)
    if (std::error_code EC = sys::fs::setPermissions(
            FD, static_cast<sys::fs::perms>(Mode & 0777)))
      E = makeError(Location(Path), "cannot set the mode: " + EC.message());
  // A full disk may show only here.
  if (::close(FD) != 0 && !E)
    E = makeError(Location(Path),
                  Twine("cannot write: ") + std::strerror(errno));
  return E;
}

void Transaction::stageStandardOutput(Rope Content) {
  Streams.push_back({"-", std::move(Content)});
}

Error Transaction::commit() {
  while (!Files.empty()) {
    // From the back, so that what is still in Files is what must be removed
    // when one fails.
    const File &F = Files.back();
    if (std::error_code EC = sys::fs::rename(F.Temporary, F.Final)) {
      Error E = makeError(Location(F.Final), "cannot write: " + EC.message());
      rollBack();
      return E;
    }
    Files.pop_back();
  }
  MadeFolders.clear();
  for (const Stream &S : Streams) {
    if (S.Path == "-") {
      if (Error E = S.Content.writeTo(STDOUT_FILENO, "standard output"))
        return E;
      continue;
    }
    int FD;
    if (std::error_code EC = sys::fs::openFileForWrite(
            S.Path, FD, sys::fs::CD_OpenExisting, sys::fs::OF_None))
      return makeError(Location(S.Path), "cannot write: " + EC.message());
    Error E = S.Content.writeTo(FD, S.Path);
    ::close(FD);
    if (E)
      return E;
  }
  Streams.clear();
  return Error::success();
}
