//===- OtherCopies.h - Other copies of the agent's library ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A JVM loads a library again if it lies in another file. Two copies know
/// nothing of each other, and what both define on the boot loader is there
/// once.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_LIFETIME_OTHERCOPIES_H
#define JOPT_AGENT_LIFETIME_OTHERCOPIES_H

#include "llvm/Support/Error.h"

namespace jopt::agent {

/// The function of the library by which copies ask each other; see
/// tools/jopt-agent.
using AtWorkFunction = int (*)();
constexpr const char *AtWorkName = "jopt_agent_is_at_work";

/// Fails if probes of another copy are at work in this process; names both
/// files. Takes the dynamic linker's lock for a moment.
llvm::Error checkOtherCopies();

} // namespace jopt::agent

#endif
