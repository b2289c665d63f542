//===- Memory.h - Memory to work with ---------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_LIFETIME_MEMORY_H
#define JOPT_AGENT_LIFETIME_MEMORY_H

namespace jopt::agent {

/// Whether there is as much memory as weaving a class takes. The agent is built
/// without exceptions, so an allocation that failed would end the JVM: ask
/// before. Where the process has no limit that makes allocations fail, this
/// costs next to nothing. Other threads may take the memory afterwards: see
/// findMemory().
bool hasMemory();

/// An allocation of the agent's failed: whether it may succeed now. The first
/// gets what was kept for it; those after it wait a little, and some seconds in
/// all. Until there is something to keep again, hasMemory() is false.
bool findMemory(unsigned Attempt);

} // namespace jopt::agent

#endif
