//===- FiltersKotlinCompose.cpp - Composable functions --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the Compose plugin of Kotlin's compiler adds to functions that are
/// annotated with `@Composable`.
///
//===----------------------------------------------------------------------===//

#include "CodeMatcher.h"
#include "jopt/IR/Model/Annotations.h"

using namespace jopt;
using namespace jopt::coverage;
using namespace jopt::op;
using llvm::StringRef;

static constexpr StringRef Composer = "androidx/compose/runtime/Composer";

namespace {
class Composable {
public:
  Composable(const FilterInput &In, FilterOutput &Out)
      : Flow(In.Flow), M(In), Out(Out) {}

  void find(size_t Call) {
    M.moveTo(Call);
    const Opcode Op = M.opcode(Call);
    if (Op != INVOKEINTERFACE && Op != INVOKESTATIC)
      return;
    const MemberRef Called = M.member(Call);
    if (Called.Owner == Composer)
      ofComposer(Called);
    else if (Called.Owner == "androidx/compose/runtime/ComposerKt" &&
             Called.Name == "isTraceInProgress")
      tracing();
  }

private:
  void ofComposer(const MemberRef &Called) {
    if (Called.Name == "getSkipping" && Called.Descriptor == "()Z") {
      if (decides(IFNE))
        Out.ignore(Flow.target(M.at() - 1), Flow.size()); // it does not run
    } else if (Called.Name == "shouldExecute" && Called.Descriptor == "(ZI)Z") {
      decides(IFEQ);
    } else if (Called.Name == "endRestartGroup") {
      restarting();
    }
  }
  /// What decides whether the body runs at all, up to the jump behind it.
  bool decides(Opcode Jump) {
    if (!M.any() || !M.is(Jump))
      return false;
    Out.ignore(0, M.at());
    return true;
  }
  /// How it is to run again, if it is.
  void restarting() {
    if (!M.any() || !M.is(DUP) || !M.is(IFNULL))
      return;
    const size_t Jump = M.at() - 1, To = Flow.target(Jump);
    if (M.has(To, POP))
      Out.ignore(Jump, To + 1);
  }
  void tracing() {
    if (M.any() && M.is(IFEQ))
      Out.ignore(M.at() - 1, Flow.target(M.at() - 1));
  }

  const CodeFlow &Flow;
  CodeMatcher M;
  FilterOutput &Out;
};
} // namespace

void coverage::filterKotlinComposables(const FilterInput &In,
                                       FilterOutput &Out) {
  llvm::SmallVector<StringRef> Annotations;
  findAnnotations(In.F.Pool, In.M.Attributes, Annotations);
  if (!llvm::is_contained(Annotations, "androidx/compose/runtime/Composable"))
    return;
  Composable C(In, Out);
  for (size_t I = 0; I < In.Flow.size(); ++I)
    C.find(I);
}
