//===- DeadCode.cpp - Taking instructions away ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeadCode.h"
#include "llvm/Support/Casting.h"
#include <utility>

using namespace jopt;

std::vector<unsigned> jopt::countUses(const Body &F) {
  std::vector<unsigned> Uses(F.numValues());
  for (const Block &B : F.blocks()) {
    for (const Value *V : B.exitValues())
      ++Uses[V->id()];
    for (const Instruction &I : B.instructions())
      for (const Value *V : I.operands())
        ++Uses[V->id()];
  }
  return Uses;
}

void jopt::replaceUses(Instruction &Old, Value &New, unsigned Count) {
  Block &B = *Old.block();
  auto Replace = [&](llvm::MutableArrayRef<Value *> Values) {
    for (Value *&V : Values)
      if (V == &Old) {
        V = &New;
        --Count;
      }
  };
  for (auto It = std::next(Old.getIterator()); Count && It != B.end(); ++It)
    Replace(It->operands());
  if (Count)
    Replace(B.exitValues());
}

DeadCode::DeadCode(Body &F, PassContext &C)
    : F(F), What(C.analysis<Effects>(F)), Lines(F, C), Uses(countUses(F)) {}

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

void DeadCode::added(const Instruction &I) {
  Uses.resize(F.numValues());
  for (const Value *V : I.operands())
    ++Uses[V->id()];
  Lines.add(I);
}

void DeadCode::replaced(const Value &Old, const Value &New) {
  if (Uses.size() < F.numValues())
    Uses.resize(F.numValues());
  --Uses[Old.id()];
  ++Uses[New.id()];
}

void DeadCode::replaceUses(Instruction &Old, Value &New) {
  Uses.resize(F.numValues());
  jopt::replaceUses(Old, New, Uses[Old.id()]);
  Uses[New.id()] += std::exchange(Uses[Old.id()], 0);
}

void DeadCode::goOneWay(Block &B, size_t Only) {
  Instruction *T = B.terminator();
  Block *To = T->successors()[Only];
  const bool Falls = T->op() == irop::If && Only == 1;
  Instruction *New =
      F.create(Falls ? irop::FallThrough : irop::Goto,
               Falls ? op::NOP : op::GOTO, Type::Void, {}, T->bci());
  F.setSuccessors(New, To);
  New->setAdvice(T->advice());
  if (!Falls)
    Lines.add(*New);
  erase(T);
  F.append(New, &B);
}

namespace {

/// Whether a slot that some stores to are gone still holds, wherever a frame
/// declares it, what that says. Such frames can stay as they are: they differ
/// less from the one before.
class DeclaredSlot {
public:
  DeclaredSlot(Body &F, unsigned Slot)
      : F(F), Slot(Slot), Fails(F.numBlocks()) {
    while (spread())
      ;
  }
  bool isRight(const Block &B) const { return !Fails.test(B.id()); }

private:
  bool spread();
  bool check(const Block &To, Type Held);

  Type declared(const Block &B) const {
    return Slot < B.locals().size() && !Fails.test(B.id()) ? B.locals()[Slot]
                                                           : Type();
  }

  Body &F;
  const unsigned Slot;
  llvm::BitVector Fails; ///< by Block::id()
};

} // namespace

/// Control gets to \p To with \p Held in the slot. True if that is new, and not
/// what its frame says.
bool DeclaredSlot::check(const Block &To, Type Held) {
  const Type Says = declared(To);
  if (!To.hasFrame() || Says.is(Type::Top) || Says == Held ||
      (Says.is(Type::Ref) && Held.is(Type::Null)))
    return false;
  Fails.set(To.id());
  return true;
}

bool DeclaredSlot::spread() {
  bool Again = false;
  Type Held;
  if (Slot < F.initialLocals().size())
    Held = F.initialLocals()[Slot];
  for (const Block &B : F.blocks()) {
    if (B.hasFrame())
      Held = declared(B);
    auto Throws = [&] {
      forEachTry(B.throwEdges(),
                 [&](TryEntry *T) { Again |= check(*T->Handler, Held); });
    };
    Throws();
    for (const Instruction &I : B.instructions()) {
      if (I.op() != irop::LocalSet)
        continue;
      const Type Ty = I.operand(0)->type();
      if (I.index() == Slot)
        Held = Ty;
      else if (Ty.isCategory2() && I.index() + 1 == Slot)
        Held = Type();
      else
        continue;
      Throws();
    }
    for (const Block *S : B.terminator()->successors())
      Again |= check(*S, Held);
  }
  return Again;
}

unsigned jopt::pruneFrames(Body &F, const SlotLiveness &L,
                           const llvm::BitVector &Slots) {
  unsigned Count = 0;
  std::vector<std::optional<DeclaredSlot>> Declared(Slots.size());
  // The work is one walk for each slot.
  const bool Looks = size_t(Slots.count()) * F.numBlocks() < 1 << 16;
  auto IsRight = [&](const Block &B, unsigned S) {
    const Type Ty = B.locals()[S];
    if (!Looks || Ty.isCategory2() || Ty.is(Type::High) || Ty.is(Type::Uninit))
      return false;
    if (!Declared[S])
      Declared[S].emplace(F, S);
    return Declared[S]->isRight(B);
  };
  // Frames are looked at as they were.
  std::vector<std::pair<Block *, llvm::SmallVector<Type, 16>>> Changed;
  for (Block &B : F.blocks()) {
    if (!B.hasFrame())
      continue;
    llvm::SmallVector<Type, 16> Frame(B.locals());
    bool Changes = false;
    for (unsigned S : Slots.set_bits()) {
      if (S >= Frame.size() || L.liveIn(B).test(S) ||
          Frame[S].is(Type::UninitThis) || Frame[S].is(Type::Top) ||
          IsRight(B, S))
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
    Changed.push_back({&B, std::move(Frame)});
    ++Count;
  }
  for (auto &[B, Frame] : Changed)
    F.setFrame(B, Frame);
  return Count;
}
