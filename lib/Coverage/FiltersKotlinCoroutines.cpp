//===- FiltersKotlinCoroutines.cpp - Suspending functions of Kotlin -------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A suspending function is a machine of states: what chooses the state, and
/// what goes on at a place where it was suspended.
///
//===----------------------------------------------------------------------===//

#include "CodeMatcher.h"

using namespace jopt;
using namespace jopt::coverage;
using namespace jopt::op;

namespace {
class Coroutine {
public:
  Coroutine(const FilterInput &In, FilterOutput &Out)
      : In(In), Flow(In.Flow), M(In), Out(Out) {}

  void findStates();
  /// The last thing that the function does is to call another.
  void findTailCall(size_t I);
  /// The result of `suspendCoroutineUninterceptedOrReturn` is asked whether it
  /// suspended, for debuggers.
  void findIntrinsic(size_t I);

private:
  enum Name : unsigned { Suspended, Machine };

  bool getsSuspended() {
    return M.isMember(INVOKESTATIC, "kotlin/coroutines/intrinsics/IntrinsicsKt",
                      "getCOROUTINE_SUSPENDED", "()Ljava/lang/Object;");
  }
  bool throwsOnFailure();
  bool makesMachine();
  bool begins();
  bool chooses();
  bool throwsForeign(size_t Default);
  void findSuspensions(size_t Switch, size_t From);
  bool isSuspension(size_t I, size_t State);

  const FilterInput &In;
  const CodeFlow &Flow;
  CodeMatcher M;
  FilterOutput &Out;
  llvm::SmallVector<std::pair<size_t, size_t>> Ranges;
};
} // namespace

/// Matches the check whether the awaited call failed.
bool Coroutine::throwsOnFailure() {
  const size_t Start = M.at();
  if (!M.ok())
    return false;
  if (M.isMember(INVOKESTATIC, "kotlin/ResultKt", "throwOnFailure",
                 "(Ljava/lang/Object;)V"))
    return true;
  M.moveTo(Start); // as Kotlin before 1.3.30 has it
  return M.is(DUP) && M.isType(INSTANCEOF, "kotlin/Result$Failure") &&
         M.is(IFEQ) && M.isType(CHECKCAST, "kotlin/Result$Failure") &&
         M.is(GETFIELD) && M.is(ATHROW) && M.is(POP);
}

/// A function takes the machine of its caller, or makes its own.
bool Coroutine::makesMachine() {
  if (!M.is(ALOAD) || !M.is(INSTANCEOF) || !M.is(IFEQ))
    return false;
  const size_t Make = Flow.target(M.at() - 1);
  if (!M.is(ALOAD) || !M.is(CHECKCAST) || !M.is(ASTORE) || !M.is(ALOAD) ||
      !M.is(GETFIELD) || !M.is(LDC) || !M.is(IAND) || !M.is(IFEQ) ||
      Flow.target(M.at() - 1) != Make || !M.is(ALOAD) || !M.is(DUP) ||
      !M.is(GETFIELD) || !M.is(LDC) || !M.is(ISUB) || !M.is(PUTFIELD) ||
      !M.is(GOTO) || M.at() != Make)
    return false;
  M.moveTo(Flow.target(M.at() - 1));
  return M.any() && M.is(GETFIELD) && M.is(ASTORE);
}

/// What asks for the value that says "suspended", as JaCoCo 0.8.6 knows it: a
/// lambda does so first, a function behind its machine.
bool Coroutine::begins() {
  M.moveTo(0);
  if (getsSuspended())
    return true;
  M.moveTo(0);
  return makesMachine() && getsSuspended();
}

/// Everything up to the switch over the states.
bool Coroutine::chooses() {
  if (!In.hasAllRules()) {
    if (!begins())
      return false;
  } else {
    size_t I = 0;
    do {
      if (I == Flow.size())
        return false;
      M.moveTo(I++);
    } while (!getsSuspended());
  }
  // What never suspends keeps nothing, and has one state.
  const bool NeverSuspends = In.hasAllRules() && M.has(M.at(), POP);
  return (NeverSuspends ? M.is(POP) : M.isVar(ASTORE, Suspended)) &&
         M.isVar(ALOAD, Machine) && M.is(GETFIELD) && M.is(TABLESWITCH) &&
         (!NeverSuspends || Flow.inst(M.at() - 1).NumCases == 1);
}

bool Coroutine::throwsForeign(size_t Default) {
  M.moveTo(Default);
  return M.isType(NEW, "java/lang/IllegalStateException") && M.is(DUP) &&
         M.isText("call to 'resume' before 'invoke' with coroutine") &&
         M.isMember(INVOKESPECIAL, "java/lang/IllegalStateException", "<init>",
                    "(Ljava/lang/String;)V") &&
         M.is(ATHROW);
}

/// Whether what was called suspended and this function does therefore; it goes
/// on with state \p State, where what was waited for is loaded, and joins the
/// way that did not suspend. The range of \p I, the instruction before, to
/// there is noted.
bool Coroutine::isSuspension(size_t I, size_t State) {
  M.moveTo(I + 1);
  if (!M.isVar(ALOAD, Suspended) || !M.is(IF_ACMPNE))
    return false;
  const size_t Joined = Flow.target(M.at() - 1);
  if (!M.isVar(ALOAD, Suspended) || !M.is(ARETURN) || M.at() != State)
    return false;
  if (In.hasAllRules()) { // whatever loads it, and unboxes it
    Ranges.emplace_back(I, Joined);
    return true;
  }
  for (size_t J = I + 1; J < Flow.size(); ++J) {
    M.moveTo(J);
    if (M.is(ALOAD) && throwsOnFailure() && M.is(ALOAD) && M.at() == Joined) {
      Ranges.emplace_back(I, M.at());
      return true;
    }
  }
  return false;
}

void Coroutine::findSuspensions(size_t Switch, size_t From) {
  uint32_t State = 1;
  for (size_t I = From; I < Flow.size() && State < Flow.inst(Switch).NumCases;
       ++I)
    if (isSuspension(I, Flow.caseTarget(Switch, State)))
      ++State;
}

void Coroutine::findStates() {
  if (!chooses())
    return;
  const size_t Switch = M.at() - 1;
  if (!M.is(ALOAD) || !throwsOnFailure())
    return;
  Ranges.emplace_back(0, M.at());
  findSuspensions(Switch, M.at() - 1);
  if (!throwsForeign(Flow.target(Switch)))
    return;
  Ranges.emplace_back(Flow.target(Switch), M.at());
  for (auto [From, To] : Ranges)
    Out.ignore(From, To);
}

void Coroutine::findTailCall(size_t I) {
  M.moveTo(I);
  if (M.is(DUP) && getsSuspended() && M.is(IF_ACMPNE) && M.is(ARETURN) &&
      M.is(POP))
    Out.ignore(I, M.at());
}

void Coroutine::findIntrinsic(size_t I) {
  M.moveTo(I);
  if (!M.is(DUP) || !getsSuspended() || !M.is(IF_ACMPNE))
    return;
  const size_t Jump = M.at() - 1, Behind = Flow.target(Jump);
  if (!M.is(ALOAD))
    return;
  if (M.has(M.at(), CHECKCAST) &&
      !M.isType(CHECKCAST, "kotlin/coroutines/Continuation"))
    return;
  if (M.isMember(INVOKESTATIC, "kotlin/coroutines/jvm/internal/DebugProbesKt",
                 "probeCoroutineSuspended",
                 "(Lkotlin/coroutines/Continuation;)V") &&
      M.at() == Behind)
    Out.ignore(Jump, Behind);
}

void coverage::filterKotlinCoroutines(const FilterInput &In,
                                      FilterOutput &Out) {
  Coroutine C(In, Out);
  C.findStates();
  for (size_t I = 0; I < In.Flow.size(); ++I) {
    C.findTailCall(I);
    if (In.hasAllRules())
      C.findIntrinsic(I);
  }
}
