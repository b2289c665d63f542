//===- Graph.cpp - What probe points tell of each other -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/Graph.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt::coverage;

/// Steps from point to point in one method.
static constexpr size_t MostSteps = 4'000'000;

/// Finds the first nodes of some kind on all ways from a node.
namespace {
class Search {
public:
  explicit Search(const CodeGraph &G) : G(G), Seen(G.Next.size()) {}

  /// Calls \p Use with each edge from \p Node on; what it says true of is gone
  /// on from, once.
  template <typename Fn> void from(uint32_t Node, Fn Use) {
    ++Now;
    Stack.push_back(Node);
    while (!Stack.empty()) {
      const uint32_t At = Stack.pop_back_val();
      for (const CodeGraph::Edge &E : G.Next[At]) {
        ++Steps;
        if (Use(E) && Seen[E.To] != Now) {
          Seen[E.To] = Now;
          Stack.push_back(E.To);
        }
      }
    }
  }
  size_t steps() const { return Steps; }

private:
  const CodeGraph &G;
  std::vector<uint32_t> Seen; ///< by node: the search that came to it last
  llvm::SmallVector<uint32_t, 32> Stack;
  uint32_t Now = 0;
  size_t Steps = 0;
};
} // namespace

std::optional<PointGraph>
jopt::coverage::contract(const CodeGraph &G, llvm::ArrayRef<uint32_t> Kept) {
  constexpr uint32_t None = ~0u;
  std::vector<uint32_t> Names(G.Next.size(), None); // those in the result
  std::vector<uint32_t> Nodes = {CodeGraph::Entry, CodeGraph::Exit};
  Names[CodeGraph::Exit] = PointGraph::Exit;
  for (uint32_t P : Kept) {
    Names[G.Points[P]] = uint32_t(Nodes.size());
    Nodes.push_back(G.Points[P]);
  }
  PointGraph K;
  K.Next.resize(Nodes.size());
  K.Previous.resize(Nodes.size());
  Search S(G);
  llvm::SmallVector<uint32_t, 32> Work = {PointGraph::Entry};
  llvm::BitVector Reached(unsigned(Nodes.size()));
  Reached.set(PointGraph::Entry);
  std::vector<uint32_t> Last(Nodes.size(), None);
  while (!Work.empty()) {
    const uint32_t From = Work.pop_back_val();
    S.from(Nodes[From], [&](const CodeGraph::Edge &E) {
      const uint32_t To = Names[E.To];
      if (To == None)
        return true;
      if (Last[To] == From)
        return false;
      Last[To] = From;
      K.Next[From].push_back(To);
      K.Previous[To].push_back(From);
      if (!Reached[To]) {
        Reached.set(To);
        Work.push_back(To);
      }
      return false;
    });
    if (S.steps() > MostSteps)
      return std::nullopt;
  }
  return K;
}

bool jopt::coverage::canAlwaysLeave(const CodeGraph &G) {
  if (G.Ends)
    return true;
  const size_t Size = G.Next.size();
  std::vector<llvm::SmallVector<uint32_t, 2>> Previous(Size);
  llvm::BitVector Reached(unsigned(Size), false), Leaves(unsigned(Size), false);
  llvm::SmallVector<uint32_t, 32> Work = {CodeGraph::Entry};
  Reached.set(CodeGraph::Entry);
  while (!Work.empty()) {
    const uint32_t At = Work.pop_back_val();
    for (const CodeGraph::Edge &E : G.Next[At]) {
      Previous[E.To].push_back(At);
      if (!Reached[E.To]) {
        Reached.set(E.To);
        Work.push_back(E.To);
      }
    }
  }
  Work = {CodeGraph::Exit};
  Leaves.set(CodeGraph::Exit);
  while (!Work.empty())
    for (uint32_t P : Previous[Work.pop_back_val()])
      if (!Leaves[P]) {
        Leaves.set(P);
        Work.push_back(P);
      }
  Reached.reset(Leaves);
  return Reached.none();
}

bool jopt::coverage::mayThrowBehind(const CodeGraph &G,
                                    llvm::ArrayRef<uint32_t> Points) {
  llvm::BitVector Reached(unsigned(G.Next.size()), false);
  llvm::SmallVector<uint32_t, 32> Work;
  for (uint32_t P : Points)
    Work.push_back(G.Points[P]);
  while (!Work.empty())
    for (const CodeGraph::Edge &E : G.Next[Work.pop_back_val()]) {
      if (E.By == Thrown::OutOfMethod)
        return true;
      if (!Reached[E.To]) {
        Reached.set(E.To);
        Work.push_back(E.To);
      }
    }
  return false;
}

std::vector<Following> jopt::coverage::follow(const CodeGraph &G,
                                              llvm::ArrayRef<uint32_t> Points) {
  std::vector<Following> All;
  if (Points.empty())
    return All;
  All.reserve(Points.size());
  Search S(G);
  for (uint32_t P : Points) {
    Following &F = All.emplace_back();
    S.from(G.Points[P], [&](const CodeGraph::Edge &E) {
      if (E.By != Thrown::No) {
        if (!llvm::is_contained(F.Handlers, E.By))
          F.Handlers.push_back(E.By);
        return false;
      }
      const uint32_t Point = G.PointAt[E.To];
      if (Point == CodeGraph::NoPoint)
        return E.To != CodeGraph::Exit;
      if (!llvm::is_contained(F.Points, Point))
        F.Points.push_back(Point);
      return false;
    });
  }
  return All;
}
