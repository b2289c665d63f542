//===- RawLifter.cpp - Raw code into instructions -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"
#include "jopt/IR/Model/SlotState.h"
#include "jopt/Reader/Lifter.h"

using namespace jopt;
using llvm::Error;

/// Puts instructions, but for what \p Lifter keeps raw, in the place of \p Raw.
/// The state is that in front of it.
static Error liftInPlace(Body &F, BlockLifter &Lifter, Instruction &Raw) {
  Block &B = *Raw.block();
  auto Last = std::prev(B.end());
  const RawCode &Code = Raw.raw();
  const uint32_t To = Code.BCI + uint32_t(Code.Code.size());
  // No `new` in raw code has a site that anybody knows.
  if (Lifter.SiteAt.size() < To)
    Lifter.SiteAt.resize(To);
  std::fill(&Lifter.SiteAt[Code.BCI], Lifter.SiteAt.data() + To,
            BlockLifter::NoSite);
  Lifter.setCode(Code.Code, Code.BCI);
  Lifter.Stack.assign(Raw.operands().begin(), Raw.operands().end());
  auto End = Lifter.lift(&B, Code.BCI, To);
  if (!End)
    return End.takeError();
  // They were appended: bring them to their place.
  auto &List = B.instructions();
  List.splice(Raw.getIterator(), List, std::next(Last), List.end());
  auto At = std::next(Raw.getIterator());
  for (Value *V : Lifter.Stack) {
    Instruction &Old = *At++;
    V->setPopped(V->popped() || Old.popped());
    B.replaceUses(&Old, V);
    F.erase(&Old);
  }
  F.erase(&Raw);
  return Error::success();
}

Error jopt::liftRaw(Body &F, KeepRaw Keep) {
  if (F.Raw <= Keep)
    return Error::success();
  PooledObject<LiftScratch> S;
  LiftOptions O;
  O.Raw = Keep;
  BlockLifter Lifter(F, {}, O, S->State);
  SlotState State(F);
  for (Block &B : F.blocks()) {
    State.enter(B);
    for (auto I = B.begin(); I != B.end();) {
      Instruction &Here = *I++;
      if (Here.op() == irop::RawValue)
        continue;
      if (Here.op() == irop::Raw) {
        while (I->op() == irop::RawValue)
          ++I;
        Lifter.Slots.reset(F.numSlots(),
                           State.slots().take_front(F.numSlots()));
        State.step(Here);
        if (Error E = liftInPlace(F, Lifter, Here))
          return E;
        continue;
      }
      State.step(Here);
    }
  }
  F.Raw = Keep;
  return Error::success();
}
