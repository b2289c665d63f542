//===- AdviceOutline.h - Advices in methods of their own --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The arguments of a method that has the code of an advice.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_ADVICECODE_ADVICEOUTLINE_H
#define JOPT_LIB_PASSES_ADVICECODE_ADVICEOUTLINE_H

#include "jopt/Advice/Advice.h"
#include "jopt/IR/Model/Body.h"

namespace jopt {

/// An advice in a method that is made for it.
struct OutlinedAdvice {
  /// Sites with equal keys share the method.
  std::string Key;
  /// Descriptors. The array of arguments, if it gets that, comes behind them.
  std::string Parameters, Result;
  /// The arguments.
  llvm::SmallVector<Value *, 8> Values;
  /// One for each operand of the advice: the constant that the method makes
  /// itself, or null.
  llvm::SmallVector<const Instruction *, 8> Constants;
  /// The parameter that is the array of arguments, if not negative.
  int ArgumentSlot = -1;
};

/// Whether a method that does what \p I, of \p A, stands for makes the code
/// here smaller, and can be had; then \p G says what it gets. \p Branches: the
/// code would have branches here.
bool outlineAdvice(const Instruction &I, const Advice &A,
                   llvm::StringRef CallDescriptor, bool Branches,
                   OutlinedAdvice &G);

} // namespace jopt

#endif
