//===- FolderList.cpp - All files below a folder --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First the folders are read, which names the files, each folder's sorted so
// that all are; then several threads ask what the files are, which takes longer
// by far. They are asked for by their names in an open folder: the system goes
// along its path once, and not for each of them.
//
//===----------------------------------------------------------------------===//

#include "FolderList.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/HelperThreads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Errno.h"
#include <atomic>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <mutex>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

/// So many files are worth a thread.
static constexpr size_t FilesForThread = 512;

namespace {
class Lister {
public:
  Error list(const std::string &Path, const std::string &Relative,
             bool ThroughLink);
  /// What the files are; those that are none any more go.
  Expected<std::vector<InputFile>> describe(unsigned Threads);

private:
  struct Name {
    std::string Text; ///< of a folder with a slash behind it
    bool IsLink;
    bool operator<(const Name &O) const { return Text < O.Text; }
    bool isFolder() const { return Text.back() == '/'; }
  };
  /// Files in a row that lie in one folder.
  struct Run {
    size_t First, Last;
    size_t NameAt; ///< where their names begin in their paths
  };
  Error read(const std::string &Path, bool ThroughLink,
             std::vector<Name> &Names);
  void describe(const Run &R);
  void leave(Error E);

  std::vector<InputFile> Files;
  std::vector<Run> Runs;
  /// Device and number of the folders that are being listed.
  SmallVector<std::pair<dev_t, ino_t>, 16> Above;
  std::mutex Lock;
  Error Failed = Error::success(); ///< the first, of several threads
};
} // namespace

static Error cannotRead(StringRef Path) {
  return makeError(Location(Path),
                   Twine("cannot read: ") + std::strerror(errno));
}

/// The error \p Number says that there is no such file, or that a link leads
/// nowhere.
static bool isGone(int Number) {
  return Number == ENOENT || Number == ENOTDIR || Number == ELOOP;
}

static int openFolder(const std::string &Path) {
  return llvm::sys::RetryAfterSignal(-1, ::open, Path.c_str(),
                                     O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/// Lists the files and folders in a folder. It skips broken links and special
/// files, and finds nothing in a folder that a link puts below itself.
Error Lister::read(const std::string &Path, bool ThroughLink,
                   std::vector<Name> &Names) {
  const int FD = openFolder(Path);
  DIR *Folder = FD < 0 ? nullptr : ::fdopendir(FD);
  if (!Folder) {
    Error E = cannotRead(Path);
    if (FD >= 0)
      ::close(FD);
    return E;
  }
  auto Close = llvm::make_scope_exit([&] { ::closedir(Folder); });
  struct stat S;
  if (::fstat(FD, &S) != 0)
    return cannotRead(Path);
  const std::pair<dev_t, ino_t> Id(S.st_dev, S.st_ino);
  const bool IsAbove = llvm::is_contained(Above, Id);
  Above.push_back(Id);
  if (IsAbove)
    return Error::success();
  // Only errno tells an error from the end.
  for (errno = 0; const dirent *Entry = ::readdir(Folder); errno = 0) {
    StringRef Text = Entry->d_name;
    if (Text == "." || Text == "..")
      continue;
    bool IsFolder = Entry->d_type == DT_DIR, IsLink = ThroughLink;
    if (!IsFolder && Entry->d_type != DT_REG) {
      // A link, or the file system does not say.
      if (::fstatat(FD, Entry->d_name, &S, AT_SYMLINK_NOFOLLOW) == 0)
        IsLink |= S_ISLNK(S.st_mode);
      if (::fstatat(FD, Entry->d_name, &S, 0) != 0) {
        if (isGone(errno))
          continue;
        return cannotRead(Path + "/" + Text.str());
      }
      if (!S_ISDIR(S.st_mode) && !S_ISREG(S.st_mode))
        continue;
      IsFolder = S_ISDIR(S.st_mode);
    }
    Names.push_back({(Text + (IsFolder ? "/" : "")).str(), IsLink});
  }
  if (errno)
    return cannotRead(Path);
  llvm::sort(Names);
  return Error::success();
}

Error Lister::list(const std::string &Path, const std::string &Relative,
                   bool ThroughLink) {
  std::vector<Name> Names;
  if (Error E = read(Path, ThroughLink, Names))
    return E;
  const std::string Base = Path.back() == '/' ? Path : Path + '/';
  bool IsRun = false; // the last run is of files in here
  for (const Name &N : Names) {
    std::string Child = Base + N.Text;
    if (N.isFolder()) {
      Child.pop_back();
      if (Error E = list(Child, Relative + N.Text, N.IsLink))
        return E;
      IsRun = false;
      continue;
    }
    if (!std::exchange(IsRun, true))
      Runs.push_back({Files.size(), Files.size(), Base.size()});
    ++Runs.back().Last;
    InputFile &F = Files.emplace_back();
    F.Path = F.Display = std::move(Child);
    F.Relative = Relative + N.Text;
    F.IsLink = N.IsLink;
  }
  Above.pop_back();
  return Error::success();
}

void Lister::describe(const Run &R) {
  const std::string Base = Files[R.First].Path.substr(0, R.NameAt);
  const int In = openFolder(Base);
  if (In < 0)
    return leave(cannotRead(Base));
  for (size_t I = R.First; I < R.Last; ++I) {
    InputFile &F = Files[I];
    struct stat S;
    const bool Found = ::fstatat(In, F.Path.c_str() + R.NameAt, &S, 0) == 0;
    if (!Found && !isGone(errno))
      leave(cannotRead(F.Path));
    if (!Found || !S_ISREG(S.st_mode)) {
      F.Path.clear();
      continue;
    }
    F.Size = uint64_t(S.st_size);
    F.Mode = S.st_mode & 0777;
    F.Id = llvm::sys::fs::UniqueID(S.st_dev, S.st_ino);
    F.Time = llvm::sys::toTimePoint(S.st_mtim.tv_sec, S.st_mtim.tv_nsec);
  }
  ::close(In);
}

/// Any thread.
void Lister::leave(Error E) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (Failed)
    llvm::consumeError(std::move(E));
  else
    Failed = std::move(E);
}

Expected<std::vector<InputFile>> Lister::describe(unsigned Threads) {
  std::atomic<size_t> Next = 0;
  auto Work = [&] {
    for (size_t I; (I = Next++) < Runs.size();)
      describe(Runs[I]);
  };
  if (!Threads)
    Threads = std::thread::hardware_concurrency();
  HelperThreads Others(Work);
  while (Others.size() + 1 < Threads &&
         Others.size() < Files.size() / FilesForThread && Others.add())
    continue;
  Work();
  Others.join();
  if (Failed)
    return std::move(Failed);
  llvm::erase_if(Files, [](const InputFile &F) { return F.Path.empty(); });
  return std::move(Files);
}

Expected<std::vector<InputFile>> jopt::listFolder(const std::string &Folder,
                                                  unsigned Threads) {
  Lister All;
  if (Error E = All.list(Folder, "", /*ThroughLink=*/false))
    return E;
  return All.describe(Threads);
}
