//===- CFG.h - Bodies as graphs ---------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The control flow of a Body as a graph that LLVM's templates take: with
/// predecessors, and with or without the edges of exceptions.
/// \code
///   FlowGraph G(F, FlowEdges::WithThrows);
///   for (FlowNode *N : llvm::post_order(&G))
///     use(N->block(), N->predecessors());
///   llvm::DominatorTreeBase<FlowNode, /*IsPostDom=*/false> Dominators;
///   Dominators.recalculate(G);
/// \endcode
/// LoopInfoBase (llvm/Support/GenericLoopInfoImpl.h), scc_iterator and
/// WriteGraph take it likewise; unittests/IR/CFGTest.cpp has an example of
/// each. For dominators that are kept between passes see
/// jopt/Passes/Analysis/Dominators.h.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_MODEL_CFG_H
#define JOPT_IR_MODEL_CFG_H

#include "jopt/IR/Model/Body.h"
#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/iterator.h"
#include "llvm/Support/GenericDomTree.h"
#include <vector>

namespace jopt {

class FlowGraph;

/// Which edges a FlowGraph has.
enum class FlowEdges : uint8_t {
  /// From a terminator to its successors. Handlers have no predecessor.
  Normal,
  /// And from a block to the handlers that cover it. An exception leaves a
  /// block anywhere inside it, so one that dominates a handler was entered
  /// before, and need not have come to its end. There are as many of these
  /// edges as pairs of block and handler: in code made for it, the square of
  /// the number of blocks.
  WithThrows,
};

/// A block in a FlowGraph.
class FlowNode {
public:
  /// Const or not as in the terminators that lead to it, that is: not.
  Block &block() const { return *B; }
  /// The successors of the terminator, with repetitions and in its order, then
  /// handlers, each once, in order of priority.
  llvm::ArrayRef<FlowNode *> successors() const { return Successors; }
  /// A block with several edges to this one is there several times.
  llvm::ArrayRef<FlowNode *> predecessors() const { return Predecessors; }
  /// An exception takes the edge to successors()[\p N].
  bool isThrow(size_t N) const { return N >= NumNormal; }

  /// \name What LLVM's templates ask for
  /// @{
  FlowGraph *getParent() const { return Graph; }
  void printAsOperand(llvm::raw_ostream &OS, bool PrintType = false) const;
  /// @}

private:
  friend class FlowGraph;
  Block *B;
  FlowGraph *Graph;
  size_t NumNormal;
  llvm::ArrayRef<FlowNode *> Successors, Predecessors;
};

/// The control flow of a body at the time when the graph is made. After a
/// change of an edge or a block, make another. Linear in blocks and edges.
class FlowGraph {
public:
  FlowGraph(const Body &F, FlowEdges E);
  FlowGraph(const FlowGraph &) = delete;
  FlowGraph &operator=(const FlowGraph &) = delete;

  /// In the order of the layout; the first one is the entry.
  std::vector<FlowNode> &nodes() { return Nodes; }
  FlowNode &front() { return Nodes.front(); }
  /// \p B must have been in the layout.
  FlowNode &operator[](const Block &B) const { return *ById[B.id()]; }

private:
  std::vector<FlowNode> Nodes;
  std::vector<FlowNode *> ById; ///< by Block::id(); null: not in the layout
  std::vector<FlowNode *> Successors, Predecessors; ///< those of all nodes
};

/// How often blocks were run and edges taken, where that is known: an edge is a
/// successor of the terminator of its block, by number.
struct FlowCounts {
  using Count = std::optional<int64_t>;
  llvm::function_ref<Count(const Block &)> OfBlock = [](const Block &) {
    return Count();
  };
  llvm::function_ref<Count(const Block &, size_t)> OfWay =
      [](const Block &, size_t) { return Count(); };
};

/// \p G in the language of Graphviz, titled \p Title: a record with its text
/// for each block, dashed edges for exceptions.
void printDot(FlowGraph &G, llvm::StringRef Title, llvm::raw_ostream &OS,
              const FlowCounts &Counts = {});

} // namespace jopt

namespace llvm {

template <> struct GraphTraits<jopt::FlowNode *> {
  using NodeRef = jopt::FlowNode *;
  using ChildIteratorType = ArrayRef<jopt::FlowNode *>::iterator;
  static NodeRef getEntryNode(NodeRef N) { return N; }
  static ChildIteratorType child_begin(NodeRef N) {
    return N->successors().begin();
  }
  static ChildIteratorType child_end(NodeRef N) {
    return N->successors().end();
  }
};

template <> struct GraphTraits<Inverse<jopt::FlowNode *>> {
  using NodeRef = jopt::FlowNode *;
  using ChildIteratorType = ArrayRef<jopt::FlowNode *>::iterator;
  static NodeRef getEntryNode(Inverse<NodeRef> N) { return N.Graph; }
  static ChildIteratorType child_begin(NodeRef N) {
    return N->predecessors().begin();
  }
  static ChildIteratorType child_end(NodeRef N) {
    return N->predecessors().end();
  }
};

template <>
struct GraphTraits<jopt::FlowGraph *> : GraphTraits<jopt::FlowNode *> {
  using nodes_iterator =
      pointer_iterator<std::vector<jopt::FlowNode>::iterator>;
  static NodeRef getEntryNode(jopt::FlowGraph *G) { return &G->front(); }
  static nodes_iterator nodes_begin(jopt::FlowGraph *G) {
    return nodes_iterator(G->nodes().begin());
  }
  static nodes_iterator nodes_end(jopt::FlowGraph *G) {
    return nodes_iterator(G->nodes().end());
  }
  static size_t size(jopt::FlowGraph *G) { return G->nodes().size(); }
};

/// Dominator trees are graphs too: loops are found along them.
template <> struct GraphTraits<const DomTreeNodeBase<jopt::FlowNode> *> {
  using NodeRef = const DomTreeNodeBase<jopt::FlowNode> *;
  using ChildIteratorType = DomTreeNodeBase<jopt::FlowNode>::const_iterator;
  static NodeRef getEntryNode(NodeRef N) { return N; }
  static ChildIteratorType child_begin(NodeRef N) { return N->begin(); }
  static ChildIteratorType child_end(NodeRef N) { return N->end(); }
};

} // namespace llvm

#endif
