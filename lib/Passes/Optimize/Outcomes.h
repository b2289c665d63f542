//===- Outcomes.h - What tests of a value may find --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_OPTIMIZE_OUTCOMES_H
#define JOPT_LIB_PASSES_OPTIMIZE_OUTCOMES_H

#include "jopt/Bytecode/Opcodes.h"

namespace jopt {

/// The values that a tested int or reference may have, as a set.
enum Outcome : uint8_t {
  Negative = 1, ///< or null
  Zero = 2,     ///< or an object
  Positive = 4,
  IsNull = Negative,
  IsObject = Zero,
  AnyOutcome = Negative | Zero | Positive,
};

inline uint8_t outcomeOf(int32_t V) {
  return V < 0 ? Negative : V ? Positive : Zero;
}

/// The outcomes for which \p Branch, which tests one value, is taken; none if
/// it tests two.
inline uint8_t takenFor(Opcode Branch) {
  switch (Branch) {
  case op::IFEQ:
    return Zero;
  case op::IFNE:
    return Negative | Positive;
  case op::IFLT:
    return Negative;
  case op::IFGE:
    return Zero | Positive;
  case op::IFGT:
    return Positive;
  case op::IFLE:
    return Negative | Zero;
  case op::IFNULL:
    return IsNull;
  // A reference is not positive.
  case op::IFNONNULL:
    return IsObject | Positive;
  default:
    return 0;
  }
}

} // namespace jopt

#endif
