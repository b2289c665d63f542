//===- StagingDirectory.cpp - A folder where a JVM sees it
//---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Client/StagingDirectory.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/SharedPlaces.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <random>
#include <sys/stat.h>
#include <sys/statvfs.h>

using namespace jopt;
using namespace jopt::client;
using llvm::Error;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {
/// Finds a path, open with O_PATH.
using Finder =
    llvm::function_ref<llvm::Expected<Descriptor>(const std::string &)>;

/// Fills a tree.
class TreeReader {
public:
  TreeReader(FileTree &To, Finder Find) : To(To), Find(Find) {}

  /// Reads \p Path, which is \p Name in the tree.
  Error read(const std::string &Path, StringRef Name, unsigned Depth = 0);

private:
  static constexpr size_t Limit = size_t(256) << 20;
  Error readFolder(const Descriptor &Folder, const std::string &Path,
                   StringRef Name, unsigned Depth);

  FileTree &To;
  Finder Find;
  size_t Total = 0;
};
} // namespace

Error TreeReader::read(const std::string &Path, StringRef Name,
                       unsigned Depth) {
  auto Found = Find(Path);
  if (!Found)
    return Found.takeError();
  struct stat S = {};
  if (::fstat(Found->get(), &S) != 0)
    return makeError(Location(Path), std::strerror(errno));
  if (S_ISDIR(S.st_mode))
    return readFolder(*Found, Path, Name, Depth);
  if (!S_ISREG(S.st_mode) && Depth)
    return Error::success();
  auto Content = readRegular(*Found, Path, {Limit - Total});
  if (!Content)
    return Content.takeError();
  Total += Content->size();
  To.Files.emplace_back(Name.str(), std::move(*Content));
  return Error::success();
}

Error TreeReader::readFolder(const Descriptor &Folder, const std::string &Path,
                             StringRef Name, unsigned Depth) {
  // Links may make a circle.
  constexpr unsigned MaxDepth = 100;
  if (Depth > MaxDepth)
    return makeError(Location(Path), "too many folders in each other");
  const int FD = llvm::sys::RetryAfterSignal(
      -1, ::openat, Folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *D = FD < 0 ? nullptr : ::fdopendir(FD);
  if (!D)
    return makeError(Location(Path), std::strerror(errno));
  Error Failed = Error::success();
  while (const dirent *E = Failed ? nullptr : ::readdir(D)) {
    const StringRef Entry = E->d_name;
    // A link that leads nowhere, as editors make them, is nobody's class.
    struct stat S = {};
    if (Entry == "." || Entry == ".." ||
        (::fstatat(FD, E->d_name, &S, 0) != 0 && errno != EACCES))
      continue;
    llvm::SmallString<128> Below(Name);
    path::append(Below, Entry);
    llvm::SmallString<128> At(Path);
    path::append(At, Entry);
    Failed = read(At.str().str(), Below, Depth + 1);
  }
  ::closedir(D);
  return Failed;
}

static llvm::Expected<FileTree> readTree(const std::string &Path, Finder Find) {
  FileTree T;
  if (Error E = TreeReader(T, Find).read(Path, ""))
    return E;
  return T;
}

llvm::Expected<FileTree> FileTree::read(const std::string &Path) {
  return readTree(Path,
                  [](const std::string &At) -> llvm::Expected<Descriptor> {
                    Descriptor Found(llvm::sys::RetryAfterSignal(
                        -1, ::open, At.c_str(), O_PATH | O_CLOEXEC));
                    if (!Found)
                      return makeError(Location(At), std::strerror(errno));
                    return Found;
                  });
}

namespace {
/// While it lives this process, which is root's, opens files as the user of
/// another.
class BorrowedRights {
public:
  explicit BorrowedRights(const Process &Of) : OldGroup(::getegid()) {
    const int Count = ::getgroups(0, nullptr);
    OldGroups.resize(size_t(std::max(Count, 0)));
    if (Count < 0 || ::getgroups(Count, OldGroups.data()) < 0 ||
        ::setgroups(Of.Groups.size(), Of.Groups.data()) != 0)
      return;
    HasGroups = true;
    IsWhole = ::setegid(Of.Group) == 0 && ::seteuid(Of.User) == 0;
  }
  ~BorrowedRights() { (void)giveBack(); }
  BorrowedRights(const BorrowedRights &) = delete;
  BorrowedRights &operator=(const BorrowedRights &) = delete;
  explicit operator bool() const { return IsWhole; }
  /// False: this process keeps rights of the other user, and has no more than
  /// these.
  bool giveBack() {
    return !std::exchange(HasGroups, false) ||
           (::seteuid(0) == 0 && ::setegid(OldGroup) == 0 &&
            ::setgroups(OldGroups.size(), OldGroups.data()) == 0);
  }

private:
  gid_t OldGroup;
  std::vector<gid_t> OldGroups;
  bool HasGroups = false, IsWhole = false;
};
} // namespace

llvm::Expected<FileTree> FileTree::readFor(const Process &Reader,
                                           const std::string &Path) {
  BorrowedRights Theirs(Reader);
  std::optional<FileTree> Read;
  if (Theirs) {
    if (auto Tree = read(Path))
      Read = std::move(*Tree);
    else
      llvm::consumeError(Tree.takeError());
  }
  if (!Theirs.giveBack())
    return makeError(Location(Path),
                     "root's rights did not come back after it was read");
  if (Read)
    return std::move(*Read);
  return readTree(Path, [](const std::string &At) { return findNamed(At); });
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
      Temporary Made("/proc/self/fd/" + std::to_string(Parent.get()) + "/" +
                     Name);
      StagingDirectory F(Descriptor(llvm::sys::RetryAfterSignal(
          -1, ::openat, Parent.get(), Name.c_str(),
          O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)));
      F.Parent = std::move(Parent);
      F.Made = std::move(Made);
      F.Path = (In + "/" + Name).str();
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
  // A file that is named twice is copied twice.
  (void)::unlink(To.c_str());
  auto Made = createOwn(To);
  if (!Made)
    return Made.takeError();
  return writeAll(*Made, Content, Path + "/" + File.str());
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
  Made = Temporary();
  Folder = Descriptor();
}
