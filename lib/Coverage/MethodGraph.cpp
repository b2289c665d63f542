//===- MethodGraph.cpp - The graph of a method's original code ------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/MethodGraph.h"
#include "CodeFlow.h"
#include "jopt/Reader/CodeFacts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using namespace jopt::coverage;

namespace {

class GraphMaker {
public:
  GraphMaker(const ClassFile &F, const Method &M, const CodeFlow &Flow,
             llvm::ArrayRef<ProbePoint> Points)
      : F(F), M(M), Flow(Flow), Points(Points), G(Points.size()) {}

  CodeGraph run(const CodeView &Code);

private:
  void addInstructions();
  void addPoints(const CodeView &Code);
  void addPoint(uint32_t Number);
  void connect(size_t I, bool MayThrow);
  void throws(size_t I);
  void jump(size_t I, size_t To);

  const ClassFile &F;
  const Method &M;
  const CodeFlow &Flow;
  const llvm::ArrayRef<ProbePoint> Points;
  CodeGraph G;
  /// By instruction: its node, and that which control comes to when it comes
  /// there, the point in front of it if there is one.
  std::vector<uint32_t> Nodes, Heads;
  /// The points on jumps, by the bytecode indices of both ends, and those on
  /// the way into an instruction that is no jump, by that; 0: none.
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> OnJumps;
  std::vector<uint32_t> OnFalls;
};

} // namespace

void GraphMaker::addInstructions() {
  G.reserve(Flow.size() + Points.size());
  Nodes.reserve(Flow.size());
  for (size_t I = 0; I < Flow.size(); ++I)
    Nodes.push_back(G.addNode());
  // What falls out of the code is no class file; it leaves.
  Heads = Nodes;
  Heads.push_back(CodeGraph::Exit);
  OnFalls.resize(Flow.size() + 1);
}

void GraphMaker::addPoint(uint32_t Number) {
  const ProbePoint &P = Points[Number];
  const uint32_t To = std::min(Flow.indexAt(P.To), uint32_t(Flow.size()));
  const uint32_t Node = G.addPoint(Number, Heads[To]);
  G.IsLine[Number] = P.IsLine;
  switch (P.Kind) {
  case ProbePoint::Fall:
    OnFalls[To] = Node;
    break;
  case ProbePoint::Jump:
  case ProbePoint::Switch:
    OnJumps[{P.From, P.To}] = Node;
    break;
  case ProbePoint::Leave:
  case ProbePoint::Arrive:
    Heads[To] = Node;
    break;
  }
}

void GraphMaker::addPoints(const CodeView &Code) {
  // What stands in front of an instruction comes first: others lead to it.
  auto Order = [](const ProbePoint &P) {
    return P.Kind == ProbePoint::Leave    ? 0
           : P.Kind == ProbePoint::Arrive ? 1
                                          : 2;
  };
  for (int Now = 0; Now < 3; ++Now)
    for (uint32_t N = 0; N < Points.size(); ++N)
      if (Order(Points[N]) == Now)
        addPoint(N);
  if (F.name(M) != "<init>")
    return;
  const CodeBeforeSuper Before = findCodeBeforeSuper(F, Code);
  for (uint32_t N = 0; N < Points.size(); ++N)
    G.BeforeSuper[N] = Before.Code[Points[N].From];
}

void GraphMaker::throws(size_t I) {
  auto &Next = G.Next[Nodes[I]];
  for (const CodeFlow::Handler &H : Flow.handlers()) {
    if (I < H.Start || I >= H.End)
      continue;
    Next.push_back({Heads[H.Target], Thrown(Flow.inst(H.Target).BCI)});
    if (!H.CatchType || F.Pool.className(H.CatchType) == "java/lang/Throwable")
      return;
  }
  Next.push_back({CodeGraph::Exit, Thrown::OutOfMethod});
}

void GraphMaker::jump(size_t I, size_t To) {
  auto Point = OnJumps.find({Flow.inst(I).BCI, Flow.inst(To).BCI});
  G.Next[Nodes[I]].push_back(
      {Point == OnJumps.end() ? Heads[To] : Point->second});
}

void GraphMaker::connect(size_t I, bool MayThrow) {
  const DecodedInst &D = Flow.inst(I);
  if (MayThrow)
    throws(I);
  auto &Next = G.Next[Nodes[I]];
  if (D.Op >= op::IRETURN && D.Op <= op::RETURN)
    Next.push_back({CodeGraph::Exit});
  if (Flow.isSwitch(I))
    Flow.forEachTarget(I, [&](size_t To) { jump(I, To); });
  else if (Flow.isJump(I))
    jump(I, Flow.target(I));
  if (!D.info().EndsBlock)
    Next.push_back({OnFalls[I + 1] ? OnFalls[I + 1] : Heads[I + 1]});
}

CodeGraph GraphMaker::run(const CodeView &Code) {
  addInstructions();
  addPoints(Code);
  if (Flow.size())
    G.Next[CodeGraph::Entry].push_back({Heads[0]});
  const std::vector<bool> Throws = Flow.throwing(F, M);
  for (size_t I = 0; I < Flow.size(); ++I)
    connect(I, Throws[I]);
  return std::move(G);
}

llvm::Expected<CodeGraph>
jopt::coverage::makeGraph(const ClassFile &F, const Method &M,
                          const CodeView &Code,
                          llvm::ArrayRef<ProbePoint> Points) {
  auto Flow = CodeFlow::create(F, Code);
  if (!Flow)
    return Flow.takeError();
  return GraphMaker(F, M, *Flow, Points).run(Code);
}
