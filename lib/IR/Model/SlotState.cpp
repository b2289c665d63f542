//===- SlotState.cpp - Types of slots -------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/SlotState.h"

using namespace jopt;

SlotState::SlotState(const Body &F) : Slots(F.initialLocals()) {}

void SlotState::enter(const Block &B) {
  Initialized.clear();
  if (!B.hasFrame())
    return;
  Slots.assign(B.locals().begin(), B.locals().end());
  MayHoldUninit = true;
}

void SlotState::put(unsigned Slot, Type Ty) {
  unsigned End = Slot + Ty.slots();
  if (Slots.size() < End)
    Slots.resize(End, Type::Top);
  // A long or double that loses a half is gone.
  if (Slot && Slots[Slot].is(Type::High))
    Slots[Slot - 1] = Type::Top;
  if (Slots[End - 1].isCategory2() && End < Slots.size())
    Slots[End] = Type::Top;
  Slots[Slot] = Ty;
  MayHoldUninit |= Ty.is(Type::Uninit);
  if (Ty.isCategory2())
    Slots[Slot + 1] = Type::High;
}

void SlotState::step(const Instruction &I) {
  if (I.op() == irop::LocalSet) {
    Type Ty = I.operand(0)->type();
    for (const auto &[Before, After] : Initialized)
      if (Ty == Before)
        Ty = After;
    put(I.index(), Ty);
  } else if (I.op() == irop::Raw) {
    for (const RawCode::Store &S : I.raw().Stores)
      put(S.Slot, S.Ty);
  } else if (I.isInit()) {
    Type Object = I.operand(0)->type();
    Initialized.push_back({Object, I.type()});
    if (!MayHoldUninit)
      return;
    MayHoldUninit = false;
    for (Type &T : Slots) {
      if (T == Object)
        T = I.type();
      MayHoldUninit |= T.is(Type::Uninit) || T.is(Type::UninitThis);
    }
  }
}
