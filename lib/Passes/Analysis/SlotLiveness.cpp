//===- SlotLiveness.cpp - Which slots are read later ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/Analysis/SlotLiveness.h"
#include "jopt/IR/Model/CFG.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Passes/Analysis/LocalVariables.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace jopt;
using llvm::BitVector;

/// Bits that are kept for a method, at most.
static constexpr size_t MostBits = size_t(1) << 26;

static void setSlots(BitVector &Slots, unsigned Slot, Type Ty) {
  Slots.set(Slot);
  if (Ty.isCategory2())
    Slots.set(Slot + 1);
}

BitVector SlotLiveness::liveOut(const Block &B) const {
  BitVector Live = Always;
  if (const Instruction *T = B.terminator())
    for (const Block *S : T->successors())
      Live |= In[S->id()];
  return Live;
}

const BitVector *SlotLiveness::ofHandlers(const Block &B) const {
  if (!B.throwEdges())
    return nullptr;
  return &Thrown.find(B.throwEdges())->second;
}

/// Slots that others than \p I read at \p I.
void SlotLiveness::stepOver(const Instruction &I, const BitVector *Handlers,
                            BitVector &Live) const {
  if (Handlers && !I.info().NoCode)
    Live |= *Handlers;
  if (Named.empty() || I.bci() < 0)
    return;
  auto It = llvm::partition_point(
      Named, [&](const auto &N) { return int64_t(N.first) <= I.bci(); });
  if (It != Named.begin())
    Live |= std::prev(It)->second;
}

void SlotLiveness::step(const Instruction &I, const BitVector *Handlers,
                        BitVector &Live) const {
  switch (I.op()) {
  case irop::LocalGet:
    setSlots(Live, I.index(), I.type());
    break;
  case irop::LocalSet: {
    const bool Wide = I.operand(0)->type().isCategory2();
    for (unsigned S = I.index(); S <= I.index() + Wide; ++S)
      if (!Always.test(S))
        Live.reset(S);
    break;
  }
  case irop::Raw: // may read whatever there is
    Live.set();
    break;
  default:
    break;
  }
  stepOver(I, Handlers, Live);
}

/// Notes what handlers read on entry; true if that is more than before.
bool SlotLiveness::meetHandlers() {
  bool More = false;
  for (auto &[Set, Live] : Thrown) {
    const unsigned Count = Live.count();
    forEachTry(Set, [&](const TryEntry *T) { Live |= In[T->Handler->id()]; });
    More |= Live.count() != Count;
  }
  return More;
}

/// Cuts the code where variables begin and end.
void SlotLiveness::findNamed(const Body &F, PassContext &C) {
  const auto &Variables = C.analysis<LocalVariables>(F).All;
  std::vector<uint32_t> Borders;
  for (const LocalVariable &V : Variables) {
    Borders.push_back(V.Start);
    Borders.push_back(V.End);
  }
  llvm::sort(Borders);
  Borders.erase(std::unique(Borders.begin(), Borders.end()), Borders.end());
  if (Borders.size() * F.numSlots() > MostBits)
    return;
  for (uint32_t At : Borders)
    Named.push_back({At, BitVector(F.numSlots())});
  for (const LocalVariable &V : Variables) {
    if (V.Slot >= F.numSlots())
      continue;
    auto It = llvm::lower_bound(Named, V.Start, [](const auto &N, uint32_t At) {
      return N.first < At;
    });
    for (; It != Named.end() && It->first < V.End; ++It) {
      It->second.set(V.Slot);
      if ((V.Descriptor == "J" || V.Descriptor == "D") &&
          V.Slot + 1 < F.numSlots())
        It->second.set(V.Slot + 1);
    }
  }
}

SlotLiveness SlotLiveness::run(const Body &F, PassContext &C) {
  SlotLiveness R;
  const unsigned NumSlots = F.numSlots();
  if (size_t(F.numBlocks()) * NumSlots > MostBits || F.Patch)
    return R;
  R.Known = true;
  R.Always.resize(NumSlots);
  if (!F.initialLocals().empty() && !isStatic(F.classFile(), F.method()))
    R.Always.set(0);
  for (const Body::PinnedLocal &P : F.PinnedLocals)
    setSlots(R.Always, P.Slot, P.Ty);
  if (C.debugTables() == DebugTables::Keep)
    R.findNamed(F, C);
  R.In.assign(F.numBlocks(), R.Always);
  for (const Block &B : F.blocks())
    if (B.throwEdges())
      R.Thrown.try_emplace(B.throwEdges(), R.Always);

  R.solve(F);
  return R;
}

namespace {
/// Sets of slots as words: nearly all methods have few slots.
class SmallSolver {
public:
  static constexpr unsigned MostSlots = 64;
  SmallSolver(const Body &F, const BitVector &Always)
      : F(F), Always(wordOf(Always)), Of(F.numBlocks()) {}
  /// \p Slots are read from \p BCI on up to the next such index.
  void addNamed(uint32_t BCI, const BitVector &Slots) {
    Named.push_back({BCI, wordOf(Slots)});
  }

  void run() {
    for (const Block &B : F.blocks())
      scan(B);
    for (bool Again = true; Again;) {
      Again = false;
      for (const Block &B : llvm::reverse(F.blocks()))
        Again |= update(B);
    }
  }
  uint64_t liveIn(const Block &B) const { return Of[B.id()].In; }

private:
  struct Transfer {
    uint64_t Use = 0, Def = 0, In = 0;
    bool HasCode = false;
  };
  static uint64_t wordOf(const BitVector &Slots) {
    uint64_t Word = 0;
    for (unsigned S : Slots.set_bits())
      Word |= uint64_t(1) << S;
    return Word;
  }
  /// The slots with variables at \p BCI, most often that of the last query.
  uint64_t namedAt(int64_t BCI) {
    auto IsHere = [&](size_t N) {
      return Named[N].first <= BCI &&
             (N + 1 == Named.size() || Named[N + 1].first > BCI);
    };
    if (BCI < 0 || Named.empty() || Named.front().first > BCI)
      return 0;
    if (!IsHere(LastNamed))
      LastNamed =
          size_t(llvm::partition_point(
                     Named, [&](const auto &N) { return N.first <= BCI; }) -
                 Named.begin()) -
          1;
    return Named[LastNamed].second;
  }
  static uint64_t slots(unsigned Slot, Type Ty) {
    return (Ty.isCategory2() ? uint64_t(3) : uint64_t(1)) << Slot;
  }
  void scan(const Block &B) {
    Transfer &T = Of[B.id()];
    T.In = Always;
    for (const Instruction &I : llvm::reverse(B.instructions())) {
      T.HasCode |= !I.info().NoCode;
      if (I.op() == irop::LocalGet) {
        T.Use |= slots(I.index(), I.type());
      } else if (I.op() == irop::LocalSet) {
        const uint64_t Set = slots(I.index(), I.operand(0)->type()) & ~Always;
        T.Use &= ~Set;
        T.Def |= Set;
      } else if (I.op() == irop::Raw) {
        T.Use = ~uint64_t(0);
      }
      T.Use |= namedAt(I.bci());
    }
  }
  bool update(const Block &B) {
    Transfer &T = Of[B.id()];
    uint64_t Live = Always;
    for (const Block *S : B.terminator()->successors())
      Live |= Of[S->id()].In;
    Live = (Live & ~T.Def) | T.Use;
    if (T.HasCode)
      forEachTry(B.throwEdges(),
                 [&](const TryEntry *E) { Live |= Of[E->Handler->id()].In; });
    return std::exchange(T.In, Live) != Live;
  }

  const Body &F;
  const uint64_t Always;
  std::vector<Transfer> Of;                        ///< by Block::id()
  std::vector<std::pair<int64_t, uint64_t>> Named; ///< ascending
  size_t LastNamed = 0;
};
} // namespace

void SlotLiveness::solveSmall(const Body &F) {
  SmallSolver Solver(F, Always);
  for (const auto &[BCI, Slots] : Named)
    Solver.addNamed(BCI, Slots);
  Solver.run();
  for (const Block &B : F.blocks()) {
    const uint64_t Live = Solver.liveIn(B);
    const uint32_t Words[] = {uint32_t(Live), uint32_t(Live >> 32)};
    In[B.id()].setBitsInMask(Words, std::size(Words));
  }
  meetHandlers();
}

/// In = Use + (Out - Def) + what the handlers read.
void SlotLiveness::solve(const Body &F) {
  if (F.numSlots() <= SmallSolver::MostSlots)
    return solveSmall(F);
  struct Transfer {
    BitVector Use, Def;
    bool HasCode = false;
  };
  std::vector<Transfer> Of(F.numBlocks());
  for (const Block &B : F.blocks()) {
    Transfer &T = Of[B.id()];
    T.Use.resize(F.numSlots());
    T.Def.resize(F.numSlots());
    for (auto It = B.instructions().rbegin(); It != B.instructions().rend();
         ++It) {
      step(*It, nullptr, T.Use);
      T.HasCode |= !It->info().NoCode;
      if (It->op() == irop::LocalSet)
        setSlots(T.Def, It->index(), It->operand(0)->type());
    }
    T.Def.reset(Always);
  }
  FlowGraph G(F, FlowEdges::Normal);
  // Handlers and dead code have no predecessor there: each block is a root.
  std::vector<Block *> Order;
  llvm::SmallPtrSet<FlowNode *, 16> Seen;
  for (FlowNode &N : G.nodes())
    for (FlowNode *Next : llvm::post_order_ext(&N, Seen))
      Order.push_back(&Next->block());
  for (bool Again = true; Again;) {
    Again = meetHandlers();
    for (Block *B : Order) {
      const Transfer &T = Of[B->id()];
      BitVector Live = liveOut(*B);
      Live.reset(T.Def);
      Live |= T.Use;
      if (const BitVector *Handlers = ofHandlers(*B); Handlers && T.HasCode)
        Live |= *Handlers;
      if (Live != In[B->id()]) {
        In[B->id()] = std::move(Live);
        Again = true;
      }
    }
  }
}
