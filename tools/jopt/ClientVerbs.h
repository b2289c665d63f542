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

namespace jopt {

/// \p Word is a verb about running programs.
bool isClientVerb(llvm::StringRef Word);

/// Carries out \p Arguments, of which the first is such a verb. The exit
/// status: 0 done, 1 refused, 2 done in part. Why is for \p Diags.
int runClientVerb(llvm::ArrayRef<const char *> Arguments,
                  DiagnosticEngine &Diags);

} // namespace jopt

#endif
