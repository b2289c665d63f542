//===- HookScope.cpp - What a thread is in the hook for -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hook/HookScope.h"
#include <utility>

using namespace jopt::agent;

/// Read and written by its own thread alone, through HookScope.
static thread_local InHook ThreadIs = InHook::No;

HookScope::HookScope(InHook Now) : Was(std::exchange(ThreadIs, Now)) {}

static thread_local std::chrono::steady_clock::time_point LastEnd;

HookScope::~HookScope() {
  if (ThreadIs == InHook::ForChange)
    LastEnd = std::chrono::steady_clock::now();
  ThreadIs = Was;
}

std::chrono::steady_clock::time_point HookScope::lastEnd() { return LastEnd; }

InHook HookScope::current() { return ThreadIs; }
