//===- FiltersSwitch.cpp - What compilers make of switches ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Switches over strings, and defaults that cannot come.
///
//===----------------------------------------------------------------------===//

#include "CodeMatcher.h"

using namespace jopt;
using namespace jopt::coverage;
using namespace jopt::op;

namespace {
enum Name : unsigned { String, Chosen };
} // namespace

/// javac makes a switch over the hash, which chooses a number, and a switch
/// over that number, which stands for the one in the source.
static void filterJavac(const FilterInput &In, size_t Switch,
                        FilterOutput &Out) {
  const CodeFlow &Flow = In.Flow;
  CodeMatcher M(In);
  if (Switch < 4)
    return;
  // The four stand one behind the other, with nothing between that is referred
  // to, but for the variables of javac 24 to 26 in lambdas.
  for (size_t I = Switch - 3; I <= Switch; ++I) {
    const CodeFlow::Place &P = Flow.place(I);
    if (In.hasAllRules() ? P.Line >= 0 || P.IsTarget : P.IsLabel)
      return;
  }
  M.moveTo(Switch - 4);
  if (!(M.is(ICONST_M1) && M.isVar(ISTORE, Chosen) && M.isVar(ALOAD, String) &&
        M.hashesString()))
    return;
  const size_t Second = Flow.target(Switch);
  M.moveTo(Switch + 1);
  while (true) {
    if (!M.comparesString(String) || !M.is(IFEQ) || !M.any() ||
        !M.isVar(ISTORE, Chosen))
      return;
    if (M.at() == Second)
      break;
    if (!M.is(GOTO) || Flow.target(M.at() - 1) != Second)
      return;
  }
  if (M.isVar(ILOAD, Chosen) && M.isSwitch())
    Out.ignore(Switch, Second);
}

/// What Kotlin 1.5 and later put before the hash: the string again, and where
/// null goes if it may be null. \returns false if it is something else.
static bool skipNullCheck(const FilterInput &In, CodeMatcher &M,
                          std::optional<size_t> &IfNull) {
  auto IsNext = [&](Opcode Op) {
    return M.has(M.at(), Op) && !In.Flow.place(M.at()).IsLabel;
  };
  if (!IsNext(ALOAD))
    return true;
  M.isVar(ALOAD, String);
  const bool IsKept = IsNext(DUP);
  if (!IsKept && !IsNext(IFNULL))
    return M.ok();
  if ((IsKept && !M.is(DUP)) || !M.is(IFNULL))
    return false;
  IfNull = M.at() - 1;
  return IsKept || M.isVar(ALOAD, String);
}

/// The comparisons with the strings of \p Switch, which jump to their cases.
/// \returns false if they are something else.
static bool compareStrings(const FilterInput &In, CodeMatcher &M, size_t Switch,
                           Replacements &Cases) {
  const CodeFlow &Flow = In.Flow;
  const size_t Default = Flow.target(Switch);
  Cases.add(Default, Switch, 0);
  for (uint32_t Left = Flow.inst(Switch).NumCases; Left;) {
    if (!M.comparesString(String))
      return false;
    const size_t Jump = M.at();
    if (!M.has(Jump, IFNE)) {
      // The case itself stands behind the last one.
      if (Left != 1 || !In.hasAllRules() || Flow.place(Jump).IsLabel ||
          !M.is(IFEQ) || Flow.target(Jump) != Default)
        return false;
      Cases.add(Default, Jump, 1);
      Cases.add(M.at(), Jump, 0);
      return true;
    }
    M.any();
    Cases.add(Flow.target(Jump), Jump, 1);
    const bool Labelled = M.at() <= Flow.size() && Flow.place(M.at()).IsLabel;
    if (!Labelled && M.has(M.at(), GOTO)) {
      Cases.add(Default, M.at(), 1);
      M.any();
      --Left;
    } else if (M.at() == Default) {
      Cases.add(Default, Jump, 0);
      --Left;
    }
  }
  return true;
}

/// ecj, and Kotlin since 1.5: a switch over the hash, and comparisons that jump
/// to the cases. What was written is the store of the string.
static void filterEcj(const FilterInput &In, size_t Store, FilterOutput &Out) {
  const CodeFlow &Flow = In.Flow;
  CodeMatcher M(In);
  M.moveTo(Store);
  std::optional<size_t> IfNull;
  if (!M.isVar(ASTORE, String) ||
      (In.hasAllRules() && !skipNullCheck(In, M, IfNull)) ||
      !M.hashesString() || !M.isSwitch())
    return;
  const size_t Switch = M.at() - 1;
  Replacements Cases(/*ByWay=*/In.hasAllRules());
  if (!Flow.inst(Switch).NumCases || !compareStrings(In, M, Switch, Cases))
    return;
  if (IfNull)
    Cases.add(Flow.target(*IfNull), *IfNull, 1);
  // By the older rules the switch stands for the one in the source.
  const size_t Written = In.hasAllRules() ? Store : Switch;
  Out.ignore(Written + 1, M.at());
  Out.replaceBranches(Written, std::move(Cases));
}

/// Handles a generated default, which throws since all cases are there. A
/// default that somebody wrote is on a line of its own.
static void filterExhaustive(const FilterInput &In, size_t Switch, int32_t Line,
                             FilterOutput &Out) {
  const size_t Default = In.Flow.target(Switch);
  if (const int32_t Own = In.Flow.place(Default).Line; Own >= 0 && Own != Line)
    return;
  CodeMatcher M(In);
  M.moveTo(Default);
  if (!M.is(NEW) || !M.is(DUP))
    return;
  const llvm::StringRef Type = In.F.Pool.className(In.Flow.inst(Default).Index);
  const bool Throws =
      Type == "java/lang/MatchException"
          ? M.is(ACONST_NULL) && M.is(ACONST_NULL) &&
                M.isMember(INVOKESPECIAL, Type, "<init>",
                           "(Ljava/lang/String;Ljava/lang/Throwable;)V")
          : Type == "java/lang/IncompatibleClassChangeError" &&
                M.isMember(INVOKESPECIAL, Type, "<init>", "()V");
  if (!Throws || !M.is(ATHROW))
    return;
  Out.ignore(Default, M.at());
  Out.replaceBranches(Switch, Replacements::withoutDefault(In.Flow, Switch));
}

/// What a record pattern throws if reading a component threw.
static void filterRecordPatterns(const FilterInput &In, FilterOutput &Out) {
  enum { Thrown };
  for (const CodeFlow::Handler &H : In.Flow.handlers()) {
    if (In.F.Pool.className(H.CatchType) != "java/lang/Throwable")
      continue;
    CodeMatcher M(In);
    M.moveTo(H.Target);
    if (M.isVar(ASTORE, Thrown) && M.is(NEW) && M.is(DUP) &&
        M.isVar(ALOAD, Thrown) &&
        M.isMember(INVOKEVIRTUAL, "java/lang/Throwable", "toString",
                   "()Ljava/lang/String;") &&
        M.isVar(ALOAD, Thrown) &&
        M.isMember(INVOKESPECIAL, "java/lang/MatchException", "<init>",
                   "(Ljava/lang/String;Ljava/lang/Throwable;)V") &&
        M.is(ATHROW))
      Out.ignore(H.Target, M.at());
  }
}

void coverage::filterSwitches(const FilterInput &In, FilterOutput &Out) {
  int32_t Line = -1;
  for (size_t I = 0; I < In.Flow.size(); ++I) {
    if (In.Flow.place(I).Line >= 0)
      Line = In.Flow.place(I).Line;
    if (In.Flow.isSwitch(I)) {
      filterJavac(In, I, Out);
      if (In.hasAllRules())
        filterExhaustive(In, I, Line, Out);
    }
    filterEcj(In, I, Out);
  }
  if (In.hasAllRules())
    filterRecordPatterns(In, Out);
}
