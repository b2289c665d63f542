//===- Stack.cpp - Room to work in ----------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Lifetime/Stack.h"
#include <cstdint>
#include <pthread.h>
#include <signal.h>

/// What weaving takes, with the pages below which HotSpot protects: the deepest
/// class of the corpus needs a small part of it.
static constexpr size_t EnoughStack = 512 << 10;
static constexpr size_t OwnStack = 8 << 20;

/// The lowest address of this thread's stack; 0 if nobody knows.
static uintptr_t lowestAddress() {
  static thread_local uintptr_t Known = 0;
  if (Known)
    return Known;
  pthread_attr_t Attributes;
  if (pthread_getattr_np(pthread_self(), &Attributes) != 0)
    return 0;
  void *Low = nullptr;
  size_t Size = 0;
  pthread_attr_getstack(&Attributes, &Low, &Size);
  pthread_attr_destroy(&Attributes);
  return Known = uintptr_t(Low);
}

static void *runWork(void *Work) {
  (*static_cast<llvm::function_ref<void()> *>(Work))();
  return nullptr;
}

bool jopt::agent::runWithStack(llvm::function_ref<void()> Work) {
  char Here;
  uintptr_t Low = lowestAddress();
  if (Low && uintptr_t(&Here) - Low >= EnoughStack) {
    Work();
    return true;
  }
  pthread_attr_t Attributes;
  if (pthread_attr_init(&Attributes) != 0)
    return false;
  pthread_attr_setstacksize(&Attributes, OwnStack);
  // Signals are for the JVM's threads.
  sigset_t All, Old;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Old);
  pthread_t Thread;
  bool Made = pthread_create(&Thread, &Attributes, runWork, &Work) == 0;
  pthread_sigmask(SIG_SETMASK, &Old, nullptr);
  pthread_attr_destroy(&Attributes);
  if (Made)
    pthread_join(Thread, nullptr);
  return Made;
}
