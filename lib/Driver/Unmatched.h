//===- Unmatched.h - Why a target matched nothing ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For targets that matched nothing: what in the inputs comes nearest to them,
/// and what keeps it from matching.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DRIVER_UNMATCHED_H
#define JOPT_LIB_DRIVER_UNMATCHED_H

#include "jopt/Advice/Unmatched.h"
#include "jopt/Archive/Inputs.h"

namespace jopt {

/// Walks \p In once more if \p Match never used some include rule of \p A, and
/// says why. Rules for which nothing can be said (no class file is near, and
/// some input is none) have no entry.
llvm::Expected<UnmatchedReasons> explainUnmatched(const AdviceSet &A,
                                                  const Matcher &Match,
                                                  const InputSet &In,
                                                  unsigned Threads);

} // namespace jopt

#endif
