//===- StagingDirectory.cpp - A folder where a JVM sees it
//---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Client/StagingDirectory.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Files.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <sys/statvfs.h>

using namespace jopt;
using namespace jopt::client;
using llvm::Error;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

llvm::Expected<FileTree> FileTree::read(const std::string &Path) {
  constexpr size_t Limit = size_t(256) << 20;
  FileTree T;
  size_t Total = 0;
  auto Add = [&](const std::string &File, StringRef Name) -> Error {
    auto Content = readAtMost(File, Limit - Total);
    if (!Content)
      return Content.takeError();
    Total += Content->size();
    if (Total > Limit)
      return makeError(Location(Path), "has more than 256 MB");
    T.Files.emplace_back(Name.str(), std::move(*Content));
    return Error::success();
  };
  if (!fs::is_directory(Path)) {
    if (Error E = Add(Path, ""))
      return E;
    return T;
  }
  std::error_code EC;
  for (fs::recursive_directory_iterator I(Path, EC), End; I != End && !EC;
       I.increment(EC)) {
    if (!fs::is_regular_file(I->path()))
      continue;
    if (Error E =
            Add(I->path(), StringRef(I->path()).drop_front(
                               Path.size() + !StringRef(Path).ends_with("/"))))
      return E;
  }
  if (EC)
    return makeError(Location(Path), EC.message());
  return T;
}

static constexpr llvm::StringLiteral Prefix = ".jopt-";

static std::string freshName(const Process &P) {
  static constexpr char Letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device Random;
  std::string Name = Prefix.str() + std::to_string(P.Pid) + "-";
  for (int N = 0; N < 12; ++N)
    Name += Letters[Random() % (sizeof(Letters) - 1)];
  return Name;
}

llvm::Expected<StagingDirectory>
StagingDirectory::make(const Process &P, const View &V, StringRef Wanted) {
  std::string Why = "there is none";
  auto Make = [&](StringRef In,
                  std::string Name) -> std::optional<StagingDirectory> {
    Descriptor Parent = V.open(In, O_RDONLY | O_DIRECTORY);
    struct statvfs System = {};
    // The agent's code may have to be loaded from there.
    if (Parent && ::fstatvfs(Parent.get(), &System) == 0 &&
        System.f_flag & ST_NOEXEC) {
      Why = "nothing can be executed there";
      return std::nullopt;
    }
    if (Parent && ::mkdirat(Parent.get(), Name.c_str(), 0700) == 0) {
      StagingDirectory F(Descriptor(
          ::openat(Parent.get(), Name.c_str(),
                   O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)));
      F.Parent = std::move(Parent);
      F.Path = (In + "/" + Name).str();
      F.Name = std::move(Name);
      if (F.Folder)
        return F;
    }
    Why = std::strerror(errno);
    return std::nullopt;
  };
  if (!Wanted.empty())
    if (auto F = Make(path::parent_path(Wanted), path::filename(Wanted).str()))
      return std::move(*F);
  for (StringRef In : {"/tmp", "/var/tmp", "/dev/shm"})
    if (auto F = Make(In, freshName(P)))
      return std::move(*F);
  return makeError("no folder for files can be made where the process sees it, "
                   "in /tmp, /var/tmp or /dev/shm: " +
                   Why);
}

bool StagingDirectory::isOurs(StringRef Path) {
  return path::filename(Path).starts_with(Prefix);
}

std::string StagingDirectory::here(StringRef File) const {
  return "/proc/self/fd/" + std::to_string(Folder.get()) + "/" + File.str();
}

Error StagingDirectory::write(StringRef File, StringRef Content) const {
  const std::string To = here(File);
  if (std::error_code EC = fs::create_directories(
          path::parent_path(To), /*IgnoreExisting=*/true, fs::owner_all))
    return makeError(Location(Path + "/" + File.str()), EC.message());
  return writeFile(To, Content, /*Mode=*/0600);
}

llvm::Expected<std::string>
StagingDirectory::write(StringRef Top, const FileTree &Tree) const {
  for (const auto &[File, Content] : Tree.Files) {
    llvm::SmallString<128> To(Top);
    if (!File.empty())
      path::append(To, File);
    if (Error E = write(To, Content))
      return E;
  }
  return Path + "/" + Top.str();
}

void StagingDirectory::remove() {
  if (!Folder)
    return;
  // remove_directories() leaves the socket alone: it is no regular file.
  (void)::unlinkat(Folder.get(), SocketName, 0);
  (void)fs::remove_directories("/proc/self/fd/" + std::to_string(Parent.get()) +
                               "/" + Name);
  Folder = Descriptor();
}
