//===- ThisState.cpp - What becomes of this -------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/Analysis/ThisState.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/IR/Model/SlotState.h"

using namespace jopt;

AnalysisKey ThisState::Key;

/// Slot 0 of other methods than constructors.
static bool keepsThis(const Body &F, Type This) {
  for (const Block &B : F.blocks()) {
    if (B.hasFrame() && (B.locals().empty() || B.locals()[0] != This))
      return false;
    for (const Instruction &I : B.instructions())
      if (I.op() == irop::LocalSet && I.index() == 0)
        return false;
  }
  return true;
}

ThisState ThisState::run(const Body &F, PassContext &) {
  ThisState R;
  if (F.initialLocals().empty() || isStatic(F.classFile(), F.method()))
    return R;
  const Type This = F.types().ref(F.classFile().name());
  R.Constructor = F.initialLocals()[0].is(Type::UninitThis);
  if (!R.Constructor) {
    R.Intact = keepsThis(F, This);
    return R;
  }
  R.Uninitialized.resize(F.numBlocks());
  R.Intact = true;
  SlotState S(F);
  for (const Block &B : F.blocks()) {
    S.enter(B);
    bool Uninit = S.slot(0).is(Type::UninitThis);
    if (Uninit)
      R.Uninitialized.set(B.id());
    R.Intact &= S.slot(0) == This || Uninit;
    for (const Instruction &I : B.instructions()) {
      bool Store = I.op() == irop::LocalSet && I.index() == 0;
      bool Call = I.isInit() && I.operand(0)->type().is(Type::UninitThis);
      bool Holds = S.slot(0).is(Type::UninitThis);
      R.Intact &= !Store;
      R.Lost |= (Store && Holds) || (Call && !Holds);
      S.step(I);
    }
  }
  return R;
}
