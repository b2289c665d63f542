//===- ControlFlow.h - The control flow of code bytes -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The basic blocks of a method's bytes and the graph of them. It comes in two
/// steps, because many clients need the first one only:
/// \code
///   CodeLeaders Leaders;
///   Leaders.scan(Code.Code, Code.Handlers); // where blocks begin
///   CodeGraph G;
///   if (Error E = G.build(Leaders, HandlerEdges::All))
///     return E;
///   for (CodeBlock &B : G.blocks())
///     use(B, B.successors());
/// \endcode
/// LLVM's templates take a CodeGraph as they take a FlowGraph, the graph of a
/// lifted body (jopt/IR/Model/CFG.h): unittests/Bytecode/ControlFlowTest.cpp
/// has examples.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_BYTECODE_CONTROLFLOW_H
#define JOPT_BYTECODE_CONTROLFLOW_H

#include "jopt/Bytecode/Decoder.h"
#include "jopt/Bytecode/ExceptionHandler.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/bit.h"
#include "llvm/ADT/iterator.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace jopt {

//===----------------------------------------------------------------------===//
// Leaders
//===----------------------------------------------------------------------===//

/// Leaders besides those that there always are.
enum class MoreLeaders : uint8_t {
  None,
  BehindCalls,  ///< what follows a call, invokedynamic included
  RangeBorders, ///< where exception ranges begin and end
};

/// A leader follows an instruction of \p Info.
inline bool isLeaderBehind(const OpcodeInfo &Info,
                           MoreLeaders More = MoreLeaders::None) {
  return Info.Branches || Info.EndsBlock ||
         (More == MoreLeaders::BehindCalls && Info.Cat == op::CatInvoke);
}

/// The instructions of a method's code, and which of them are leaders: the
/// first one, each target of a branch or switch, each exception handler, and
/// what follows a branch, switch, return, athrow, jsr or ret. A byte for each
/// byte of code; one pass finds all. Reuses its memory from scan to scan.
class CodeLeaders {
public:
  /// Scans \p Code, whose exception table is \p Handlers; both must stay for as
  /// long as this or a graph of it is used. False if \p Code cannot be decoded;
  /// then only what stands in front of that place is known. Targets and
  /// handlers that are no instruction are no leaders.
  bool scan(Bytes Code, llvm::ArrayRef<ExceptionHandler> Handlers,
            MoreLeaders More = MoreLeaders::None);
  /// An error if the code scanned cannot be decoded or runs off its end, or if
  /// a target or a border of an exception range is no instruction (JVM
  /// specification, 4.7.3, 4.9.1 and 4.9.2).
  llvm::Error check() const;

  Bytes code() const { return Code; }
  llvm::ArrayRef<ExceptionHandler> handlers() const { return Handlers; }
  /// Behind the last instruction that could be decoded.
  uint32_t end() const { return End; }

  /// isInstruction() takes any index, the others take those of the code.
  bool isInstruction(uint32_t BCI) const {
    return BCI < Marks.size() && Marks[BCI] & Start;
  }
  bool isLeader(uint32_t BCI) const {
    return (Marks[BCI] & (Start | Leader)) == (Start | Leader);
  }
  /// Entered by a jump or an exception, not only by falling through.
  bool isTarget(uint32_t BCI) const { return Marks[BCI] & Target; }
  /// The last instruction in front of \p BCI, which is not 0.
  uint32_t instructionBefore(uint32_t BCI) const {
    do
      --BCI;
    while (!(Marks[BCI] & Start) && BCI);
    return BCI;
  }

  /// Has a block begin at \p BCI as well, if an instruction does.
  void addLeader(uint32_t BCI) { Marks[BCI] |= Leader; }
  /// Calls \p Use with the bytecode index of each leader, ascending.
  template <typename Fn> void forEachLeader(Fn Use) const {
    // Leaders are few: eight places at a time.
    for (uint32_t At = 0; At < Marks.size(); At += 8) {
      const uint64_t Eight = llvm::support::endian::read64le(&Marks[At]);
      static_assert(Start == 1 && Leader == 2);
      for (uint64_t Both = Eight & Eight >> 1 & EachStart; Both;
           Both &= Both - 1)
        Use(At + uint32_t(llvm::countr_zero(Both)) / 8);
    }
  }

private:
  enum Mark : uint8_t { Start = 1, Leader = 2, Target = 4 };
  static constexpr uint32_t None = UINT32_MAX;
  static constexpr uint64_t EachStart = 0x0101010101010101; ///< of eight marks
  uint32_t firstBadTarget() const;

  Bytes Code;
  llvm::ArrayRef<ExceptionHandler> Handlers;
  /// By bytecode index; a multiple of eight, and more than there is code.
  llvm::SmallVector<uint8_t, 512> Marks;
  uint32_t End = 0;
  uint32_t LeadsOut = None; ///< the first instruction with a target outside
};

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

class CodeGraph;

/// Instructions of which nothing but the first is led to, and nothing but the
/// last leads elsewhere, exceptions left out.
class CodeBlock {
public:
  /// Its place among the blocks of its graph, which are in the order of code.
  uint32_t number() const;
  uint32_t start() const { return Start; } ///< its first instruction
  uint32_t last() const { return Last; }   ///< its last instruction
  uint32_t end() const { return End; }     ///< behind that

  /// All that may come next: the next block if it falls into that, then
  /// targets(), then handlers().
  llvm::ArrayRef<CodeBlock *> successors() const {
    return edges(FirstEdge, EndEdge);
  }
  /// The block that this one falls into, null if it does not.
  CodeBlock *fallsInto() const {
    return Falls ? edges(FirstEdge, EndEdge)[0] : nullptr;
  }
  /// The blocks that its last instruction leads to, each once, in order: of a
  /// switch the default first. A ret leads behind each jsr of the method, a jsr
  /// only to the subroutine.
  llvm::ArrayRef<CodeBlock *> targets() const {
    return edges(FirstEdge + Falls, FirstHandler);
  }
  /// The handlers that the graph has for it, each once, in the order of the
  /// exception table.
  llvm::ArrayRef<CodeBlock *> handlers() const {
    return edges(FirstHandler, EndEdge);
  }
  /// A block that falls and jumps here is there twice.
  llvm::ArrayRef<CodeBlock *> predecessors() const;

  /// \name What LLVM's templates ask for
  /// @{
  CodeGraph *getParent() const { return Graph; }
  void printAsOperand(llvm::raw_ostream &OS, bool PrintType = false) const;
  /// @}

private:
  friend class CodeGraph;
  inline llvm::ArrayRef<CodeBlock *> edges(uint32_t From, uint32_t To) const;

  CodeGraph *Graph;
  uint32_t Start, Last, End;
  /// Among the successors of all blocks.
  uint32_t FirstEdge, FirstHandler, EndEdge;
  bool Falls;
};

/// Which edges a CodeGraph has into handlers.
enum class HandlerEdges : uint8_t {
  None,       ///< handlers have no predecessors but those that jump there
  FromThrows, ///< from blocks that end with an athrow, to those that cover it
  All,        ///< from each block, to those that cover any instruction of it
};

/// The blocks of a method's code. A client that builds a graph for each method
/// reuses one. Not for several threads at once. Building takes time in the
/// order of the blocks times the entries of the exception table, which class
/// files bound.
class CodeGraph {
public:
  /// No graph has more edges: far more than compilers need.
  static constexpr size_t MostEdges = 1u << 20;

  CodeGraph() = default;
  CodeGraph(const CodeGraph &) = delete;
  CodeGraph &operator=(const CodeGraph &) = delete;

  /// Makes this the graph of the code that \p L has scanned, as far as that
  /// could be decoded; \p L is not asked later. What leads to no instruction
  /// has no edge. An error if there are more edges than MostEdges; then it has
  /// none.
  llvm::Error build(const CodeLeaders &L, HandlerEdges H);

  /// In the order of the code; the first one is the entry. None if there is no
  /// instruction.
  llvm::MutableArrayRef<CodeBlock> blocks() { return Blocks; }
  llvm::ArrayRef<CodeBlock> blocks() const { return Blocks; }
  CodeBlock &front() { return Blocks.front(); }
  /// The block that \p BCI lies in.
  CodeBlock &at(uint32_t BCI);
  /// The block that begins at \p BCI, which is a leader; finds it at once.
  CodeBlock &atLeader(uint32_t BCI) { return Blocks[NumberAt[BCI]]; }
  /// By number: the entry leads there.
  llvm::BitVector findReached() const;

private:
  friend class CodeBlock;
  void findBlocks(const CodeLeaders &L);
  void addEdge(CodeBlock &To, uint32_t Stamp);
  void addTargets(uint32_t Last, const CodeLeaders &L, uint32_t Stamp);
  void addHandlers(uint32_t Start, uint32_t End, const CodeLeaders &L,
                   uint32_t Stamp);
  void findPredecessors();

  std::vector<CodeBlock> Blocks;
  std::vector<CodeBlock *> Successors; ///< of all blocks
  /// Of all blocks, and by block where its own begin; found when first asked
  /// for.
  std::vector<CodeBlock *> Predecessors;
  std::vector<uint32_t> PredecessorsOf;

  llvm::SmallVector<uint32_t, 0> NumberAt; ///< by bytecode index, of leaders

  /// \name While it is built
  /// @{
  llvm::SmallVector<CodeBlock *, 4> BehindJsr;
  std::vector<uint32_t> Stamps; ///< by block: that of the last edge to it
  /// @}
};

inline uint32_t CodeBlock::number() const {
  return uint32_t(this - Graph->Blocks.data());
}

llvm::ArrayRef<CodeBlock *> CodeBlock::edges(uint32_t From, uint32_t To) const {
  return llvm::ArrayRef(Graph->Successors).slice(From, To - From);
}

/// The error where control flow has more than CodeGraph::MostEdges edges.
llvm::Error tooManyEdges();

} // namespace jopt

namespace llvm {

template <> struct GraphTraits<jopt::CodeBlock *> {
  using NodeRef = jopt::CodeBlock *;
  using ChildIteratorType = ArrayRef<jopt::CodeBlock *>::iterator;
  static NodeRef getEntryNode(NodeRef N) { return N; }
  static ChildIteratorType child_begin(NodeRef N) {
    return N->successors().begin();
  }
  static ChildIteratorType child_end(NodeRef N) {
    return N->successors().end();
  }
};

template <> struct GraphTraits<Inverse<jopt::CodeBlock *>> {
  using NodeRef = jopt::CodeBlock *;
  using ChildIteratorType = ArrayRef<jopt::CodeBlock *>::iterator;
  static NodeRef getEntryNode(Inverse<NodeRef> N) { return N.Graph; }
  static ChildIteratorType child_begin(NodeRef N) {
    return N->predecessors().begin();
  }
  static ChildIteratorType child_end(NodeRef N) {
    return N->predecessors().end();
  }
};

template <>
struct GraphTraits<jopt::CodeGraph *> : GraphTraits<jopt::CodeBlock *> {
  using nodes_iterator = pointer_iterator<jopt::CodeBlock *>;
  static NodeRef getEntryNode(jopt::CodeGraph *G) { return &G->front(); }
  static nodes_iterator nodes_begin(jopt::CodeGraph *G) {
    return nodes_iterator(G->blocks().begin());
  }
  static nodes_iterator nodes_end(jopt::CodeGraph *G) {
    return nodes_iterator(G->blocks().end());
  }
  static size_t size(jopt::CodeGraph *G) { return G->blocks().size(); }
};

} // namespace llvm

#endif
