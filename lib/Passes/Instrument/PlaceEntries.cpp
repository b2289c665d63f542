//===- PlaceEntries.cpp - Advices at the entry of methods -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Entry advices go in front of everything that other passes placed, or behind
/// the call of super(), in blocks of their own, so that exceptions of an advice
/// reach the handlers they should and no others.
///
//===----------------------------------------------------------------------===//

#include "../AdviceCode/ActivationSlots.h"
#include "../Sites/PatchSites.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/Placement.h"
#include "jopt/Support/Statistics.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

#define GET_STATISTICS_PlaceEntries
#include "jopt/Passes/Passes.inc"

namespace {

class EntryPlacer {
public:
  EntryPlacer(Body &F, PassContext &C)
      : P(F, C), F(F),
        SplitsAtSuper(P.This.Constructor &&
                      P.splitsAtSuper(P.advices(AdviceKind::Exit))) {}

  llvm::Error run();

private:
  void dropInits();
  const ThrowEdge *around(unsigned N) const;
  void placeBehind(Instruction *SuperCall);
  void emit(Instruction *Before, llvm::ArrayRef<unsigned> List, bool AfterSuper,
            const ThrowEdge *Inside);

  Placement P;
  Body &F;
  llvm::SmallVector<unsigned, 4> Entries, AfterSuper;
  const bool SplitsAtSuper;
};

} // namespace

/// The edges by which handlers see an exception of the entry advice \p N: of
/// the handlers that place-exits made, that of the next probe around its own.
const ThrowEdge *EntryPlacer::around(unsigned N) const {
  const Advice &A = P.Set.Advices[N];
  if (A.Exceptions == AdviceExceptions::Isolate || !P.Set.Probes[A.Probe].Nests)
    return nullptr;
  const bool Early =
      SplitsAtSuper && A.Constructor == ConstructorPlace::BeforeSuper;
  TryEntry *Nearest = nullptr;
  unsigned NearestExit = 0;
  for (TryEntry *T : F.tries()) {
    auto Exit = llvm::find_if(*T->Handler, [](const Instruction &I) {
      return I.op() == irop::Advice;
    });
    if (T->CatchType || Exit == T->Handler->end() ||
        P.Set.Advices[Exit->index()].Kind != AdviceKind::Exit)
      continue;
    llvm::ArrayRef<Type> Locals = T->Handler->locals();
    bool ForEarly = !Locals.empty() && Locals[0].is(Type::UninitThis);
    if (ForEarly == Early && P.isAround(Exit->index(), N) &&
        (!Nearest || P.isAround(NearestExit, Exit->index()))) {
      Nearest = T;
      NearestExit = Exit->index();
    }
  }
  return Nearest ? F.withTry(nullptr, Nearest) : nullptr;
}

/// Takes the zeros of kept values away that nothing needs.
void EntryPlacer::dropInits() {
  // A handler of the entry code wants the slots defined.
  if (llvm::any_of(Entries, [&](unsigned N) {
        return P.Set.Advices[N].Range == RangePlace::Inside || around(N);
      }))
    return;
  for (const Body::PinnedLocal &W : F.PinnedLocals) {
    if (W.Purpose != KeptSlot || needsZero(P.Set, W, Entries))
      continue;
    for (Instruction &I : llvm::make_early_inc_range(F.entry()))
      if (I.op() == irop::LocalSet && I.index() == W.Slot) {
        auto *Zero = llvm::cast<Instruction>(I.operand(0));
        F.erase(&I);
        F.erase(Zero);
        break;
      }
  }
}

/// Puts \p List before the terminator \p Before, whose block has been cut out
/// for it: outside of all ranges or, where an advice asks for it, with the
/// handlers \p Inside.
void EntryPlacer::emit(Instruction *Before, llvm::ArrayRef<unsigned> List,
                       bool AfterSuper, const ThrowEdge *Inside) {
  SiteValues S;
  S.HasThis = !P.Static && (AfterSuper || !P.This.Constructor);
  for (size_t K = 0; K < List.size(); ++K) {
    const Advice &A = P.Set.Advices[List[K]];
    const ThrowEdge *Edges =
        A.Range == RangePlace::Inside ? Inside : around(List[K]);
    Block *B = Before->block();
    if (K > 0 && B->throwEdges() != Edges)
      B = F.split(B, Before->getIterator());
    B->setThrowEdges(Edges);
    if (endsMethod(A)) {
      if (Instruction *Return = P.emitReturn(Before, List[K], S))
        P.emitExits(Return);
      ++NumEntries;
      continue;
    }
    Instruction *I = P.emit(Before, List[K], S);
    ++NumEntries;
    if (A.Result != ResultUse::Keep)
      continue;
    const auto *Slot = F.findPinnedLocal(KeptSlot, A.Probe);
    if (!Slot) {
      I->setType(Type::Void); // Nobody wants it.
      continue;
    }
    Builder Bd(F, Before);
    Bd.setAdvice(int32_t(List[K]));
    Bd.set(Slot->Slot, I);
  }
}

/// Puts the advices that wait for a call of super() or this() behind it.
void EntryPlacer::placeBehind(Instruction *Call) {
  auto Next = behindSuperCall(Call);
  // The next block may have other predecessors too.
  const Block *Follower =
      Next->op() == irop::FallThrough ? Next->successors()[0] : nullptr;
  Block *Site = F.split(Call->block(), Next);
  const ThrowEdge *Own = Follower ? Follower->throwEdges() : Site->throwEdges();
  Block *Behind = F.split(Site, Site->begin());
  emit(Site->terminator(), AfterSuper, true, Own);
  Behind->setThrowEdges(Own);
}

llvm::Error EntryPlacer::run() {
  for (unsigned N : P.advices(AdviceKind::Entry))
    if (P.This.Constructor &&
        P.Set.Advices[N].Constructor == ConstructorPlace::AfterSuper)
      AfterSuper.push_back(N);
    else
      Entries.push_back(N);
  P.prepareThis(AfterSuper);
  for (auto *List : {&Entries, &AfterSuper})
    for (unsigned N : *List)
      if (llvm::is_contained(P.Set.Advices[N].Data, DataItem::Kept))
        P.keptSlot(P.Set.Advices[N].Probe);
  dropInits();
  if (!AfterSuper.empty())
    for (Instruction *Call : P.superCalls())
      placeBehind(Call);
  if (!Entries.empty()) {
    const ThrowEdge *Inside = nullptr;
    for (const Block &B : F.blocks())
      if (llvm::any_of(B.instructions(), isOriginal)) {
        Inside = B.throwEdges();
        break;
      }
    // Behind what the prologue defines, and in front of all else.
    Block *Site = startBlock(P.prologue(Entries.front()).terminator());
    emit(Site->terminator(), Entries, false, Inside);
  }
  ++NumMethods;
  return P.finish();
}

bool PlaceEntriesPass::begin(PassContext &C) const {
  return hasAdviceOf(AdviceKind::Entry, C);
}

llvm::Expected<PreservedAnalyses> PlaceEntriesPass::run(Body &B,
                                                        PassContext &C) const {
  if (B.Patch) {
    auto Placed = patchEntries(B, C);
    if (!Placed)
      return Placed.takeError();
    NumEntries += *Placed;
    ++NumMethods;
    return PreservedAnalyses::none();
  }
  if (llvm::Error E = EntryPlacer(B, C).run())
    return E;
  return PreservedAnalyses::none();
}
