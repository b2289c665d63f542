//===- PassedLimits.h - Methods that probes make too long -------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOOK_PASSEDLIMITS_H
#define JOPT_AGENT_HOOK_PASSEDLIMITS_H

#include "jopt/Support/Bytes.h"
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace jopt::agent {

/// The methods that are longer than a limit of HotSpot because of their probes:
/// 35, 325 and 8,000 bytes of code (Bytecode/HotSpot.h). From any thread.
class PassedLimits {
public:
  /// The class \p Name was \p Before, and is \p After.
  void add(llvm::StringRef Name, Bytes Before, Bytes After);
  /// A sentence about those of the classes so far, which are then forgotten;
  /// empty if there are none.
  std::string take();

private:
  std::mutex Lock;
  /// By limit: `a.B.c (30 to 47)`.
  std::map<unsigned, std::vector<std::string>> Methods;
};

} // namespace jopt::agent

#endif
