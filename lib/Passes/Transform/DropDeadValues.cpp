//===- DropDeadValues.cpp - Remove unused values --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"
#include "llvm/ADT/SmallVector.h"

using namespace jopt;

#define GET_STATISTICS_DropDeadValues
#include "jopt/Passes/Passes.inc"

/// Whether \p I can be left out where nobody uses its result. `drop` has none;
/// it keeps the shape of code that popped an object, and means nothing.
static bool isRemovable(const Instruction &I) {
  switch (I.op()) {
  case irop::Const:
  case irop::LocalGet:
    return I.isPure();
  case irop::Plain:
    // Monitors, array stores and the like have no result.
    return !I.type().isVoid() && !I.opcodeInfo().MayThrow;
  case irop::Drop:
    return true;
  default:
    return false;
  }
}

llvm::Expected<PreservedAnalyses> DropDeadValuesPass::run(Body &B,
                                                          PassContext &) const {
  // A value is used in its own block only, and after its definition: one walk
  // backwards per block sees every use before the definition.
  std::vector<unsigned> Uses(B.numValues());
  unsigned Dropped = 0;
  for (Block &Bl : B.blocks()) {
    for (const Value *V : Bl.exitValues())
      ++Uses[V->id()];
    for (auto It = Bl.instructions().rbegin();
         It != Bl.instructions().rend();) {
      Instruction &I = *It++;
      if (!Uses[I.id()] && isRemovable(I)) {
        B.erase(&I);
        ++Dropped;
        continue;
      }
      for (const Value *V : I.operands())
        ++Uses[V->id()];
    }
  }
  NumDropped += Dropped;
  return PreservedAnalyses::changedIf(Dropped);
}
