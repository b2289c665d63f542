//===- Constants.h - Constants, and what opcodes make of them ---*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Numbers that are known, and folding by the table Folding.td.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_ANALYSIS_CONSTANTS_H
#define JOPT_PASSES_ANALYSIS_CONSTANTS_H

#include "jopt/IR/Model/Body.h"
#include "llvm/ADT/bit.h"

namespace jopt {

/// A number, or null, by its bits: 0.0 and -0.0 differ.
struct Constant {
  Type Ty;
  uint64_t Bits = 0;

  uint32_t u() const { return uint32_t(Bits); }
  int32_t i() const { return int32_t(Bits); }
  uint64_t ul() const { return Bits; }
  int64_t l() const { return int64_t(Bits); }
  float f() const { return llvm::bit_cast<float>(u()); }
  double d() const { return llvm::bit_cast<double>(Bits); }

  bool operator==(const Constant &O) const {
    return Ty == O.Ty && Bits == O.Bits;
  }

  /// Of nothing it is nothing, and there is none of a NaN.
  /// @{
  static std::optional<Constant> ofInt(std::optional<uint32_t> V) {
    return V ? std::optional<Constant>({Type::Int, *V}) : std::nullopt;
  }
  static std::optional<Constant> ofLong(std::optional<uint64_t> V) {
    return V ? std::optional<Constant>({Type::Long, *V}) : std::nullopt;
  }
  static std::optional<Constant> ofFloat(float V);
  static std::optional<Constant> ofDouble(double V);
  /// @}
};

/// The value of \p V, a constant of the code; nothing for references other than
/// null, and for NaN.
std::optional<Constant> constantOf(const Value &V);

/// What \p Op makes of \p A, and of \p B if it has two operands: for a branch 1
/// where it is taken. Nothing where it throws, or the table has no row.
std::optional<Constant> fold(Opcode Op, Constant A, Constant B = {});

/// The other operand of \p Op is its result if this one is \p C, the left or
/// the right one.
bool isNeutral(Opcode Op, Constant C, bool AtLeft);

/// Makes an instruction for \p C in front of \p Before; null if the constant
/// would need an entry that the pool has not.
Instruction *makeConstant(Body &F, Constant C, Instruction *Before);

} // namespace jopt

#endif
