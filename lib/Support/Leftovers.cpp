//===- Leftovers.cpp - Files that killed runs left ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/Leftovers.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/xxhash.h"
#include <cerrno>
#include <climits>
#include <csignal>
#include <ctime>
#include <sys/stat.h>
#include <unistd.h>

using namespace jopt;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static constexpr llvm::StringLiteral Begin = ".jopt-", End = ".tmp";

/// Where a process is known by its number: this boot of this machine, and this
/// container of it.
static std::string findMachine() {
  std::string Text;
  if (auto Boot = llvm::MemoryBuffer::getFileAsStream(
          "/proc/sys/kernel/random/boot_id"))
    Text = (*Boot)->getBuffer().str();
  char Name[256] = {};
  for (const char *Link : {"/proc/self/ns/pid", "/proc/self/ns/uts"})
    if (const ssize_t N = ::readlink(Link, Name, sizeof(Name)); N > 0)
      Text.append(Name, size_t(N));
  if (::gethostname(Name, sizeof(Name) - 1) == 0)
    Text += Name;
  return llvm::utohexstr(uint32_t(llvm::xxh3_64bits(Text)), /*LowerCase=*/true,
                         /*Width=*/8);
}

static StringRef machine() {
  static const std::string Known = findMachine();
  return Known;
}

std::string jopt::temporarySuffix() {
  return llvm::formatv("{0}{1}-{2}-{3}{4}", Begin, machine(), ::getpid(),
                       llvm::utohexstr(llvm::sys::Process::GetRandomNumber(),
                                       /*LowerCase=*/true),
                       End);
}

std::string jopt::temporaryName(StringRef Name, StringRef Suffix) {
  constexpr size_t Longest = NAME_MAX, OfHash = 16;
  if (Name.size() + Suffix.size() <= Longest)
    return (Name + Suffix).str();
  return (Name.take_front(Longest - Suffix.size() - OfHash) +
          llvm::utohexstr(llvm::xxh3_64bits(Name), /*LowerCase=*/true, OfHash) +
          Suffix)
      .str();
}

/// The process that made the file \p Path, whose name is \p Name, has ended.
static bool isLeft(StringRef Name, const struct stat &Of) {
  const size_t At = Name.rfind(Begin);
  if (At == StringRef::npos || !Name.consume_back(End))
    return false;
  llvm::SmallVector<StringRef, 3> Parts;
  Name.drop_front(At + Begin.size()).split(Parts, '-');
  pid_t Pid = 0;
  if (Parts.size() != 3 || !llvm::to_integer(Parts[1], Pid, 10) || Pid <= 0)
    return false;
  constexpr time_t Day = 24 * 60 * 60;
  if (Parts[0] != machine())
    return std::time(nullptr) - Of.st_mtime > Day;
  return ::kill(Pid, 0) != 0 && errno == ESRCH;
}

void jopt::removeLeftovers(StringRef Folder, StringRef Name) {
  std::error_code EC;
  for (fs::directory_iterator It(Folder.empty() ? "." : Folder, EC,
                                 /*follow_symlinks=*/false),
       Last;
       !EC && It != Last; It.increment(EC)) {
    const std::string &Path = It->path();
    const StringRef Found = path::filename(Path);
    struct stat Of;
    if (!Found.ends_with(End) || ::lstat(Path.c_str(), &Of) != 0 ||
        Of.st_uid != ::geteuid() || !isLeft(Found, Of))
      continue;
    if (S_ISREG(Of.st_mode))
      ::unlink(Path.c_str());
    else if (S_ISDIR(Of.st_mode) && !Name.empty() &&
             Found.take_front(Found.rfind(Begin)) == Name)
      fs::remove_directories(Path);
  }
}
