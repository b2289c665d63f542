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

/// The folders of -sources=.
llvm::ArrayRef<std::string> sourceFolders();
/// The path of the source file \p Name, as class files have it, in a folder of
/// -sources=; nothing if it is in none, or leads out of it.
std::optional<std::string> sourceFile(llvm::StringRef Name);
/// The text of that file; empty if there is none.
std::string readSource(llvm::StringRef Name);
/// The slice of the one run that there is, to \p Output or standard output.
llvm::Error sliceTraces(llvm::ArrayRef<Run> Runs, llvm::StringRef Output,
                        LeftOut Tell);
/// A page that steps through a thread of the one run that there is.
llvm::Error replayTraces(llvm::ArrayRef<Run> Runs, llvm::StringRef Output,
                         LeftOut Tell);

} // namespace jopt::data

#endif
