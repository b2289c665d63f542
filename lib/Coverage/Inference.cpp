//===- Inference.cpp - Which points tell of others ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/Inference.h"
#include "jopt/Support/PooledObject.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

using namespace jopt::coverage;

//===----------------------------------------------------------------------===//
// Dominators
//===----------------------------------------------------------------------===//

namespace {

/// A PointGraph in one direction, and the nodes that every way to a node goes
/// through. A small graph keeps a word for each node. For a larger one the
/// Semi-NCA algorithm (Georgiadis 2005) finds semidominators, and dominators
/// from them as nearest common ancestors. It names nodes by their places in
/// depth-first order; all ways begin at place 0.
class Ways {
public:
  enum Direction { Forward, Backward };

  void make(const PointGraph &K, Direction D);

  /// Every way to \p B goes through \p A; both are on one.
  bool allTo(uint32_t B, uint32_t A) const {
    if (IsSmall)
      return Through[B] != NoWay && Through[B] >> A & 1;
    const uint32_t Of = Places[B], By = Places[A];
    return Of != None && By != None && In[Of] >= In[By] &&
           In[Of] < In[By] + Sizes[By];
  }

private:
  static constexpr uint32_t None = ~0u;
  using NodeLists = Lists<uint32_t, 4>;

  void findThrough(const NodeLists &Previous, uint32_t Front);
  void number(const NodeLists &Next, uint32_t Front);
  uint32_t least(uint32_t V, uint32_t Linked);
  void findDominators(const NodeLists &Previous);
  void numberTree();

  /// By node, in small graphs: the set of nodes that lie on every way to it.
  static constexpr uint64_t NoWay = ~uint64_t(0);
  static constexpr size_t Few = 63;
  bool IsSmall = false;
  std::array<uint64_t, Few> Through;

  std::vector<uint32_t> Places; ///< of nodes of the graph
  std::vector<uint32_t> Nodes;  ///< by place
  /// By place, for the Semi-NCA algorithm. Parents: the parent in the
  /// depth-first tree; for linked places an ancestor, by path compression.
  /// Semis: the semidominator. Labels: the place with the least semidominator
  /// on the compressed path. Doms: the immediate dominator.
  std::vector<uint32_t> Parents, Semis, Labels, Doms;
  /// By place. In: its number in the dominator tree, in preorder. Sizes: the
  /// size of its subtree.
  std::vector<uint32_t> In, Sizes;
  llvm::SmallVector<uint32_t, 16> Stack;
  llvm::SmallVector<std::pair<uint32_t, size_t>, 16> Work; ///< node, next way
};

} // namespace

void Ways::make(const PointGraph &K, Direction D) {
  const bool IsForward = D == Forward;
  const NodeLists &Previous = IsForward ? K.Previous : K.Next;
  const uint32_t Front = IsForward ? PointGraph::Entry : PointGraph::Exit;
  IsSmall = K.size() <= Few;
  if (IsSmall) {
    findThrough(Previous, Front);
    return;
  }
  Places.assign(K.size(), None);
  Nodes.clear();
  Parents.clear();
  number(IsForward ? K.Next : K.Previous, Front);
  findDominators(Previous);
  numberTree();
}

/// Nodes without a way so far have the full set, so they do not restrict
/// others. Points are in the order of the code, so the first iteration nearly
/// always finds the result and the second confirms it.
void Ways::findThrough(const NodeLists &Previous, uint32_t Front) {
  const auto Count = uint32_t(Previous.size());
  std::fill_n(Through.begin(), Count, NoWay);
  Through[Front] = uint64_t(1) << Front;
  const bool IsForward = Front == PointGraph::Entry;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (uint32_t I = PointGraph::First; I < Count; ++I) {
      const uint32_t V = IsForward ? I : Count - 1 - (I - PointGraph::First);
      uint64_t Now = NoWay;
      for (const uint32_t From : Previous[V])
        Now &= Through[From];
      Now |= uint64_t(1) << V;
      Changed |= Now != Through[V];
      Through[V] = Now;
    }
  }
}

/// Numbers all nodes that \p Front leads to, depth first.
void Ways::number(const NodeLists &Next, uint32_t Front) {
  auto Come = [&](uint32_t Node, uint32_t From) {
    Places[Node] = uint32_t(Nodes.size());
    Nodes.push_back(Node);
    Parents.push_back(From);
    Work.push_back({Node, 0});
  };
  Come(Front, 0);
  while (!Work.empty()) {
    auto &[Node, At] = Work.back();
    if (At == Next[Node].size()) {
      Work.pop_back();
      continue;
    }
    const uint32_t To = Next[Node][At++];
    if (Places[To] == None)
      Come(To, Places[Node]);
  }
}

/// The place with the least semidominator among \p V and its linked ancestors,
/// those from \p Linked on. Compresses the path.
uint32_t Ways::least(uint32_t V, uint32_t Linked) {
  if (Parents[V] < Linked)
    return Labels[V];
  for (; Parents[V] >= Linked; V = Parents[V])
    Stack.push_back(V);
  for (; !Stack.empty(); V = Stack.back(), Stack.pop_back()) {
    const uint32_t Below = Stack.back();
    if (Semis[Labels[V]] < Semis[Labels[Below]])
      Labels[Below] = Labels[V];
    Parents[Below] = Parents[V];
  }
  return Labels[V];
}

void Ways::findDominators(const NodeLists &Previous) {
  const auto Count = uint32_t(Nodes.size());
  Doms = Parents;
  Semis.resize(Count);
  Labels.resize(Count);
  for (uint32_t V = 0; V < Count; ++V)
    Semis[V] = Labels[V] = V;
  for (uint32_t V = Count - 1; V; --V) {
    Semis[V] = Parents[V];
    for (uint32_t From : Previous[Nodes[V]])
      if (Places[From] != None)
        Semis[V] = std::min(Semis[V], Semis[least(Places[From], V + 1)]);
  }
  for (uint32_t V = 1; V < Count; ++V)
    while (Doms[V] > Semis[V])
      Doms[V] = Doms[Doms[V]];
}

void Ways::numberTree() {
  const auto Count = uint32_t(Nodes.size());
  Sizes.assign(Count, 1);
  for (uint32_t V = Count - 1; V; --V)
    Sizes[Doms[V]] += Sizes[V];
  // By place: the number for the next child. Parents is no longer needed.
  std::vector<uint32_t> &Next = Parents;
  In.assign(Count, 0);
  Next[0] = 1;
  for (uint32_t V = 1; V < Count; ++V) {
    In[V] = Next[Doms[V]];
    Next[Doms[V]] += Sizes[V];
    Next[V] = In[V] + 1;
  }
}

//===----------------------------------------------------------------------===//
// Implied points
//===----------------------------------------------------------------------===//

void jopt::coverage::inferByDominators(const PointGraph &K, Inference &Told) {
  Told.reset(K.size());
  jopt::PooledObject<Ways> To;
  To->make(K, Ways::Forward);
  for (uint32_t V = PointGraph::First; V < K.size(); ++V) {
    if (!K.isReached(V) || !llvm::all_of(K.Next[V], [&](uint32_t S) {
          return S != PointGraph::Exit && To->allTo(S, V);
        }))
      continue;
    for (uint32_t S : K.Next[V])
      if (S != V)
        Told[V].push_back(S);
  }
}

namespace {
/// Memory that is reused for the next graph.
struct FewestMemory {
  Ways To, Out;
  Inference Behind;
};

class Fewest {
public:
  Fewest(const PointGraph &K, Inference &Told)
      : K(K), Before(Told), Behind(Own->Behind) {
    Before.reset(K.size());
    Behind.reset(K.size());
    for (uint32_t V = PointGraph::First; V < K.size(); ++V)
      Loops |= llvm::any_of(K.Next[V], [V](uint32_t To) {
        return To <= V && To != PointGraph::Exit;
      });
  }

  void run();

private:
  /// Some way reaches \p U without \p V.
  bool isReachedWithout(uint32_t U, uint32_t V) {
    if (U == V || isOnly(K.Previous[U], V))
      return false;
    if ((U < V && !Loops) ||
        llvm::is_contained(K.Previous[U], PointGraph::Entry))
      return true;
    if (!std::exchange(HasTo, true))
      Own->To.make(K, Ways::Forward);
    return !Own->To.allTo(U, V);
  }
  /// Some way from \p U reaches the exit without \p V.
  bool leavesWithout(uint32_t U, uint32_t V) {
    if (U == V || isOnly(K.Next[U], V))
      return false;
    if ((U > V && !Loops) || llvm::is_contained(K.Next[U], PointGraph::Exit))
      return true;
    if (!std::exchange(HasOut, true))
      Own->Out.make(K, Ways::Backward);
    return !Own->Out.allTo(U, V);
  }
  static bool isOnly(llvm::ArrayRef<uint32_t> List, uint32_t V) {
    return List.size() == 1 && List[0] == V;
  }

  void findBefore(uint32_t V);
  void findBehind(uint32_t V);
  /// Each of the two implies the other.
  bool isPair(uint32_t U, uint32_t V) const {
    return llvm::is_contained(Behind[U], V) && llvm::is_contained(Before[V], U);
  }
  std::optional<uint32_t> pairedBefore(uint32_t V) const;
  std::optional<uint32_t> pairedBehind(uint32_t V) const;
  void settle(llvm::ArrayRef<uint32_t> Row);

  const PointGraph &K;
  jopt::PooledObject<FewestMemory> Own;
  bool Loops = false;                 ///< a way leads to no higher number
  bool HasTo = false, HasOut = false; ///< made on demand: mostly not
  Inference &Before, &Behind;
};
} // namespace

/// Finds the predecessors of \p V that lead nowhere but to it, if each way to
/// \p V passes one of them.
void Fewest::findBefore(uint32_t V) {
  if (llvm::is_contained(K.Previous[V], PointGraph::Entry))
    return;
  for (uint32_t U : K.Previous[V]) {
    const bool Others = isReachedWithout(U, V);
    if (Others && leavesWithout(U, V)) {
      Before[V].clear();
      return;
    }
    if (Others)
      Before[V].push_back(U);
  }
}

/// Finds the successors of \p V that only ways through it reach, if each way
/// from \p V passes one of them.
void Fewest::findBehind(uint32_t V) {
  if (llvm::is_contained(K.Next[V], PointGraph::Exit))
    return;
  for (uint32_t W : K.Next[V]) {
    const bool Others = leavesWithout(W, V);
    if (Others && isReachedWithout(W, V)) {
      Behind[V].clear();
      return;
    }
    if (Others)
      Behind[V].push_back(W);
  }
}

std::optional<uint32_t> Fewest::pairedBefore(uint32_t V) const {
  for (uint32_t U : Before[V])
    if (isPair(U, V))
      return U;
  return std::nullopt;
}

std::optional<uint32_t> Fewest::pairedBehind(uint32_t V) const {
  for (uint32_t W : Behind[V])
    if (isPair(V, W))
      return W;
  return std::nullopt;
}

/// Infers the points of \p Row, each of which forms a pair with the next, in
/// one direction: along the flow if the first follows from points before it,
/// else against it.
void Fewest::settle(llvm::ArrayRef<uint32_t> Row) {
  if (!Before[Row.front()].empty())
    for (uint32_t V : Row.drop_back())
      Behind[V].clear();
  else
    for (uint32_t V : Row.drop_front())
      Before[V].clear();
}

void Fewest::run() {
  for (uint32_t V = PointGraph::First; V < K.size(); ++V)
    if (K.isReached(V)) {
      findBefore(V);
      findBehind(V);
    }
  // Rows are found before one is settled.
  std::vector<llvm::SmallVector<uint32_t, 4>> Rows;
  for (uint32_t V = PointGraph::First; V < K.size(); ++V) {
    if (Behind[V].empty() || pairedBefore(V))
      continue;
    llvm::SmallVector<uint32_t, 4> Row = {V};
    while (std::optional<uint32_t> Next = pairedBehind(Row.back()))
      Row.push_back(*Next);
    if (Row.size() > 1)
      Rows.push_back(std::move(Row));
  }
  for (llvm::ArrayRef<uint32_t> Row : Rows)
    settle(Row);
  auto Add = [&](uint32_t V, uint32_t W) {
    if (!llvm::is_contained(Before[V], W))
      Before[V].push_back(W);
  };
  for (uint32_t V = PointGraph::First; V < K.size(); ++V) {
    for (uint32_t W : Behind[V])
      Add(V, W);
    // A loop may not have ended yet: what only ways through a point reach tells
    // of it, too.
    if (!Loops || Before[V].empty())
      continue;
    for (uint32_t W : K.Next[V])
      if (W >= PointGraph::First && W != V && !isReachedWithout(W, V))
        Add(V, W);
  }
}

void jopt::coverage::inferFewest(const PointGraph &K, Inference &Told) {
  Fewest(K, Told).run();
}
