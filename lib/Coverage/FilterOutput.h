//===- FilterOutput.h - What does not count ---------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_COVERAGE_FILTEROUTPUT_H
#define JOPT_LIB_COVERAGE_FILTEROUTPUT_H

#include "CodeFlow.h"
#include "jopt/Coverage/Counters.h"
#include <map>

namespace jopt::coverage {

/// What filters say of a method's instructions, by their numbers.
class FilterOutput {
public:
  explicit FilterOutput(size_t NumInsts) : Ignored(NumInsts) {}

  /// Instructions \p From up to and without \p To do not count.
  void ignore(size_t From, size_t To) {
    for (; From < To && From < Ignored.size(); ++From)
      Ignored[From] = true;
  }
  void ignoreAll() { ignore(0, Ignored.size()); }
  /// Of two copies of an instruction only \p A counts, covered if either is.
  void merge(size_t A, size_t B);
  /// The branches of \p Switch are those instructions, covered if they are.
  void replaceBranches(size_t Switch, std::vector<size_t> By) {
    Replaced[Switch] = std::move(By);
  }
  /// The default of \p Switch is no branch.
  void dropDefault(size_t Switch) { WithoutDefault.push_back(Switch); }

  /// Which instruction counts for the copy \p I; itself if it is none.
  size_t representative(size_t I) const;

  std::vector<bool> Ignored;
  std::map<size_t, size_t> Merged; ///< copies to what counts for them
  std::map<size_t, std::vector<size_t>> Replaced;
  std::vector<size_t> WithoutDefault;
};

/// What filters look at.
struct FilterInput {
  ClassFile &F;
  const Method &M;
  const CodeFlow &Flow;
  Filters Rules;
  /// Internal names of the annotations of the class.
  llvm::ArrayRef<llvm::StringRef> ClassAnnotations;
};

/// Applies all filters.
void filter(const FilterInput &In, FilterOutput &Out);

/// \name Parts of it
/// @{
void filterTryWithResources(const FilterInput &In, FilterOutput &Out);
void filterFinally(const FilterInput &In, FilterOutput &Out);
void filterSwitches(const FilterInput &In, FilterOutput &Out);
/// @}

} // namespace jopt::coverage

#endif
