//===- QuickCalls.h - Calls that do not wait --------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_COVERAGE_QUICKCALLS_H
#define JOPT_LIB_COVERAGE_QUICKCALLS_H

#include "jopt/Bytecode/Decoder.h"
#include "jopt/IR/Model/ClassFile.h"

namespace jopt::coverage {

/// \p I, a call in \p F, comes back or throws before long, whatever program it
/// is in: what runs is known to be straight code. That is a method of strings,
/// characters and numbers of java.lang that is given nothing but those, or one
/// of \p F that nobody can override, short, without loops, monitors and other
/// calls.
bool isQuickCall(const ClassFile &F, const DecodedInst &I);

} // namespace jopt::coverage

#endif
