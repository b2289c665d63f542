//===- DebugRows.h - Rows of variables that would lie -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_OPTIMIZE_DEBUGROWS_H
#define JOPT_LIB_PASSES_OPTIMIZE_DEBUGROWS_H

#include "jopt/Passes/Pass.h"

namespace jopt {

using StoreSet = llvm::SmallPtrSet<const Instruction *, 16>;

/// Before the stores \p Gone go: takes the rows of local variables away that
/// would then give a variable another value, or none. Nothing to do where
/// debuggers keep everything, as no such store may go there.
void dropStaleRows(Body &F, PassContext &C, const StoreSet &Gone);

} // namespace jopt

#endif
