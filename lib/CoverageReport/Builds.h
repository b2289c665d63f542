//===- Builds.h - Data of several builds of a class -------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_COVERAGEREPORT_BUILDS_H
#define JOPT_LIB_COVERAGEREPORT_BUILDS_H

#include "jopt/Coverage/CoverageData.h"
#include <map>

namespace jopt::coverage {

/// The record, in which the build that counts also has the data of methods that
/// other builds have in common with it.
struct CarriedData {
  CoverageData All;
  /// By the id of another build: what is kept of it; empty if that is all.
  std::map<uint64_t, std::string> Kept;
};

/// Adds what each build of a class recorded to the build that counts: the first
/// one that ran, of the class files of \p Inputs.
llvm::Error carryOverBuilds(llvm::ArrayRef<std::string> Inputs,
                            unsigned Threads, CarriedData &To);

} // namespace jopt::coverage

#endif
