//===- PlaceUnits.cpp - Advices at executable units -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Sites/PatchSites.h"
#include "../Sites/SelfCoveringHandlers.h"
#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/Placement.h"
#include "jopt/Support/Statistics.h"

using namespace jopt;

#define GET_STATISTICS_PlaceUnits
#include "jopt/Passes/Passes.inc"

namespace {
struct UnitSite {
  Instruction *First;
  unsigned Number;
  bool HasThis;
};
} // namespace

/// The first instruction of each unit, wherever a copy of it stands. A unit
/// that is never reached may have none.
static std::vector<UnitSite> findSites(const Placement &P,
                                       const MethodUnits &M) {
  std::vector<UnitSite> Sites;
  SlotState State(P.F);
  auto Starts = [&](int32_t BCI, unsigned Unit) {
    return BCI == int32_t(M.Units[Unit].Start);
  };
  for (Block &B : P.F.blocks()) {
    State.enter(B);
    int64_t Last = -1;
    for (Instruction &I : B) {
      if (I.bci() >= 0 && I.advice() < 0 && I.op() != irop::FallThrough) {
        unsigned Unit = M.unitAt(uint32_t(I.bci()));
        // A block that begins at a unit may have lost its first instruction to
        // an earlier pass; one that a range border cut begins inside of one.
        bool Begins =
            Last >= 0 || Starts(I.bci(), Unit) || Starts(B.bci(), Unit);
        if (Unit != Last && Begins)
          Sites.push_back({&I, Unit, P.hasThis(State.slots())});
        Last = Unit;
      }
      State.step(I);
    }
  }
  return Sites;
}

bool PlaceUnitsPass::begin(PassContext &C) const {
  if (!hasAdviceOf(AdviceKind::Unit, C))
    return false;
  materializeBytecode(C, true);
  C.makeAnchors();
  return true;
}

llvm::Expected<PreservedAnalyses> PlaceUnitsPass::run(Body &F,
                                                      PassContext &C) const {
  if (F.Patch) {
    auto Placed = patchUnits(F, C);
    if (!Placed)
      return Placed.takeError();
    NumUnits += *Placed;
    return PreservedAnalyses::none();
  }
  Placement P(F, C);
  auto List = P.advices(AdviceKind::Unit);
  const MethodUnits &Units =
      C.analysis<ClassUnits>(F.classFile()).of(F.method(), C);
  auto Emit = [&](Instruction *Before, unsigned Number, bool HasThis) {
    SiteValues S;
    S.HasThis = HasThis;
    S.give(DataItem::UnitNumber, int32_t(Number));
    for (unsigned N : List)
      P.emit(Before, N, S);
    ++NumUnits;
  };

  if (!Units.HasLines) {
    // Once per activation; entry advices come in front of it.
    Block &Front = P.prologue(List.front());
    Block *Site = F.split(&Front, Front.terminator()->getIterator());
    Emit(Site->terminator(), 0, !P.Static && !P.This.Constructor);
  } else {
    std::vector<UnitSite> Sites = findSites(P, Units);
    P.prepareThis(List);
    for (const UnitSite &S : Sites) {
      SelfCoveringHandler Own(F, S.First);
      Instruction *Before = P.cutBefore(S.First);
      Emit(Before, S.Number, S.HasThis);
      Own.close(Before);
    }
  }
  if (llvm::Error E = P.finish())
    return E;
  return PreservedAnalyses::none();
}
