//===- ValueHomes.cpp - Where a value can be had again --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueHomes.h"
#include "jopt/IR/Surgery/Surgery.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

static bool writesSlot(const Instruction &I) {
  return I.op() == irop::LocalSet || I.op() == irop::LocalInc;
}

static Block *blockOf(const Value *V) {
  if (const auto *P = llvm::dyn_cast<Parameter>(V))
    return P->block();
  return llvm::cast<Instruction>(V)->block();
}

/// Where \p V is there.
static Block::InstList::iterator behind(Value *V) {
  auto *I = llvm::dyn_cast<Instruction>(V);
  return I ? std::next(I->getIterator()) : blockOf(V)->begin();
}

/// Finds what may run from \p Behind, in \p First, on before \p At. False if
/// control may come to \p At in another way, or out of the middle of a block.
bool ValueHomes::walk(Block *First, Place Behind, Instruction *At) {
  constexpr size_t MostLooks = 1 << 18;
  Entered.clear();
  Writes.clear();
  auto Look = [&](Place I, Place End) {
    for (; I != End; ++I, ++Looks)
      if (writesSlot(*I))
        Writes.push_back(&*I);
  };
  Block *Last = At->block();
  if (First == Last)
    for (auto I = Behind; I != First->end(); ++I)
      if (&*I == At) {
        Look(Behind, I);
        return true;
      }
  Look(Last->begin(), At->getIterator());
  llvm::SmallPtrSet<Block *, 16> Seen;
  llvm::SmallVector<Block *, 16> Work;
  auto Enter = [&](Block *B) {
    Entered.insert(B);
    const auto Before = Graph[*B].predecessors();
    if (B->isHandler() || Before.empty() || B == &F.entry())
      return false;
    for (FlowNode *P : Before)
      if (Seen.insert(&P->block()).second)
        Work.push_back(&P->block());
    return true;
  };
  if (!Enter(Last))
    return false;
  while (!Work.empty()) {
    Block *B = Work.pop_back_val();
    Look(B == First ? Behind : B->begin(), B->end());
    if (Looks > MostLooks || (B != First && !Enter(B)))
      return false;
  }
  return true;
}

/// On the last walk \p Slot keeps a value of type \p Ty.
bool ValueHomes::isKept(unsigned Slot, Type Ty) const {
  auto Overlaps = [&](const Instruction *I) {
    const unsigned Width =
        I->op() == irop::LocalSet ? I->operand(0)->type().slots() : 1;
    return I->index() < Slot + Ty.slots() && Slot < I->index() + Width;
  };
  auto Lacks = [&](const Block *B) {
    return B->hasFrame() &&
           (Slot >= B->locals().size() || B->locals()[Slot] != Ty);
  };
  return llvm::none_of(Writes, Overlaps) && llvm::none_of(Entered, Lacks);
}

/// A slot that has \p V already.
bool ValueHomes::findSlot(Value *V, Instruction *At) {
  Block *B = blockOf(V);
  auto Is = [&](const Instruction &I) {
    return walk(B, std::next(const_cast<Instruction &>(I).getIterator()), At) &&
           isKept(I.index(), V->type());
  };
  auto *Made = llvm::dyn_cast<Instruction>(V);
  if (Made && Made->op() == irop::LocalGet && Is(*Made)) {
    Homes[{V, At}] = {nullptr, Made->index()};
    return true;
  }
  for (const Instruction &I : *B)
    if (I.op() == irop::LocalSet && I.operand(0) == V && Is(I)) {
      Homes[{V, At}] = {nullptr, I.index()};
      return true;
    }
  return false;
}

bool ValueHomes::find(Value *V, Instruction *At) {
  auto *Made = llvm::dyn_cast<Instruction>(V);
  if (Made && Made->op() == irop::Const && Made->isPure()) {
    Homes[{V, At}] = {Made, std::nullopt};
    return true;
  }
  // An object that is not initialised changes its type.
  if (V->type().is(Type::Uninit) || V->type().is(Type::UninitThis))
    return false;
  if (findSlot(V, At))
    return true;
  // Frames have no type that is null.
  if (V->type().is(Type::Null) || !walk(blockOf(V), behind(V), At))
    return false;
  Homes[{V, At}] = {};
  for (Block *B : Entered)
    if (B->hasFrame())
      Own[V].Frames.insert(B);
  return true;
}

Value *ValueHomes::take(Builder &B, Value *V, Instruction *At) {
  const Home &Of = Homes.find({V, At})->second;
  if (Of.Constant)
    return copyFloating(B, *Of.Constant);
  const Type Ty = V->type();
  if (Of.Slot) {
    Instruction *Read = B.get(*Of.Slot, Ty);
    Read->setFloating(false);
    return Read;
  }
  OwnSlot &Slot = Own[V];
  if (!Slot.Slot) {
    Slot.Slot = F.addSlot(Ty.slots());
    Builder Store(F);
    Store.setPoint(blockOf(V), behind(V));
    Store.setAdvice(B.advice());
    Store.set(*Slot.Slot, V);
    for (Block *In : Slot.Frames) {
      llvm::SmallVector<Type, 16> Frame(In->locals());
      declareSlot(Frame, *Slot.Slot, Ty);
      F.setFrame(In, Frame);
    }
  }
  Instruction *Read = B.get(*Slot.Slot, Ty);
  Read->setFloating(false);
  return Read;
}
