//===- Temporary.cpp - Files that do not outlive the process --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/Temporary.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Leftovers.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace jopt;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Removing
//===----------------------------------------------------------------------===//

namespace {
/// What getdents64 writes.
struct DirectoryEntry {
  uint64_t Number;
  int64_t Offset;
  unsigned short Size;
  unsigned char Type;
  char Name[1];
};
} // namespace

static bool removeOnce(int In, const char *Name);

/// Whether anything went; \p IsEmpty if nothing is left.
static bool removeContents(int Folder, bool &IsEmpty) {
  bool Any = false;
  IsEmpty = true;
  ::lseek(Folder, 0, SEEK_SET);
  alignas(DirectoryEntry) char Part[4096];
  for (;;) {
    const long N = ::syscall(SYS_getdents64, Folder, Part, sizeof(Part));
    if (N <= 0) {
      IsEmpty &= N == 0;
      return Any;
    }
    for (long At = 0; At < N;) {
      const auto *E = reinterpret_cast<const DirectoryEntry *>(Part + At);
      At += E->Size;
      if (!std::strcmp(E->Name, ".") || !std::strcmp(E->Name, ".."))
        continue;
      const bool Gone = removeOnce(Folder, E->Name);
      Any |= Gone;
      IsEmpty &= Gone;
    }
  }
}

/// Whether it is gone.
static bool removeOnce(int In, const char *Name) {
  // Of a folder Linux says EISDIR, POSIX EPERM.
  if (::unlinkat(In, Name, 0) == 0 || errno == ENOENT)
    return true;
  const int Folder =
      ::openat(In, Name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (Folder < 0)
    return false;
  // A pass may skip what moved while it removed others.
  bool IsEmpty = false;
  for (bool Any = true; Any && !IsEmpty;)
    Any = removeContents(Folder, IsEmpty);
  ::close(Folder);
  return ::unlinkat(In, Name, AT_REMOVEDIR) == 0;
}

void jopt::removeTree(int In, const char *Name) {
  constexpr unsigned Attempts = 2;
  for (unsigned I = 0; I != Attempts && !removeOnce(In, Name); ++I)
    continue;
}

//===----------------------------------------------------------------------===//
// What there is to remove
//===----------------------------------------------------------------------===//

/// A list that grows by an entry that is there already: while the lock is held,
/// nothing needs memory.
struct Temporary::Entry {
  Entry(std::string Path, Extent E);
  ~Entry();
  Entry(const Entry &) = delete;
  Entry &operator=(const Entry &) = delete;
  void remove() const;

  const std::string Path;
  const Extent HowFar;
  const pid_t Maker = ::getpid();
  Entry *Older, *Newer = nullptr;
};

static std::mutex Lock;
static Temporary::Entry *Newest;

Temporary::Entry::Entry(std::string Path, Extent E)
    : Path(std::move(Path)), HowFar(E) {
  std::lock_guard<std::mutex> Guard(Lock);
  Older = std::exchange(Newest, this);
  if (Older)
    Older->Newer = this;
}

Temporary::Entry::~Entry() {
  std::lock_guard<std::mutex> Guard(Lock);
  (Newer ? Newer->Older : Newest) = Older;
  if (Older)
    Older->Newer = Newer;
}

void Temporary::Entry::remove() const {
  if (Maker != ::getpid())
    return; // a child that was forked
  if (HowFar == Extent::Tree)
    removeTree(AT_FDCWD, Path.c_str());
  else
    ::rmdir(Path.c_str());
}

Temporary::Temporary(std::string Path, Extent E)
    : Known(std::make_unique<Entry>(std::move(Path), E)) {}

Temporary::Temporary() = default;
Temporary::Temporary(Temporary &&Other) = default;

Temporary &Temporary::operator=(Temporary &&Other) {
  if (this != &Other) {
    if (Known)
      Known->remove();
    Known = std::move(Other.Known);
  }
  return *this;
}

Temporary::~Temporary() {
  if (Known)
    Known->remove();
}

const std::string &Temporary::path() const {
  static const std::string None;
  return Known ? Known->Path : None;
}

void Temporary::keep() { Known = nullptr; }

void jopt::removeTemporaries() {
  // For good: other threads may be about to make one.
  Lock.lock();
  for (const Temporary::Entry *E = Newest; E; E = E->Older)
    E->remove();
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

static std::string temporaryPath(StringRef Prefix) {
  llvm::SmallString<128> Path;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, Path);
  llvm::sys::path::append(Path, Prefix + temporarySuffix());
  return std::string(Path);
}

llvm::Expected<Temporary> jopt::makeTemporaryFolder(StringRef Prefix) {
  Temporary T(temporaryPath(Prefix));
  if (::mkdir(T.path().c_str(), 0700) == 0)
    return T;
  const std::string Path = T.path();
  const int Number = errno;
  T.keep(); // Somebody else's, if there is one.
  return makeError(Location(Path),
                   llvm::Twine("cannot make a temporary folder: ") +
                       std::strerror(Number));
}

llvm::Expected<int> jopt::openNamelessFile() {
  llvm::SmallString<128> Folder;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, Folder);
  int FD = llvm::sys::RetryAfterSignal(-1, ::open, Folder.c_str(),
                                       O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
  if (FD >= 0)
    return FD;
  // Not every file system has such files.
  const Temporary Named(temporaryPath("jopt"));
  FD = llvm::sys::RetryAfterSignal(-1, ::open, Named.path().c_str(),
                                   O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (FD >= 0)
    return FD;
  return makeError(Location(Named.path()),
                   llvm::Twine("cannot make a temporary file: ") +
                       std::strerror(errno));
}
