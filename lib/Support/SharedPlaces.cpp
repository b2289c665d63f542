//===- SharedPlaces.cpp - Files where others may have put theirs ----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/SharedPlaces.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Leftovers.h"
#include "jopt/Support/Temporary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// More links than that are a circle.
static constexpr unsigned MaxLinks = 40;
static constexpr mode_t OthersWrite = S_IWGRP | S_IWOTH;

static Error refuse(StringRef Path, const Twine &Why) {
  return makeError(Location(Path), Why);
}

static Error failed(StringRef Path, int Number) {
  return refuse(Path, std::strerror(Number));
}

static std::string ofUser(uid_t User) {
  return "belongs to user " + std::to_string(User) + ", not to user " +
         std::to_string(::geteuid());
}

/// Nobody but this user, and root, who can do anything anyway.
static bool isTrusted(uid_t User) { return User == ::geteuid() || User == 0; }

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// What \p Found has to be, whatever its name said.
static Expected<struct stat> checkRegular(const Descriptor &Found,
                                          StringRef Name) {
  struct stat S = {};
  if (::fstat(Found.get(), &S) != 0)
    return failed(Name, errno);
  if (!S_ISREG(S.st_mode))
    return refuse(Name, S_ISDIR(S.st_mode)   ? "is a folder"
                        : S_ISLNK(S.st_mode) ? "is a link"
                                             : "is no regular file");
  return S;
}

/// Opens for reading what \p Found is: its name may lead elsewhere by now.
static Expected<Descriptor> openAgain(const Descriptor &Found, StringRef Name) {
  const std::string Again = "/proc/self/fd/" + std::to_string(Found.get());
  Descriptor File(llvm::sys::RetryAfterSignal(
      -1, ::open, Again.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!File)
    return failed(Name, errno);
  return File;
}

/// Finds \p Path without opening it, which a device might take for a request.
static Expected<Descriptor> find(const std::string &Path, Links OfFile) {
  const int NoLinks = OfFile == Links::Refuse ? O_NOFOLLOW : 0;
  Descriptor Found(llvm::sys::RetryAfterSignal(-1, ::open, Path.c_str(),
                                               O_PATH | O_CLOEXEC | NoLinks));
  if (!Found)
    return failed(Path, errno);
  return Found;
}

Expected<Descriptor> jopt::openRegular(const std::string &Path, Links OfFile) {
  auto Found = find(Path, OfFile);
  if (!Found)
    return Found.takeError();
  if (auto S = checkRegular(*Found, Path); !S)
    return S.takeError();
  return openAgain(*Found, Path);
}

Expected<std::string> jopt::readRegular(const Descriptor &Found, StringRef Name,
                                        const ReadRule &Rule) {
  auto S = checkRegular(Found, Name);
  if (!S)
    return S.takeError();
  if (Rule.Owner && S->st_uid != *Rule.Owner)
    return refuse(Name, "belongs to user " + Twine(S->st_uid) +
                            ", not to user " + Twine(*Rule.Owner));
  auto TooBig = [&] {
    return refuse(Name, "has more than " + Twine(Rule.Limit) + " bytes");
  };
  const auto Size = size_t(S->st_size);
  if (Size > Rule.Limit)
    return TooBig();
  auto File = openAgain(Found, Name);
  if (!File)
    return File.takeError();
  std::string Text;
  // Files of /proc say that they are empty.
  constexpr size_t Least = 4096;
  while (true) {
    const size_t Had = Text.size();
    if (Had > Rule.Limit)
      return TooBig();
    Text.resize(Had + std::max(Size > Had ? Size - Had : 0, Least));
    const ssize_t N = ::read(File->get(), Text.data() + Had, Text.size() - Had);
    const int Number = errno;
    Text.resize(Had + size_t(std::max<ssize_t>(N, 0)));
    if (N < 0 && Number == EINTR)
      continue;
    if (N < 0)
      return failed(Name, Number);
    if (N == 0)
      return Text;
  }
}

Expected<std::string> jopt::readRegular(const std::string &Path,
                                        const ReadRule &Rule) {
  auto Found = find(Path, Rule.OfFile);
  return Found ? readRegular(*Found, Path, Rule) : Found.takeError();
}

/// Where the link \p Link leads.
static Expected<std::string> targetOf(const Descriptor &Link, StringRef Path) {
  char To[PATH_MAX];
  const ssize_t N = ::readlinkat(Link.get(), "", To, sizeof(To));
  if (N < 0)
    return failed(Path, errno);
  return std::string(To, size_t(N));
}

Expected<Descriptor> jopt::findNamed(StringRef Path) {
  // The rest of the way, its first part last.
  std::vector<std::string> Parts;
  Descriptor At;
  bool IsTrustedFolder = true;
  auto Push = [&](StringRef Way) {
    llvm::SmallVector<StringRef> Names;
    Way.split(Names, '/', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef Name : llvm::reverse(Names))
      Parts.push_back(Name.str());
    if (At && !Way.starts_with("/"))
      return;
    At = Descriptor(llvm::sys::RetryAfterSignal(
        -1, ::open, Way.starts_with("/") ? "/" : ".",
        O_PATH | O_DIRECTORY | O_CLOEXEC));
    IsTrustedFolder = true;
  };
  unsigned NumLinks = 0;
  for (Push(Path); At && !Parts.empty();) {
    const std::string Name = std::move(Parts.back());
    Parts.pop_back();
    Descriptor Next(llvm::sys::RetryAfterSignal(
        -1, ::openat, At.get(), Name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat S = {};
    if (!Next || ::fstat(Next.get(), &S) != 0)
      return failed(Path, errno);
    if (S_ISLNK(S.st_mode)) {
      if (!isTrusted(S.st_uid))
        return refuse(Path, "'" + Twine(Name) + "' is a link that " +
                                ofUser(S.st_uid));
      auto To = targetOf(Next, Path);
      if (!To)
        return To.takeError();
      if (++NumLinks > MaxLinks)
        return failed(Path, ELOOP);
      Push(*To);
      continue;
    }
    if (S_ISREG(S.st_mode) && S.st_nlink > 1 && !IsTrustedFolder)
      return refuse(Path, "has another name (a hard link), in a folder of "
                          "another user");
    IsTrustedFolder = isTrusted(S.st_uid);
    At = std::move(Next);
  }
  if (!At)
    return failed(Path, errno);
  return At;
}

//===----------------------------------------------------------------------===//
// Writing what is one's own
//===----------------------------------------------------------------------===//

/// \p Path is the name of an open file of a process, as /dev/stdout and
/// /proc/1/fd/1 are behind their links.
static bool namesDescriptor(StringRef Path, bool &IsOurs) {
  int Number;
  llvm::SmallString<64> Real;
  if (!llvm::to_integer(path::filename(Path), Number, 10) ||
      fs::real_path(path::parent_path(Path), Real))
    return false;
  StringRef Folder = Real;
  if (!Folder.consume_front("/proc/") || !Folder.ends_with("/fd"))
    return false;
  IsOurs = Folder.split('/').first == std::to_string(::getpid());
  return true;
}

/// Opens for writing what namesDescriptor(): one of this process is the same as
/// before, with its place in the file. Nothing if \p Path is something else.
static std::optional<Expected<Descriptor>>
openNamedDescriptor(const std::string &Path) {
  bool IsOurs = false;
  if (!namesDescriptor(Path, IsOurs))
    return std::nullopt;
  int Number = -1;
  (void)llvm::to_integer(path::filename(Path), Number, 10);
  Descriptor File(IsOurs ? ::fcntl(Number, F_DUPFD_CLOEXEC, 0)
                         : llvm::sys::RetryAfterSignal(
                               -1, ::open, Path.c_str(),
                               O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC));
  if (!File)
    return failed(Path, errno);
  return File;
}

namespace {
/// Whose links are followed.
enum class LinkRule {
  Own,   ///< this user's and root's
  Kernel ///< also others', but where everybody may put links (proc(5),
         ///< protected_symlinks); for systems that do not see to it
};
} // namespace

/// Where the link \p Path leads, seen from where \p Path is seen from.
static Expected<std::string> followLink(const std::string &Path,
                                        LinkRule Rule) {
  Descriptor Link(llvm::sys::RetryAfterSignal(-1, ::open, Path.c_str(),
                                              O_PATH | O_NOFOLLOW | O_CLOEXEC));
  struct stat S = {}, Folder = {};
  if (!Link || ::fstat(Link.get(), &S) != 0)
    return failed(Path, errno);
  const std::string Parent = path::parent_path(Path).str();
  constexpr mode_t Shared = S_IWOTH | S_ISVTX;
  if (!isTrusted(S.st_uid) &&
      (Rule == LinkRule::Own ||
       ::stat(Parent.empty() ? "." : Parent.c_str(), &Folder) != 0 ||
       ((Folder.st_mode & Shared) == Shared && Folder.st_uid != S.st_uid)))
    return refuse(Path, "is a link that " + ofUser(S.st_uid));
  auto To = targetOf(Link, Path);
  if (!To)
    return To.takeError();
  llvm::SmallString<128> Target(*To);
  if (!path::is_absolute(Target)) {
    Target = Parent;
    path::append(Target, *To);
  }
  return Target.str().str();
}

static Error checkOwn(int FD, StringRef Path) {
  struct stat S = {};
  if (::fstat(FD, &S) != 0)
    return failed(Path, errno);
  if (S_ISCHR(S.st_mode))
    return Error::success();
  if (S_ISFIFO(S.st_mode))
    return isTrusted(S.st_uid)
               ? Error::success()
               : refuse(Path, "is a pipe that " + ofUser(S.st_uid));
  if (!S_ISREG(S.st_mode))
    return refuse(Path, S_ISDIR(S.st_mode) ? "is a folder"
                                           : "is neither file nor pipe");
  constexpr llvm::StringLiteral Remedy = "; remove it, or name another file";
  if (S.st_uid != ::geteuid())
    return refuse(Path, ofUser(S.st_uid) + Remedy);
  if (S.st_nlink > 1)
    return refuse(Path, "has another name (a hard link)" + Remedy);
  if (S.st_mode & S_IWOTH)
    return refuse(Path, "can be written by everybody" + Remedy);
  return Error::success();
}

Expected<Descriptor> jopt::openOwn(StringRef Path) {
  std::string Name = Path.str();
  for (unsigned N = 0; N < MaxLinks; ++N) {
    if (auto Named = openNamedDescriptor(Name))
      return std::move(*Named);
    // A pipe that nobody reads is an error, not a reason to wait.
    Descriptor File(llvm::sys::RetryAfterSignal(-1, ::open, Name.c_str(),
                                                O_WRONLY | O_CREAT | O_APPEND |
                                                    O_NOFOLLOW | O_NONBLOCK |
                                                    O_NOCTTY | O_CLOEXEC,
                                                0600));
    if (File) {
      if (Error E = checkOwn(File.get(), Path))
        return E;
      ::fcntl(File.get(), F_SETFL, ::fcntl(File.get(), F_GETFL) & ~O_NONBLOCK);
      return File;
    }
    // A kernel that guards /tmp says EACCES of somebody else's link.
    const int Number = errno;
    if (Number == ENXIO)
      return refuse(Path, "is a pipe that nobody reads");
    if (Number != ELOOP && !(Number == EACCES && fs::is_symlink_file(Name)))
      return failed(Path, Number);
    auto To = followLink(Name, LinkRule::Own);
    if (!To)
      return To.takeError();
    Name = std::move(*To);
  }
  return failed(Path, ELOOP);
}

Expected<Descriptor> jopt::createOwn(const std::string &Path) {
  Descriptor File(llvm::sys::RetryAfterSignal(
      -1, ::open, Path.c_str(),
      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!File)
    return failed(Path, errno);
  return File;
}

Error jopt::writeAll(const Descriptor &To, StringRef Text, StringRef Path) {
  while (!Text.empty()) {
    const ssize_t N = ::write(To.get(), Text.data(), Text.size());
    if (N < 0 && errno == EINTR)
      continue;
    if (N <= 0)
      return refuse(Path, Twine("cannot write: ") + std::strerror(errno));
    Text = Text.drop_front(size_t(N));
  }
  return Error::success();
}

Error jopt::replaceOwn(StringRef Path, StringRef Text) {
  auto Old = openOwn(Path);
  if (!Old)
    return Old.takeError();
  auto Final = replaceableFile(Path);
  if (!Final)
    return Final.takeError();
  if (!*Final)
    return writeAll(*Old, Text, Path);
  const StringRef Name = path::filename(**Final);
  Temporary Staged(StringRef(**Final).drop_back(Name.size()).str() +
                   temporaryName(Name, temporarySuffix()));
  auto New = createOwn(Staged.path());
  if (!New)
    return New.takeError();
  Error E = writeAll(*New, Text, Path);
  if (!E && ::rename(Staged.path().c_str(), (*Final)->c_str()) != 0)
    E = refuse(Path, Twine("cannot write: ") + std::strerror(errno));
  if (!E)
    Staged.keep();
  return E;
}

Error jopt::makeOwnFolder(StringRef Folder, FolderRule Rule) {
  if (std::error_code EC = fs::create_directories(
          Folder, /*IgnoreExisting=*/true, fs::owner_all))
    return refuse(Folder, EC.message());
  struct stat S = {};
  if (::stat(Folder.str().c_str(), &S) != 0)
    return failed(Folder, errno);
  if (!S_ISDIR(S.st_mode))
    return refuse(Folder, "not a folder");
  if (S.st_uid != ::geteuid())
    return refuse(Folder, ofUser(S.st_uid));
  const mode_t Wrong =
      Rule == FolderRule::Private ? S_IRWXG | S_IRWXO : OthersWrite;
  if (S.st_mode & Wrong)
    return refuse(Folder,
                  Rule == FolderRule::Private
                      ? "others may read or write it; a folder of one's own "
                        "has the mode 0700"
                      : "others may write to it; chmod go-w takes that away");
  return Error::success();
}

Error jopt::checkOutputFolder(StringRef Folder) {
  struct stat S = {};
  if (::stat(Folder.str().c_str(), &S) != 0)
    return failed(Folder, errno);
  if (!S_ISDIR(S.st_mode))
    return failed(Folder, ENOTDIR);
  if (!isTrusted(S.st_uid))
    return refuse(Folder, ofUser(S.st_uid) + ", who could replace what is "
                                             "written there");
  if ((S.st_mode & S_IWOTH) && !(S.st_mode & S_ISVTX))
    return refuse(Folder, "everybody may replace what is written there; chmod "
                          "o-w takes that away");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Writing through
//===----------------------------------------------------------------------===//

Expected<std::optional<std::string>> jopt::replaceableFile(StringRef Path) {
  std::string Name = Path.str();
  for (unsigned N = 0; N < MaxLinks; ++N) {
    if (bool IsOurs; namesDescriptor(Name, IsOurs))
      return std::nullopt;
    fs::file_status Status;
    // Behind a link that leads nowhere a file is made.
    if (fs::status(Name, Status, /*follow=*/false))
      return Name;
    switch (Status.type()) {
    case fs::file_type::regular_file:
      return Name;
    case fs::file_type::directory_file:
      return refuse(Path, "cannot write: is a folder");
    case fs::file_type::symlink_file:
      break;
    default:
      return std::nullopt;
    }
    auto To = followLink(Name, LinkRule::Kernel);
    if (!To)
      return To.takeError();
    Name = std::move(*To);
  }
  return failed(Path, ELOOP);
}

Expected<Descriptor> jopt::openThrough(StringRef Path) {
  std::string Name = Path.str();
  for (unsigned N = 0; N < MaxLinks; ++N) {
    if (auto Named = openNamedDescriptor(Name))
      return std::move(*Named);
    if (!fs::is_symlink_file(Name))
      break;
    auto To = followLink(Name, LinkRule::Kernel);
    if (!To)
      return To.takeError();
    Name = std::move(*To);
  }
  Descriptor File(llvm::sys::RetryAfterSignal(-1, ::open, Name.c_str(),
                                              O_WRONLY | O_NOCTTY | O_CLOEXEC));
  if (!File)
    return refuse(Path, Twine("cannot write: ") + std::strerror(errno));
  return File;
}

bool jopt::staysBelow(StringRef Name) {
  return llvm::all_of(llvm::split(Name, '/'), [](StringRef Part) {
    return !Part.empty() && Part != "." && Part != ".." && !Part.contains('\0');
  });
}
