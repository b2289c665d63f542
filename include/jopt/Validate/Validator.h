//===- Validator.h - Two versions of a class do the same --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Translation validation: proves that each method of a class does what the
/// same method of another version of the class does. Both bodies run on the
/// same symbols, side by side: the calls, accesses to memory that others see,
/// locks, results and exceptions of the one have to be those of the other, in
/// the same order, with the same values and lines. States that meet at the same
/// pair of places are generalised to one, so loops are proved for any number of
/// turns.
///
/// It reads the bytes, and shares nothing with the passes, the lifter or the
/// writer that it is to check. Errors of the JVM itself (no memory, no stack)
/// do not count, nor does how long an object is kept alive.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_VALIDATE_VALIDATOR_H
#define JOPT_VALIDATE_VALIDATOR_H

#include "jopt/Support/Bytes.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace jopt {

/// The bounds of the work on one method. What passes them is not proved.
struct ValidateLimits {
  unsigned Steps = 400000; ///< instructions executed, of both versions
  unsigned States = 8000;  ///< that are waiting or were merged
  unsigned Terms = 200000; ///< values that were thought of
};

enum class Verdict : uint8_t {
  Equal,     ///< the same instructions
  Proved,    ///< other instructions that do the same
  NotProved, ///< no proof was found, which is no proof of the contrary
  Differs    ///< an input was found for which they differ, or a member differs
};

/// The result for one method, or for the class.
struct MethodVerdict {
  Verdict Found = Verdict::Equal;
  std::string Where;  ///< "a/B.m(I)V", or the class
  std::string Reason; ///< empty if it was proved
};

/// Compares two versions of a class. Any thread. Fails if one is no class file.
llvm::Expected<std::vector<MethodVerdict>>
validateClass(Bytes Old, Bytes New, const ValidateLimits &Limits = {});

} // namespace jopt

#endif
