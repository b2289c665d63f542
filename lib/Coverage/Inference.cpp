//===- Inference.cpp - Which points tell of others ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/Inference.h"
#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/iterator.h"
#include "llvm/Support/GenericDomTree.h"
#include "llvm/Support/GenericDomTreeConstruction.h"

using namespace jopt::coverage;

//===----------------------------------------------------------------------===//
// Dominators
//===----------------------------------------------------------------------===//

namespace jopt::coverage {
class Ways;

/// A node of a PointGraph for LLVM's templates.
struct WayNode {
  Ways *Parent = nullptr;
  llvm::SmallVector<WayNode *, 4> Next, Previous;

  Ways *getParent() const { return Parent; }
  void printAsOperand(llvm::raw_ostream &, bool) const {}
};

} // namespace jopt::coverage

namespace llvm {
template <> struct GraphTraits<WayNode *> {
  using NodeRef = WayNode *;
  using ChildIteratorType = SmallVectorImpl<WayNode *>::iterator;
  static NodeRef getEntryNode(NodeRef N) { return N; }
  static ChildIteratorType child_begin(NodeRef N) { return N->Next.begin(); }
  static ChildIteratorType child_end(NodeRef N) { return N->Next.end(); }
};
template <> struct GraphTraits<Inverse<WayNode *>> {
  using NodeRef = WayNode *;
  using ChildIteratorType = SmallVectorImpl<WayNode *>::iterator;
  static NodeRef getEntryNode(Inverse<NodeRef> N) { return N.Graph; }
  static ChildIteratorType child_begin(NodeRef N) {
    return N->Previous.begin();
  }
  static ChildIteratorType child_end(NodeRef N) { return N->Previous.end(); }
};
} // namespace llvm

namespace jopt::coverage {
/// A PointGraph in one direction, and what every way to a node goes through.
class Ways {
public:
  enum Direction { Forward, Backward };

  Ways(const PointGraph &K, Direction D);
  Ways(const Ways &) = delete;
  Ways &operator=(const Ways &) = delete;

  /// Every way to \p B goes through \p A; both are on one.
  bool allTo(uint32_t B, uint32_t A) const {
    return Tree.dominates(&Nodes[A], &Nodes[B]);
  }

  std::vector<WayNode> &nodes() { return Nodes; }
  WayNode &front() {
    return Nodes[IsForward ? PointGraph::Entry : PointGraph::Exit];
  }

private:
  std::vector<WayNode> Nodes;
  const bool IsForward;
  llvm::DominatorTreeBase<WayNode, false> Tree;
};
} // namespace jopt::coverage

namespace llvm {
template <> struct GraphTraits<Ways *> : GraphTraits<WayNode *> {
  using nodes_iterator = pointer_iterator<std::vector<WayNode>::iterator>;
  static NodeRef getEntryNode(Ways *G) { return &G->front(); }
  static nodes_iterator nodes_begin(Ways *G) {
    return nodes_iterator(G->nodes().begin());
  }
  static nodes_iterator nodes_end(Ways *G) {
    return nodes_iterator(G->nodes().end());
  }
  static size_t size(Ways *G) { return G->nodes().size(); }
};
} // namespace llvm

Ways::Ways(const PointGraph &K, Direction D)
    : Nodes(K.size()), IsForward(D == Forward) {
  for (WayNode &N : Nodes)
    N.Parent = this;
  for (uint32_t From = 0; From < K.size(); ++From)
    for (uint32_t To : K.Next[From]) {
      WayNode &A = Nodes[IsForward ? From : To];
      WayNode &B = Nodes[IsForward ? To : From];
      A.Next.push_back(&B);
      B.Previous.push_back(&A);
    }
  Tree.recalculate(*this);
  Tree.updateDFSNumbers();
}

//===----------------------------------------------------------------------===//
// What tells of a point
//===----------------------------------------------------------------------===//

Inference jopt::coverage::inferByDominators(const PointGraph &K) {
  Inference From(K.size());
  Ways To(K, Ways::Forward);
  for (uint32_t V = PointGraph::First; V < K.size(); ++V) {
    if (!K.isReached(V) || !llvm::all_of(K.Next[V], [&](uint32_t S) {
          return S != PointGraph::Exit && To.allTo(S, V);
        }))
      continue;
    for (uint32_t S : K.Next[V])
      if (S != V)
        From[V].push_back(S);
  }
  return From;
}

namespace {
class Fewest {
public:
  explicit Fewest(const PointGraph &K)
      : K(K), Before(K.size()), Behind(K.size()) {}

  Inference run();

private:
  /// \p U can be come to without \p V.
  bool isReachedWithout(uint32_t U, uint32_t V) {
    if (!To)
      To.emplace(K, Ways::Forward);
    return !To->allTo(U, V);
  }
  /// The exit can be come to from \p U without \p V.
  bool leavesWithout(uint32_t U, uint32_t V) {
    if (!Out)
      Out.emplace(K, Ways::Backward);
    return !Out->allTo(U, V);
  }

  void findBefore(uint32_t V);
  void findBehind(uint32_t V);
  /// The two tell of each other.
  bool isPair(uint32_t U, uint32_t V) const {
    return llvm::is_contained(Behind[U], V) && llvm::is_contained(Before[V], U);
  }
  std::optional<uint32_t> pairedBefore(uint32_t V) const;
  std::optional<uint32_t> pairedBehind(uint32_t V) const;
  void settle(llvm::ArrayRef<uint32_t> Row);

  const PointGraph &K;
  std::optional<Ways> To, Out; ///< made where it is asked for: mostly not
  Inference Before, Behind;
};
} // namespace

/// Those before \p V which lead nowhere but to it, if one of them is passed
/// whenever it is.
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

/// The same of those that are come to from \p V alone.
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

/// Has the points of \p Row, of which each and the next tell of each other,
/// follow in one direction: along the flow if the first follows from what is
/// before it, else against it.
void Fewest::settle(llvm::ArrayRef<uint32_t> Row) {
  if (!Before[Row.front()].empty())
    for (uint32_t V : Row.drop_back())
      Behind[V].clear();
  else
    for (uint32_t V : Row.drop_front())
      Before[V].clear();
}

Inference Fewest::run() {
  for (uint32_t V = PointGraph::First; V < K.size(); ++V)
    if (K.isReached(V)) {
      findBefore(V);
      findBehind(V);
    }
  // Rows are found before one is settled.
  std::vector<llvm::SmallVector<uint32_t, 4>> Rows;
  for (uint32_t V = PointGraph::First; V < K.size(); ++V) {
    if (pairedBefore(V))
      continue;
    llvm::SmallVector<uint32_t, 4> Row = {V};
    while (std::optional<uint32_t> Next = pairedBehind(Row.back()))
      Row.push_back(*Next);
    if (Row.size() > 1)
      Rows.push_back(std::move(Row));
  }
  for (llvm::ArrayRef<uint32_t> Row : Rows)
    settle(Row);
  for (uint32_t V = PointGraph::First; V < K.size(); ++V)
    for (uint32_t W : Behind[V])
      if (!llvm::is_contained(Before[V], W))
        Before[V].push_back(W);
  return std::move(Before);
}

Inference jopt::coverage::inferFewest(const PointGraph &K) {
  return Fewest(K).run();
}
