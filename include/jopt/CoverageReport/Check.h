//===- Check.h - Limits for coverage ----------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rules for the coverage of a product, as JaCoCo's `check` has them: a limit
/// for a counter of all elements of a kind whose names match. All of it is
/// exact: limits are decimal numbers, and counters are compared with them as
/// integers.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGEREPORT_CHECK_H
#define JOPT_COVERAGEREPORT_CHECK_H

#include "jopt/CoverageReport/Bundle.h"

namespace jopt::coverage {

/// A decimal number that is not negative: Units / 10^Scale.
struct Decimal {
  /// The most digits behind the point.
  static constexpr unsigned MostDigits = 9;

  uint64_t Units = 0;
  unsigned Scale = 0;

  /// Digits with a point or without; nothing if \p Text is something else, or
  /// has too many digits.
  static std::optional<Decimal> parse(llvm::StringRef Text);
  /// Of \p Part / \p Total, the \p Scale digits behind the point, rounded down,
  /// or up. \p Total is not 0.
  static Decimal ratio(uint64_t Part, uint64_t Total, unsigned Scale, bool Up);
  /// A hundredth of it.
  Decimal percent() const { return {Units, Scale + 2}; }
  std::string text() const;

  /// \p Part / \p Total is less than this; more than this.
  bool isAbove(uint64_t Part, uint64_t Total) const;
  bool isBelow(uint64_t Part, uint64_t Total) const;
};

/// \p C as a percentage with one digit behind the point, rounded down, as in
/// `66.6 %`. An empty counter is all covered.
std::string percentText(const Counter &C);

struct CoverageRule {
  enum Elements : uint8_t { Bundle, Package, Class, SourceFile, Method };
  enum Values : uint8_t {
    TotalCount,
    CoveredCount,
    MissedCount,
    CoveredRatio,
    MissedRatio
  };

  Elements Element = Bundle;
  /// Names of elements, with `*` and `?`: `a.b` of a package, `a.b.C.D` of a
  /// class, `a/b/C.java` of a source file, `a.b.C.f(int, java.lang.String)` of
  /// a method.
  std::vector<std::string> Includes = {"*"}, Excludes;
  CounterKind Counter = Instructions;
  Values Value = CoveredRatio;
  std::optional<Decimal> Minimum, Maximum;
};

/// The rules that \p Text, a list of objects in JSON, has. An error names the
/// line and column if it is no JSON, else the rule and its key.
llvm::Expected<std::vector<CoverageRule>> readRules(llvm::StringRef Text);

/// Calls \p Violated with each element of \p B and limit of \p Rules that it
/// does not keep. An empty counter has no ratio and keeps all limits of it.
void checkRules(const Bundle &B, llvm::ArrayRef<CoverageRule> Rules,
                llvm::function_ref<void(const llvm::Twine &)> Violated);

} // namespace jopt::coverage

#endif
