//===- Help.h - jopt help ---------------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_JOPT_HELP_H
#define JOPT_TOOLS_JOPT_HELP_H

#include <optional>

namespace jopt {

/// Answers `jopt --help`, `jopt help [VERB | agent]` and `jopt VERB --help`:
/// prints, and gives the exit status. Nothing if the command asks for something
/// else; `jopt help options` is turned into what LLVM's command line answers.
std::optional<int> takeHelp(int Argc, char **Argv);

} // namespace jopt

#endif
