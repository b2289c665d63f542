//===- Diff.h - What two recordings have and have not -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compares the rows of tables by the data that probes recorded.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_DATA_DIFF_H
#define JOPT_DATA_DIFF_H

#include "jopt/Data/Recording.h"
#include "llvm/Support/raw_ostream.h"

namespace jopt::data {

/// Prints which rows are more often among those of the first \p First runs of
/// \p All than among the others, and the other way round. Rows are equal if
/// their values and exceptions are; times, threads, stack traces and numbers of
/// rows are of a run, and not compared. Bounded in memory.
llvm::Error diffTables(const Recording &All, size_t First,
                       llvm::raw_ostream &OS, LeftOut Tell);

} // namespace jopt::data

#endif
