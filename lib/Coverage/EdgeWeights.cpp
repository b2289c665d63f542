//===- EdgeWeights.cpp - How often edges are taken, guessed ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From the runs that come first to those behind, each is begun as often as the
/// edges to it are taken together, ten times as often if it begins a loop (Wu
/// and Larus 1994 solve equations instead).
///
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/EdgeGraph.h"
#include "jopt/Support/PathNumbers.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using namespace jopt::coverage;
using Edge = EdgeGraph::Edge;

namespace {

class Guesser {
public:
  explicit Guesser(const EdgeGraph &G) : G(G) {}

  std::vector<double> run();

private:
  static constexpr double TimesAround = 10, AlwaysThrows = 1.0 / 64,
                          InHandler = 1.0 / 1024,
                          // Rather the entry is counted than a return: who
                          // never leaves is there.
      OfEntry = 0.75;

  bool isStraight() const;
  void order();
  void findLoop(uint32_t Head, llvm::ArrayRef<uint32_t> Tails);
  void leave(uint32_t Run);

  const EdgeGraph &G;
  /// By run: edges between runs.
  std::vector<llvm::SmallVector<uint32_t, 2>> Out, In;
  std::vector<uint32_t> Last; ///< runs, each behind all that it leads to
  std::vector<unsigned> Depth;
  /// By run: where edges come from that lead back to it.
  std::vector<llvm::SmallVector<uint32_t, 1>> Looped;
  llvm::BitVector IsCold; ///< whatever it leads to throws
  llvm::BitVector IsBack; ///< by edge
  std::vector<double> Times;
  std::vector<double> Weights;
};

} // namespace

void Guesser::order() {
  Out.resize(G.root());
  In.resize(G.root());
  Looped.resize(G.root());
  IsCold.resize(G.root());
  IsBack.resize(unsigned(G.Edges.size()));
  for (uint32_t I = 0; I < G.Edges.size(); ++I)
    if (const Edge &E = G.Edges[I]; E.From != G.root() && E.To != G.root()) {
      Out[E.From].push_back(I);
      In[E.To].push_back(I);
    }
  DepthFirstWalk::run(
      G.root(),
      [&](uint32_t R, size_t I) {
        return I < Out[R].size() ? G.Edges[Out[R][I]].To
                                 : DepthFirstWalk::NoEdge;
      },
      [&](uint32_t R, size_t I) {
        IsBack.set(Out[R][I]);
        Looped[G.Edges[Out[R][I]].To].push_back(R);
      },
      [&](uint32_t R) {
        Last.push_back(R);
        if (G.Runs[R].IsThrow ||
            (!Out[R].empty() && llvm::all_of(Out[R], [&](uint32_t I) {
              return IsCold[G.Edges[I].To];
            })))
          IsCold.set(R);
      });
}

/// All that the edges back come from without \p Head.
void Guesser::findLoop(uint32_t Head, llvm::ArrayRef<uint32_t> Tails) {
  llvm::BitVector Seen(G.root());
  llvm::SmallVector<uint32_t, 16> Work;
  auto Add = [&](uint32_t R) {
    if (Seen[R])
      return;
    Seen.set(R);
    ++Depth[R];
    Work.push_back(R);
  };
  Add(Head);
  Work.clear();
  for (uint32_t T : Tails)
    Add(T);
  while (!Work.empty()) {
    const uint32_t R = Work.pop_back_val();
    for (uint32_t I : In[R])
      Add(G.Edges[I].From);
  }
}

/// Parts what comes to \p Run among its edges.
void Guesser::leave(uint32_t Run) {
  double All = 0;
  auto Odds = [&](uint32_t I) {
    const uint32_t To = G.Edges[I].To;
    return (Depth[To] < Depth[Run] ? 1 / (TimesAround - 1) : 1) *
           (IsCold[To] ? AlwaysThrows : 1);
  };
  for (uint32_t I : Out[Run])
    All += Odds(I);
  for (uint32_t I : Out[Run])
    Weights[I] = Times[Run] * Odds(I) / All;
}

/// Each run falls into the next, and the last one returns.
bool Guesser::isStraight() const {
  return G.Edges.size() == G.root() + 1 && G.Handlers.empty() &&
         G.Edges.back().Kind == Edge::Return &&
         llvm::all_of(llvm::ArrayRef(G.Edges).slice(1).drop_back(),
                      [](const Edge &E) { return E.Kind == Edge::Fall; });
}

std::vector<double> Guesser::run() {
  if (isStraight()) {
    Weights.assign(G.Edges.size(), 1);
    Weights[0] = OfEntry;
    return std::move(Weights);
  }
  order();
  Depth.resize(G.root());
  Weights.resize(G.Edges.size());
  // Each loop takes a walk: too many are none.
  constexpr uint64_t MostSteps = 20'000'000;
  uint64_t Steps = 0;
  for (uint32_t R = 0; R < G.root(); ++R)
    if (!Looped[R].empty() && (Steps += G.Edges.size()) < MostSteps)
      findLoop(R, Looped[R]);
  Times.assign(G.root(), 0);
  for (const EdgeGraph::Handler &H : G.Handlers)
    Times[H.Run] = InHandler;
  if (G.root())
    Times[0] = 1;
  for (uint32_t R : llvm::reverse(Last)) {
    for (uint32_t I : In[R])
      if (!IsBack[I])
        Times[R] += Weights[I];
    if (!Looped[R].empty())
      Times[R] *= TimesAround;
    leave(R);
  }
  for (uint32_t I = 0; I < G.Edges.size(); ++I)
    if (G.Edges[I].Kind == Edge::Entry)
      Weights[I] = OfEntry;
    else if (G.Edges[I].Kind == Edge::Return)
      Weights[I] = Times[G.Edges[I].From];
  return std::move(Weights);
}

std::vector<double> coverage::guessWeights(const EdgeGraph &G) {
  return Guesser(G).run();
}
