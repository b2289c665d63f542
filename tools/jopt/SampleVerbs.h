//===- SampleVerbs.h - jopt top, tree --sample ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_TOOLS_JOPT_SAMPLEVERBS_H
#define JOPT_TOOLS_JOPT_SAMPLEVERBS_H

#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"

namespace jopt {

/// \p Arguments, from the verb on, ask for samples: `top` or `tree` with
/// `--sample`.
bool asksForSamples(llvm::ArrayRef<const char *> Arguments);

/// Carries them out; the exit status.
int runSampleVerb(llvm::ArrayRef<const char *> Arguments,
                  DiagnosticEngine &Diags);

} // namespace jopt

#endif
