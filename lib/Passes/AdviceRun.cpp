//===- AdviceRun.cpp - Pipelines that place advices -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/AdviceRun.h"
#include "ActivePasses.h"
#include "Sites/PatchSites.h"
#include "TF/TFClass.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Passes/Analysis/CoveragePlan.h"
#include "jopt/Passes/Analysis/TracedEvents.h"
#include "jopt/Passes/CompanionClass.h"

using namespace jopt;

namespace {

/// The advices of a class and what goes with them; decides which methods have
/// them put into their original code.
class AdviceServices final : public ClassServices {
public:
  AdviceServices(PassContext &C, ClassEditor &Editor,
                 const AdviceRunOptions &O);

  uint64_t kindsFor(const Method &M) override { return Advices.kindsFor(M); }
  bool mayPatch(const Method &M, ActivePasses &Passes, size_t First,
                size_t End) override;
  bool patch(Method &M) override;
  bool adopt(Method &M, ActivePasses &Passes, size_t First,
             size_t End) override;
  void undo(const Method &M) override;
  void takeResult(ClassResult &R) override;

private:
  /// Whether a method has a patched body, and what for.
  enum Patching : uint8_t { Lifted, ForAdvices, ForOnePass };
  Patching find(const Method &M, ActivePasses &Passes, size_t First,
                size_t End);
  bool fits(const Method &M);

  PassContext &C;
  const AdviceRunOptions &O;
  ClassAdvices Advices;
  AdviceCalls Calls;
  Snippets Codes;
  std::optional<MeasuredEdges> Measured;
  TracedProgram Traced;
  Patching Asked = Lifted; ///< the answer of mayPatch
  /// The advices that were asked about last.
  const unsigned *List = nullptr;
};

} // namespace

AdviceServices::AdviceServices(PassContext &C, ClassEditor &Editor,
                               const AdviceRunOptions &O)
    : C(C), O(O), Advices(C, Editor, O), Calls(C, Editor, O, Advices.set()),
      Codes(C, Advices.set(), O.Match), Traced{O.Tracing} {
  C.add(Traced);
  if (O.Declared)
    C.add(*O.Declared);
  if (O.Beside)
    C.add(*O.Beside);
  if (O.Known)
    C.add(*O.Known);
  if (O.Profile)
    C.add(Measured.emplace(MeasuredEdges{*O.Profile}));
}

bool AdviceServices::mayPatch(const Method &M, ActivePasses &Passes,
                              size_t First, size_t End) {
  if (!O.Patch)
    return false;
  // Methods with the same advices have the same answer, if nothing else counts.
  const unsigned *Of =
      Passes.isByKinds() ? Advices.advicesFor(M).data() : nullptr;
  if (std::exchange(List, Of) != Of || !Of)
    Asked = find(M, Passes, First, End);
  return Asked != Lifted;
}

AdviceServices::Patching AdviceServices::find(const Method &M,
                                              ActivePasses &Passes,
                                              size_t First, size_t End) {
  // The passes are asked first: a pipeline without one that places advices
  // matches, and so counts, nothing.
  unsigned NumWanted = 0, NumAlone = 0;
  bool HasCalls = false;
  for (size_t I = First; I < End; ++I) {
    if (!Passes.wants(I, M))
      continue;
    const PassInfo &Info = *Passes[I].Info;
    if (!Info.TakesPatched && !C.isPatcher(Info))
      return Lifted;
    ++NumWanted;
    NumAlone += C.isPatcher(Info);
    HasCalls |= Codes.hasCalls() && llvm::any_of(Info.Places, isCallKind);
  }
  if (NumAlone)
    return NumWanted == 1 && Passes.sees(M) ? ForOnePass : Lifted;
  if (!NumWanted || (HasCalls && !Codes.fitCalls()))
    return Lifted;
  const llvm::ArrayRef<unsigned> Of = Advices.advicesFor(M);
  return (HasCalls || !Of.empty()) && Codes.plan(Of).Fits && Passes.sees(M)
             ? ForAdvices
             : Lifted;
}

/// The advices of \p M, which has a patched body, can be in it.
inline bool AdviceServices::fits(const Method &M) {
  const Snippets::Plan &P = Codes.plan(M);
  const CodePatch &S = *M.IR->Patch;
  // With sites in front of super(), a lifted body has other ranges there.
  if (S.branchesBeforeSuper() &&
      (Codes.hasCalls() || !P.at(AdviceKind::Unit).empty()))
    return false;
  return (S.KeepsThis || isStatic(M.IR->classFile(), M) || !P.NamesThis) &&
         !(P.TakesReturned && S.LoadsBeforeBorder) && Codes.giveSlots(*M.IR, P);
}

bool AdviceServices::patch(Method &M) {
  if (!C.liftPatched(M))
    return false;
  if (Asked == ForOnePass ? !M.IR->Patch->branchesBeforeSuper() : fits(M))
    return true;
  C.forget(M);
  M.IR.reset();
  return false;
}

bool AdviceServices::adopt(Method &M, ActivePasses &Passes, size_t First,
                           size_t End) {
  M.IR->Patch->Keeps = Codes.keep();
  for (size_t I = First; I < End; ++I)
    if (!Passes[I].Info->Places.empty() && Passes.wants(I, M))
      return Codes.plan(M).Fits && fits(M);
  return true; // its advices were placed
}

void AdviceServices::undo(const Method &M) {
  Advices.withdrawPlaced(M);
  Calls.forgetPool();
  Codes.forgetPool();
}

void AdviceServices::takeResult(ClassResult &R) {
  Advices.reportRefused();
  R.Applied = Advices.placedProbes();
  if (O.ReportDetails)
    R.Rows.Placed = Advices.placedRows();
}

llvm::Expected<ClassResult> jopt::runWithAdvices(const Pipeline &P,
                                                 ClassFile &F,
                                                 const AdviceRunOptions &O) {
  return runPipeline(P, F, O,
                     [&O](PassContext &C, ClassEditor &Editor)
                         -> std::unique_ptr<ClassServices> {
                       return std::make_unique<AdviceServices>(C, Editor, O);
                     });
}
