//===- TraceVerbs.h - Verbs for traces --------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_JOPTDATA_TRACEVERBS_H
#define JOPT_TOOLS_JOPTDATA_TRACEVERBS_H

#include "jopt/Data/TracePrint.h"
#include "llvm/Support/CommandLine.h"

namespace jopt::data {

/// The options of this tool.
extern llvm::cl::OptionCategory ToolOptions;

/// Lines of the one run that there is, to \p Output or standard output.
llvm::Error printTraces(llvm::ArrayRef<Run> Runs, llvm::StringRef Output,
                        LeftOut Tell);
/// The one run that there is, as \p Write writes it.
using TraceWriter = llvm::Error (*)(const Traces &, llvm::raw_ostream &,
                                    LeftOut);
llvm::Error exportTraces(TraceWriter Write, llvm::ArrayRef<Run> Runs,
                         llvm::StringRef Output, LeftOut Tell);
/// What -thread= names.
llvm::ArrayRef<std::string> threadOptions();
/// Writes what \p Write makes of the traces of the one run of \p Runs to
/// \p Output or standard output.
llvm::Error writeTraces(
    llvm::ArrayRef<Run> Runs, llvm::StringRef Output, LeftOut Tell,
    llvm::function_ref<llvm::Error(const Traces &, llvm::raw_ostream &)> Write);
/// The same, into the folder \p Output.
using TraceFolderWriter = llvm::Error (*)(const Traces &, llvm::StringRef,
                                          LeftOut);
llvm::Error exportTraces(TraceFolderWriter Write, llvm::ArrayRef<Run> Runs,
                         llvm::StringRef Output, LeftOut Tell);
/// Where the threads of the first \p First runs, one of which has a trace, and
/// those of the others part. False if none of them has a trace.
llvm::Expected<bool> diffTraces(llvm::ArrayRef<Run> Runs, size_t First,
                                LeftOut Tell);
/// Summarizes the traces of all runs.
llvm::Error showTraces(llvm::ArrayRef<Run> Runs, LeftOut Tell);

} // namespace jopt::data

#endif
