//===- BuiltinPasses.h - The passes of jopt ---------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The passes of Passes.td and their options, for who builds pipelines without
/// text. Each is implemented in a file of its own.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_BUILTINPASSES_H
#define JOPT_PASSES_BUILTINPASSES_H

#include "jopt/Passes/PassRegistry.h"

namespace jopt {
#define GET_PASS_DECLS
#include "jopt/Passes/Passes.inc"
} // namespace jopt

#endif
