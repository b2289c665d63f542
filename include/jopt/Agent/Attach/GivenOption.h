//===- GivenOption.h - The agent's options on a command line ----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_ATTACH_GIVENOPTION_H
#define JOPT_AGENT_ATTACH_GIVENOPTION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace jopt::agent {

/// An option of the agent as somebody gave it to another program.
struct GivenOption {
  std::string Name;
  std::vector<std::string> Values; ///< none: it stands alone
  bool AreFiles = false; ///< the values are paths, absolute now, of files that
                         ///< the agent reads
};

/// Reads `name=value` or `name`; relative paths are of the folder that this
/// process is in. An error for what the agent would not take.
llvm::Expected<GivenOption> readOption(llvm::StringRef Text);

/// The option \p Name, without value, needs one.
bool needsValue(llvm::StringRef Name);

} // namespace jopt::agent

#endif
