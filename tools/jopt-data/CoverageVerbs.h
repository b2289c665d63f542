//===- CoverageVerbs.h - Verbs for coverage ---------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_JOPTDATA_COVERAGEVERBS_H
#define JOPT_TOOLS_JOPTDATA_COVERAGEVERBS_H

#include "jopt/Data/Run.h"

namespace jopt::data {

/// Whether the command is about coverage alone: it has options that only
/// coverage has, or one of \p Inputs is an exec file.
bool isAboutCoverage(llvm::ArrayRef<std::string> Inputs,
                     llvm::StringRef Format);

/// What \p Verb does with the coverage of \p Inputs, exec files and data
/// folders.
/// \p Output, \p Format and \p Run are those options.
llvm::Error runCoverage(llvm::StringRef Verb,
                        llvm::ArrayRef<std::string> Inputs,
                        llvm::StringRef Output, llvm::StringRef Format,
                        llvm::StringRef Run, LeftOut Tell);

} // namespace jopt::data

#endif
