//===- Slice.h - What led to what a program did -----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The dynamic backward slice of a trace: the lines of source whose executions
/// an execution depends on, through values and through the branches that led
/// there.
///
/// The executed instructions are interpreted once more, with what they depend
/// on in place of values: stack and local variables from the class files,
/// fields and array elements by the objects that the trace tells apart. What
/// cannot be known from the trace is a doubt, and named.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_SLICE_SLICE_H
#define JOPT_SLICE_SLICE_H

#include "jopt/Archive/ClassPath.h"
#include "jopt/Data/Traces.h"

namespace jopt::slice {

/// The letters of a trace without which the executed instructions, or the
/// objects that they use, are not known.
inline constexpr llvm::StringLiteral NeededLetters = "cfijstvz";

/// Where a slice begins.
struct Criterion {
  /// The ID of an execution, as data::printTrace() numbers them; 0: File and
  /// Line say where, and the last execution there counts.
  uint64_t Execution = 0;
  /// As in "T.java", or with the folders of its package.
  std::string File;
  int32_t Line = 0;
  /// With a line: only what led to the value that this local variable or field
  /// has behind it. Empty: to all that the line does.
  std::string Variable;
  /// Not more executed instructions than these are held, some 20 bytes each.
  uint64_t MaxExecutions = 50000000;
};

/// A line of source.
struct SourceLine {
  std::string File; ///< with the folders of its package
  int32_t Line = -1;

  bool operator<(const SourceLine &O) const {
    return std::tie(File, Line) < std::tie(O.File, O.Line);
  }
};

/// The slice.
struct SliceResult {
  std::vector<SourceLine> Lines; ///< sorted
  /// What the slice goes through without knowing, sorted; each names its line.
  std::vector<std::string> Doubts;
};

/// The slice of \p T from \p From. \p Classes are those that were traced, as
/// they were before. An error is of one line: the trace lacks letters that are
/// needed, a class is not among \p Classes or is another one, or the place that
/// \p From names was not executed. Calls \p Tell for damaged parts of the
/// record.
llvm::Expected<SliceResult> slice(const data::Traces &T, ClassContents Classes,
                                  const Criterion &From, data::LeftOut Tell);

} // namespace jopt::slice

#endif
