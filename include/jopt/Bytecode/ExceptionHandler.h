//===- ExceptionHandler.h - An entry of an exception table ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_BYTECODE_EXCEPTIONHANDLER_H
#define JOPT_BYTECODE_EXCEPTIONHANDLER_H

#include <cstdint>

namespace jopt {

/// An entry of an exception table: bytecode indices, and the class of the
/// exceptions in the constant pool, 0 for all (JVM specification, 4.7.3).
struct ExceptionHandler {
  uint16_t Start, End, Target, CatchType;

  /// It is asked for what the instruction at \p BCI throws.
  bool covers(uint32_t BCI) const { return Start <= BCI && BCI < End; }
};

} // namespace jopt

#endif
