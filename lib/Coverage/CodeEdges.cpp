//===- CodeEdges.cpp - The runs of a method's code ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/CodeEdges.h"
#include "CodeFlow.h"
#include "QuickCalls.h"
#include "jopt/Bytecode/ControlFlow.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Reader/CodeFacts.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/xxhash.h"
#include <map>

using namespace jopt;
using namespace jopt::coverage;
using Edge = EdgeGraph::Edge;
using llvm::Error;
using llvm::Expected;

namespace {
using namespace jopt::coverage::strategy;
using namespace jopt::coverage::edgestrategy;
#define GET_EdgeStrategyTable_IMPL
#include "jopt/Coverage/Strategies.inc"
} // namespace

llvm::ArrayRef<EdgeStrategyInfo> coverage::getEdgeStrategies() {
  return EdgeStrategyTable;
}

std::optional<EdgeStrategy> coverage::findEdgeStrategy(llvm::StringRef Name) {
  for (size_t S = 0; S < std::size(EdgeStrategyTable); ++S)
    if (EdgeStrategyTable[S].Name == Name)
      return EdgeStrategy(S);
  return std::nullopt;
}

bool coverage::isOutermost(const ClassFile &F, const Method &M) {
  const llvm::StringRef Name = F.name(M), Descriptor = F.descriptor(M);
  return (Name == "main" && Descriptor == "([Ljava/lang/String;)V") ||
         (Name == "run" && Descriptor == "()V") ||
         (Name == "call" && Descriptor.starts_with("()"));
}

namespace {

class EdgeFinder {
public:
  EdgeFinder(const ClassFile &F, const Method &M, const CodeView &Code,
             CodeFlow &Flow)
      : F(F), M(M), Code(Code), Flow(Flow) {}

  Expected<CodeEdges> run();

private:
  Error findRuns();
  bool throws(size_t I);
  bool endsProgram() const;
  void addPositions();
  void addWaits();
  void connect(const CodeBlock &B);
  void addHandlers();
  /// The numbers of the instructions of run \p R.
  auto instructionsOf(const CodeEdges::Range &R) const {
    return llvm::seq(Flow.indexAt(R.Start), Flow.indexAt(R.Last) + 1);
  }

  const ClassFile &F;
  const Method &M;
  const CodeView &Code;
  CodeFlow &Flow;
  CodeGraph Runs;
  /// By bytecode index: it runs before super() has returned; of constructors.
  llvm::BitVector BeforeSuper;
  CodeEdges E;
};

} // namespace

/// Blocks are cut at the borders of exception ranges, where lines and probes
/// are, in front of an athrow, behind whatever may throw, and where super() has
/// returned.
Error EdgeFinder::findRuns() {
  CodeLeaders Leaders;
  Leaders.scan(Code.Code, Code.Handlers, MoreLeaders::RangeBorders);
  if (F.name(M) == "<init>")
    BeforeSuper = findCodeBeforeSuper(F, Code).Code;
  bool WasBefore = false;
  for (size_t I = 0; I < Flow.size(); ++I) {
    const uint32_t BCI = Flow.bci(I);
    const bool IsBefore = !BeforeSuper.empty() && BeforeSuper[BCI];
    if (Flow.place(I).Line >= 0 || Flow.place(I).hasProbe() ||
        Flow.op(I) == op::ATHROW || IsBefore != WasBefore)
      Leaders.addLeader(BCI);
    WasBefore = IsBefore;
    if (I + 1 < Flow.size() && throws(I))
      Leaders.addLeader(Flow.bci(I + 1));
  }
  if (Error Err = Runs.build(Leaders, HandlerEdges::All))
    return Err;
  const llvm::BitVector Reached = Runs.findReached();
  int32_t Line = 0;
  E.Code.reserve(Runs.blocks().size());
  for (const CodeBlock &B : Runs.blocks()) {
    if (const int32_t Begins = Flow.place(Flow.indexAt(B.start())).Line;
        Begins >= 0)
      Line = Begins;
    E.Code.push_back({B.start(), B.last(), Line, Reached[B.number()],
                      Flow.isSwitch(Flow.indexAt(B.last())), false});
  }
  E.Graph.Runs.resize(E.Code.size());
  return Error::success();
}

/// Object's constructor does not.
bool EdgeFinder::throws(size_t I) {
  const uint32_t Index =
      Flow.op(I) == op::INVOKESPECIAL ? Flow.inst(I).Index : 0;
  if (Index && F.Pool.has(Index, CPTag::Methodref)) {
    const MemberRef Called = F.Pool.member(Index);
    if (Called.Name == "<init>" && Called.Owner == "java/lang/Object")
      return false;
  }
  return Flow.throws(I, F, M);
}

/// It calls what does not return then.
bool EdgeFinder::endsProgram() const {
  for (size_t I = 0; I < Flow.size(); ++I) {
    if (Flow.op(I) != op::INVOKESTATIC && Flow.op(I) != op::INVOKEVIRTUAL)
      continue;
    const uint32_t Index = Flow.inst(I).Index;
    if (!F.Pool.has(Index, CPTag::Methodref))
      continue;
    const MemberRef Called = F.Pool.member(Index);
    if ((Called.Owner == "java/lang/System" && Called.Name == "exit") ||
        (Called.Owner == "java/lang/Runtime" &&
         (Called.Name == "exit" || Called.Name == "halt")))
      return true;
  }
  return false;
}

void EdgeFinder::addPositions() {
  const bool IsOpen = isOutermost(F, M) || endsProgram();
  for (auto [Code, R] : llvm::zip(E.Code, E.Graph.Runs))
    for (const size_t I : instructionsOf(Code)) {
      R.IsThrow |= Flow.op(I) == op::ATHROW;
      if (!throws(I))
        continue;
      R.HasPosition = true;
      R.IsOpen |= IsOpen || (!BeforeSuper.empty() && BeforeSuper[Flow.bci(I)]);
    }
  for (const CodeBlock &B : Runs.blocks())
    E.Graph.Runs[B.number()].HasPosition |= !B.handlers().empty();
}

/// Finds runs that may wait in a loop. Runs in loops are between the target and
/// the source of a back edge.
void EdgeFinder::addWaits() {
  uint32_t First = E.Graph.root(), Last = 0;
  for (const Edge &Each : E.Graph.Edges)
    if (Each.To <= Each.From && Each.From != E.Graph.root()) {
      First = std::min(First, Each.To);
      Last = Each.From;
    }
  for (uint32_t R = First; R <= Last; ++R)
    for (const size_t I : instructionsOf(E.Code[R])) {
      CodeEdges::Range &Own = E.Code[R];
      const op::CategoryEnum Cat = Flow.info(I).Cat;
      const Opcode Op = Flow.info(I).Canonical;
      const bool IsLoad = Op >= op::ILOAD && Op <= op::ALOAD,
                 IsStore = Op >= op::ISTORE && Op <= op::ASTORE,
                 IsBoth = Op == op::IINC;
      Own.MayWait |= Cat == op::CatInvoke ? !isQuickCall(F, Flow.inst(I))
                                          : Cat == op::CatMonitor;
      if (!IsLoad && !IsStore && !IsBoth)
        continue;
      const uint64_t Bit = uint64_t(1) << std::min(Flow.inst(I).Index, 63u);
      Own.Loads |= IsStore ? 0 : Bit;
      Own.Stores |= IsLoad ? 0 : Bit;
    }
}

void EdgeFinder::connect(const CodeBlock &B) {
  EdgeGraph &G = E.Graph;
  const uint32_t R = B.number();
  auto Place = [&](const CodeBlock &To) -> const CodeFlow::Place & {
    return Flow.place(Flow.indexAt(To.start()));
  };
  for (const CodeBlock *To : B.targets())
    G.Edges.push_back({Edge::Jump, Place(*To).IsMulti, false, R, To->number()});
  if (Flow.leaves(Flow.indexAt(B.last())) && !G.Runs[R].IsThrow)
    G.Edges.push_back({Edge::Return, true, false, R, G.root()});
  if (const CodeBlock *To = B.fallsInto())
    G.Edges.push_back(
        {Edge::Fall, Place(*To).hasProbe(), false, R, To->number()});
  if (G.Runs[R].IsOpen)
    G.Edges.push_back({Edge::Throw, false, false, R, G.root()});
}

void EdgeFinder::addHandlers() {
  std::vector<uint32_t> Positions; // by run
  uint32_t Next = 0;
  for (const EdgeGraph::Run &R : E.Graph.Runs) {
    Positions.push_back(Next);
    Next += R.HasPosition;
  }
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> Spans;
  for (const ExceptionHandler &H : Code.Handlers) {
    if (H.Start >= H.End)
      continue;
    const uint32_t First = Positions[Runs.atLeader(H.Start).number()],
                   Last = Positions[Runs.at(H.End - 1u).number()];
    auto [At, IsNew] =
        Spans.try_emplace(Runs.atLeader(H.Target).number(), First, Last);
    At->second = {std::min(At->second.first, First),
                  std::max(At->second.second, Last)};
  }
  for (const auto &[Run, Span] : Spans)
    E.Graph.Handlers.push_back({Run, Span.first, Span.second});
}

Expected<CodeEdges> EdgeFinder::run() {
  if (Error Err = findRuns())
    return Err;
  addPositions();
  E.Graph.Hash = uint32_t(
      llvm::xxh3_64bits((F.name(M) + llvm::Twine(F.descriptor(M))).str()));
  if (Flow.size())
    E.Graph.Edges.push_back({Edge::Entry, false, false, E.Graph.root(), 0});
  for (const CodeBlock &B : Runs.blocks())
    connect(B);
  addHandlers();
  addWaits();
  return std::move(E);
}

Expected<CodeEdges> coverage::findEdges(const ClassFile &F, const Method &M,
                                        const CodeView &Code) {
  auto Flow = CodeFlow::create(F, Code);
  if (!Flow)
    return Flow.takeError();
  return EdgeFinder(F, M, Code, *Flow).run();
}

ProbePoint CodeEdges::place(size_t I) const {
  const Edge &Each = Graph.Edges[I];
  const Range &From = Code[Each.From];
  ProbePoint P;
  P.From = uint16_t(From.Last);
  P.To = uint16_t(Each.Kind == Edge::Return ? From.Last : Code[Each.To].Start);
  P.Kind = Each.Kind == Edge::Return ? ProbePoint::Leave
           : Each.Kind == Edge::Fall ? ProbePoint::Fall
           : From.IsSwitch           ? ProbePoint::Switch
                                     : ProbePoint::Jump;
  return P;
}

bool CodeEdges::accepts(const EdgeCounts &C) const {
  return C.Edges.size() == Graph.Edges.size() &&
         C.Runs.size() == Graph.Runs.size() &&
         C.Caught.size() == Graph.Handlers.size();
}

/// From where \p Back leads to it is come to again on that line alone.
bool CodeEdges::isLoop(const Edge &Back) const {
  const int32_t Line = Code[Back.To].Line;
  llvm::SmallVector<uint32_t, 8> Work = {Back.To};
  llvm::SmallVector<uint32_t, 8> Seen = {Back.To};
  while (!Work.empty()) {
    const uint32_t R = Work.pop_back_val();
    if (R == Back.From)
      return true;
    for (const Edge &E : Graph.Edges)
      if (E.From == R && E.To != Graph.root() && Code[E.To].Line == Line &&
          !llvm::is_contained(Seen, E.To)) {
        Seen.push_back(E.To);
        Work.push_back(E.To);
      }
  }
  return false;
}

void CodeEdges::forEachArrival(
    const EdgeCounts &C, llvm::function_ref<void(int32_t, int64_t)> Use) const {
  for (auto [E, Count] : llvm::zip(Graph.Edges, C.Edges)) {
    if (E.To == Graph.root())
      continue;
    const Range &To = Code[E.To];
    if (E.From == Graph.root() || Code[E.From].Line != To.Line ||
        (To.Start <= Code[E.From].Start && isLoop(E)))
      Use(To.Line, Count);
  }
  const std::vector<uint32_t> At = Graph.positions();
  for (auto [H, Caught] : llvm::zip(Graph.Handlers, C.Caught))
    for (size_t I = 0; I < Caught.size(); ++I)
      if (Code[At[H.First + I]].Line != Code[H.Run].Line)
        Use(Code[H.Run].Line, Caught[I]);
}

Expected<EdgeLayout> EdgeLayout::make(const ClassFile &F, WeightsFn Weights) {
  EdgeLayout L;
  uint64_t End = FirstOfEdges, Reach = End;
  for (uint32_t Index = 0; Index < F.Methods.size(); ++Index) {
    const Method &M = F.Methods[Index];
    const int At = M.codeAttribute(F.Pool);
    if (At < 0)
      continue;
    CodeView Code;
    Error Err = parseCode(F, M.Attributes[size_t(At)].Data, Code);
    auto Edges =
        Err ? Expected<CodeEdges>(std::move(Err)) : findEdges(F, M, Code);
    if (!Edges)
      return makeError("method " + F.name(M) + F.descriptor(M) + ": " +
                       toMessage(Edges.takeError()));
    auto Known = Weights(M, Edges->Graph);
    std::vector<double> W =
        Known ? std::move(*Known) : guessWeights(Edges->Graph);
    chooseCounted(Edges->Graph, W);
    EdgeElements Elements(Edges->Graph, End);
    End = Elements.End;
    Reach = std::max(Reach, Elements.Reach);
    L.Methods.push_back(
        {Index, std::move(*Edges), std::move(Elements), std::move(W)});
  }
  // What the machine throws where nothing else does may find a position that
  // is another handler's.
  if (std::max(End, Reach) > INT32_MAX)
    return makeError("there are more edges than an array has elements");
  L.Count = uint32_t(std::max(End, Reach));
  return L;
}

std::string EdgeLayout::text() const {
  std::vector<const EdgeGraph *> Graphs;
  for (const OfMethod &M : Methods)
    Graphs.push_back(&M.Edges.Graph);
  return encodeEdges(Graphs);
}
