//===- Memory.cpp - Memory to work with -----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Lifetime/Memory.h"
#include <cstddef>
#include <fcntl.h>
#include <initializer_list>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/// The most that a class takes, as the limits of docs/CommandLine.md ("Methods
/// made to be slow") have it; others take a small part of it.
static constexpr size_t Enough = size_t(128) << 20;

/// Linux counts what processes ask for, and refuses what may be too much.
static bool isMemoryCounted() {
  const int FD = ::open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC);
  if (FD < 0)
    return false;
  char Mode = 0;
  const bool Known = ::read(FD, &Mode, 1) == 1;
  ::close(FD);
  return Known && Mode == '2';
}

/// An allocation can fail. A limit of a container is none of those: there the
/// process is killed. Limits may be set at any time.
static bool mayFail() {
  for (const auto Which : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit Limit;
    if (::getrlimit(Which, &Limit) == 0 && Limit.rlim_cur != RLIM_INFINITY)
      return true;
  }
  static const bool IsCounted = isMemoryCounted();
  return IsCounted;
}

bool jopt::agent::hasMemory() {
  if (!mayFail())
    return true;
  void *const Room = ::mmap(nullptr, Enough, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Room == MAP_FAILED)
    return false;
  ::munmap(Room, Enough);
  return true;
}
