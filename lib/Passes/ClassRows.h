//===- ClassRows.h - The rows of the report about a class -------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_CLASSROWS_H
#define JOPT_LIB_PASSES_CLASSROWS_H

#include "jopt/Passes/PassManager.h"

namespace jopt {

/// Moves the rows that were reported to \p C into \p R, in the order of the
/// methods: passes that ran one after the other over the class reported
/// alternately. Without \p Details, those that a user must see.
void takeRows(PassContext &C, bool Details, ClassResult &R);

} // namespace jopt

#endif
