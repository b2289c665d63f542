//===- CodeRegions.h - How far branches decide ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a branch decides ends where all ways that it may take have met: at its
/// post-dominator. Ways are those between instructions, and from an athrow to
/// the handlers that cover it. An exception that another instruction throws is
/// no way: everything in a `try` would depend on everything before it.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_SLICE_CODEREGIONS_H
#define JOPT_LIB_SLICE_CODEREGIONS_H

#include "jopt/IR/ClassFile.h"
#include "llvm/ADT/iterator.h"
#include "llvm/Support/GenericDomTree.h"
#include <memory>

namespace jopt::slice {

class CodeGraph;

/// Instructions that run one after the other.
class CodeBlock {
public:
  uint32_t Start = 0;    ///< bytecode index
  uint32_t Last = 0;     ///< that of the last instruction
  bool IsThrown = false; ///< which is an athrow
  CodeGraph *Graph = nullptr;
  llvm::SmallVector<CodeBlock *, 2> Successors, Predecessors;

  /// \name What LLVM's templates ask for
  /// @{
  CodeGraph *getParent() const { return Graph; }
  void printAsOperand(llvm::raw_ostream &OS, bool PrintType = false) const;
  /// @}
};

/// The blocks of a method's code.
class CodeGraph {
public:
  explicit CodeGraph(const CodeView &Code);
  CodeGraph(const CodeGraph &) = delete;
  CodeGraph &operator=(const CodeGraph &) = delete;

  std::vector<CodeBlock> Blocks; ///< in the order of the code, at least one
  /// The one that the instruction at \p BCI lies in.
  CodeBlock &at(uint32_t BCI);
  /// The entry, for LLVM's templates.
  CodeBlock &front() { return Blocks.front(); }
};
} // namespace jopt::slice

namespace llvm {
template <> struct GraphTraits<jopt::slice::CodeBlock *> {
  using NodeRef = jopt::slice::CodeBlock *;
  using ChildIteratorType = SmallVectorImpl<NodeRef>::iterator;
  static NodeRef getEntryNode(NodeRef N) { return N; }
  static ChildIteratorType child_begin(NodeRef N) {
    return N->Successors.begin();
  }
  static ChildIteratorType child_end(NodeRef N) { return N->Successors.end(); }
};
template <> struct GraphTraits<Inverse<jopt::slice::CodeBlock *>> {
  using NodeRef = jopt::slice::CodeBlock *;
  using ChildIteratorType = SmallVectorImpl<NodeRef>::iterator;
  static NodeRef getEntryNode(Inverse<NodeRef> N) { return N.Graph; }
  static ChildIteratorType child_begin(NodeRef N) {
    return N->Predecessors.begin();
  }
  static ChildIteratorType child_end(NodeRef N) {
    return N->Predecessors.end();
  }
};
template <>
struct GraphTraits<jopt::slice::CodeGraph *>
    : GraphTraits<jopt::slice::CodeBlock *> {
  using nodes_iterator =
      pointer_iterator<std::vector<jopt::slice::CodeBlock>::iterator>;
  static NodeRef getEntryNode(jopt::slice::CodeGraph *G) {
    return &G->Blocks.front();
  }
  static nodes_iterator nodes_begin(jopt::slice::CodeGraph *G) {
    return nodes_iterator(G->Blocks.begin());
  }
  static nodes_iterator nodes_end(jopt::slice::CodeGraph *G) {
    return nodes_iterator(G->Blocks.end());
  }
  static size_t size(jopt::slice::CodeGraph *G) { return G->Blocks.size(); }
};
} // namespace llvm

namespace jopt::slice {

/// Ends of what branches and exceptions decide, as bytecode indices.
class CodeRegions {
public:
  static constexpr uint32_t Method = UINT32_MAX; ///< that of the activation

  explicit CodeRegions(const CodeView &Code);

  /// Of the branch or switch at \p BCI.
  uint32_t endOf(uint32_t BCI);
  /// Of an exception that the instruction at \p BCI threw, to \p Handler.
  uint32_t endOf(uint32_t BCI, uint32_t Handler);
  /// Every way from \p BCI comes to \p End.
  bool leadsTo(uint32_t BCI, uint32_t End);

private:
  uint32_t startOf(CodeBlock *B) const { return B ? B->Start : Method; }
  CodeBlock *postDominator(CodeBlock &B) const;

  CodeGraph Graph;
  llvm::DominatorTreeBase<CodeBlock, /*IsPostDom=*/true> Tree;
};

} // namespace jopt::slice

#endif
