//===- PlaceEdges.cpp - Has methods count the edges they take -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A slot holds the position of the run that the activation is in. A handler
/// adds where its own elements are. Loops in which nothing waits count in
/// slots, which are 0 wherever else control is (SlotLoops.h).
///
//===----------------------------------------------------------------------===//

#include "CodePlaces.h"
#include "CoverageHolder.h"
#include "jopt/Coverage/ClassId.h"
#include "jopt/Coverage/SlotLoops.h"
#include "jopt/IR/Surgery/Surgery.h"
#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Passes/Analysis/ThisState.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/PassManager.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/Statistics.h"
#include "llvm/Support/FormatVariadic.h"

using namespace jopt;
using namespace jopt::coverage;
using Edge = EdgeGraph::Edge;

#define GET_STATISTICS_PlaceEdges
#include "jopt/Passes/Passes.inc"

namespace {

/// The edges of a class as it came.
struct EdgePlan {
  static EdgePlan make(EdgeStrategy S, const ClassFile &F,
                       const EdgeProfile *Profile);

  struct OfMethod {
    EdgeLayout::OfMethod Layout;
    std::vector<SlotLoop> Loops;
  };
  CoveragePlan Class;
  /// Methods for which the profile has counts of other code.
  std::vector<const Method *> Changed;
  llvm::DenseMap<const Method *, OfMethod> Methods;
};

/// That of one strategy is an analysis of its own.
template <EdgeStrategy S> struct PlanOf {
  static inline AnalysisKey Key;
  static PlanOf run(const ClassFile &F, PassContext &C) {
    const auto *Measured = C.find<MeasuredEdges>();
    return {EdgePlan::make(S, F, Measured ? &Measured->Profile : nullptr)};
  }
  EdgePlan Plan;
};

class EdgePlacer {
public:
  EdgePlacer(Body &F, PassContext &C, const CoveragePlan &Class,
             const EdgePlan::OfMethod &M, llvm::StringRef Name,
             std::optional<int32_t> Rate)
      : F(F), Class(Class), Edges(M.Layout.Edges), G(Edges.Graph),
        Elements(M.Layout.Elements), Loops(M.Loops), Name(Name), Rate(Rate),
        ArrayType(F.types().fromDescriptor(coverageArray(Class.Kind).Type)),
        This(C.analysis<ThisState>(F)), Places(F) {}

  llvm::Error run();

private:
  bool countsThrows() const {
    return llvm::any_of(G.Runs, [](const EdgeGraph::Run &R) {
      return R.HasPosition && !R.IsOpen;
    });
  }
  llvm::Error addSlots();
  void count(Builder &B, uint64_t Element);
  void count(Builder &B, Instruction *Array, Instruction *Element);
  void keep(Builder &B, int64_t Position) {
    B.set(*Slot, B.constant(int32_t(Position)));
  }
  void addSlotLoops(Builder &B);
  void countIn(Builder &B, unsigned CountSlot);
  void flush(Builder &B, const SlotLoop &L, bool Continues);
  llvm::Error placeEdge(uint32_t I);
  void countThrown(Builder &B, uint64_t First);
  void placeHandler(size_t H);
  void placePosition(uint32_t Run);
  void placeFinalHandler();

  Body &F;
  const CoveragePlan &Class;
  const CodeEdges &Edges;
  const EdgeGraph &G;
  const EdgeElements &Elements;
  const llvm::ArrayRef<SlotLoop> Loops;
  const llvm::StringRef Name;        ///< of the strategy
  const std::optional<int32_t> Rate; ///< of a sample
  const Type ArrayType;
  const ThisState This; ///< as it was before anything changed
  CodePlaces Places;
  unsigned ArraySlot = 0;
  std::optional<unsigned> Slot; ///< that of the position, if any is needed
  llvm::DenseMap<uint32_t, unsigned> CountSlots;     ///< by edge
  llvm::DenseMap<uint32_t, const SlotLoop *> LeftBy; ///< by edge
};

} // namespace

EdgePlan EdgePlan::make(EdgeStrategy S, const ClassFile &F,
                        const EdgeProfile *Profile) {
  EdgePlan P;
  if (P.Class.isRefused(F))
    return P;
  auto Layout = EdgeLayout::make(F, [&](const Method &M, const EdgeGraph &G) {
    EdgeProfile::Found Found;
    if (Profile)
      Found = Profile->find(F.name(), G);
    if (Found.HasChanged)
      P.Changed.push_back(&M);
    return std::move(Found.Weights);
  });
  if (!Layout) {
    P.Class.Problem = toMessage(Layout.takeError());
    return P;
  }
  P.Class.Kind = getEdgeStrategies()[S].Kind;
  P.Class.Count = Layout->Count;
  P.Class.Rules = Layout->text();
  if (!F.Original.empty())
    P.Class.Id = classId(F.Original);
  for (EdgeLayout::OfMethod &M : Layout->Methods) {
    std::vector<SlotLoop> Loops;
    if (!getEdgeStrategies()[S].IsSampled)
      Loops = findSlotLoops(M.Edges, M.Weights);
    const Method *Of = &F.Methods[M.Index];
    P.Methods.try_emplace(Of,
                          EdgePlan::OfMethod{std::move(M), std::move(Loops)});
  }
  return P;
}

void EdgePlacer::count(Builder &B, uint64_t Element) {
  Instruction *Array = B.get(ArraySlot, ArrayType);
  count(B, Array, B.constant(int32_t(Element)));
}

void EdgePlacer::count(Builder &B, Instruction *Array, Instruction *Element) {
  if (Rate)
    sampleElement(B, Array, Element, *Rate);
  else
    recordElement(B, Class.Kind, Array, Element);
}

/// The entry is counted there.
llvm::Error EdgePlacer::addSlots() {
  RecordingBuilder B(F, addPrologue(F).terminator());
  auto Array = loadCoverageArray(B, F, Class, Name);
  if (!Array)
    return Array.takeError();
  ArraySlot = F.addPinnedLocal(ArrayType);
  B.set(ArraySlot, *Array);
  if (!G.Handlers.empty() || countsThrows()) {
    Slot = F.addPinnedLocal(Type::Int);
    keep(B, G.Runs[0].HasPosition ? Elements.position(0) : 0);
  }
  addSlotLoops(B);
  if (G.Edges[0].IsCounted) {
    count(B, Elements.OfEdge[0]);
    ++NumCounts;
  }
  return llvm::Error::success();
}

/// Makes a slot for each count of a loop.
void EdgePlacer::addSlotLoops(Builder &B) {
  for (const SlotLoop &L : Loops) {
    for (uint32_t I : L.Counted) {
      CountSlots[I] = F.addPinnedLocal(Type::Long);
      B.set(CountSlots[I], B.constantLong(0));
      ++NumInSlots;
    }
    for (uint32_t I : L.Out)
      LeftBy[I] = &L;
  }
}

void EdgePlacer::countIn(Builder &B, unsigned CountSlot) {
  B.set(CountSlot, B.make(irop::Plain, op::LADD, Type::Long,
                          {B.get(CountSlot, Type::Long), B.constantLong(1)}));
}

/// Adds the counts in the slots of \p L to the array. If \p Continues, the
/// method goes on and the slots begin anew.
void EdgePlacer::flush(Builder &B, const SlotLoop &L, bool Continues) {
  for (uint32_t I : L.Counted) {
    Instruction *Array = B.get(ArraySlot, ArrayType);
    Instruction *Element = B.constant(int32_t(Elements.OfEdge[I]));
    addElement(B, Class.Kind, Array, Element, B.get(CountSlots[I], Type::Long));
    if (Continues)
      B.set(CountSlots[I], B.constantLong(0));
  }
}

llvm::Error EdgePlacer::placeEdge(uint32_t I) {
  const Edge &E = G.Edges[I];
  if (E.Kind == Edge::Throw || !Edges.Code[E.From].IsReached)
    return llvm::Error::success();
  // A handler that is fallen into counts for nobody.
  auto To = llvm::find_if(
      G.Handlers, [&](const EdgeGraph::Handler &H) { return H.Run == E.To; });
  const SlotLoop *Left = LeftBy.lookup(I);
  if (!E.IsCounted && !Left && To == G.Handlers.end())
    return llvm::Error::success();
  const ProbePoint P = Edges.place(I);
  Instruction *Before = Places.find(P);
  if (!Before)
    return makeError(llvm::formatv("there is no place for the count of the way "
                                   "from {0} to {1}",
                                   P.From, P.To)
                         .str());
  RecordingBuilder B(F, Before);
  if (auto In = CountSlots.find(I); In != CountSlots.end()) {
    countIn(B, In->second);
  } else if (E.IsCounted) {
    count(B, Elements.OfEdge[I]);
    ++NumCounts;
  }
  if (Left)
    flush(B, *Left, E.Kind != Edge::Return);
  if (To != G.Handlers.end())
    keep(B, -int64_t(Elements.Delta[size_t(To - G.Handlers.begin())]));
  return llvm::Error::success();
}

/// Counts what was thrown where the slot says, by an element from \p First on.
void EdgePlacer::countThrown(Builder &B, uint64_t First) {
  Instruction *Array = B.get(ArraySlot, ArrayType);
  Instruction *Position = B.get(*Slot, Type::Int);
  Instruction *Element = B.make(irop::Plain, op::IADD, Type::Int,
                                {Position, B.constant(int32_t(First))});
  count(B, Array, Element);
  ++NumHandlers;
}

void EdgePlacer::placeHandler(size_t H) {
  Instruction *I = Places.at(Edges.Code[G.Handlers[H].Run].Start);
  if (!I)
    return; // nothing is thrown to it
  RecordingBuilder B(F, &*I->block()->begin());
  countThrown(B, Elements.Delta[H]);
  for (const SlotLoop &L : Loops)
    if (llvm::is_contained(L.Handlers, H))
      flush(B, L, /*Continues=*/true);
}

/// Run 0 has its own from the entry, if nothing leads back to it.
void EdgePlacer::placePosition(uint32_t Run) {
  if (!G.Runs[Run].HasPosition ||
      (!Run &&
       llvm::count_if(G.Edges, [](const Edge &E) { return !E.To; }) == 1))
    return;
  Instruction *I = nullptr;
  for (uint32_t At = Edges.Code[Run].Start; !I && At <= Edges.Code[Run].Last;
       ++At)
    I = Places.at(At);
  if (!I)
    return; // what was there is gone, as gotos are
  RecordingBuilder B(F, I);
  keep(B, Elements.position(Run));
  ++NumPositions;
}

void EdgePlacer::placeFinalHandler() {
  addRecordingHandler(F, This, [&](Instruction *End) {
    RecordingBuilder B(F, End);
    countThrown(B, Elements.FirstOfRuns);
    for (const SlotLoop &L : Loops)
      if (L.LeavesMethod)
        flush(B, L, /*Continues=*/false);
  });
}

llvm::Error EdgePlacer::run() {
  startBehindSuper(F, This);
  Places.addBlocks();
  if (llvm::Error E = addSlots())
    return E;
  for (uint32_t I = 1; I < G.Edges.size(); ++I)
    if (llvm::Error E = placeEdge(I))
      return E;
  for (size_t H = 0; H < G.Handlers.size(); ++H)
    placeHandler(H);
  for (uint32_t R = 0; Slot && R < G.root(); ++R)
    placePosition(R);
  if (countsThrows())
    placeFinalHandler();
  return llvm::Error::success();
}

static const EdgePlan &planOf(const PlaceEdgesPass &P, PassContext &C) {
  switch (*findEdgeStrategy(P.Options.nameOfStrategy())) {
  case EdgeStrategy::Edges:
    return C.analysis<PlanOf<EdgeStrategy::Edges>>(C.classFile()).Plan;
  case EdgeStrategy::AtomicEdges:
    return C.analysis<PlanOf<EdgeStrategy::AtomicEdges>>(C.classFile()).Plan;
  case EdgeStrategy::Nodup:
    return C.analysis<PlanOf<EdgeStrategy::Nodup>>(C.classFile()).Plan;
  }
  llvm_unreachable("all strategies are listed");
}

bool PlaceEdgesPass::begin(PassContext &C) const {
  materializeBytecode(C, true);
  C.makeAnchors();
  const EdgePlan &Plan = planOf(*this, C);
  std::string Problem = Plan.Class.Problem;
  if (Problem.empty() && !Plan.Methods.empty())
    Problem = addHolder(Plan.Class, Options.nameOfStrategy(), C);
  if (!Problem.empty())
    C.report(ReportRow::problem(Plan.Class.ProblemKind, Problem));
  for (const Method *M : Plan.Changed) {
    ReportRow R = ReportRow::problem(
        ReportRow::Warned,
        "has other code than that of the profile, and is placed by a guess");
    R.Method = toDisplayUTF8(
        (C.classFile().name(*M) + C.classFile().descriptor(*M)).str());
    C.report(std::move(R));
  }
  return Problem.empty() && !Plan.Methods.empty();
}

bool PlaceEdgesPass::wants(const Method &M, PassContext &C) const {
  return planOf(*this, C).Methods.count(&M);
}

llvm::Expected<PreservedAnalyses> PlaceEdgesPass::run(Body &F,
                                                      PassContext &C) const {
  const EdgePlan &Plan = planOf(*this, C);
  const EdgePlan::OfMethod &M = Plan.Methods.find(&F.method())->second;
  std::optional<int32_t> Rate;
  if (*findEdgeStrategy(Options.nameOfStrategy()) == EdgeStrategy::Nodup)
    Rate = rateOf(Options.Rate);
  if (llvm::Error E =
          EdgePlacer(F, C, Plan.Class, M, Options.nameOfStrategy(), Rate).run())
    return E;
  const EdgeGraph &G = M.Layout.Edges.Graph;
  size_t InSlots = 0;
  for (const SlotLoop &L : M.Loops)
    InSlots += L.Counted.size();
  ++NumMethods;
  NumEdges += G.Edges.size();
  C.remark(
      F.method(),
      llvm::formatv(
          "{0} edges: {1} counted, {2} in slots, {3} positions", G.Edges.size(),
          llvm::count_if(G.Edges, [](const Edge &E) { return E.IsCounted; }),
          InSlots, llvm::count_if(G.Runs, [](const EdgeGraph::Run &R) {
            return R.HasPosition;
          })));
  return PreservedAnalyses::none();
}
