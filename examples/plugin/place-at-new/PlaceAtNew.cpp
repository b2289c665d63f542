//===- PlaceAtNew.cpp - A pass that places advices ------------------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs the entry fragments of a method before each `new` in it: a plugin,
/// which docs/WritingAPass.md explains. build.sh builds it and runs its tests.
///
//===----------------------------------------------------------------------===//

#include "jopt/Passes/Placement.h"
#include "jopt/Passes/Plugin.h"
#include "jopt/Support/Statistics.h"

using namespace jopt;

namespace {

JOPT_STATISTIC(NumSites, "place-at-new", "sites", "Instructions new");

/// Runs the entry advices of methods in front of each `new` in them instead.
struct PlaceAtNew {
  bool wants(const Method &M, PassContext &C) const {
    return hasAdviceOf(AdviceKind::Entry, M, C);
  }

  llvm::Expected<PreservedAnalyses> run(Body &F, PassContext &C) const {
    struct Site {
      Instruction *New;
      bool HasThis;
    };
    std::vector<Site> Sites;
    Placement P(F, C);
    SlotState State(F);
    for (Block &B : F.blocks()) {
      State.enter(B);
      for (Instruction &I : B) {
        if (I.op() == irop::New && isOriginal(I))
          Sites.push_back({&I, P.hasThis(State.slots())});
        State.step(I);
      }
    }
    if (Sites.empty())
      return PreservedAnalyses::all();
    llvm::ArrayRef<unsigned> List = P.advices(AdviceKind::Entry);
    P.prepareThis(List);
    for (const Site &S : Sites) {
      SiteValues Values;
      Values.HasThis = S.HasThis;
      Instruction *Before = P.cutBefore(S.New);
      for (unsigned N : List)
        P.emit(Before, N, Values);
      ++NumSites;
    }
    if (llvm::Error E = P.finish())
      return E;
    return PreservedAnalyses::none();
  }
};

llvm::Error registerPasses(PassRegistry &R) {
  PassInfo Place;
  Place.Argument = "place-at-new";
  Place.Summary = "Runs entry fragments in front of each `new` instead";
  Place.Places = {AdviceKind::Entry};
  Place.Requires.set(unsigned(Property::UnplacedEntries));
  Place.Loses.set(unsigned(Property::UnplacedEntries));
  Place.Loses.set(unsigned(Property::NoAdvice));
  Place.Create = [](OptionText T) -> llvm::Expected<AnyPass> {
    OptionReader Reader(T);
    while (Reader.next())
      Reader.unknown();
    return Reader.finish<AnyPass>(PlaceAtNew());
  };
  return R.add(std::move(Place));
}

} // namespace

jopt::PluginInfo joptGetPluginInfo() {
  return {JOPT_PLUGIN_API_VERSION, "PlaceAtNew", "1.0", registerPasses};
}
