//===- Stack.h - Room to work in --------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_LIFETIME_STACK_H
#define JOPT_AGENT_LIFETIME_STACK_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace jopt::agent {

/// Runs \p Work, which must not use JNI: on this thread if its stack has room,
/// else on a thread that is made for it. A class may be loaded where a program
/// has used up its stack, or on a thread with a tiny one; running out of it in
/// native code would end the JVM. False if there is no such thread to be had.
bool runWithStack(llvm::function_ref<void()> Work);

} // namespace jopt::agent

#endif
