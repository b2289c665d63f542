//===- DSE.cpp - Remove stores to slots that nobody reads -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeadCode.h"
#include "DebugRows.h"
#include "StackDepth.h"
#include "jopt/IR/Model/SlotState.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

#define GET_STATISTICS_DSE
#include "jopt/Passes/Passes.inc"

static bool isStore(const Instruction &I) {
  return I.op() == irop::LocalSet || I.op() == irop::LocalInc;
}

static bool isWideStore(const Instruction &I) {
  return I.op() == irop::LocalSet && I.operand(0)->type().isCategory2();
}

/// The stores of \p B that nobody reads.
static void findUnread(Block &B, const SlotLiveness &L, StoreSet &Found) {
  L.walk(B, [&](Instruction &I, const llvm::BitVector &Live) {
    if (!isStore(I) || Live.test(I.index()) ||
        (isWideStore(I) && Live.test(I.index() + 1)))
      return true;
    Found.insert(&I);
    return false;
  });
}

/// Those that store what the slot holds.
static void findRepeated(Block &B, StoreSet &Found) {
  llvm::SmallDenseMap<unsigned, unsigned, 16> Written; ///< slot: when
  llvm::SmallDenseMap<const Value *, unsigned, 16> Read;
  unsigned Now = 1;
  for (Instruction &I : B) {
    ++Now;
    if (I.op() == irop::LocalGet)
      Read[&I] = Now;
    if (!isStore(I))
      continue;
    auto WrittenSince = [&](const Instruction &Get) {
      const unsigned At = Read.lookup(&Get);
      return !At || Written.lookup(I.index()) > At ||
             (isWideStore(I) && Written.lookup(I.index() + 1) > At);
    };
    const auto *Get = I.op() == irop::LocalSet
                          ? llvm::dyn_cast<Instruction>(I.operand(0))
                          : nullptr;
    if (Get && Get->op() == irop::LocalGet && Get->index() == I.index() &&
        !WrittenSince(*Get)) {
      Found.insert(&I);
      continue;
    }
    Written[I.index()] = Now;
    if (isWideStore(I))
      Written[I.index() + 1] = Now;
  }
}

/// Keeps stores of null to slots with an object: they let go of it.
static void keepNulls(Body &F, StoreSet &Found) {
  auto IsNull = [](const Instruction &I) {
    return I.op() == irop::LocalSet && I.operand(0)->type().is(Type::Null);
  };
  if (llvm::none_of(Found, [&](const Instruction *I) { return IsNull(*I); }))
    return;
  SlotState S(F);
  for (Block &B : F.blocks()) {
    S.enter(B);
    for (Instruction &I : B) {
      const Type Held = isStore(I) ? S.slot(I.index()) : Type();
      if (IsNull(I) && Held.isReference() && !Held.is(Type::Null))
        Found.erase(&I);
      S.step(I);
    }
  }
}

/// Nobody uses \p V any more, which is made in front of \p At. Where \p B
/// leaves the method such values may stay on the stack, unless it gets deeper
/// than it ever was: then they are popped. \p Left counts those that stay.
static void popIfDeep(Value &V, Block &B, Block::InstList::iterator At,
                      unsigned &Left) {
  const unsigned Most = B.body().OriginalMaxStack;
  if (!B.terminator()->successors().empty() || !Most)
    return;
  StackDepth Stack(B);
  for (auto It = B.end(); It != At;)
    Stack.stepOver(*--It);
  Left += V.type().slots();
  if (Stack.most() + Left <= Most)
    return;
  V.setPopped(true);
  Left -= V.type().slots();
}

llvm::Expected<PreservedAnalyses> DSEPass::run(Body &F, PassContext &C) const {
  if (F.Inferred || F.Inlined || llvm::none_of(F.blocks(), [](const Block &B) {
        return llvm::any_of(B.instructions(), isStore);
      }))
    return PreservedAnalyses::all();
  std::optional<DeadCode> D;
  llvm::BitVector Slots(F.numSlots());
  unsigned Count = 0;
  const SlotLiveness *L;
  // What feeds a store may be a read of a slot.
  for (;;) {
    L = &C.analysis<SlotLiveness>(F);
    if (!L->isKnown())
      break;
    StoreSet Found;
    for (Block &B : F.blocks()) {
      findUnread(B, *L, Found);
      findRepeated(B, Found);
    }
    keepNulls(F, Found);
    if (Found.empty())
      break;
    if (!D)
      D.emplace(F, C);
    dropStaleRows(F, C, Found);
    for (Block &B : F.blocks()) {
      unsigned Left = 0;
      for (auto It = B.end(); It != B.begin();) {
        Instruction &I = *std::prev(It);
        if (!Found.erase(&I)) {
          --It;
          continue;
        }
        Slots.set(I.index());
        if (isWideStore(I))
          Slots.set(I.index() + 1);
        ++Count;
        Value *V = I.op() == irop::LocalSet ? I.operand(0) : nullptr;
        D->erase(&I);
        const auto *Of = llvm::dyn_cast_or_null<Instruction>(V);
        if (V && !D->uses(*V) && (!Of || Of->block()))
          popIfDeep(*V, B, It, Left);
      }
    }
    C.invalidate(F, PreservedAnalyses::none().preserve<Effects>());
  }
  if (!L->isKnown())
    C.missed(F.method(), "too many slots and blocks to look at");
  if (!Count)
    return PreservedAnalyses::all();
  NumStores += Count;
  NumFrames += pruneFrames(F, *L, Slots);
  C.remark(F.method(),
           "removed " + llvm::Twine(Count) + " stores that nobody reads");
  return PreservedAnalyses::none().preserve<Effects>().preserve<SlotLiveness>();
}
