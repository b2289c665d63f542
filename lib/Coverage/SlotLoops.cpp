//===- SlotLoops.cpp - Loops whose counts wait in slots -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/SlotLoops.h"
#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using namespace jopt::coverage;
using Edge = EdgeGraph::Edge;

namespace {
/// A run, or what leads to all of them.
struct RunNode {
  uint32_t Run = UINT32_MAX;
  llvm::SmallVector<RunNode *, 2> Next;
};
} // namespace

template <> struct llvm::GraphTraits<RunNode *> {
  using NodeRef = RunNode *;
  using ChildIteratorType = llvm::SmallVectorImpl<RunNode *>::iterator;
  static NodeRef getEntryNode(RunNode *N) { return N; }
  static ChildIteratorType child_begin(NodeRef N) { return N->Next.begin(); }
  static ChildIteratorType child_end(NodeRef N) { return N->Next.end(); }
};

namespace {
class LoopFinder {
public:
  LoopFinder(const CodeEdges &E, llvm::ArrayRef<double> Weights)
      : E(E), G(E.Graph), Weights(Weights) {}

  std::vector<SlotLoop> run();

private:
  /// Where a loop is left there is code for each slot of it; a method may not
  /// become too large to be compiled.
  static constexpr size_t MostSlots = 4, MostWaysOut = 6, MostBytes = 3000;

  bool isQuick(uint32_t Run) const;
  bool mayFind() const;
  void findLoops();
  SlotLoop make(uint32_t Loop) const;
  bool isBounded(const SlotLoop &L, uint32_t Loop) const;
  void addExceptions(SlotLoop &L, uint32_t Loop) const;
  void chooseSlots(SlotLoop &L, double Left) const;

  const CodeEdges &E;
  const EdgeGraph &G;
  const llvm::ArrayRef<double> Weights;
  std::vector<uint32_t> LoopOf; ///< by run, from 1 on; 0: it is in none
  uint32_t NumLoops = 0;
};
} // namespace

/// It may be in such a loop.
bool LoopFinder::isQuick(uint32_t Run) const {
  return Run != G.root() && E.Code[Run].IsReached && !E.Code[Run].MayWait &&
         !G.Runs[Run].IsOpen;
}

/// Some edge leads back, and one that is counted is between such runs.
bool LoopFinder::mayFind() const {
  return llvm::any_of(G.Edges,
                      [&](const Edge &Each) {
                        return Each.To <= Each.From && isQuick(Each.From) &&
                               isQuick(Each.To);
                      }) &&
         llvm::any_of(G.Edges, [&](const Edge &Each) {
           return Each.IsCounted && isQuick(Each.From) && isQuick(Each.To);
         });
}

void LoopFinder::findLoops() {
  std::vector<RunNode> Nodes(G.root());
  RunNode All;
  for (uint32_t R = 0; R < G.root(); ++R) {
    Nodes[R].Run = R;
    if (isQuick(R))
      All.Next.push_back(&Nodes[R]);
  }
  for (const Edge &Each : G.Edges)
    if (isQuick(Each.From) && isQuick(Each.To))
      Nodes[Each.From].Next.push_back(&Nodes[Each.To]);
  LoopOf.resize(G.root());
  for (auto I = llvm::scc_begin(&All); !I.isAtEnd(); ++I)
    if (I.hasCycle()) {
      ++NumLoops;
      for (const RunNode *N : *I)
        LoopOf[N->Run] = NumLoops;
    }
}

void LoopFinder::addExceptions(SlotLoop &L, uint32_t Loop) const {
  std::vector<uint32_t> Positions;
  const std::vector<uint32_t> At = G.positions();
  for (uint32_t P = 0; P < At.size(); ++P)
    if (LoopOf[At[P]] == Loop)
      Positions.push_back(P);
  L.LeavesMethod = !Positions.empty();
  for (uint32_t H = 0; H < G.Handlers.size(); ++H)
    if (llvm::any_of(Positions, [&](uint32_t P) {
          return G.Handlers[H].First <= P && P <= G.Handlers[H].Last;
        }))
      L.Handlers.push_back(H);
}

/// Some way out of the loop depends on a slot that the loop stores to, as where
/// it counts. Others may last until another thread stores to memory, or for
/// ever: what waits in slots would not be told.
bool LoopFinder::isBounded(const SlotLoop &L, uint32_t Loop) const {
  uint64_t Stores = 0;
  for (uint32_t R = 0; R < G.root(); ++R)
    if (LoopOf[R] == Loop)
      Stores |= E.Code[R].Stores;
  // The condition may begin some runs earlier: a run ends at what may throw.
  auto Before = [&](uint32_t R) -> std::optional<uint32_t> {
    const bool Falls = llvm::any_of(G.Edges, [&](const Edge &Each) {
      return Each.Kind == Edge::Fall && Each.To == R && Each.From + 1 == R;
    });
    if (!Falls || !R || LoopOf[R - 1] != Loop ||
        E.Code[R].Line != E.Code[R - 1].Line)
      return std::nullopt;
    return R - 1;
  };
  return llvm::any_of(L.Out, [&](uint32_t I) {
    for (std::optional<uint32_t> R = G.Edges[I].From; R; R = Before(*R))
      if (E.Code[*R].Loads & Stores)
        return true;
    return false;
  });
}

/// Those that are taken often, the most of them first, if the loop is left so
/// often.
void LoopFinder::chooseSlots(SlotLoop &L, double Left) const {
  // What leaves it costs an update and another store.
  llvm::erase_if(L.Counted, [&](uint32_t I) { return Weights[I] <= 2 * Left; });
  llvm::stable_sort(L.Counted, [&](uint32_t A, uint32_t B) {
    return Weights[A] > Weights[B];
  });
  if (L.Counted.size() > MostSlots)
    L.Counted.resize(MostSlots);
}

SlotLoop LoopFinder::make(uint32_t Loop) const {
  SlotLoop L;
  double Left = 0;
  auto IsIn = [&](uint32_t R) { return R != G.root() && LoopOf[R] == Loop; };
  for (uint32_t I = 0; I < G.Edges.size(); ++I) {
    const Edge &Each = G.Edges[I];
    if (!IsIn(Each.From))
      continue;
    if (!IsIn(Each.To)) {
      L.Out.push_back(I);
      Left += Weights[I];
    } else if (Each.IsCounted) {
      L.Counted.push_back(I);
    }
  }
  if (!isBounded(L, Loop))
    L.Counted.clear();
  chooseSlots(L, Left);
  if (!L.Counted.empty())
    addExceptions(L, Loop);
  if (L.Out.size() + L.Handlers.size() > MostWaysOut)
    L.Counted.clear();
  return L;
}

std::vector<SlotLoop> LoopFinder::run() {
  if (E.Code.empty() || E.Code.back().Last > MostBytes || !mayFind())
    return {};
  findLoops();
  std::vector<SlotLoop> Loops;
  for (uint32_t L = 1; L <= NumLoops; ++L)
    if (SlotLoop Made = make(L); !Made.Counted.empty())
      Loops.push_back(std::move(Made));
  return Loops;
}

std::vector<SlotLoop> coverage::findSlotLoops(const CodeEdges &E,
                                              llvm::ArrayRef<double> Weights) {
  return LoopFinder(E, Weights).run();
}
