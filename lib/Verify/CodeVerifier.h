//===- CodeVerifier.h - Checking method bodies ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_VERIFY_CODEVERIFIER_H
#define JOPT_LIB_VERIFY_CODEVERIFIER_H

#include "Machine.h"

namespace jopt::verify {

/// The ranges, handlers and caught types of the exception table. False after a
/// finding.
bool checkHandlerTable(Machine &M);
/// The same, and the ranges of local variables.
bool checkTables(Machine &M);

/// Verification by type inference (4.10.2) of the method \p M has begun.
bool inferTypes(Machine &M);

} // namespace jopt::verify

#endif
