//===- ADCE.cpp - Remove values that nobody uses --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeadCode.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

#define GET_STATISTICS_ADCE
#include "jopt/Passes/Passes.inc"

/// The call of a constructor that has no effect but the object.
static bool isQuietInit(const Instruction &I) {
  if (!I.isInit() || I.operand(0)->type().is(Type::UninitThis))
    return false;
  const MemberRef Callee = I.block()->body().pool().member(I.index());
  return Callee.Descriptor == "()V" &&
         (Callee.Owner == "java/lang/Object" ||
          Callee.Owner == "java/lang/StringBuilder");
}

/// The object that \p Init makes has no other use than that: takes both away.
static bool eraseObject(DeadCode &D, Instruction &Init) {
  auto *New = llvm::dyn_cast<Instruction>(Init.operand(0));
  if (!New || New->op() != irop::New || New->block() != Init.block() ||
      D.uses(*New) != 1 || D.uses(Init))
    return false;
  D.erase(&Init);
  D.erase(New);
  return true;
}

/// No frame and no parameter may name an object that is gone.
static bool namesUninitialized(const Body &F) {
  auto Is = [](Type T) { return T.is(Type::Uninit); };
  return llvm::any_of(F.blocks(), [&](const Block &B) {
    return llvm::any_of(B.locals(), Is) ||
           llvm::any_of(B.parameters(),
                        [&](const Value *V) { return Is(V->type()); });
  });
}

llvm::Expected<PreservedAnalyses> ADCEPass::run(Body &F, PassContext &C) const {
  if (F.Inferred || F.Inlined)
    return PreservedAnalyses::all();
  DeadCode D(F, C);
  std::optional<bool> Names;
  unsigned Objects = 0;
  for (Block &B : F.blocks()) {
    // From the end, so that all uses of a value have been seen. What goes
    // besides an instruction stands in front of it.
    for (auto It = B.end(); It != B.begin();) {
      Instruction &I = *std::prev(It);
      if (D.eraseIfUnused(I))
        continue;
      if (isQuietInit(I) && !D.uses(I)) {
        if (!Names)
          Names = namesUninitialized(F);
        if (!*Names && eraseObject(D, I)) {
          ++Objects;
          continue;
        }
      }
      --It;
    }
  }
  NumRemoved += D.numErased();
  NumObjects += Objects;
  if (D.numErased())
    C.remark(F.method(), "removed " + llvm::Twine(D.numErased()) +
                             " instructions that nobody needs");
  return PreservedAnalyses::changedIf(D.numErased()).preserve<Effects>();
}
