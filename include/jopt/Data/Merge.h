//===- Merge.h - Many folders in one ----------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Puts the runs of several folders into one. A run stays what it is, a folder
/// of its own named by its id, so the order and the number of steps do not
/// matter. Files that are no runs of ours, but are to be added up with them
/// (other tools' files), become one run, with an id made of their content.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_DATA_MERGE_H
#define JOPT_DATA_MERGE_H

#include "jopt/Data/Run.h"

namespace jopt::data {

/// Copies \p Runs into the new folder \p Out, each once. An error, and nothing
/// is written, if one has no id, or \p Out has something already.
llvm::Error mergeRuns(std::vector<Run> Runs, llvm::StringRef Out);

} // namespace jopt::data

#endif
