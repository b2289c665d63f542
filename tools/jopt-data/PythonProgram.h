//===- PythonProgram.h - Verbs written in Python -------------- -*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_JOPTDATA_PYTHONPROGRAM_H
#define JOPT_TOOLS_JOPTDATA_PYTHONPROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace jopt::data {

/// Runs \p File, a program in Python that is installed in lib/ and that calls
/// this one for the data; its first argument names this one. Messages say that
/// \p What runs it and \p Wants Python. Returns the exit status.
llvm::Expected<int> runPython(llvm::StringRef File, llvm::StringRef What,
                              llvm::StringRef Wants,
                              llvm::ArrayRef<std::string> Arguments);

/// `--NAME=VALUE`, added to \p To unless \p Value is empty.
void addOption(llvm::StringRef Name, llvm::StringRef Value,
               std::vector<std::string> &To);

} // namespace jopt::data

#endif
