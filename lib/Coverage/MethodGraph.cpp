//===- MethodGraph.cpp - The graph of a method's original code ------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/MethodGraph.h"
#include "CodeFlow.h"
#include "jopt/Bytecode/ControlFlow.h"
#include "jopt/Reader/CodeFacts.h"
#include "jopt/Support/PooledObject.h"

using namespace jopt;
using namespace jopt::coverage;

namespace jopt::coverage {

/// Makes the graphs of one method after another, reusing memory.
class GraphMaker {
public:
  /// The graph stays until the next.
  llvm::Expected<const ProbeGraph &> run(const ClassFile &F, const Method &M,
                                         CodeFlow &Flow, const CodeView &Code,
                                         llvm::ArrayRef<ProbePoint> Points);

private:
  void findRuns();
  void addPoints(const CodeView &Code);
  void addPoint(uint32_t Number);
  void connect(uint32_t Node, size_t Begin, size_t End);
  void throws(uint32_t Node, size_t I);
  uint32_t jump(uint32_t &Point, size_t I, size_t To) const;

  const ClassFile *F;
  const Method *M;
  CodeFlow *Flow;
  llvm::ArrayRef<ProbePoint> Points;
  ProbeGraph G;
  size_t NumThrown = 0;         ///< edges for exceptions
  std::vector<uint32_t> Starts; ///< the first instructions of runs
  /// By instruction: where control comes to when it comes there, the point in
  /// front of it if there is one, or its run. NoNode within runs.
  std::vector<uint32_t> Heads;
  /// By instruction: the point on the way that falls there; the first of the
  /// points on its jumps, by number, which follow each other in the order of
  /// the ways. NoNode: none.
  std::vector<uint32_t> OnFalls, OnJumps;
};

} // namespace jopt::coverage

static constexpr uint32_t NoNode = ~0u;

/// A run begins where control may come from elsewhere, where a point stands,
/// and where exceptions lead elsewhere from.
void GraphMaker::findRuns() {
  const size_t Size = Flow->size();
  constexpr uint32_t Begins = 0;
  // What falls out of the code is no class file; it leaves.
  Heads.assign(Size + 1, NoNode);
  OnFalls.assign(Size + 1, NoNode);
  OnJumps.assign(Size, NoNode);
  if (Size)
    Heads[0] = Begins;
  for (const uint32_t I : Flow->leading()) {
    Heads[I + 1] = Begins;
    if (Flow->isSwitch(I))
      Flow->forEachTarget(I, [&](size_t To) { Heads[To] = Begins; });
    else if (Flow->isJump(I))
      Heads[Flow->target(I)] = Begins;
  }
  for (const CodeFlow::Handler &H : Flow->handlers())
    Heads[H.Start] = Heads[H.End] = Heads[H.Target] = Begins;
  for (const ProbePoint &P : Points)
    Heads[std::min(Flow->indexAt(P.To), uint32_t(Size))] = Begins;
  Starts.clear();
  for (size_t I = 0; I < Size; ++I)
    if (Heads[I] == Begins)
      Starts.push_back(uint32_t(I));
  for (const uint32_t I : Starts)
    Heads[I] = G.addNode();
  Heads[Size] = ProbeGraph::Exit;
}

void GraphMaker::addPoint(uint32_t Number) {
  const ProbePoint &P = Points[Number];
  const uint32_t To = std::min(Flow->indexAt(P.To), uint32_t(Flow->size()));
  const uint32_t Node = G.addPoint(Number, Heads[To]);
  G.IsLine[Number] = P.IsLine;
  switch (P.Kind) {
  case ProbePoint::Fall:
    OnFalls[To] = Node;
    break;
  case ProbePoint::Jump:
  case ProbePoint::Switch:
    if (uint32_t &First = OnJumps[Flow->indexAt(P.From)]; First == NoNode)
      First = Number;
    break;
  case ProbePoint::Leave:
  case ProbePoint::Arrive:
    Heads[To] = Node;
    break;
  }
}

void GraphMaker::addPoints(const CodeView &Code) {
  // Points in front of an instruction come first: others lead to them.
  bool Arrives = false;
  for (uint32_t N = 0; N < Points.size(); ++N) {
    Arrives |= Points[N].Kind == ProbePoint::Arrive;
    if (Points[N].Kind == ProbePoint::Leave)
      addPoint(N);
  }
  for (uint32_t N = 0; Arrives && N < Points.size(); ++N)
    if (Points[N].Kind == ProbePoint::Arrive)
      addPoint(N);
  for (uint32_t N = 0; N < Points.size(); ++N)
    if (Points[N].Kind != ProbePoint::Leave &&
        Points[N].Kind != ProbePoint::Arrive)
      addPoint(N);
  if (F->name(*M) != "<init>")
    return;
  const CodeBeforeSuper Before = findCodeBeforeSuper(*F, Code);
  for (uint32_t N = 0; N < Points.size(); ++N)
    G.BeforeSuper[N] = Before.Code[Points[N].From];
}

/// Adds the edges for exceptions that instruction \p I of the run \p Node
/// throws.
void GraphMaker::throws(uint32_t Node, size_t I) {
  auto &Next = G.Next[Node];
  for (const CodeFlow::Handler &H : Flow->handlers()) {
    if (I < H.Start || I >= H.End)
      continue;
    G.Ends &= H.Target >= H.End;
    Next.push_back({Heads[H.Target], Thrown(Flow->bci(H.Target))});
    ++NumThrown;
    if (!H.CatchType || F->Pool.className(H.CatchType) == "java/lang/Throwable")
      return;
  }
  Next.push_back({ProbeGraph::Exit, Thrown::OutOfMethod});
}

/// The node that the edge from \p I to \p To leads to. \p Point is the number
/// of the next point on the edges from \p I.
uint32_t GraphMaker::jump(uint32_t &Point, size_t I, size_t To) const {
  if (Point < Points.size() && Points[Point].From == Flow->bci(I) &&
      Points[Point].To == Flow->bci(To) &&
      (Points[Point].Kind == ProbePoint::Jump ||
       Points[Point].Kind == ProbePoint::Switch))
    return G.Points[Point++];
  return Heads[To];
}

/// Connects the run \p Node of the instructions from \p Begin up to \p End.
void GraphMaker::connect(uint32_t Node, size_t Begin, size_t End) {
  for (size_t I = Begin; I < End; ++I)
    if (Flow->throws(I, *F, *M)) {
      throws(Node, I);
      break;
    }
  auto &Next = G.Next[Node];
  const size_t I = End - 1;
  if (Flow->leads(I)) {
    uint32_t Point = OnJumps[I];
    auto Jump = [&](size_t To) {
      G.Ends &= To > I;
      Next.push_back({jump(Point, I, To)});
    };
    if (Flow->isSwitch(I))
      Flow->forEachTarget(I, Jump);
    else if (Flow->isJump(I))
      Jump(Flow->target(I));
    else if (Flow->op(I) != op::ATHROW)
      Next.push_back({ProbeGraph::Exit});
  }
  if (!Flow->endsBlock(I))
    Next.push_back({OnFalls[End] != NoNode ? OnFalls[End] : Heads[End]});
}

llvm::Expected<const ProbeGraph &>
GraphMaker::run(const ClassFile &Class, const Method &Of, CodeFlow &Its,
                const CodeView &Code, llvm::ArrayRef<ProbePoint> All) {
  F = &Class;
  M = &Of;
  Flow = &Its;
  Points = All;
  G.reset(Points.size());
  G.Ends = true;
  findRuns();
  addPoints(Code);
  if (Flow->size())
    G.Next[ProbeGraph::Entry].push_back({Heads[0]});
  NumThrown = 0;
  for (size_t R = 0; R < Starts.size(); ++R) {
    connect(uint32_t(ProbeGraph::Exit + 1 + R), Starts[R],
            R + 1 < Starts.size() ? Starts[R + 1] : Flow->size());
    if (NumThrown > CodeGraph::MostEdges)
      return tooManyEdges();
  }
  return G;
}

llvm::Expected<ProbeGraph>
jopt::coverage::makeGraph(const ClassFile &F, const Method &M,
                          const CodeView &Code,
                          llvm::ArrayRef<ProbePoint> Points) {
  auto Flow = CodeFlow::create(F, Code);
  if (!Flow)
    return Flow.takeError();
  GraphMaker Maker;
  auto G = Maker.run(F, M, *Flow, Code, Points);
  if (!G)
    return G.takeError();
  return *G;
}

struct MethodGraphs::Memory {
  CodeFlow Flow;
  GraphMaker Maker;
};

MethodGraphs::MethodGraphs(PointSet Which, const ClassFile &F)
    : Which(Which), F(F), Own(std::make_unique<jopt::PooledObject<Memory>>()) {
  (**Own).Flow.beginClass();
}

MethodGraphs::~MethodGraphs() = default;

llvm::Expected<MethodPoints> MethodGraphs::findPoints(const Method &M,
                                                      const CodeView &Code) {
  CodeFlow &Flow = (**Own).Flow;
  if (llvm::Error E = Flow.read(F, Code))
    return E;
  return coverage::findPoints(Which, F, M, Flow);
}

llvm::Expected<const ProbeGraph &>
MethodGraphs::makeGraph(const Method &M, const CodeView &Code,
                        llvm::ArrayRef<ProbePoint> Points) {
  return (**Own).Maker.run(F, M, (**Own).Flow, Code, Points);
}
