//===- PlaceThrows.cpp - Advices where exceptions are thrown --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In front of each athrow of the original code, with what it throws on the
/// stack:
/// \code
///   ...; E                  ...; E; advices, given E
///   athrow            =>    athrow
/// \endcode
/// Those that compilers make count: the end of a `finally` throws again what
/// came in. Those that other passes made do not.
///
//===----------------------------------------------------------------------===//

#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/Placement.h"
#include "jopt/Support/Statistics.h"

using namespace jopt;

#define GET_STATISTICS_PlaceThrows
#include "jopt/Passes/Passes.inc"

bool PlaceThrowsPass::begin(PassContext &C) const {
  return hasAdviceOf(AdviceKind::Throw, C);
}

bool PlaceThrowsPass::wants(const Method &M, PassContext &C) const {
  return hasAdviceOf(AdviceKind::Throw, M, C);
}

llvm::Expected<PreservedAnalyses> PlaceThrowsPass::run(Body &F,
                                                       PassContext &C) const {
  Placement P(F, C);
  llvm::SmallVector<std::pair<Instruction *, bool>, 8> Throws;
  SlotState State(F);
  for (Block &B : F.blocks()) {
    State.enter(B);
    for (Instruction &I : B) {
      if (I.op() == irop::Throw && isOriginal(I))
        Throws.push_back({&I, P.hasThis(State.slots())});
      State.step(I);
    }
  }
  if (Throws.empty())
    return PreservedAnalyses::all();

  auto List = P.advices(AdviceKind::Throw);
  P.prepareThis(List);
  for (auto [Throw, HasThis] : Throws) {
    SiteValues S;
    S.HasThis = HasThis;
    S.give(DataItem::ExceptionObject, Throw->operand(0));
    for (unsigned N : List)
      P.emit(Throw, N, S);
    ++NumThrows;
  }
  if (llvm::Error E = P.finish())
    return E;
  return PreservedAnalyses::none();
}
