//===- DeadCode.cpp - Taking instructions away ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeadCode.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

DeadCode::DeadCode(Body &F, PassContext &C)
    : F(F), What(C.analysis<Effects>(F)), Lines(F, C), Uses(F.numValues()) {
  for (const Block &B : F.blocks()) {
    for (const Value *V : B.exitValues())
      ++Uses[V->id()];
    for (const Instruction &I : B.instructions())
      for (const Value *V : I.operands())
        ++Uses[V->id()];
  }
}

void DeadCode::erase(Instruction *First) {
  llvm::SmallVector<Instruction *, 8> Work{First};
  while (!Work.empty()) {
    Instruction *I = Work.pop_back_val();
    for (Value *V : I->operands())
      if (!--Uses[V->id()])
        if (auto *Of = llvm::dyn_cast<Instruction>(V);
            Of && What.isRemovable(*Of))
          Work.push_back(Of);
    Lines.erase(I);
    ++NumErased;
  }
}

bool DeadCode::eraseIfUnused(Instruction &I) {
  if (Uses[I.id()] || !What.isRemovable(I))
    return false;
  erase(&I);
  return true;
}

void DeadCode::replaced(const Value &Old, const Value &New) {
  if (Uses.size() < F.numValues())
    Uses.resize(F.numValues());
  --Uses[Old.id()];
  ++Uses[New.id()];
}

unsigned jopt::pruneFrames(Body &F, const SlotLiveness &L,
                           const llvm::BitVector &Slots) {
  unsigned Count = 0;
  for (Block &B : F.blocks()) {
    if (!B.hasFrame())
      continue;
    llvm::SmallVector<Type, 16> Frame(B.locals());
    bool Changes = false;
    for (unsigned S : Slots.set_bits()) {
      if (S >= Frame.size() || L.liveIn(B).test(S) ||
          Frame[S].is(Type::UninitThis) || Frame[S].is(Type::Top))
        continue;
      if (Frame[S].is(Type::High) && S)
        Frame[S - 1] = Type::Top;
      if (Frame[S].isCategory2() && S + 1 < Frame.size())
        Frame[S + 1] = Type::Top;
      Frame[S] = Type::Top;
      Changes = true;
    }
    if (!Changes)
      continue;
    F.setFrame(&B, Frame);
    ++Count;
  }
  return Count;
}
