//===- SnippetPlans.cpp - Advices by where they go ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The facts that follow from a list of advices alone, computed once: whether
/// they can be in patched bodies, and where each goes.
///
//===----------------------------------------------------------------------===//

#include "../Sites/PatchSites.h"
#include "jopt/Advice/Matcher.h"

using namespace jopt;
using llvm::ArrayRef;
using llvm::StringRef;

/// \p A is a call at its site and no more, and its result, if it is used, is
/// kept.
bool Snippets::isPlain(unsigned N) const {
  const Advice &A = Set.Advices[N];
  if (A.Result != ResultUse::Ignore && A.Result != ResultUse::Keep)
    return false;
  return (A.Kind == AdviceKind::Entry || A.Kind == AdviceKind::Exit ||
          A.Kind == AdviceKind::Handler || A.Kind == AdviceKind::Unit ||
          A.Kind == AdviceKind::StaticInitializer) &&
         !needsWholeBody(A) && !findDecider(Set, N) &&
         !(A.Kind == AdviceKind::Unit && hasBranches(A)) &&
         A.Range == RangePlace::Outside &&
         A.Constructor == ConstructorPlace::BeforeSuper;
}

void SnippetPlans::enter(uint64_t Of) {
  constexpr size_t Most = 1024; // a list for each method is not worth it
  if (std::exchange(Run, Of) != Of || !Of || Known.size() > Most)
    Known.clear();
  Templates.enter(Of);
}

SnippetPlans &Snippets::ofRun() {
  if (!Plans.OfRun) {
    Plans.OfRun.emplace();
    (*Plans.OfRun)->enter(Match ? Match->id() : 0);
  }
  return **Plans.OfRun;
}

Snippets::Plan &SnippetPlans::find(ArrayRef<unsigned> Advices) {
  return Known[StringRef(reinterpret_cast<const char *>(Advices.data()),
                         Advices.size() * sizeof(unsigned))];
}

const Snippets::Plan &Snippets::findPlan(ArrayRef<unsigned> Advices) {
  for (Plan *P : Plans.OfClass)
    if (P->Of.data() == Advices.data())
      return *(Plans.Last = P);
  Plan &P = ofRun().find(Advices);
  if (!P.IsMade)
    makePlan(P, Advices);
  P.Of = Advices;
  std::fill(std::begin(P.Known), std::end(P.Known), nullptr);
  Plans.OfClass.push_back(&P);
  if (P.Fits)
    expectQuestions(Advices);
  return *(Plans.Last = &P);
}

/// Makes the plan \p P of \p Advices; it is empty.
void Snippets::makePlan(Plan &P, ArrayRef<unsigned> Advices) const {
  P.IsMade = true;
  P.make(Set, Advices);
  for (unsigned N : Advices)
    P.Fits &=
        Set.Advices[N].Kind == AdviceKind::StaticInitializer || isPlain(N);
  const ArrayRef<unsigned> Handlers = P.at(AdviceKind::Handler);
  P.NumbersHandlers = llvm::any_of(Handlers, [&](unsigned N) {
    return takes(Set, N, DataItem::UnitNumber);
  });
  P.Fits &= !isAroundOthers(P);
  auto Branch = [&](ArrayRef<unsigned> List) {
    return llvm::any_of(
        List, [&](unsigned N) { return hasBranches(Set.Advices[N]); });
  };
  P.ReturnsBranch = Branch(P.Returns);
  P.HandlersBranch = Branch(Handlers);
  const bool HasBranches = Branch(Advices);
  // In the middle of code the stack is moved, and types are not known.
  P.Fits &= !HasBranches || (P.at(AdviceKind::Unit).empty() && !HasCalls);
  noteSlots(P);
  P.Constant = !P.NamesThis && P.Slots.empty() && !HasBranches;
  for (ArrayRef<unsigned> List :
       {P.at(AdviceKind::Entry), ArrayRef<unsigned>(P.Returns),
        ArrayRef<unsigned>(P.Throws), Handlers}) {
    const Plan::Differs By = dependsOn(List);
    P.Constant &= !By.ByName && !By.ByDescriptor;
  }
  // A value waits elsewhere while there may be an exception.
  P.TakesReturned =
      P.ReturnsBranch || llvm::any_of(P.Returns, [&](unsigned N) {
        return llvm::any_of(Set.Advices[N].Data, [](const DataUse &Use) {
          return getInfo(Use.Item).IsReturned;
        });
      });
}

/// A probe of \p P sees what others throw: it nests, and others do.
bool Snippets::isAroundOthers(const Plan &P) const {
  auto Nests = [&](unsigned Probe) { return Set.Probes[Probe].Nests; };
  if (llvm::count_if(P.Probes, Nests) > 1)
    return true;
  const ArrayRef<unsigned> Exits = P.at(AdviceKind::Exit);
  const auto NumNesting = llvm::count_if(
      Exits, [&](unsigned N) { return Nests(Set.Advices[N].Probe); });
  return NumNesting && NumNesting != int64_t(Exits.size());
}

/// Tells the pool what it will be asked for, if that is not many names.
void Snippets::expectQuestions(ArrayRef<unsigned> Advices) const {
  const bool SaysNames = llvm::any_of(Set.Advices, [](const Advice &A) {
    return llvm::any_of(
        A.Data, [](const DataUse &Use) { return isNameOfMethod(Use.Item); });
  });
  if (SaysNames)
    return;
  constexpr size_t Enough = 16; // an index pays then
  llvm::SmallVector<llvm::StringRef, Enough> Texts = {"java/lang/Throwable",
                                                      "StackMapTable"};
  for (unsigned N : Advices) {
    const AdviceBody &B = Set.Advices[N].Body;
    for (llvm::StringRef Text :
         {llvm::StringRef(B.Owner), llvm::StringRef(B.Name),
          llvm::StringRef(B.Descriptor)})
      if (Texts.size() < Enough && !llvm::is_contained(Texts, Text))
        Texts.push_back(Text);
  }
  C.classFile().Pool.expectQuestions(Texts);
}

Snippets::CallPlan &Snippets::callPlan(ArrayRef<unsigned> Advices) {
  for (const auto &P : CallPlans)
    if (P->Of.data() == Advices.data())
      return *P;
  CallPlan &P = *CallPlans.emplace_back(std::make_unique<CallPlan>());
  P.Of = Advices;
  P.make(Set, Advices);
  P.BeforeCall = familyOf(BeforeCall, P.Before);
  P.AfterCall = familyOf(AfterCall, P.After);
  P.CallHandler = familyOf(CallHandler, P.After);
  return P;
}
