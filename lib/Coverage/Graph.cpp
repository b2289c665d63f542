//===- Graph.cpp - What probe points tell of each other -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/Graph.h"
#include "jopt/Support/PooledObject.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt::coverage;

/// The limit of steps from point to point in one method.
static constexpr size_t MostSteps = 4'000'000;

namespace {
/// Memory that is reused for the next search.
struct SearchMemory {
  std::vector<uint32_t> Seen; ///< by node: the search that came to it last
  std::vector<uint32_t> Stack;
  uint32_t Now = 0; ///< the search that is under way
};

/// Finds the first nodes of some kind on all ways from a node.
class NodeSearch {
public:
  explicit NodeSearch(const ProbeGraph &G) : G(G) {
    if (Own->Seen.size() >= G.Next.size())
      return;
    Own->Seen.resize(G.Next.size());
    Own->Stack.resize(G.Next.size() + 1); // where it begins may come again
  }

  /// Calls \p Use with each edge from \p Node on; what it says true of is gone
  /// on from, once.
  template <typename Fn> void from(uint32_t Node, Fn Use) {
    SearchMemory &M = *Own;
    if (!++M.Now) { // all numbers were used
      M.Seen.assign(M.Seen.size(), 0);
      M.Now = 1;
    }
    const uint32_t Now = M.Now;
    uint32_t *const Seen = M.Seen.data(), *const Stack = M.Stack.data();
    uint32_t *Top = Stack;
    for (*Top++ = Node; Top != Stack;) {
      const llvm::ArrayRef<ProbeGraph::Edge> Next = G.Next[*--Top];
      Steps += Next.size();
      for (const ProbeGraph::Edge &E : Next)
        if (Use(E) && Seen[E.To] != Now) {
          Seen[E.To] = Now;
          *Top++ = E.To;
        }
    }
  }
  size_t steps() const { return Steps; }

private:
  const ProbeGraph &G;
  jopt::PooledObject<SearchMemory> Own;
  size_t Steps = 0;
};

/// What contract() keeps from one graph to the next.
struct ContractMemory {
  std::vector<uint32_t> Names; ///< those of nodes in the result
  std::vector<uint32_t> Nodes; ///< of the graph, by name
  std::vector<uint32_t> Last;  ///< by name: from where an edge led there last
  llvm::SmallVector<uint32_t, 32> Work;
};
} // namespace

bool jopt::coverage::contract(const ProbeGraph &G,
                              llvm::ArrayRef<uint32_t> Kept, PointGraph &K) {
  constexpr uint32_t None = ~0u;
  jopt::PooledObject<ContractMemory> Own;
  Own->Names.assign(G.Next.size(), None);
  uint32_t *const Names = Own->Names.data();
  Names[ProbeGraph::Exit] = PointGraph::Exit;
  auto &Nodes = Own->Nodes;
  Nodes.assign({ProbeGraph::Entry, ProbeGraph::Exit});
  for (uint32_t P : Kept) {
    Names[G.Points[P]] = uint32_t(Nodes.size());
    Nodes.push_back(G.Points[P]);
  }
  K.Next.reset(Nodes.size());
  K.Previous.reset(Nodes.size());
  Own->Last.assign(Nodes.size(), None);
  uint32_t *const Last = Own->Last.data();
  NodeSearch S(G);
  auto &Work = Own->Work;
  Work.assign(1, PointGraph::Entry);
  while (!Work.empty()) {
    const uint32_t From = Work.pop_back_val();
    auto &Next = K.Next[From];
    S.from(Nodes[From], [&, Names, Last, From](const ProbeGraph::Edge &E) {
      const uint32_t To = Names[E.To];
      if (To == None)
        return true;
      if (Last[To] == From)
        return false;
      // The entry is come to from nowhere.
      if (Last[To] == None && To != PointGraph::Exit)
        Work.push_back(To);
      Last[To] = From;
      Next.push_back(To);
      K.Previous[To].push_back(From);
      return false;
    });
    if (S.steps() > MostSteps)
      return false;
  }
  return true;
}

/// From all nodes the exit can be reached: so it nearly always is, and a few
/// looks at what comes next are enough to see that.
static bool allLeave(const ProbeGraph &G) {
  constexpr unsigned MostLooks = 4;
  jopt::PooledObject<std::vector<uint8_t>> Own;
  Own->assign(G.Next.size(), false);
  uint8_t *const Leaves = Own->data();
  Leaves[ProbeGraph::Exit] = true;
  auto Look = [&](size_t Node) -> bool {
    Leaves[Node] =
        llvm::any_of(G.Next[Node], [Leaves](const ProbeGraph::Edge &E) {
          return Leaves[E.To];
        });
    return Leaves[Node];
  };
  for (unsigned Looks = 0; Looks < MostLooks; ++Looks) {
    bool All = true;
    for (size_t Node = G.Next.size(); Node-- > 0;)
      All &= Leaves[Node] || Look(Node);
    if (All)
      return true;
  }
  return false;
}

bool jopt::coverage::canAlwaysLeave(const ProbeGraph &G) {
  if (G.Ends || allLeave(G))
    return true;
  struct Memory {
    Lists<uint32_t, 4> Previous;
    llvm::SmallVector<uint32_t, 32> Work;
    llvm::BitVector Reached;
  };
  jopt::PooledObject<Memory> Own;
  auto &[Previous, Work, Reached] = *Own;
  const size_t Size = G.Next.size();
  Previous.reset(Size);
  Reached.clear();
  Reached.resize(unsigned(Size));
  unsigned Count = 1; // of nodes that were reached, and do not leave
  Work.assign(1, ProbeGraph::Entry);
  Reached.set(ProbeGraph::Entry);
  while (!Work.empty()) {
    const uint32_t At = Work.pop_back_val();
    for (const ProbeGraph::Edge &E : G.Next[At]) {
      Previous[E.To].push_back(At);
      if (!Reached[E.To]) {
        Reached.set(E.To);
        ++Count;
        Work.push_back(E.To);
      }
    }
  }
  if (!Reached[ProbeGraph::Exit])
    return false;
  Work.push_back(ProbeGraph::Exit);
  for (Reached.reset(ProbeGraph::Exit); !Work.empty(); --Count)
    for (uint32_t P : Previous[Work.pop_back_val()])
      if (Reached[P]) {
        Reached.reset(P);
        Work.push_back(P);
      }
  return Count == 0;
}

bool jopt::coverage::mayThrowBehind(const ProbeGraph &G,
                                    llvm::ArrayRef<uint32_t> Points) {
  llvm::BitVector Reached(unsigned(G.Next.size()), false);
  llvm::SmallVector<uint32_t, 32> Work;
  for (uint32_t P : Points)
    Work.push_back(G.Points[P]);
  while (!Work.empty())
    for (const ProbeGraph::Edge &E : G.Next[Work.pop_back_val()]) {
      if (E.By == Thrown::OutOfMethod)
        return true;
      if (!Reached[E.To]) {
        Reached.set(E.To);
        Work.push_back(E.To);
      }
    }
  return false;
}

std::vector<PointSuccessors>
jopt::coverage::follow(const ProbeGraph &G, llvm::ArrayRef<uint32_t> Points) {
  std::vector<PointSuccessors> All;
  if (Points.empty())
    return All;
  All.reserve(Points.size());
  NodeSearch S(G);
  for (uint32_t P : Points) {
    PointSuccessors &F = All.emplace_back();
    S.from(G.Points[P], [&](const ProbeGraph::Edge &E) {
      if (E.By != Thrown::No) {
        if (!llvm::is_contained(F.Handlers, E.By))
          F.Handlers.push_back(E.By);
        return false;
      }
      const uint32_t Point = G.PointAt[E.To];
      if (Point == ProbeGraph::NoPoint)
        return E.To != ProbeGraph::Exit;
      if (!llvm::is_contained(F.Points, Point))
        F.Points.push_back(Point);
      return false;
    });
  }
  return All;
}
