//===- PathCopies.cpp - Blocks that count, and copies that ask ------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PathCopies.h"
#include "jopt/IR/Surgery/Surgery.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace jopt;
using namespace jopt::coverage;

/// HotSpot compiles no method of more bytes.
static constexpr size_t MostBytes = 8000;
/// About how many bytes a question takes, and a count.
static constexpr size_t BytesOfGate = 32, BytesOfCount = 16;

bool PathCopies::arePossible(Body &F, const CodePaths &Paths) {
  if (Paths.numCut())
    return false;
  llvm::DenseSet<uint32_t> Starts;
  size_t Counts = 0;
  for (const PathBlock &B : Paths.blocks()) {
    if (!B.IsReached)
      continue;
    Counts += B.Next.size() + B.Returns;
    if (B.IsHandler)
      Starts.insert(B.Start);
    for (const PathBlock::Edge &E : B.Next)
      if (E.IsCut)
        Starts.insert(Paths.blocks()[E.To].Start);
  }
  if (2 * size_t(F.OriginalCodeLength) + (Starts.size() + 1) * BytesOfGate +
          Counts * BytesOfCount >
      MostBytes)
    return false;
  auto IsUninit = [](Type T) { return T.is(Type::Uninit); };
  return llvm::none_of(F.blocks(), [&](const Block &B) {
    return B.bci() >= 0 && Starts.count(uint32_t(B.bci())) &&
           (llvm::any_of(B.locals(), IsUninit) ||
            llvm::any_of(B.parameters(), [&](const Parameter *P) {
              return IsUninit(P->type());
            }));
  });
}

llvm::Error PathCopies::copy() {
  Block &Entry = F.entry();
  llvm::DenseMap<uint32_t, Block *> Starts;
  Starts[0] = &Entry;
  for (uint32_t N = 0; N < Paths.blocks().size(); ++N) {
    const PathBlock &B = Paths.blocks()[N];
    if (!B.IsReached)
      continue;
    if (Instruction *I = Places.at(B.Start); I && B.IsHandler)
      Starts[N] = I->block();
    for (size_t E = 0; E < B.Next.size(); ++E) {
      const uint32_t To = B.Next[E].To;
      if (!B.Next[E].IsCut || Paths.blocks()[To].IsHandler)
        continue;
      Instruction *T = Places.find(Paths, N, E);
      if (!T || !T->isTerminator())
        return makeError("an edge that goes back has no place");
      Starts[To] = T->successors()[0];
      Backs.push_back({N, E, T, nullptr, To});
    }
  }
  Copy = copyBlocks(F);
  for (Back &B : Backs)
    B.Asks = Copy[B.Counts->block()]->terminator();
  // In the order of the code, so that the same bytes come out.
  for (uint32_t N = 0; N < Paths.blocks().size(); ++N)
    if (Block *Counts = Starts.lookup(N))
      Beginnings.push_back({N, Counts, Copy[Counts]});
  return llvm::Error::success();
}

Instruction *PathCopies::placeOf(uint32_t Block, size_t Edge) const {
  for (const Back &B : Backs)
    if (B.Block == Block && B.Edge == Edge)
      return B.Counts;
  return nullptr;
}

/// Gives \p To what \p Like has on the stack, to go on with.
static void passOn(Body &F, Block *To, const Block &Like) {
  F.setParameters(
      To, llvm::map_to_vector<8>(Like.parameters(),
                                 [](const Parameter *P) { return P->type(); }));
  for (Parameter *P : To->parameters())
    P->setPopped(true);
  F.setExitValues(To, llvm::SmallVector<Value *, 8>(To->parameters()));
}

/// Has \p T lead to \p To instead of \p From.
void PathCopies::redirect(Instruction *T, Block *From, Block *To) {
  Block *B = T->block();
  if (T->op() == irop::FallThrough) {
    F.erase(T);
    RecordingBuilder New(F);
    New.setEnd(B);
    New.jump(To);
    return;
  }
  for (size_t I = 0; I < T->successors().size(); ++I) {
    if (T->successors()[I] != From)
      continue;
    T->successors()[I] = To;
    if (T->op() != irop::If || I == 0)
      continue;
    // The fall edge of an `if` leads to the block behind it.
    auto Next = std::next(B->getIterator());
    Block *Between = F.createBlock(Next == F.blocks().end() ? nullptr : &*Next);
    passOn(F, Between, *From);
    RecordingBuilder New(F);
    New.setEnd(Between);
    New.jump(To);
    T->successors()[I] = Between;
  }
}

/// Cuts the handler \p B behind what was put in front of \p First, its first
/// original instruction, and has it lead to \p Gate, once that is there.
static Block *cutHandler(Body &F, Block *B, Instruction *First) {
  Block *Rest = F.split(B, First->getIterator());
  F.setSharedFrame(Rest, B->locals());
  for (Parameter *P : B->parameters())
    P->setPopped(true);
  return Rest;
}

void PathCopies::addGate(Beginning &N,
                         llvm::function_ref<Value *(Builder &)> IsSampled,
                         llvm::function_ref<void(Builder &, uint32_t)> Begin) {
  N.Gate = F.createBlock();
  Block *Then = F.createBlock();
  for (Block *B : {N.Gate, Then}) {
    passOn(F, B, *N.Counts);
    B->setThrowEdges(N.Asks->throwEdges());
  }
  F.setSharedFrame(N.Gate, N.Counts->locals());
  RecordingBuilder B(F);
  B.setEnd(N.Gate);
  B.jumpIfZero(IsSampled(B), N.Asks, Then);
  B.setEnd(Then);
  Begin(B, N.Block);
  B.jump(N.Counts);
}

void PathCopies::connect(llvm::function_ref<Value *(Builder &)> IsSampled,
                         llvm::function_ref<void(Builder &, uint32_t)> Begin) {
  llvm::DenseMap<uint32_t, Block *> Gates;
  for (Beginning &N : Beginnings) {
    Block *Counts = N.Counts, *Asks = N.Asks;
    if (Counts->isHandler()) {
      N.Counts =
          cutHandler(F, Counts, Places.at(Paths.blocks()[N.Block].Start));
      N.Asks = cutHandler(F, Asks, &*Asks->begin());
    } else if (!N.Block && !Counts->hasFrame()) {
      F.setFrame(Counts, F.initialLocals());
      F.setFrame(Asks, F.initialLocals());
    }
    addGate(N, IsSampled, Begin);
    Gates[N.Block] = N.Gate;
    if (Counts->isHandler()) {
      redirect(Counts->terminator(), N.Counts, N.Gate);
      redirect(Asks->terminator(), N.Asks, N.Gate);
    }
  }
  for (const Back &B : Backs) {
    Block *Gate = Gates.lookup(B.To);
    redirect(B.Counts, B.Counts->successors()[0], Gate);
    redirect(B.Asks, B.Asks->successors()[0], Gate);
  }
  Block &Prologue = F.entry();
  redirect(Prologue.terminator(), Prologue.terminator()->successors()[0],
           Gates.lookup(0));
}
