//===- StatusMetrics.h - What is at work, for Prometheus --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_JOPT_STATUSMETRICS_H
#define JOPT_TOOLS_JOPT_STATUSMETRICS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <sys/types.h>

namespace jopt {

/// The numbers in \p Status, the agent's answer for the process \p Pid, in
/// Prometheus' text format: a gauge for each, with the label `pid`.
std::string statusMetrics(pid_t Pid, llvm::StringRef Status);

/// \p Answer of the agent, lines of `NAME: VALUE`, as an object of JSON on a
/// line; numbers are numbers. Lines without a name are `message`.
std::string answerAsJson(llvm::StringRef Answer);

} // namespace jopt

#endif
