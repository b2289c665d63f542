//===- CodePlaces.cpp - Places of original code in a body -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodePlaces.h"
#include "jopt/IR/Surgery/Surgery.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace jopt;
using coverage::ProbePoint;

CodePlaces::CodePlaces(Body &F) : F(F) {
  Ways.resize(F.numBlocks());
  for (Block &B : F.blocks()) {
    if (B.isHandler())
      Ways[B.id()] += 2;
    for (Instruction &I : B) {
      if (I.bci() < 0 || I.op() == irop::FallThrough)
        continue;
      const auto BCI = uint32_t(I.bci());
      if (BCI >= At.size())
        At.resize(BCI + 1);
      if (!At[BCI])
        At[BCI] = &I;
      if (I.isTerminator())
        Ends[BCI] = &I;
    }
    // Both edges of an `if` count, even if they lead to the same block.
    const bool IsIf = B.terminator()->op() == irop::If;
    llvm::SmallPtrSet<Block *, 4> Seen;
    for (Block *S : B.terminator()->successors())
      if (Seen.insert(S).second || IsIf)
        ++Ways[S->id()];
  }
  ++Ways[F.entry().id()];
}

Block &jopt::addPrologue(Body &F) {
  Block *Old = &F.entry();
  Block *Front = F.createBlock(Old);
  RecordingBuilder B(F);
  B.setEnd(Front);
  B.fallThrough(Old);
  return *Front;
}

/// \p Edges lead to the handler of \p T, by whichever row of the table.
static bool leadToHandlerOf(const ThrowEdge *Edges, const TryEntry &T) {
  bool Lead = false;
  forEachTry(Edges, [&](const TryEntry *Of) {
    Lead |= Of->Handler == T.Handler && Of->CatchType == T.CatchType;
  });
  return Lead;
}

/// The edges of \p Own whose handlers \p Other leads to as well.
static const ThrowEdge *commonEdges(Body &F, const ThrowEdge *Own,
                                    const ThrowEdge *Other) {
  const ThrowEdge *Common = Own;
  forEachTry(Own, [&](TryEntry *T) {
    if (!leadToHandlerOf(Other, *T))
      Common = F.withoutTry(Common, T);
  });
  return Common;
}

/// The place on the edge from \p T to \p To: for an `if`, on the edge that
/// jumps, or falls.
Instruction *CodePlaces::onEdge(Instruction &T, const Block &To, bool Jumps) {
  if (llvm::all_equal(T.successors()) && T.op() != irop::If)
    return &T;
  if (Ways[To.id()] == 1 && llvm::count(T.successors(), &To) == 1)
    return &*T.successors()[size_t(llvm::find(T.successors(), &To) -
                                   T.successors().begin())]
                 ->begin();
  const bool Falls = T.op() == irop::If && !Jumps;
  Block *New = cutEdge(T, const_cast<Block &>(To), Falls);
  // A lock that both ends hold has the handler that gives it back.
  if (!Falls)
    New->setThrowEdges(
        commonEdges(F, To.throwEdges(), T.block()->throwEdges()));
  return New->terminator();
}

/// Some handler covers \p B and not \p Before.
static bool entersRange(const Block &Before, const Block &B) {
  bool Enters = false;
  forEachTry(B.throwEdges(), [&](const TryEntry *T) {
    Enters |= !leadToHandlerOf(Before.throwEdges(), *T);
  });
  return Enters;
}

/// Where control falls into \p I. At the beginning of a range that is inside of
/// it: see PatchCoverage.cpp.
Instruction *CodePlaces::findFall(Instruction &I) {
  Block *B = I.block();
  if (&*B->begin() != &I)
    return &I;
  if (B == &F.entry())
    return nullptr;
  Instruction *T = std::prev(B->getIterator())->terminator();
  if (!T || !llvm::is_contained(T->successors(), B) ||
      (T->op() != irop::FallThrough && T->op() != irop::If))
    return nullptr;
  if (T->op() == irop::FallThrough && entersRange(*T->block(), *B)) {
    if (Ways[B->id()] == 1)
      return &I;
    Block *New = F.split(T->block(), T->getIterator());
    New->setThrowEdges(B->throwEdges());
    addBlocks();
    return New->terminator();
  }
  return onEdge(*T, *B, /*Jumps=*/false);
}

Instruction *CodePlaces::find(const ProbePoint &P) {
  if (P.Kind == ProbePoint::Arrive)
    return at(P.To);
  if (P.Kind == ProbePoint::Fall) {
    Instruction *I = at(P.To);
    return I ? findFall(*I) : nullptr;
  }
  Instruction *T = Ends.lookup(P.From);
  if (P.Kind == ProbePoint::Leave)
    return T;
  if (!T) // a goto to what follows
    return at(P.From);
  for (Block *To : T->successors())
    if (To->bci() == P.To && (T->op() != irop::If || To == T->successors()[0]))
      return onEdge(*T, *To, /*Jumps=*/true);
  return nullptr;
}

Instruction *CodePlaces::find(const coverage::CodePaths &Paths, uint32_t Block,
                              size_t Edge) {
  const coverage::PathBlock &B = Paths.blocks()[Block];
  const coverage::PathBlock::Edge &E = B.Next[Edge];
  // Both edges of an `if` may lead to the same block.
  Instruction *T = B.Next.size() == 1 ? end(B.Last) : nullptr;
  if (T)
    return T;
  ProbePoint P;
  P.Kind = E.Kind == coverage::PathBlock::Edge::Fall     ? ProbePoint::Fall
           : E.Kind == coverage::PathBlock::Edge::Switch ? ProbePoint::Switch
                                                         : ProbePoint::Jump;
  P.From = uint16_t(B.Last);
  P.To = uint16_t(Paths.blocks()[E.To].Start);
  return find(P);
}

void jopt::startBehindSuper(Body &F, const ThisState &This) {
  if (!This.Constructor)
    return;
  for (Block &B : F.blocks())
    for (Instruction &I : B)
      if (isSuperCall(I)) {
        startBlock(&*std::next(I.getIterator()));
        break;
      }
}

/// Blocks with original code that a handler may cover.
static llvm::SmallVector<Block *, 32> blocksBehindSuper(Body &F,
                                                        const ThisState &This) {
  llvm::SmallVector<Block *, 32> Covered;
  bool Uninit = This.Constructor;
  for (Block &B : F.blocks()) {
    if (B.id() < This.Uninitialized.size())
      Uninit = This.Uninitialized[B.id()];
    if (!Uninit &&
        llvm::any_of(B, [](const Instruction &I) { return I.bci() >= 0; }))
      Covered.push_back(&B);
    if (Uninit && llvm::any_of(B, isSuperCall))
      Uninit = false;
  }
  return Covered;
}

bool jopt::addRecordingHandler(Body &F, const ThisState &This,
                               llvm::function_ref<void(Instruction *)> Record,
                               llvm::function_ref<bool(const Block &)> Covers) {
  llvm::SmallVector<Block *, 32> Covered = blocksBehindSuper(F, This);
  llvm::erase_if(Covered, [&](const Block *B) { return !Covers(*B); });
  if (Covered.empty())
    return false;
  Block *H = addCatchAll(F, {});
  RecordingBuilder B(F);
  B.setEnd(H);
  B.raise(H->parameters()[0]);
  Record(H->terminator());
  F.addFinalHandler(H, Covered);
  return true;
}
