//===- SourceVerbs.h - Traces beside the source -------------------*- C++
//-*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_JOPTDATA_SOURCEVERBS_H
#define JOPT_TOOLS_JOPTDATA_SOURCEVERBS_H

#include "jopt/Data/Run.h"

namespace jopt::data {

/// What -sources= names.
llvm::ArrayRef<std::string> sourceFolders();
/// The slice of the one run that there is, to \p Output or standard output.
llvm::Error sliceTraces(llvm::ArrayRef<Run> Runs, llvm::StringRef Output,
                        LeftOut Tell);
/// A page that steps through a thread of the one run that there is.
llvm::Error replayTraces(llvm::ArrayRef<Run> Runs, llvm::StringRef Output,
                         LeftOut Tell);

} // namespace jopt::data

#endif
