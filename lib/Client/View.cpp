//===- View.cpp - Files as another process sees them ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Client/View.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

using namespace jopt;
using namespace jopt::client;
using llvm::StringRef;

View::View(const Process &P) {
  const std::string Path = "/proc/" + std::to_string(P.Pid) + "/root";
  Root = Descriptor(llvm::sys::RetryAfterSignal(
      -1, ::open, Path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!Root)
    Root = Descriptor(llvm::sys::RetryAfterSignal(
        -1, ::open, "/", O_PATH | O_DIRECTORY | O_CLOEXEC));
}

Descriptor View::open(StringRef Path, int Flags) const {
  const std::string Name = Path.str();
  open_how How = {};
  How.flags = uint64_t(Flags | O_CLOEXEC);
  How.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  long FD = ::syscall(SYS_openat2, Root.get(), Name.c_str(), &How, sizeof(How));
  // Before Linux 5.6, or where a sandbox does not know the call.
  if (FD < 0 && (errno == ENOSYS || errno == EPERM))
    FD = llvm::sys::RetryAfterSignal(-1, ::openat, Root.get(),
                                     ("." + Name).c_str(), Flags | O_CLOEXEC);
  return Descriptor(int(FD));
}

std::string View::pathOf(StringRef Path, Descriptor &Parent) const {
  namespace path = llvm::sys::path;
  Parent = open(path::parent_path(Path), O_PATH | O_DIRECTORY);
  return Parent ? "/proc/self/fd/" + std::to_string(Parent.get()) + "/" +
                      path::filename(Path).str()
                : std::string();
}

bool View::sees(StringRef Path) const {
  struct stat Here = {}, There = {};
  Descriptor Theirs = open(Path, O_RDONLY | O_NONBLOCK);
  return Theirs && ::stat(Path.str().c_str(), &Here) == 0 &&
         ::fstat(Theirs.get(), &There) == 0 && Here.st_dev == There.st_dev &&
         Here.st_ino == There.st_ino;
}

std::string View::read(StringRef Path, const ReadRule &Rule) const {
  const int NoLinks = Rule.OfFile == Links::Refuse ? O_NOFOLLOW : 0;
  Descriptor Found = open(Path, O_PATH | NoLinks);
  if (!Found)
    return {};
  auto Text = readRegular(Found, Path, Rule);
  if (Text)
    return std::move(*Text);
  llvm::consumeError(Text.takeError());
  return {};
}
