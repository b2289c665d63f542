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

/// The results of filters for a method's instructions, by their numbers.
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
  /// Branch \p Branch of \p I is covered if the instruction \p By is.
  void coverBranchBy(size_t I, uint32_t Branch, size_t By) {
    CoveredBy.push_back({I, By, Branch});
  }

  /// Which instruction counts for the copy \p I; itself if it is none.
  size_t representative(size_t I) const;

  std::vector<bool> Ignored;
  std::map<size_t, size_t> Merged; ///< copies to what counts for them
  std::map<size_t, std::vector<size_t>> Replaced;
  std::vector<size_t> WithoutDefault;
  struct BranchBy {
    size_t Inst, By;
    uint32_t Branch;
  };
  std::vector<BranchBy> CoveredBy;
};

/// What filters know of a class.
struct FilteredClass {
  /// Knows everything of \p F but its methods. Where \p Rules is None nothing.
  FilteredClass(ClassFile &F, Filters Rules);

  Filters Rules;
  llvm::SmallVector<llvm::StringRef> Annotations; ///< internal names
  bool IsKotlin = false;
  bool IsScala = false;
  /// Lines from here on are of inlined code; Kotlin gives it numbers behind
  /// those of the file.
  int32_t FirstInlinedLine = INT32_MAX;
};

/// What filters look at.
struct FilterInput {
  ClassFile &F;
  const Method &M;
  const CodeView &Code;
  const CodeFlow &Flow;
  const FilteredClass &Class;

  bool hasAllRules() const { return Class.Rules == Filters::All; }
  llvm::StringRef name() const { return F.name(M); }
  llvm::StringRef descriptor() const { return F.descriptor(M); }
};

/// Applies all filters.
void filter(const FilterInput &In, FilterOutput &Out);

/// \name Parts of it
/// @{
void filterTryWithResources(const FilterInput &In, FilterOutput &Out);
void filterFinally(const FilterInput &In, FilterOutput &Out);
void filterSwitches(const FilterInput &In, FilterOutput &Out);
/// @}

/// \name Those of Kotlin
/// @{
/// Whether nobody wrote the method, which need not be synthetic.
bool isKotlinGenerated(const FilterInput &In);
/// Whether somebody did, though it is synthetic.
bool isKotlinWritten(const FilterInput &In);
/// Tests whether a default argument is to be used.
void filterKotlinArguments(const FilterInput &In, FilterOutput &Out);
void filterKotlinComposables(const FilterInput &In, FilterOutput &Out);
void filterKotlinCoroutines(const FilterInput &In, FilterOutput &Out);
void filterKotlinInlined(const FilterInput &In, FilterOutput &Out);
void filterKotlinOperators(const FilterInput &In, FilterOutput &Out);
void filterKotlinWhen(const FilterInput &In, FilterOutput &Out);
/// A synthetic constructor that has defaults for arguments.
bool isKotlinDefaultConstructor(const FilterInput &In);
/// FilteredClass::FirstInlinedLine by the text of a SourceDebugExtension (JSR
/// 45): the least line of the stratum Kotlin that is not a line of the file
/// itself. Text that is not so has none.
int32_t firstInlinedLine(const ClassFile &F, llvm::StringRef Map,
                         Filters Rules);
/// @}

} // namespace jopt::coverage

#endif
