//===- Loops.h - Code that comes back to where it is ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_BYTECODE_LOOPS_H
#define JOPT_BYTECODE_LOOPS_H

#include "jopt/Support/Bytes.h"

namespace jopt {

/// Whether control that is at \p BCI of \p Code may come there again: the
/// instruction lies on a cycle of the method's control flow. Needs no exception
/// table: what control reaches by no jump is taken for handlers, and any
/// instruction in front of one for guarded by it. Code that cannot be decoded
/// has no cycle.
bool isInLoop(Bytes Code, uint32_t BCI);

} // namespace jopt

#endif
