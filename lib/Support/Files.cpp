//===- Files.cpp - Whole files --------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/Files.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <dlfcn.h>

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

llvm::Expected<std::string> jopt::readAtMost(const std::string &File,
                                             size_t Limit) {
  auto Fail = [&](llvm::Error E) {
    return makeError(Location(File), toMessage(std::move(E)));
  };
  llvm::Expected<fs::file_t> FD = fs::openNativeFileForRead(File);
  if (!FD)
    return Fail(FD.takeError());
  std::string Text;
  llvm::Error Problem = llvm::Error::success();
  while (Text.size() <= Limit) {
    size_t Had = Text.size();
    size_t Chunk = std::min<size_t>(Limit + 1 - Had, 1 << 16);
    Text.resize(Had + Chunk);
    llvm::Expected<size_t> N = fs::readNativeFile(
        *FD, llvm::MutableArrayRef<char>(Text.data() + Had, Chunk));
    Text.resize(Had + (N ? *N : 0));
    if (!N)
      Problem = N.takeError();
    if (Text.size() == Had)
      break;
  }
  fs::closeFile(*FD);
  if (Problem)
    return Fail(std::move(Problem));
  return Text;
}

llvm::Error jopt::writeFile(llvm::StringRef Path, llvm::StringRef Content,
                            unsigned Mode) {
  int FD = -1;
  std::error_code EC =
      fs::openFileForWrite(Path, FD, fs::CD_CreateAlways, fs::OF_None, Mode);
  if (!EC) {
    llvm::raw_fd_ostream OS(FD, /*shouldClose=*/true);
    OS << Content;
    OS.close();
    EC = OS.error();
    // Left to the destructor, an error ends the process.
    OS.clear_error();
  }
  return EC ? makeError(Location(Path), EC.message()) : llvm::Error::success();
}

std::string jopt::findInstalled(llvm::StringRef Path) {
  // Of an executable the linker knows the name that it was called by.
  auto *Here = reinterpret_cast<void *>(&jopt::findInstalled);
  Dl_info Info;
  llvm::SmallString<128> Found;
  if (!dladdr(Here, &Info) || !llvm::StringRef(Info.dli_fname).ends_with(".so"))
    Found = fs::getMainExecutable(nullptr, Here);
  else if (fs::real_path(Info.dli_fname, Found))
    Found = Info.dli_fname; // The library's own file is gone.
  llvm::SmallString<128> File = path::parent_path(path::parent_path(Found));
  path::append(File, Path);
  return fs::exists(File) ? File.str().str() : std::string();
}

std::string jopt::methodFileName(llvm::StringRef Class, llvm::StringRef Method,
                                 llvm::StringRef Descriptor,
                                 llvm::StringRef Suffix) {
  constexpr size_t MaxReadable = 200; // file systems take 255 bytes
  std::string Whole = (Class + "." + Method).str();
  std::string Name = llvm::StringRef(Whole).take_front(MaxReadable).str();
  for (char &C : Name)
    if (C == '/')
      C = '.';
    else if (!llvm::isAlnum(C) && C != '.' && C != '$' && C != '_')
      C = '_';
  Whole += Descriptor;
  return Name + "." + llvm::utohexstr(llvm::xxh3_64bits(Whole), true, 16) +
         Suffix.str();
}
