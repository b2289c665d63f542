//===- AttachScope.h - Who starts or attaches -------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_AGENT_ATTACH_ATTACHSCOPE_H
#define JOPT_LIB_AGENT_ATTACH_ATTACHSCOPE_H

#include <mutex>

namespace jopt::agent {

/// Has the lock of starts and attaches.
class AttachScope {
public:
  explicit AttachScope(std::mutex &Lock) : Guard(Lock) { IsHere = true; }
  ~AttachScope() { IsHere = false; }
  AttachScope(const AttachScope &) = delete;
  AttachScope &operator=(const AttachScope &) = delete;
  /// This thread has it.
  static bool isHere() { return IsHere; }

private:
  static thread_local bool IsHere;
  std::lock_guard<std::mutex> Guard;
};

/// What programs ask for probes; the agent binds that of the boot loader.
constexpr char ProbeControlClass[] = "jopt/boot/record/ProbeControl";

} // namespace jopt::agent

#endif
