//===- HotReport.h - What runs most -----------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The methods, edges and paths that were taken most, as lines of source.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGEREPORT_HOTREPORT_H
#define JOPT_COVERAGEREPORT_HOTREPORT_H

#include "jopt/CoverageReport/EdgeReport.h"
#include "jopt/CoverageReport/PathReport.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace jopt::coverage {

struct HotOptions {
  unsigned Most = 10; ///< of each kind
  /// The text of a source file, by its path as in `p/A.java`; empty if it is
  /// not there.
  llvm::function_ref<std::string(llvm::StringRef)> TextOf;
};

/// Writes up to so many methods by how often they are entered, edges from one
/// line to another or around a loop, and paths; of equals those that come
/// first.
void writeHot(llvm::ArrayRef<MethodEdges> Methods,
              llvm::ArrayRef<MethodPath> Paths, const HotOptions &O,
              llvm::raw_ostream &OS);

} // namespace jopt::coverage

#endif
