//===- ForwardSlots.cpp - Leave on the stack what is read at once ---------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeadCode.h"
#include "DebugRows.h"
#include "StackDepth.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

#define GET_STATISTICS_ForwardSlots
#include "jopt/Passes/Passes.inc"

/// Slots from here on have no opcodes of one byte.
static constexpr unsigned FirstLongSlot = 4;

namespace {
/// A store, and the read of the slot right behind it.
struct Pair {
  Instruction *Set, *Get;
  bool IsLast; ///< nobody else reads what is stored
};
} // namespace

/// The instruction behind \p I that has code.
static Instruction *nextCode(Instruction &I) {
  auto It = std::next(I.getIterator());
  while (It != I.block()->end() && It->info().NoCode && !It->isTerminator())
    ++It;
  return It == I.block()->end() ? nullptr : &*It;
}

static std::vector<Pair> findPairs(Block &B, const SlotLiveness &L,
                                   llvm::ArrayRef<unsigned> Uses) {
  std::vector<Pair> Pairs;
  StackDepth Stack(B);
  const unsigned Most = B.body().OriginalMaxStack;
  L.walk(B, [&](Instruction &I, const llvm::BitVector &Live) {
    Stack.stepOver(I);
    if (I.op() != irop::LocalGet || &I == &*B.begin())
      return true;
    Instruction &Set = *std::prev(I.getIterator());
    const unsigned Slot = I.index();
    if (Set.op() != irop::LocalSet || Set.index() != Slot ||
        nextCode(Set) != &I || Uses[Set.operand(0)->id()] != 1 ||
        !Uses[I.id()] || Set.operand(0)->type().is(Type::Null))
      return true;
    const bool Wide = I.type().isCategory2();
    const bool IsLast = !Live.test(Slot) && !(Wide && Live.test(Slot + 1)) &&
                        !L.isReadByHandlers(B, Slot) &&
                        !(Wide && L.isReadByHandlers(B, Slot + 1));
    // A copy must not make the stack deeper than it ever was.
    const bool Fits = !Most || Stack.depth() + 2 * I.type().slots() <= Most;
    if (IsLast || (Slot >= FirstLongSlot && Fits))
      Pairs.push_back({&Set, &I, IsLast});
    return true;
  });
  return Pairs;
}

/// Some slot is read right behind a store to it.
static bool hasPairs(const Body &F) {
  for (const Block &B : F.blocks()) {
    const Instruction *Last = nullptr;
    for (const Instruction &I : B.instructions()) {
      if (I.op() == irop::LocalGet && Last && Last->op() == irop::LocalSet &&
          Last->index() == I.index())
        return true;
      Last = &I;
    }
  }
  return false;
}

llvm::Expected<PreservedAnalyses> ForwardSlotsPass::run(Body &F,
                                                        PassContext &C) const {
  if (F.Inferred || F.Inlined || !hasPairs(F))
    return PreservedAnalyses::all();
  const auto &L = C.analysis<SlotLiveness>(F);
  if (!L.isKnown())
    return PreservedAnalyses::all();
  std::vector<unsigned> Uses = countUses(F);
  std::vector<Pair> Pairs;
  for (Block &B : F.blocks())
    llvm::append_range(Pairs, findPairs(B, L, Uses));
  if (Pairs.empty())
    return PreservedAnalyses::all();
  LineKeeper Lines(F, C);
  StoreSet Gone;
  for (const Pair &P : Pairs)
    if (P.IsLast)
      Gone.insert(P.Set);
  dropStaleRows(F, C, Gone);
  llvm::BitVector Slots(F.numSlots());
  for (const Pair &P : Pairs) {
    Value *V = P.Set->operand(0);
    V->setKeep(V->keep() || P.Get->keep() || !P.IsLast);
    V->setPopped(P.Get->popped());
    if (auto *I = llvm::dyn_cast<Instruction>(V))
      I->setFloating(false);
    replaceUses(*P.Get, *V, Uses[P.Get->id()]);
    Uses[V->id()] += Uses[P.Get->id()] - P.IsLast;
    Lines.erase(P.Get);
    if (!P.IsLast) {
      ++NumCopies;
      continue;
    }
    Slots.set(P.Set->index());
    if (V->type().isCategory2())
      Slots.set(P.Set->index() + 1);
    Lines.erase(P.Set);
    ++NumForwarded;
  }
  C.invalidate(F, PreservedAnalyses::none().preserve<Effects>());
  pruneFrames(F, C.analysis<SlotLiveness>(F), Slots);
  C.remark(F.method(), "left " + llvm::Twine(Pairs.size()) +
                           " values on the stack that are read at once");
  return PreservedAnalyses::none().preserve<Effects>().preserve<SlotLiveness>();
}
