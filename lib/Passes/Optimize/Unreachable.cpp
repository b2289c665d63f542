//===- Unreachable.cpp - Code to which no way leads -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unreachable.h"
#include "llvm/ADT/BitVector.h"

using namespace jopt;

/// The blocks to which a way leads from the entry.
static llvm::BitVector findReachable(Body &F) {
  llvm::BitVector Reached(F.numBlocks());
  llvm::SmallVector<Block *, 16> Work{&F.entry()};
  llvm::SmallPtrSet<const ThrowEdge *, 8> Seen;
  Reached.set(F.entry().id());
  auto Reach = [&](Block *B) {
    if (Reached.test(B->id()))
      return;
    Reached.set(B->id());
    Work.push_back(B);
  };
  while (!Work.empty()) {
    Block *B = Work.pop_back_val();
    for (Block *S : B->terminator()->successors())
      Reach(S);
    if (B->throwEdges() && Seen.insert(B->throwEdges()).second)
      forEachTry(B->throwEdges(), [&](TryEntry *T) { Reach(T->Handler); });
  }
  return Reached;
}

/// Removes the entries of the exception table that cover nothing. How many
/// there were.
static unsigned removeUncovered(Body &F) {
  llvm::BitVector Covers(unsigned(F.tries().size()));
  llvm::SmallPtrSet<const ThrowEdge *, 8> Seen;
  for (const Block &B : F.blocks())
    if (B.throwEdges() && Seen.insert(B.throwEdges()).second)
      forEachTry(B.throwEdges(), [&](TryEntry *T) { Covers.set(T->Priority); });
  const llvm::SmallVector<TryEntry *, 8> Tries(F.tries());
  for (unsigned N = 0; N < Tries.size(); ++N)
    if (!Covers.test(N))
      F.eraseTry(Tries[N]);
  return unsigned(Tries.size() - F.tries().size());
}

unsigned jopt::removeUnreachable(Body &F, LineKeeper &Lines) {
  const llvm::BitVector Reached = findReachable(F);
  unsigned Count = 0;
  for (auto It = F.blocks().begin(); It != F.blocks().end();) {
    Block &B = *It++;
    if (Reached.test(B.id()))
      continue;
    for (const Instruction &I : B)
      Lines.forget(I);
    F.erase(&B);
    ++Count;
  }
  return Count + removeUncovered(F);
}
