//===- Unreachable.h - Code to which no way leads ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_OPTIMIZE_UNREACHABLE_H
#define JOPT_LIB_PASSES_OPTIMIZE_UNREACHABLE_H

#include "LineKeeper.h"

namespace jopt {

/// Takes the blocks out of \p F to which no way leads from the entry, then the
/// entries of the exception table that cover none. Returns how many of both.
unsigned removeUnreachable(Body &F, LineKeeper &Lines);

} // namespace jopt

#endif
