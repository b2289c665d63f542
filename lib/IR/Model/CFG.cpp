//===- CFG.cpp - Bodies as graphs -----------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/CFG.h"
#include "jopt/IR/Text/Printer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;

/// Hands out \p Edges, which lie one node's behind the other's, in pieces of
/// the lengths \p Counts.
template <typename Take>
static void cut(llvm::MutableArrayRef<FlowNode *> Edges,
                llvm::ArrayRef<size_t> Counts, Take Each) {
  for (size_t N = 0; N < Counts.size(); ++N) {
    Each(N, Edges.take_front(Counts[N]));
    Edges = Edges.drop_front(Counts[N]);
  }
}

FlowGraph::FlowGraph(const Body &F, FlowEdges E)
    : Nodes(F.blocks().size()), ById(F.numBlocks()) {
  for (auto [B, N] : llvm::zip(F.blocks(), Nodes)) {
    N.B = const_cast<Block *>(&B);
    N.Graph = this;
    ById[B.id()] = &N;
  }
  std::vector<size_t> Out(Nodes.size()), In(Nodes.size());
  auto Add = [&](const Block *To) {
    Successors.push_back(&(*this)[*To]);
    ++In[size_t(Successors.back() - Nodes.data())];
  };
  llvm::SmallPtrSet<const Block *, 8> Handlers;
  for (auto [N, Count] : llvm::zip(Nodes, Out)) {
    size_t First = Successors.size();
    if (const Instruction *T = N.block().terminator())
      llvm::for_each(T->successors(), Add);
    N.NumNormal = Successors.size() - First;
    if (E == FlowEdges::WithThrows) {
      Handlers.clear();
      forEachTry(N.block().throwEdges(), [&](const TryEntry *T) {
        if (Handlers.insert(T->Handler).second)
          Add(T->Handler);
      });
    }
    Count = Successors.size() - First;
  }
  cut(Successors, Out, [&](size_t N, llvm::ArrayRef<FlowNode *> Edges) {
    Nodes[N].Successors = Edges;
  });
  Predecessors.resize(Successors.size());
  std::vector<FlowNode **> Next(Nodes.size());
  cut(Predecessors, In, [&](size_t N, llvm::MutableArrayRef<FlowNode *> Edges) {
    Nodes[N].Predecessors = Edges;
    Next[N] = Edges.data();
  });
  for (FlowNode &N : Nodes)
    for (FlowNode *S : N.Successors)
      *Next[size_t(S - Nodes.data())]++ = &N;
}

void FlowNode::printAsOperand(llvm::raw_ostream &OS, bool) const {
  OS << blockName(*B);
}
