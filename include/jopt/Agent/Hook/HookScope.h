//===- HookScope.h - What a thread is in the hook for -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Java that the agent calls in the hook may load classes, and these come to
/// the hook on the same thread. Most of them are left alone; those that a
/// loader needs for the program get their probes like any other.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOOK_HOOKSCOPE_H
#define JOPT_AGENT_HOOK_HOOKSCOPE_H

#include <chrono>

namespace jopt::agent {

enum class InHook {
  No,         ///< not at all, or in Java code that has its own right to probes
  ForLoading, ///< a class is about to be defined
  ForChange,  ///< a loaded class is retransformed or redefined
};

/// The purpose of this thread in the hook, while the scope lives; afterwards
/// its purpose before. Nests; belongs to the thread that makes it.
class HookScope {
public:
  explicit HookScope(InHook Now);
  ~HookScope();
  HookScope(const HookScope &) = delete;
  HookScope &operator=(const HookScope &) = delete;

  /// Of this thread.
  static InHook current();
  /// When this thread was last in the hook for a change: the JVM stops all
  /// threads behind that.
  static std::chrono::steady_clock::time_point lastEnd();

private:
  const InHook Was;
};

} // namespace jopt::agent

#endif
