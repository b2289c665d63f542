//===- InstructionSize.h - About how long instructions are ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_OPTIMIZE_INSTRUCTIONSIZE_H
#define JOPT_LIB_PASSES_OPTIMIZE_INSTRUCTIONSIZE_H

#include "jopt/IR/Model/Body.h"

namespace jopt {

/// The bytes of \p I, if nothing must be moved on the stack for it (JVMS 6.5).
/// Slots of two bytes and switches count as short.
inline unsigned sizeOf(const Instruction &I) {
  constexpr unsigned ShortSlots = 4; ///< iload_0 to iload_3
  if (I.op() == irop::LocalGet || I.op() == irop::LocalSet)
    return I.index() < ShortSlots ? 1 : 2;
  return I.opcodeInfo().Length;
}

} // namespace jopt

#endif
