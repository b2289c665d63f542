//===- HelperThreads.cpp - Threads that need not be there -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/HelperThreads.h"

using namespace jopt;

bool HelperThreads::add() {
  pthread_t New;
  auto Run = [](void *Of) -> void * {
    static_cast<HelperThreads *>(Of)->Work();
    return nullptr;
  };
  HasAll = HasAll || ::pthread_create(&New, nullptr, Run, this) != 0;
  if (HasAll)
    return false;
  Threads.push_back(New);
  return true;
}

void HelperThreads::join() {
  for (pthread_t T : Threads)
    ::pthread_join(T, nullptr);
  Threads.clear();
}
