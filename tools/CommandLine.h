//===- CommandLine.h - Reading a command line -------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What tools say where llvm::cl's own messages do not name the remedy.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_COMMANDLINE_H
#define JOPT_TOOLS_COMMANDLINE_H

#include "llvm/Support/CommandLine.h"

namespace jopt {

/// An option whose values are listed, and the list.
using ValuesOf =
    std::pair<const llvm::cl::Option *, const llvm::cl::generic_parser_base *>;

/// llvm::cl::ParseCommandLineOptions, with errors in one line on standard
/// error: the unknown option in \p Argv and the one that is probably meant, or
/// the values that an option of \p Values has.
/// \p Overview begins with the name of the tool; `--version` says which version
/// of it this is, and what was built into it.
bool parseCommandLine(int Argc, char **Argv, llvm::StringRef Overview,
                      llvm::ArrayRef<ValuesOf> Values = {});

} // namespace jopt

#endif
