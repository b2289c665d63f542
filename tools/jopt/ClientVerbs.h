//===- ClientVerbs.h - jopt ps, attach, off, status, report, set *- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_JOPT_CLIENTVERBS_H
#define JOPT_TOOLS_JOPT_CLIENTVERBS_H

#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace jopt {

/// \p Word is a verb about running programs.
bool isClientVerb(llvm::StringRef Word);

/// Those, and all other words that the first argument of jopt may be.
std::vector<llvm::StringRef> allVerbs();
/// The one that \p Word is probably meant to be; empty if there is none.
llvm::StringRef nearestVerb(llvm::StringRef Word);

/// Carries out \p Arguments, of which the first is such a verb. The exit
/// status: 0 done, 1 refused, 2 done in part. Why is for \p Diags.
int runClientVerb(llvm::ArrayRef<const char *> Arguments,
                  DiagnosticEngine &Diags);

/// Carries out a one-liner (jopt/Probes/OneLiner.h), \p Arguments from its verb
/// on, which follows a process or is only shown: the exit status. Without one
/// it is about files, and \p OffLine has the arguments of a run of jopt that
/// does it.
std::optional<int> runOneLiner(llvm::ArrayRef<const char *> Arguments,
                               std::vector<std::string> &OffLine,
                               DiagnosticEngine &Diags);

} // namespace jopt

#endif
