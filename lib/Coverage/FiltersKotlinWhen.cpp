//===- FiltersKotlinWhen.cpp - What Kotlin makes of when ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `when` over what has all cases, over enums that may be null, and over
/// strings before Kotlin 1.5.
///
//===----------------------------------------------------------------------===//

#include "CodeMatcher.h"

using namespace jopt;
using namespace jopt::coverage;
using namespace jopt::op;

/// The exception at \p Throw, for a value without a case, cannot occur, and the
/// last jump to it cannot be taken.
static void filterNoMatch(const FilterInput &In, size_t Throw,
                          FilterOutput &Out) {
  static constexpr llvm::StringRef Exception =
      "kotlin/NoWhenBranchMatchedException";
  const CodeFlow &Flow = In.Flow;
  CodeMatcher M(In);
  M.moveTo(Throw);
  if (!Flow.place(Throw).IsLabel || !M.isType(NEW, Exception) || !M.is(DUP) ||
      !M.isMember(INVOKESPECIAL, Exception, "<init>", "()V") || !M.is(ATHROW))
    return;
  for (size_t I = M.at(); I-- > 0;) {
    const bool IsSwitch = Flow.isSwitch(I);
    if (!(IsSwitch || M.has(I, IFEQ)) || Flow.target(I) != Throw)
      continue;
    Out.ignore(Throw, M.at());
    if (!IsSwitch) {
      Out.ignore(I, I + 1);
    } else if (In.hasAllRules()) {
      Out.replaceBranches(I, Replacements::withoutDefault(Flow, I));
    } else {
      // JaCoCo 0.8.6 leaves it where numbers between those of cases lead there.
      Replacements Cases(/*ByWay=*/false);
      for (uint32_t C = 0; C < Flow.inst(I).NumCases; ++C)
        Cases.add(Flow.caseTarget(I, C), I, 0);
      Out.replaceBranches(I, std::move(Cases));
    }
    return;
  }
}

/// An enum that may be null: what makes a number of it, -1 for null.
static void filterNullableEnum(const FilterInput &In, size_t Start,
                               FilterOutput &Out) {
  const CodeFlow &Flow = In.Flow;
  CodeMatcher M(In);
  M.moveTo(Start);
  if (!M.is(DUP) || !M.is(IFNONNULL))
    return;
  const size_t NonNull = Flow.target(M.at() - 1);
  if (!M.is(POP) || !M.is(ICONST_M1) || !M.is(GOTO) || M.at() != NonNull)
    return;
  const size_t Switch = Flow.target(M.at() - 1);
  if (!M.is(GETSTATIC))
    return;
  const MemberRef Numbers = M.member(M.at() - 1);
  if (Numbers.Owner.ends_with("$WhenMappings") &&
      Numbers.Name.starts_with("$EnumSwitchMapping$") && M.is(SWAP) &&
      M.is(INVOKEVIRTUAL) && M.is(IALOAD) && M.at() == Switch && M.isSwitch())
    Out.ignore(Start, Switch);
}

/// A switch over the hash, and comparisons behind each of which a jump leads to
/// the case.
static void filterStrings(const FilterInput &In, size_t Load,
                          FilterOutput &Out) {
  enum { String };
  const CodeFlow &Flow = In.Flow;
  CodeMatcher M(In);
  M.moveTo(Load);
  if (!M.isVar(ALOAD, String) || !M.hashesString() || !M.isSwitch())
    return;
  const size_t Switch = M.at() - 1, Default = Flow.target(Switch);
  Replacements Cases(/*ByWay=*/In.hasAllRules());
  Cases.add(Default, Switch, 0);
  for (uint32_t Left = Flow.inst(Switch).NumCases; Left;) {
    if (!M.comparesString(String) || !M.is(IFEQ))
      return;
    const size_t Jump = M.at() - 1;
    const bool IsLast = Flow.target(Jump) == Default;
    if (M.has(M.at(), GOTO)) {
      Cases.add(Flow.target(M.at()), M.at(), 1);
      M.any();
    } else if (In.hasAllRules() && Left == 1 && IsLast) {
      // The case itself stands there. JaCoCo 0.8.16 does not see that another
      // string leads there, too.
      Cases.add(M.at() + (In.isExact() ? Flow.size() : 0), Jump, 0);
    } else {
      return;
    }
    if (IsLast)
      Cases.add(Default, Jump, 1);
    Left -= IsLast;
  }
  if (!Flow.inst(Switch).NumCases)
    return;
  Out.ignore(Switch + 1, M.at());
  Out.replaceBranches(Switch, std::move(Cases));
}

void coverage::filterKotlinWhen(const FilterInput &In, FilterOutput &Out) {
  const CodeMatcher M(In);
  for (size_t I = 0; I < In.Flow.size(); ++I) {
    if (M.has(I, NEW))
      filterNoMatch(In, I, Out);
    else if (M.has(I, ALOAD) && M.has(I + 1, INVOKEVIRTUAL))
      filterStrings(In, I, Out);
    else if (In.hasAllRules() && M.has(I, DUP))
      filterNullableEnum(In, I, Out);
  }
}
