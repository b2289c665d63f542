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

/// The branches of an instruction as somebody wrote them, for those that the
/// compiler made of it: each with the branches of other instructions any of
/// which is a way to take it. Branches have MethodCounter's numbers: 0 falls
/// through, leaves, or is the default of a switch; 1 jumps; those of a switch
/// are numbered as CodeFlow::forEachTarget has them.
class Replacements {
public:
  /// All branches of an instruction.
  static constexpr uint32_t Any = UINT32_MAX;
  struct Way {
    size_t Inst;
    uint32_t Branch;
  };

  /// JaCoCo before 0.8.14 takes a branch for covered if its target is, by
  /// whatever way (\p ByWay is false).
  explicit Replacements(bool ByWay = true) : ByWay(ByWay) {}

  /// Branch \p Branch of \p Inst is a way to take the branch to \p Target.
  void add(size_t Target, size_t Inst, uint32_t Branch) {
    Branches[Target].push_back(ByWay ? Way{Inst, Branch} : Way{Target, Any});
  }
  /// The branches of the switch \p I but for its default.
  static Replacements withoutDefault(const CodeFlow &Flow, size_t I);

  /// By target.
  std::map<size_t, llvm::SmallVector<Way, 2>> Branches;

private:
  bool ByWay;
};

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
  void replaceBranches(size_t I, Replacements By) {
    Replaced.insert_or_assign(I, std::move(By));
  }

  /// Which instruction counts for the copy \p I; itself if it is none.
  size_t representative(size_t I) const;

  std::vector<bool> Ignored;
  std::map<size_t, size_t> Merged; ///< copies to what counts for them
  std::map<size_t, Replacements> Replaced;
};

/// Lines [Output, Output + Count) are copies of those of the class \p Of from
/// \p Input on.
struct InlinedLines {
  llvm::StringRef Of;
  int32_t Input, Count, Output;
};

/// What filters know of a class.
struct FilteredClass {
  /// Knows everything of \p F but its methods. \p O and \p Excluded must
  /// outlive it.
  FilteredClass(ClassFile &F, const CountOptions &O,
                const ExcludedLines &Excluded);

  const Filters Rules;
  const CountOptions &Options;
  const ExcludedLines &Excluded;
  llvm::SmallVector<llvm::StringRef> Annotations; ///< internal names
  bool IsKotlin = false;
  bool IsScala = false;
  /// Lines from here on are of inlined code; Kotlin gives it numbers behind
  /// those of the file.
  int32_t FirstInlinedLine = INT32_MAX;
  /// Code of inline functions that was copied into the class.
  llvm::SmallVector<InlinedLines, 0> Inlined;
};

/// What filters look at.
struct FilterInput {
  ClassFile &F;
  const Method &M;
  const CodeView &Code;
  const CodeFlow &Flow;
  const FilteredClass &Class;

  /// The rules of JaCoCo since 0.8.7 hold, too.
  bool hasAllRules() const { return Class.Rules > Filters::JaCoCo086; }
  /// So do those that are wrong.
  bool isExact() const { return Class.Rules == Filters::JaCoCo0816; }
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
/// Reads FilteredClass::FirstInlinedLine and Inlined from the text of a
/// SourceDebugExtension (JSR 45), by its stratum Kotlin. A text without one
/// says nothing.
void readInlinedLines(const ClassFile &F, llvm::StringRef Map,
                      FilteredClass &Class);
/// The first instruction of a method that has a line; the method's size if
/// none has.
size_t firstWithLine(const CodeFlow &Flow);
/// @}

} // namespace jopt::coverage

#endif
