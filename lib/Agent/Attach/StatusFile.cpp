//===- StatusFile.cpp - The status where others find it -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Attach/StatusFile.h"
#include "llvm/Support/Errno.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace jopt::agent;

void StatusFile::write(llvm::StringRef Text) {
  const int New = ::memfd_create("jopt-agent", MFD_CLOEXEC);
  if (New < 0)
    return;
  if (llvm::sys::RetryAfterSignal(-1, ::write, New, Text.data(), Text.size()) !=
      ssize_t(Text.size())) {
    ::close(New);
    return;
  }
  if (FD < 0) {
    FD = New;
    return;
  }
  // The new file takes the place of the old one at once.
  (void)::dup3(New, FD, O_CLOEXEC);
  ::close(New);
}
