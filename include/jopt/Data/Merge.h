//===- Merge.h - Many folders in one ----------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs of several folders in one. A run stays what it is, a folder of its own
/// named by its id, so it is the same in which order and in how many steps runs
/// come together. What is no run of ours and is to be added up with them (other
/// tools' files) becomes one, with an id made of what is in it.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_DATA_MERGE_H
#define JOPT_DATA_MERGE_H

#include "jopt/Data/Run.h"

namespace jopt::data {

/// Copies \p Runs into the new folder \p Out. An error, and nothing is written,
/// if one of them is there twice, or \p Out has something already.
llvm::Error mergeRuns(llvm::ArrayRef<Run> Runs, llvm::StringRef Out);

} // namespace jopt::data

#endif
