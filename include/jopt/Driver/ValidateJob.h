//===- ValidateJob.h - A run of jopt -validate ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compares two versions of a class, an archive or a folder, method by method.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_DRIVER_VALIDATEJOB_H
#define JOPT_DRIVER_VALIDATEJOB_H

#include "jopt/Driver/Job.h"

namespace jopt {

/// What the methods of all classes came to.
struct ValidateCounts {
  uint64_t Equal = 0, Proved = 0, NotProved = 0, Different = 0;
};

/// Compares the classes of \p New with those of the same places in \p Old.
/// Names to \p Diags each method that was not proved, and why, and each that
/// differs. Done: all do the same. LeftUndone: something was not proved.
/// Unusable: something differs, or an input cannot be read.
JobStatus validateInputs(const std::string &Old, const std::string &New,
                         unsigned Threads, DiagnosticEngine &Diags,
                         ValidateCounts &Counts);

} // namespace jopt

#endif
