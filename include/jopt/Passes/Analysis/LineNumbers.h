//===- LineNumbers.h - Lines of original code -------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The lines of a method as its class file tells them (LineNumberTable, JVMS
/// 4.7.12).
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_ANALYSIS_LINENUMBERS_H
#define JOPT_PASSES_ANALYSIS_LINENUMBERS_H

#include "jopt/Passes/Pass.h"
#include "jopt/Reader/ClassReader.h"

namespace jopt {

struct LineNumbers {
  static AnalysisKey Key;
  static LineNumbers run(const Body &F, PassContext &C);

  /// The line of the instruction at \p BCI; 0 if it is not known. Where several
  /// entries start at one place the last one counts.
  unsigned at(int32_t BCI) const;

  /// By Start, those of one Start in the order of the file.
  std::vector<LineEntry> Entries;
};

} // namespace jopt

#endif
