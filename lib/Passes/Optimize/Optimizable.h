//===- Optimizable.h - Which methods may be optimised -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_OPTIMIZE_OPTIMIZABLE_H
#define JOPT_LIB_PASSES_OPTIMIZE_OPTIMIZABLE_H

#include "jopt/IR/Model/ClassFile.h"

namespace jopt {

/// \p M, which has code, may be optimised: it is verified by frames, and no
/// annotation tells the JVM to treat it in a way of its own.
bool mayOptimize(const ClassFile &F, const Method &M);

} // namespace jopt

#endif
