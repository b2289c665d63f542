//===- Reduce.h - The smallest class that still goes wrong ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reduction of an input with which something goes wrong, in the manner of
/// llvm-reduce: reducers name the things that could go (methods, ways out of a
/// block, instructions ...), and a delta debugger leaves out as many as it can
/// while somebody else says that it still goes wrong.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_REDUCE_REDUCE_H
#define JOPT_REDUCE_REDUCE_H

#include "jopt/Support/Bytes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace jopt {

struct ReduceOptions {
  /// Whether what is to be found out is still so with the candidate. An error
  /// ends the reduction. Equal candidates are asked for once.
  std::function<llvm::Expected<bool>(Bytes)> IsInteresting;
  /// Told of each reducer that left something out: its name, and the size of
  /// what is left. May be empty.
  std::function<void(llvm::StringRef Reducer, size_t Size)> Progress;
};

struct ReduceResult {
  llvm::SmallVector<uint8_t, 0> Data; ///< a class file, or text as the input
  unsigned Asked = 0;                 ///< candidates that were asked for
  /// Instructions of the IR that become code.
  unsigned Instructions = 0;
};

/// Reduces a class file or, if \p IsText, a `.jir` file named \p Name with its
/// advice set. Candidates pass the IR verifier and, but for text with advice in
/// it, the class-file verifier, if the input does. The same input and answers
/// give the same result. Fails if the input cannot be read or is not
/// interesting.
llvm::Expected<ReduceResult> reduceClass(Bytes Input, llvm::StringRef Name,
                                         bool IsText, const ReduceOptions &O);

} // namespace jopt

#endif
