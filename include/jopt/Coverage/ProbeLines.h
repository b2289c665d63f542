//===- ProbeLines.h - Probes as lines of JSON -------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What `.exec` files have as text that other engines read, merge and write:
/// an object a line, of a class or of a run.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGE_PROBELINES_H
#define JOPT_COVERAGE_PROBELINES_H

#include "jopt/Coverage/CoverageData.h"
#include "llvm/Support/raw_ostream.h"

namespace jopt::coverage {

/// Whether \p File begins as such lines do.
bool isProbeLines(llvm::StringRef File);

/// Adds lines to \p To. An error says in which line it is; those before it were
/// added.
llvm::Error readProbeLines(llvm::StringRef File, CoverageData &To);

/// Writes the sessions and classes of \p From, each class with \p Run as the
/// run that it is from, unless that is empty. Leaves out classes that passed no
/// probe, and what no exec file has.
void writeProbeLines(const CoverageData &From, llvm::StringRef Run,
                     llvm::raw_ostream &OS);

} // namespace jopt::coverage

#endif
