//===- RawLifter.cpp - Raw code into instructions -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"
#include "jopt/IR/SlotState.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Reader/Lifter.h"

using namespace jopt;
using llvm::Error;

/// Puts instructions in the place of \p Raw. The state is that in front of it.
static Error liftInPlace(Body &F, BlockLifter &Lifter, Instruction &Raw) {
  Block &B = *Raw.block();
  auto Last = std::prev(B.end());
  const RawCode &Code = Raw.raw();
  Lifter.Stack.assign(Raw.operands().begin(), Raw.operands().end());
  auto End = Lifter.lift(&B, Code.BCI, Code.BCI + uint32_t(Code.Code.size()));
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

Error jopt::liftRaw(Body &F) {
  if (!F.HasRaw)
    return Error::success();
  ClassFile &Class = F.classFile();
  Method &M = F.method();
  Borrowed<LiftScratch> S;
  // The attribute is the original until the body is lowered.
  if (Error E = parseCode(Class, M.Attributes[M.codeAttribute(Class.Pool)].Data,
                          S->Code))
    return E;
  BlockLifter Lifter(F, S->Code.Code, {}, S->State);
  Lifter.SiteAt.assign(S->Code.Code.size(), BlockLifter::NoSite);
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
  F.HasRaw = false;
  return Error::success();
}
