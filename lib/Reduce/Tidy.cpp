//===- Tidy.cpp - What nothing needs any more -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Subject.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace jopt;
using namespace jopt::reduce;

/// Which blocks the entry leads to, by Block::id().
static llvm::BitVector findReachable(Body &B) {
  llvm::BitVector Reached(B.numBlocks());
  llvm::SmallVector<Block *, 16> Work;
  auto Reach = [&](Block *Blk) {
    if (Reached.test(Blk->id()))
      return;
    Reached.set(Blk->id());
    Work.push_back(Blk);
  };
  Reach(&B.entry());
  while (!Work.empty()) {
    Block *Blk = Work.pop_back_val();
    if (Instruction *End = Blk->terminator())
      for (Block *Next : End->successors())
        Reach(Next);
    forEachTry(Blk->throwEdges(), [&](TryEntry *E) { Reach(E->Handler); });
  }
  return Reached;
}

static void dropUnreachable(Body &B) {
  const llvm::BitVector Reached = findReachable(B);
  const llvm::SmallVector<TryEntry *, 8> Tries(B.tries());
  for (TryEntry *E : Tries)
    if (!Reached.test(E->Handler->id()))
      B.eraseTry(E);
  for (auto It = B.blocks().begin(); It != B.blocks().end();) {
    Block &Blk = *It++;
    if (!Reached.test(Blk.id()))
      B.erase(&Blk);
  }
}

/// Entries that cover nothing.
static void dropEmptyRanges(Body &B) {
  llvm::SmallPtrSet<TryEntry *, 8> Used;
  for (Block &Blk : B.blocks())
    forEachTry(Blk.throwEdges(), [&](TryEntry *E) { Used.insert(E); });
  const llvm::SmallVector<TryEntry *, 8> Tries(B.tries());
  for (TryEntry *E : Tries)
    if (!Used.contains(E))
      B.eraseTry(E);
}

/// A goto to the next block falls through, and one block takes in the next
/// where nothing else leads there.
static void joinBlocks(Body &B) {
  std::vector<unsigned> Ways(B.numBlocks());
  ++Ways[B.entry().id()];
  for (Block &Blk : B.blocks())
    if (Instruction *End = Blk.terminator())
      for (Block *Next : End->successors())
        ++Ways[Next->id()];
  for (Block &Blk : B.blocks()) {
    auto Next = std::next(Blk.getIterator());
    while (Next != B.blocks().end()) {
      Instruction *End = Blk.terminator();
      const bool ReplacesCaught =
          End && (End->op() == irop::Goto || End->op() == irop::FallThrough) &&
          End->successors()[0] == &*Next;
      if (!ReplacesCaught)
        break;
      if (End->op() == irop::Goto) {
        Instruction *Falls =
            B.create(irop::FallThrough, op::NOP, Type::Void, {}, End->bci());
        B.setSuccessors(Falls, {&*Next});
        B.erase(End);
        B.append(Falls, &Blk);
      }
      if (Ways[Next->id()] != 1 || Next->isHandler() ||
          Next->throwEdges() != Blk.throwEdges())
        break;
      B.join(&Blk);
      Next = std::next(Blk.getIterator());
    }
  }
}

static void dropUnused(Body &B) {
  for (Block &Blk : B.blocks())
    for (auto It = Blk.instructions().rbegin();
         It != Blk.instructions().rend();) {
      Instruction &I = *It++;
      if (I.isPure() && !Blk.countUses(&I))
        B.erase(&I);
    }
}

namespace {
/// Which slots are read before they are written.
class LiveSlots {
public:
  explicit LiveSlots(const Body &B) : In(B.numBlocks(), Slots(B.numSlots())) {
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (const Block &Blk : llvm::reverse(B.blocks()))
        Changed |= visit(Blk);
    }
  }
  bool contains(const Block &B, unsigned Slot) const {
    return Slot < In[B.id()].size() && In[B.id()].test(Slot);
  }

private:
  using Slots = llvm::BitVector;

  bool visit(const Block &Blk) {
    Slots Live(In[Blk.id()].size());
    if (const Instruction *End = Blk.terminator())
      for (const Block *Next : End->successors())
        Live |= In[Next->id()];
    for (const Instruction &I : llvm::reverse(Blk.instructions())) {
      if (I.op() == irop::LocalSet)
        set(Live, I.index(), I.operand(0)->type(), false);
      else if (I.op() == irop::LocalGet || I.op() == irop::LocalInc)
        set(Live, I.index(), I.type(), true);
    }
    // An exception may come before anything was written.
    forEachTry(Blk.throwEdges(),
               [&](const TryEntry *E) { Live |= In[E->Handler->id()]; });
    if (Live == In[Blk.id()])
      return false;
    In[Blk.id()] = std::move(Live);
    return true;
  }
  static void set(Slots &Live, unsigned Slot, Type Ty, bool To) {
    const unsigned End = Slot + std::max(1u, Ty.slots());
    for (unsigned S = Slot; S < End && S < Live.size(); ++S)
      Live[S] = To;
  }

  std::vector<Slots> In;
};
} // namespace

/// Narrows frames to the slots that are read, so that writes to others can go.
static void narrowFrames(Body &B) {
  const LiveSlots Live(B);
  for (Block &Blk : B.blocks()) {
    if (!Blk.hasFrame())
      continue;
    llvm::SmallVector<Type, 16> Slots(Blk.locals());
    for (unsigned S = 0; S < Slots.size(); ++S)
      // Without it the JVM takes the object for initialised.
      if (!Slots[S].is(Type::UninitThis) && !Live.contains(Blk, S))
        Slots[S] = Type::Top;
    while (!Slots.empty() && Slots.back().is(Type::Top))
      Slots.pop_back();
    if (llvm::ArrayRef<Type>(Slots) != Blk.locals())
      B.setFrame(&Blk, Slots);
  }
}

void jopt::reduce::tidy(Body &B) {
  dropUnreachable(B);
  joinBlocks(B);
  dropUnused(B);
  dropEmptyRanges(B);
  dropUnreachable(B);
  // What raw code reads is not known.
  if (B.Raw == KeepRaw::No)
    narrowFrames(B);
}
