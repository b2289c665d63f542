//===- FiltersKotlinOperators.cpp - Checks for null in Kotlin -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What operators on what may be null are compiled to: `!!`, `as`, reading what
/// is `lateinit`, and chains of `?.`, with `?:` behind.
///
//===----------------------------------------------------------------------===//

#include "CodeMatcher.h"

using namespace jopt;
using namespace jopt::coverage;
using namespace jopt::op;

namespace {
class NullChecks {
public:
  NullChecks(const FilterInput &In, FilterOutput &Out)
      : In(In), Flow(In.Flow), M(In), Out(Out) {}

  void findNotNull(size_t Jump);
  void findCast(size_t Jump);
  void findLateinit(size_t Jump);
  void findLateinitBehind(size_t Jump);
  void addSafeCall(size_t Jump);
  void filterChains();

private:
  bool loadsStored(size_t Jump) const;
  bool isElvis(size_t IfNull) const;
  bool throwsCast(llvm::StringRef Type);
  bool throwsUninitialized();

  const FilterInput &In;
  const CodeFlow &Flow;
  CodeMatcher M;
  FilterOutput &Out;
  /// By where they lead to if null came: the jumps of a chain of `?.`.
  std::map<size_t, llvm::SmallVector<size_t, 2>> Chains;
};
} // namespace

/// `x!!`, before Kotlin 1.4
void NullChecks::findNotNull(size_t Jump) {
  M.moveTo(Jump + 1);
  if (M.isMember(INVOKESTATIC, "kotlin/jvm/internal/Intrinsics", "throwNpe",
                 "()V"))
    Out.ignore(Jump, M.at());
}

bool NullChecks::throwsCast(llvm::StringRef Type) {
  return M.isType(NEW, Type) && M.is(DUP) &&
         M.isText("null cannot be cast to non-null type") &&
         M.isMember(INVOKESPECIAL, Type, "<init>", "(Ljava/lang/String;)V") &&
         M.is(ATHROW);
}

/// `x as T`, if T has no null
void NullChecks::findCast(size_t Jump) {
  const size_t Start = Jump + 1 + (In.hasAllRules() && M.has(Jump + 1, POP));
  M.moveTo(Start);
  bool Throws = throwsCast("kotlin/TypeCastException");
  if (!Throws && In.hasAllRules()) { // since Kotlin 1.4
    M.moveTo(Start);
    Throws = throwsCast("java/lang/NullPointerException");
  }
  if (Throws && M.at() == Flow.target(Jump))
    Out.ignore(Jump, M.at());
}

bool NullChecks::throwsUninitialized() {
  if (In.hasAllRules() && M.has(M.at(), POP))
    M.any();
  return M.is(LDC) && M.isMember(INVOKESTATIC, "kotlin/jvm/internal/Intrinsics",
                                 "throwUninitializedPropertyAccessException",
                                 "(Ljava/lang/String;)V");
}

/// A property that is `lateinit` is read; \p Jump goes on behind the throw.
void NullChecks::findLateinit(size_t Jump) {
  M.moveTo(Jump + 1);
  if (!throwsUninitialized())
    return;
  const size_t Behind = Flow.target(Jump);
  if (In.hasAllRules()) {
    // Behind the call: nothing, what is null, or that and a jump or throw.
    constexpr unsigned MostBehind = 2;
    for (unsigned N = 0; M.at() != Behind; ++N)
      if (N == MostBehind || !M.any())
        return;
  }
  Out.ignore(Jump, M.at());
}

/// The same where \p Jump goes to the throw.
void NullChecks::findLateinitBehind(size_t Jump) {
  const size_t Throw = Flow.target(Jump);
  M.moveTo(Throw);
  if (!throwsUninitialized() || !M.any() || !M.any())
    return;
  if (!M.has(M.at() - 1, ARETURN) && !M.has(M.at() - 1, ATHROW))
    return;
  Out.ignore(Jump, Jump + 1);
  Out.ignore(Throw, M.at());
}

/// The load in front of \p Jump is of what was stored just before.
bool NullChecks::loadsStored(size_t Jump) const {
  return Jump >= 2 && M.has(Jump - 2, ASTORE) &&
         Flow.inst(Jump - 2).Index == Flow.inst(Jump - 1).Index;
}

/// `?:` stands behind `?.` and has the value at \p IfNull, where null led to:
/// the last check of the chain, and the jump over that value, are in front.
bool NullChecks::isElvis(size_t IfNull) const {
  const size_t Goto = IfNull - 1, Check = IfNull - 3;
  return IfNull >= 5 && M.has(Goto, GOTO) && M.has(IfNull - 2, ALOAD) &&
         M.has(Check, IFNULL) && Flow.target(Check) == IfNull &&
         M.has(Check - 1, ALOAD) && loadsStored(Check) &&
         Flow.inst(IfNull - 2).Index == Flow.inst(Check - 1).Index;
}

/// `x?.f()?.g()`: what is called upon is kept on the stack, or stored each
/// time.
void NullChecks::addSafeCall(size_t Jump) {
  const size_t IfNull = Flow.target(Jump);
  if (!Jump)
    return;
  if (M.has(IfNull, POP)) {
    if (M.has(Jump - 1, DUP) && !Flow.place(Jump).IsLabel)
      Chains[IfNull].push_back(Jump);
    return;
  }
  if (!M.has(Jump - 1, ALOAD) || Flow.isJump(IfNull) || Flow.isSwitch(IfNull))
    return;
  if (Chains.count(IfNull) ? loadsStored(Jump)
                           : M.has(IfNull, ACONST_NULL) || isElvis(IfNull))
    Chains[IfNull].push_back(Jump);
}

/// That one of a chain is null is one branch, whichever it is; if `?:` follows
/// it is that of `?:`, too.
void NullChecks::filterChains() {
  for (const auto &[IfNull, Jumps] : Chains) {
    const size_t Check = IfNull - 1;
    const bool Elvis = IfNull && M.has(Check, IFNONNULL);
    if (Jumps.size() < 2 && !Elvis)
      continue;
    auto Replace = [&, IfNull = IfNull](size_t Jump, uint32_t NonNull) {
      Replacements R;
      R.add(Jump, Jump, NonNull);
      R.add(IfNull, IfNull, 0);
      Out.replaceBranches(Jump, std::move(R));
    };
    for (size_t Jump : Jumps)
      Replace(Jump, 0);
    if (Elvis)
      Replace(Check, 1);
  }
}

void coverage::filterKotlinOperators(const FilterInput &In, FilterOutput &Out) {
  NullChecks C(In, Out);
  const CodeMatcher M(In);
  for (size_t I = 0; I < In.Flow.size(); ++I) {
    if (M.has(I, IFNONNULL)) {
      C.findNotNull(I);
      C.findCast(I);
      C.findLateinit(I);
    } else if (In.hasAllRules() && M.has(I, IFNULL)) {
      C.findLateinitBehind(I);
      C.addSafeCall(I);
    }
  }
  C.filterChains();
}
