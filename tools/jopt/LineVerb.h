//===- LineVerb.h - jopt line -----------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_JOPT_LINEVERB_H
#define JOPT_TOOLS_JOPT_LINEVERB_H

#include "ClassVerbs.h"
#include "jopt/Probes/OneLiner.h"
#include "jopt/Support/Temporary.h"
#include <optional>

namespace jopt {

/// The probe file of `jopt line` as \p L asks for it: with the variables of the
/// class as process \p Pid has it, or the inputs in the words of \p L.
llvm::Expected<std::string>
makeLineFile(const OneLinerRequest &L, std::optional<pid_t> Pid, AskAgent Ask);

/// Writes \p Xml to a file `line.xml` in a folder of its own, and has \p L name
/// it in place of the line.
llvm::Expected<Temporary> saveLineFile(llvm::StringRef Xml, OneLinerRequest &L);

} // namespace jopt

#endif
