//===- StagedFile.cpp - An output that appears when complete --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/StagedFile.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Leftovers.h"
#include "jopt/Support/SharedPlaces.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using llvm::Error;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

llvm::Expected<StagedFile> StagedFile::create(StringRef Path) {
  auto Final = replaceableFile(Path);
  if (!Final)
    return Final.takeError();
  StagedFile F;
  F.Path = Path.str();
  F.Final = Final->value_or(std::string());
  llvm::SmallString<128> Name;
  unsigned Mode = 0666;
  if (F.Final.empty()) {
    path::system_temp_directory(/*ErasedOnReboot=*/true, Name);
    path::append(Name, "jopt" + temporarySuffix());
    Mode = 0600;
  } else {
    Name = path::parent_path(F.Final);
    removeLeftovers(Name);
    path::append(Name,
                 temporaryName(path::filename(F.Final), temporarySuffix()));
  }
  F.Staged = Temporary(Name.str().str());
  int FD = -1;
  if (std::error_code EC =
          fs::openFileForWrite(Name, FD, fs::CD_CreateNew, fs::OF_None, Mode))
    return makeError(Location(Path), EC.message());
  F.OS = std::make_unique<llvm::raw_fd_ostream>(FD, /*shouldClose=*/true);
  return F;
}

StagedFile::~StagedFile() {
  if (!OS)
    return;
  OS->close();
  OS->clear_error();
}

/// What others read while it is written cannot be renamed to.
Error StagedFile::writeThrough() {
  auto To = openThrough(Path);
  if (!To)
    return To.takeError();
  llvm::Expected<fs::file_t> From = fs::openNativeFileForRead(temporary());
  if (!From)
    return makeError(Location(Path), toMessage(From.takeError()));
  llvm::raw_fd_ostream Out(To->get(), /*shouldClose=*/false);
  char Part[1 << 14];
  Error Failed = Error::success();
  while (!Failed && !Out.has_error()) {
    auto N = fs::readNativeFile(*From, Part);
    if (!N)
      Failed = N.takeError();
    else if (!*N)
      break;
    else
      Out.write(Part, *N);
  }
  (void)fs::closeFile(*From);
  Out.flush();
  std::error_code EC = Out.error();
  Out.clear_error();
  if (Failed)
    return inFile(std::move(Failed), Path);
  return EC ? makeError(Location(Path), EC.message()) : Error::success();
}

Error StagedFile::keep() {
  OS->close();
  std::error_code EC = OS->error();
  OS->clear_error();
  if (!EC && Final.empty())
    return writeThrough(); // The temporary file goes with this object.
  if (!EC)
    EC = fs::rename(temporary(), Final);
  if (EC)
    return makeError(Location(Path), EC.message());
  Staged.keep();
  OS.reset();
  return Error::success();
}

Error jopt::writeStaged(StringRef Path,
                        llvm::function_ref<void(llvm::raw_ostream &)> Write) {
  auto File = StagedFile::create(Path);
  if (!File)
    return File.takeError();
  Write(File->os());
  return File->keep();
}
