//===- SlotSSA.cpp - Which store a read of a slot sees --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/Analysis/SlotSSA.h"
#include "jopt/IR/Model/CFG.h"
#include "jopt/Passes/Analysis/SlotLiveness.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace jopt;

namespace jopt {

class SlotSSABuilder {
public:
  SlotSSABuilder(const Body &F, const SlotLiveness &L, SlotSSA &R)
      : F(F), L(L), R(R), G(F, FlowEdges::WithThrows) {}

  void run();

private:
  using Slots = std::vector<unsigned>;
  void enter(FlowNode &N);
  template <typename Fn> void walk(const Block &B, Slots &Now, Fn &&Each);
  void addOperands(FlowNode &N);
  void simplify();
  unsigned find(unsigned D) const;

  const Body &F;
  const SlotLiveness &L;
  SlotSSA &R;
  FlowGraph G;
  std::vector<Slots> In, Out; ///< by Block::id(); empty: not reached
  std::vector<unsigned> Same; ///< the definition that one is
};

} // namespace jopt

static bool storesSlot(const Instruction &I) {
  return I.op() == irop::LocalSet || I.op() == irop::LocalInc;
}

/// Calls \p Each with each instruction and the definitions in front of it.
template <typename Fn>
void SlotSSABuilder::walk(const Block &B, Slots &Now, Fn &&Each) {
  for (const Instruction &I : B.instructions()) {
    Each(I);
    if (!storesSlot(I))
      continue;
    // A long or double of which a half is overwritten is not read again.
    Now[I.index()] = R.Made[I.id()];
    if (I.op() == irop::LocalSet && I.operand(0)->type().isCategory2())
      Now[I.index() + 1] = SlotSSA::None;
  }
}

/// The definitions where \p N begins: those of the only block before it, else
/// one of its own for each slot that is read.
void SlotSSABuilder::enter(FlowNode &N) {
  Block &B = N.block();
  Slots &Now = In[B.id()];
  if (&B == &F.blocks().front() && N.predecessors().empty()) {
    Now.assign(F.numSlots(), 0);
    return;
  }
  if (N.predecessors().size() == 1 && !B.isHandler() &&
      &B != &F.blocks().front()) {
    Now = Out[N.predecessors()[0]->block().id()];
    return;
  }
  Now.assign(F.numSlots(), SlotSSA::None);
  for (unsigned S : L.liveIn(B).set_bits()) {
    Now[S] = unsigned(R.Defs.size());
    R.Defs.push_back({SlotSSA::Def::Phi, nullptr, &B});
  }
}

/// Gives the definitions that begin at \p N their operands.
void SlotSSABuilder::addOperands(FlowNode &N) {
  Block &B = N.block();
  for (unsigned S : L.liveIn(B).set_bits()) {
    const unsigned D = In[B.id()][S];
    if (D == SlotSSA::None || R.Defs[D].K != SlotSSA::Def::Phi ||
        R.Defs[D].At != &B)
      continue;
    auto &Operands = R.Defs[D].Operands;
    if (&B == &F.blocks().front())
      Operands.push_back({0, nullptr});
    for (FlowNode *P : N.predecessors()) {
      const Block &From = P->block();
      if (In[From.id()].empty())
        continue;
      if (!B.isHandler()) {
        Operands.push_back({Out[From.id()][S], &From});
        continue;
      }
      Operands.push_back({In[From.id()][S], &From});
      for (const Instruction &I : From.instructions())
        if (storesSlot(I) && I.index() == S)
          Operands.push_back({R.Made[I.id()], &From});
    }
  }
}

unsigned SlotSSABuilder::find(unsigned D) const {
  while (D != SlotSSA::None && Same[D] != D)
    D = Same[D];
  return D;
}

/// Drops definitions at joins where all ways bring the same one.
void SlotSSABuilder::simplify() {
  constexpr unsigned MostRounds = 8;
  Same.resize(R.Defs.size());
  for (unsigned D = 0; D < Same.size(); ++D)
    Same[D] = D;
  bool Again = true;
  for (unsigned Round = 0; Again && Round < MostRounds; ++Round) {
    Again = false;
    for (unsigned D = 0; D < R.Defs.size(); ++D) {
      if (R.Defs[D].K != SlotSSA::Def::Phi || Same[D] != D)
        continue;
      std::optional<unsigned> Only;
      bool Differ = false;
      for (auto [Of, From] : R.Defs[D].Operands) {
        const unsigned Now = find(Of);
        if (Now == D)
          continue;
        Differ |= Now == SlotSSA::None || (Only && *Only != Now);
        Only = Now;
      }
      if (Differ || !Only)
        continue;
      Same[D] = *Only;
      Again = true;
    }
  }
  for (unsigned &D : R.Seen)
    D = find(D);
  for (SlotSSA::Def &D : R.Defs)
    for (auto &Operand : D.Operands)
      Operand.first = find(Operand.first);
}

void SlotSSABuilder::run() {
  R.Seen.assign(F.numValues(), SlotSSA::None);
  R.Made.assign(F.numValues(), SlotSSA::None);
  R.Defs.push_back({SlotSSA::Def::Entry});
  In.resize(F.numBlocks());
  Out.resize(F.numBlocks());
  llvm::ReversePostOrderTraversal<FlowGraph *> Order(&G);
  for (FlowNode *N : Order) {
    const Block &B = N->block();
    enter(*N);
    for (const Instruction &I : B.instructions())
      if (storesSlot(I)) {
        R.Made[I.id()] = unsigned(R.Defs.size());
        R.Defs.push_back({SlotSSA::Def::Store, &I});
      }
    Slots Now = In[B.id()];
    walk(B, Now, [&](const Instruction &I) {
      if (I.op() == irop::LocalGet || I.op() == irop::LocalInc)
        R.Seen[I.id()] = Now[I.index()];
    });
    Out[B.id()] = std::move(Now);
  }
  for (FlowNode *N : Order)
    addOperands(*N);
  simplify();
}

SlotSSA SlotSSA::run(const Body &F, PassContext &C) {
  constexpr size_t Most = size_t(1) << 22; // of slots times blocks
  SlotSSA R;
  const auto &L = C.analysis<SlotLiveness>(F);
  if (!L.isKnown() || size_t(F.numBlocks()) * F.numSlots() > Most)
    return R;
  R.Known = true;
  SlotSSABuilder(F, L, R).run();
  return R;
}
