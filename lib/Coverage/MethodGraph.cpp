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
#include "jopt/Support/Borrowed.h"

using namespace jopt;
using namespace jopt::coverage;

namespace jopt::coverage {

/// Makes the graphs of one method after another, reusing memory.
class GraphMaker {
public:
  /// The graph stays until the next.
  const ProbeGraph &run(const ClassFile &F, const Method &M, CodeFlow &Flow,
                        const CodeView &Code,
                        llvm::ArrayRef<ProbePoint> Points);

private:
  void findRuns(const CodeView &Code);
  void addPoints(const CodeView &Code);
  void addPoint(uint32_t Number);
  void connect(const CodeBlock &Run);
  void throws(uint32_t Node, uint32_t BCI);
  uint32_t jump(uint32_t &Point, const CodeBlock &From,
                const CodeBlock &To) const;
  /// The number of the run at \p BCI; behind the code, that behind all.
  uint32_t runAt(uint32_t BCI) {
    return BCI < Leaders.end() ? Runs.at(BCI).number()
                               : uint32_t(Runs.blocks().size());
  }

  const ClassFile *F;
  const Method *M;
  CodeFlow *Flow;
  llvm::ArrayRef<ProbePoint> Points;
  ProbeGraph G;
  CodeLeaders Leaders;
  CodeGraph Runs;
  /// By run, and behind all: where control comes to when it comes there, the
  /// point in front of it if there is one, or its node.
  std::vector<uint32_t> Heads;
  /// By run: the point on the way that falls there; the first of the points on
  /// its jumps, by number, which follow each other in the order of the ways.
  /// NoNode: none.
  std::vector<uint32_t> OnFalls, OnJumps;
};

} // namespace jopt::coverage

static constexpr uint32_t NoNode = ~0u;

/// A run begins where control may come from elsewhere, where a point stands,
/// and where exceptions lead elsewhere from.
void GraphMaker::findRuns(const CodeView &Code) {
  Leaders.scan(Code.Code, Code.Handlers, MoreLeaders::RangeBorders);
  for (const ProbePoint &P : Points)
    if (P.To < Leaders.end())
      Leaders.addLeader(P.To);
  // There are fewer edges than bytes of code.
  llvm::cantFail(Runs.build(Leaders, HandlerEdges::None));
  Heads.clear();
  for (size_t R = 0; R < Runs.blocks().size(); ++R)
    Heads.push_back(G.addNode());
  // What falls out of the code is no class file; it leaves.
  Heads.push_back(ProbeGraph::Exit);
  OnFalls.assign(Heads.size(), NoNode);
  OnJumps.assign(Heads.size(), NoNode);
}

void GraphMaker::addPoint(uint32_t Number) {
  const ProbePoint &P = Points[Number];
  const uint32_t To = runAt(P.To);
  const uint32_t Node = G.addPoint(Number, Heads[To]);
  G.IsLine[Number] = P.IsLine;
  switch (P.Kind) {
  case ProbePoint::Fall:
    OnFalls[To] = Node;
    break;
  case ProbePoint::Jump:
  case ProbePoint::Switch:
    if (uint32_t &First = OnJumps[runAt(P.From)]; First == NoNode)
      First = Number;
    break;
  case ProbePoint::Leave:
  case ProbePoint::Arrive:
    Heads[To] = Node;
    break;
  }
}

void GraphMaker::addPoints(const CodeView &Code) {
  // What stands in front of an instruction comes first: others lead to it.
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

/// What is thrown in the run \p Node, by the instruction at \p BCI as by
/// others.
void GraphMaker::throws(uint32_t Node, uint32_t BCI) {
  auto &Next = G.Next[Node];
  for (const ExceptionHandler &H : Leaders.handlers()) {
    if (!H.covers(BCI))
      continue;
    G.Ends &= H.Target >= H.End;
    Next.push_back({Heads[runAt(H.Target)], Thrown(H.Target)});
    if (!H.CatchType || F->Pool.className(H.CatchType) == "java/lang/Throwable")
      return;
  }
  Next.push_back({ProbeGraph::Exit, Thrown::OutOfMethod});
}

/// What the way from \p From to \p To leads to. \p Point is the number of the
/// next point on the ways of \p From.
uint32_t GraphMaker::jump(uint32_t &Point, const CodeBlock &From,
                          const CodeBlock &To) const {
  if (Point < Points.size() && Points[Point].From == From.last() &&
      Points[Point].To == To.start() &&
      (Points[Point].Kind == ProbePoint::Jump ||
       Points[Point].Kind == ProbePoint::Switch))
    return G.Points[Point++];
  return Heads[To.number()];
}

void GraphMaker::connect(const CodeBlock &Run) {
  const uint32_t Node = ProbeGraph::Exit + 1 + Run.number();
  const size_t Last = Flow->indexAt(Run.last());
  for (size_t I = Flow->indexAt(Run.start()); I <= Last; ++I)
    if (Flow->throws(I, *F, *M)) {
      throws(Node, Flow->bci(I));
      break;
    }
  auto &Next = G.Next[Node];
  uint32_t Point = OnJumps[Run.number()];
  for (const CodeBlock *To : Run.targets()) {
    G.Ends &= To->start() > Run.last();
    Next.push_back({jump(Point, Run, *To)});
  }
  if (Flow->leaves(Last) && Flow->op(Last) != op::ATHROW)
    Next.push_back({ProbeGraph::Exit});
  if (Flow->endsBlock(Last))
    return;
  const uint32_t Below = Run.number() + 1;
  Next.push_back({OnFalls[Below] != NoNode ? OnFalls[Below] : Heads[Below]});
}

const ProbeGraph &GraphMaker::run(const ClassFile &Class, const Method &Of,
                                  CodeFlow &Its, const CodeView &Code,
                                  llvm::ArrayRef<ProbePoint> All) {
  F = &Class;
  M = &Of;
  Flow = &Its;
  Points = All;
  G.reset(Points.size());
  G.Ends = true;
  findRuns(Code);
  addPoints(Code);
  if (!Runs.blocks().empty())
    G.Next[ProbeGraph::Entry].push_back({Heads[0]});
  for (const CodeBlock &Run : Runs.blocks())
    connect(Run);
  return G;
}

llvm::Expected<ProbeGraph>
jopt::coverage::makeGraph(const ClassFile &F, const Method &M,
                          const CodeView &Code,
                          llvm::ArrayRef<ProbePoint> Points) {
  auto Flow = CodeFlow::create(F, Code);
  if (!Flow)
    return Flow.takeError();
  return GraphMaker().run(F, M, *Flow, Code, Points);
}

struct MethodGraphs::Memory {
  CodeFlow Flow;
  GraphMaker Maker;
};

MethodGraphs::MethodGraphs(PointSet Which, const ClassFile &F)
    : Which(Which), F(F), Own(std::make_unique<jopt::Borrowed<Memory>>()) {
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

const ProbeGraph &MethodGraphs::makeGraph(const Method &M, const CodeView &Code,
                                          llvm::ArrayRef<ProbePoint> Points) {
  return (**Own).Maker.run(F, M, (**Own).Flow, Code, Points);
}
