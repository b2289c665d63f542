//===- Memory.cpp - Memory to work with -----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Lifetime/Memory.h"
#include "llvm/Support/Errno.h"
#include <atomic>
#include <cstddef>
#include <ctime>
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
  const int FD = llvm::sys::RetryAfterSignal(
      -1, ::open, "/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC);
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

/// Address space, or null. Nobody writes to it, so it takes no memory.
static void *reserve(size_t Size) {
  void *const Room = ::mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return Room == MAP_FAILED ? nullptr : Room;
}

/// Kept for what has begun when memory runs out; null while it is in use.
static constexpr size_t KeptSize = size_t(4) << 20;
static std::atomic<void *> Kept{reserve(KeptSize)};

/// Whether there is something to keep, as before.
static bool keepAgain() {
  if (Kept)
    return true;
  void *const Room = reserve(KeptSize);
  void *None = nullptr;
  if (Room && !Kept.compare_exchange_strong(None, Room))
    ::munmap(Room, KeptSize);
  return Room;
}

bool jopt::agent::hasMemory() {
  if (!keepAgain())
    return false;
  if (!mayFail())
    return true;
  void *const Room = reserve(Enough);
  if (!Room)
    return false;
  ::munmap(Room, Enough);
  return true;
}

bool jopt::agent::findMemory(unsigned Attempt) {
  if (void *Room = Kept.exchange(nullptr)) {
    ::munmap(Room, KeptSize);
    return true;
  }
  constexpr unsigned MostAttempts = 500;
  constexpr timespec Pause{0, 10'000'000};
  ::nanosleep(&Pause, nullptr);
  return Attempt < MostAttempts;
}
