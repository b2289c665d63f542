//===- Assignable.h - Which types no hierarchy forbids ----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_IR_VERIFIER_ASSIGNABLE_H
#define JOPT_LIB_IR_VERIFIER_ASSIGNABLE_H

#include "jopt/IR/Model/Type.h"

namespace jopt {

/// False if no class hierarchy makes a value of type \p From fit where \p To is
/// expected (JVM specification, 4.10.1.2). Classes are assumed to fit; arrays
/// and uninitialised objects are known exactly.
bool isAssignable(const TypeTable &Types, Type From, Type To);

} // namespace jopt

#endif
