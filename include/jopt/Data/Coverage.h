//===- Coverage.h - What covered classes recorded ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The arrays that the covered classes of a run wrote to, as docs/DataFormat.md
/// describes them: what was stored, before it is made what JaCoCo would have.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_DATA_COVERAGE_H
#define JOPT_DATA_COVERAGE_H

#include "jopt/Data/Run.h"

namespace jopt::data {

/// A class that was covered, or several that are equal in different loaders:
/// then an element is reached if it is in one of them, and counts add up.
struct CoveredClass {
  /// By which the run's record knows it.
  uint32_t Number = 0;
  /// By which its probes were placed, as in "min".
  std::string Strategy;
  /// JaCoCo's: a checksum of the class file.
  uint64_t Id = 0;
  /// The internal name, in modified UTF-8 as class files have it.
  std::string Name;
  /// How JaCoCo's probes follow from the elements, in modified UTF-8; empty if
  /// they are the elements.
  std::string Rules;
  /// Elements are counts; else each is 0 or 1.
  bool IsCounts = false;
  std::vector<uint64_t> Values;

  /// How many elements are not 0.
  size_t reached() const;
};

/// The covered classes of \p R, in the order in which they were linked. Calls
/// \p Tell for damaged ones and leaves them out.
llvm::Expected<std::vector<CoveredClass>> readCoverage(const Run &R,
                                                       LeftOut Tell);

/// Writes a line for each strategy in \p Classes: how many classes, elements,
/// and elements that were reached; how often, if they are counts.
void showCoverage(llvm::ArrayRef<CoveredClass> Classes, llvm::raw_ostream &OS);

} // namespace jopt::data

#endif
