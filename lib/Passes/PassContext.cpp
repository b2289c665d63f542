//===- PassContext.cpp - What a pass may ask ------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/CodePatch.h"
#include "jopt/Passes/PassManager.h"
#include "jopt/Reader/Lifter.h"

using namespace jopt;

const Attempt PassContext::FirstAttempt;

PassContext::PassContext(ClassFile &F, const PassInstrumentation *PI,
                         const Attempt *Now)
    : Class(F), PI(PI), Now(Now ? *Now : FirstAttempt) {}

PassContext::~PassContext() = default;

llvm::Expected<Body &> PassContext::lift(Method &M, KeepRaw Raw) {
  if (M.IR && M.IR->Raw <= Raw)
    return *M.IR;
  LiftOptions O;
  O.Anchors = Anchors;
  O.Raw = Raw;
  O.PinAccesses = PinsAccesses;
  phase("lift", true);
  llvm::Error E = M.IR ? liftRaw(*M.IR, Raw) : liftMethod(Class, M, O);
  phase("lift", false);
  if (E)
    return E;
  setLifted(M);
  return *M.IR;
}

/// Forgets added entries of the pool, which may be removed again.
static void forgetAdded(CodePatch &S) { S.FramesName = S.Throwable = 0; }

bool PassContext::liftPatched(Method &M) {
  if (!Patch) {
    Patch = std::make_unique<PooledObject<CodePatch>>();
    (**Patch).LinesName = (**Patch).TableName = 0; // of another class
    forgetAdded(**Patch);
  }
  phase("lift", true);
  const bool Done = jopt::liftPatched(Class, M, **Patch);
  phase("lift", false);
  if (Done)
    setLifted(M);
  return Done;
}

bool PassContext::isWatched() const {
  return PI && !(PI->BeforePass.empty() && PI->AfterPass.empty());
}

void PassContext::phase(llvm::StringRef Name, bool Begins) {
  if (PI)
    for (const auto &Callback : PI->OnPhase)
      Callback(Name, Begins);
}

void PassContext::dropStale(const Body &B, const PreservedAnalyses &PA) {
  auto IsStale = [&](const Result &R) {
    return R.Unit == &B && !PA.preserved(R.Key);
  };
  for (const Result &R : Results)
    if (R.Unit == &B) // most are of the class
      return (void)llvm::erase_if(Results, IsStale);
}

void PassContext::withdraw(const Method &M) {
  if (M.IR)
    invalidate(*M.IR, PreservedAnalyses::none());
  if (HasRows.erase(&M))
    llvm::erase_if(Rows, [&](const Row &R) { return R.first == &M; });
  if (Patch)
    forgetAdded(**Patch);
}

void PassContext::forget(const Method &M) {
  withdraw(M);
  if (wasLifted(M))
    Lifted.reset(M.Number);
}

void PassContext::remark(const Method &M, const llvm::Twine &Message) {
  tell(M, Message, /*IsMissed=*/false);
}

void PassContext::missed(const Method &M, const llvm::Twine &Message) {
  tell(M, Message, /*IsMissed=*/true);
}

void PassContext::tell(const Method &M, const llvm::Twine &Message,
                       bool IsMissed) {
  if (!PI || PI->OnRemark.empty() || Now.Remarks == Attempt::OfNone ||
      (Now.Remarks == Attempt::OfOptimizing &&
       !(Current && Current->Optimizes)))
    return;
  Diagnostic D;
  D.Level = Severity::Remark;
  D.Message = (Class.displayName(M) + ": " + Message).str();
  D.IsMissed = IsMissed;
  D.Pass = Current ? Current->Argument : "lower";
  for (const auto &Callback : PI->OnRemark)
    Callback(D);
}

ReportRow ReportRow::problem(Kind What, std::vector<Diagnostic> Reasons) {
  ReportRow Row;
  Row.What = What;
  Row.Reasons = std::move(Reasons);
  return Row;
}

ReportRow ReportRow::problem(Kind What, std::string Reason) {
  Diagnostic D;
  D.Level = What == Warned ? Severity::Warning : Severity::Undone;
  D.Message = std::move(Reason);
  return problem(What, std::vector<Diagnostic>{std::move(D)});
}

void PassContext::report(ReportRow Row) {
  Rows.push_back({nullptr, std::move(Row)});
}

void PassContext::report(const Method &M, ReportRow Row) {
  HasRows.insert(&M);
  Rows.push_back({&M, std::move(Row)});
}
