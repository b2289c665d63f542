//===- CodePaths.cpp - The paths of a method, as numbers ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/CodePaths.h"
#include "CodeFlow.h"
#include "jopt/Bytecode/ControlFlow.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using namespace jopt::coverage;

static PathBlock makeBlock(const CodeBlock &Of, const ClassFile &F,
                           const Method &M, CodeFlow &Flow) {
  PathBlock B;
  B.Start = Of.start();
  B.Last = Of.last();
  const size_t First = Flow.indexAt(B.Start), Last = Flow.indexAt(B.Last);
  const CodeBlock *const Next = Of.fallsInto();
  if (Next)
    B.Next.push_back({Next->number(), PathBlock::Edge::Fall});
  for (const CodeBlock *To : Of.targets())
    if (To != Next)
      B.Next.push_back({To->number(), Flow.isSwitch(Last)
                                          ? PathBlock::Edge::Switch
                                          : PathBlock::Edge::Jump});
  for (const CodeBlock *H : Of.handlers())
    B.Handlers.push_back(H->number());
  for (size_t I = First; I <= Last && !B.MayThrow; ++I)
    B.MayThrow = Flow.throws(I, F, M);
  // What falls out of the code is no class file.
  B.Returns = (Flow.leaves(Last) && Flow.op(Last) != op::ATHROW) ||
              (!Flow.endsBlock(Last) && !Next);
  return B;
}

llvm::Expected<std::vector<PathBlock>>
jopt::coverage::findBlocks(const ClassFile &F, const Method &M,
                           const CodeView &Code) {
  auto Flow = CodeFlow::create(F, Code);
  if (!Flow)
    return Flow.takeError();
  CodeLeaders Leaders;
  Leaders.scan(Code.Code, Code.Handlers);
  CodeGraph G;
  if (llvm::Error E = G.build(Leaders, HandlerEdges::All))
    return E;
  std::vector<PathBlock> Blocks;
  for (const CodeBlock &B : G.blocks())
    Blocks.push_back(makeBlock(B, F, M, *Flow));
  for (const ExceptionHandler &H : Code.Handlers)
    Blocks[G.atLeader(H.Target).number()].IsHandler = true;
  // Handlers of whatever the machine throws are reached too: nothing may come
  // to them with the number of another path.
  const llvm::BitVector Reached = G.findReached();
  for (const unsigned B : Reached.set_bits())
    Blocks[B].IsReached = true;
  return Blocks;
}

/// Goes on from no node by more than \p Most ways, if it has not more edges.
/// How many edges that lead forwards are cut for it.
static unsigned cut(std::vector<PathBlock> &Blocks, uint64_t Most) {
  std::vector<uint64_t> Ways(Blocks.size());
  unsigned NumCut = 0;
  auto WaysBy = [&](const PathBlock::Edge &E) {
    return E.IsCut ? 1 : Ways[E.To];
  };
  DepthFirstWalk::run(
      uint32_t(Blocks.size()),
      [&](uint32_t B, size_t Edge) {
        const auto &Next = Blocks[B].Next;
        return Edge >= Next.size() ? DepthFirstWalk::NoEdge
               : Next[Edge].IsCut  ? DepthFirstWalk::End
                                   : Next[Edge].To;
      },
      [&](uint32_t B, size_t Edge) { Blocks[B].Next[Edge].IsCut = true; },
      [&](uint32_t N) {
        PathBlock &B = Blocks[N];
        Ways[N] = B.MayThrow + B.Returns;
        for (const PathBlock::Edge &E : B.Next)
          Ways[N] += WaysBy(E);
        while (Ways[N] > Most) {
          auto Largest =
              llvm::max_element(B.Next, [&](const auto &X, const auto &Y) {
                return WaysBy(X) < WaysBy(Y);
              });
          if (Largest == B.Next.end() || WaysBy(*Largest) <= 1)
            break;
          Ways[N] -= Ways[Largest->To] - 1;
          Largest->IsCut = true;
          ++NumCut;
        }
      });
  return NumCut;
}

/// Of a block the edges: an exception first.
static PathNumbers::Edges edgesOf(const PathBlock &B) {
  PathNumbers::Edges To;
  if (!B.IsReached)
    return To;
  if (B.MayThrow)
    To.push_back(PathNumbers::End);
  for (const PathBlock::Edge &E : B.Next)
    To.push_back(E.IsCut ? PathNumbers::End : E.To);
  if (B.Returns)
    To.push_back(PathNumbers::End);
  return To;
}

CodePaths CodePaths::number(std::vector<PathBlock> Blocks, uint32_t Most) {
  // Half as many from each block until there are few enough in all: at last
  // only its edges.
  for (PathBlock &B : Blocks)
    for (PathBlock::Edge &E : B.Next)
      E.IsCut |= Blocks[E.To].IsHandler;
  for (uint64_t PerBlock = Most;; PerBlock /= 2) {
    std::vector<PathBlock> Cut = Blocks;
    const unsigned NumCut = cut(Cut, PerBlock);
    std::vector<PathNumbers::Edges> Next;
    llvm::BitVector Begins(unsigned(Cut.size()));
    if (!Cut.empty())
      Begins.set(0);
    for (uint32_t N = 0; N < Cut.size(); ++N) {
      Next.push_back(edgesOf(Cut[N]));
      if (!Cut[N].IsReached)
        continue;
      if (Cut[N].IsHandler)
        Begins.set(N);
      for (const PathBlock::Edge &E : Cut[N].Next)
        if (E.IsCut)
          Begins.set(E.To);
    }
    std::vector<uint32_t> Beginnings(Begins.set_bits_begin(),
                                     Begins.set_bits_end());
    if (auto Numbers = PathNumbers::number(std::move(Next), Beginnings,
                                           PerBlock ? Most : MostPaths))
      return CodePaths(std::move(Cut), std::move(*Numbers), NumCut);
  }
}

CodePaths::Path CodePaths::path(uint32_t Number) const {
  Path P;
  P.End = Path::Throws;
  P.Next = 0;
  Numbers.follow(Number, [&](uint32_t Block, size_t Edge) {
    P.Blocks.push_back(Block);
    const PathBlock &B = Blocks[Block];
    if (B.MayThrow && Edge == 0) {
      P.End = Path::Throws;
    } else if (Edge - B.MayThrow < B.Next.size()) {
      P.End = Path::Cut;
      P.Next = B.Next[Edge - B.MayThrow].To;
    } else {
      P.End = Path::Returns;
    }
  });
  return P;
}
