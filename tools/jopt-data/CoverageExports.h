//===- CoverageExports.h - Recorded coverage as files -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_JOPTDATA_COVERAGEEXPORTS_H
#define JOPT_TOOLS_JOPTDATA_COVERAGEEXPORTS_H

#include "jopt/Coverage/CoverageData.h"
#include "jopt/Data/Run.h"

namespace jopt::data {

/// Whether -hot= asks for what was taken most.
bool wantsHot();

/// Names the classes whose segments alone are known: no exec file has these.
void tellOfSegments(const coverage::CoverageData &Ran, LeftOut Tell);

/// Prints the edges and paths that were taken most.
llvm::Error showHot(llvm::ArrayRef<std::string> Inputs, llvm::StringRef Run,
                    LeftOut Tell);

/// Writes a graph of each method that ran into the folder \p Output.
llvm::Error exportGraphs(llvm::ArrayRef<std::string> Inputs,
                         llvm::StringRef Output, llvm::StringRef Run,
                         LeftOut Tell);

/// Writes the counts as tables into the folder \p Output.
llvm::Error exportProfile(llvm::ArrayRef<std::string> Inputs,
                          llvm::StringRef Output, llvm::StringRef Run,
                          LeftOut Tell);

/// Writes the probes of each run, and then those of files, as lines.
llvm::Error exportProbes(llvm::ArrayRef<std::string> Inputs,
                         llvm::StringRef Output, llvm::StringRef Run,
                         LeftOut Tell);

} // namespace jopt::data

#endif
