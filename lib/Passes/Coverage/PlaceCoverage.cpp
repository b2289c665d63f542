//===- PlaceCoverage.cpp - Has methods record what they pass --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Points are places in the original code, and found in the body by bytecode
/// index: the pass runs before others change it. What it inserts throws nothing
/// but what linking the call site that gives the array does.
///
/// A mask holds the bits of one word of the array where they stand in it. It is
/// told to the array where the method is left, and where a loop goes back that
/// may last: there only if it has changed since.
///
//===----------------------------------------------------------------------===//

#include "CodePlaces.h"
#include "CoverageHolder.h"
#include "PatchCoverage.h"
#include "jopt/IR/Surgery/Surgery.h"
#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Passes/Analysis/CoveragePlan.h"
#include "jopt/Passes/Analysis/ThisState.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace jopt;
using namespace jopt::coverage;

static constexpr llvm::StringLiteral LinkClass = "jopt/boot/Link";

#define GET_STATISTICS_PlaceCoverage
#include "jopt/Passes/Passes.inc"

namespace {

class CoveragePlacer {
public:
  CoveragePlacer(Body &F, PassContext &C, const CoveragePlan &Class,
                 const CoveragePlan::OfMethod &M,
                 llvm::ArrayRef<PointLink> Links, llvm::StringRef Name)
      : F(F), Class(Class), M(M), Links(Links), Name(Name),
        ArrayType(F.types().fromDescriptor(coverageArray(Class.Kind).Type)),
        This(C.analysis<ThisState>(F)) {}

  llvm::Error run();

private:
  llvm::Error addSlots();
  bool needsMask() const;

  void record(Builder &B, Instruction *Element);
  void store(Builder &B, uint32_t Element);
  void link(Builder &B, const PointLink &L);
  void place(size_t N, Instruction *Before);
  llvm::Error placePoints();
  void placeHandlers();
  void tellAtReturns();
  llvm::SmallVector<ProbePoint, 8> findLoops();
  void tellInLoops(llvm::ArrayRef<ProbePoint> JumpsBack);
  Value *tell(Builder &B, Value *Mask, Value *Told = nullptr);
  void placeFinalHandler();

  Body &F;
  const CoveragePlan &Class;
  const CoveragePlan::OfMethod &M;
  llvm::ArrayRef<PointLink> Links; ///< by point
  const llvm::StringRef Name;      ///< of the strategy
  const Type ArrayType;
  const ThisState This; ///< as it was before anything changed
  unsigned ArraySlot = 0;
  std::optional<unsigned> PositionSlot, MaskSlot, ToldSlot;
  uint32_t Word = 0; ///< of the array, that the mask is of
  /// Bits that are set where the method returns, which need not wait in the
  /// slot.
  llvm::DenseMap<Instruction *, uint64_t> AtReturn;
  /// Where points stand that jumps have.
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, Instruction *> OnJumps;
  std::optional<CodePlaces> Places;
};

} // namespace

/// The array is loaded when the method is entered: if linking it fails, as
/// where the stack is full, nothing of the method has run yet, and no handler
/// of its own sees it, which could go on for ever.
llvm::Error CoveragePlacer::addSlots() {
  RecordingBuilder B(F, addPrologue(F).terminator());
  auto Loaded = loadCoverageArray(B, F, Class, Name);
  if (!Loaded)
    return Loaded.takeError();
  ArraySlot = F.addPinnedLocal(ArrayType);
  B.set(ArraySlot, *Loaded);
  if (M.Plan.has(MethodPlan::Mark)) {
    PositionSlot = F.addPinnedLocal(Type::Int);
    B.set(*PositionSlot, B.constant(0));
  }
  if (needsMask()) {
    MaskSlot = F.addPinnedLocal(Type::Long);
    B.set(*MaskSlot, B.constantLong(0));
  }
  return llvm::Error::success();
}

/// The bit of \p Element in its word.
static uint64_t bitOf(uint32_t Element) {
  return uint64_t(1) << Element % MethodPlan::MostBits;
}

static bool returns(const Instruction *I) { return I->op() == irop::Return; }

/// A bit is set elsewhere than where the method returns.
bool CoveragePlacer::needsMask() const {
  for (size_t N = 0; N < M.Points.size(); ++N)
    if (M.Plan.Actions[N] == MethodPlan::Bit &&
        (M.Points[N].Kind != ProbePoint::Leave ||
         !returns(Places->end(M.Points[N].From))))
      return true;
  return false;
}

/// Records \p Element where \p B stands: sets it, or counts.
void CoveragePlacer::record(Builder &B, Instruction *Element) {
  recordElement(B, Class.Kind, B.get(ArraySlot, ArrayType), Element);
}

/// The same of one that is known.
void CoveragePlacer::store(Builder &B, uint32_t Element) {
  if (Class.Kind == Elements::Words) {
    Word = Element / MethodPlan::MostBits;
    tell(B, B.constantLong(int64_t(bitOf(Element))));
  } else {
    record(B, B.constant(int32_t(Element)));
  }
}

/// Records the bits of \p Mask in the word; if \p Told is given, only if the
/// bits differ from it. Returns the bits recorded last then.
Value *CoveragePlacer::tell(Builder &B, Value *Mask, Value *Told) {
  llvm::SmallVector<Value *, 4> Arguments = {B.get(ArraySlot, ArrayType),
                                             B.constant(int32_t(Word)), Mask};
  if (Told)
    Arguments.push_back(Told);
  return B.callStatic(
      LinkClass, "reach",
      ("(" + coverageArray(Class.Kind).Type + (Told ? "IJJ)J" : "IJ)V")).str(),
      Arguments);
}

void CoveragePlacer::link(Builder &B, const PointLink &L) {
  if (L.Op == op::INVOKEDYNAMIC)
    B.callSite(L.Bootstrap, Name, "()V", {});
  else // Nobody uses it, so it is popped.
    B.make(irop::Const, op::LDC, F.types().ref("java/lang/Object"))
        ->setIndex(L.Index);
}

void CoveragePlacer::place(size_t N, Instruction *Before) {
  RecordingBuilder B(F, Before);
  const uint32_t Element = M.Elements[N];
  switch (M.Plan.Actions[N]) {
  case MethodPlan::Nothing:
    return;
  case MethodPlan::Store:
    store(B, Element);
    ++NumStores;
    return;
  case MethodPlan::Link:
    link(B, Links[N]);
    ++NumLinks;
    return;
  case MethodPlan::Mark:
    B.set(*PositionSlot, B.constant(int32_t(Element)));
    ++NumMarks;
    return;
  case MethodPlan::Bit:
    ++NumBits;
    Word = Element / MethodPlan::MostBits;
    if (returns(Before) && M.Points[N].Kind == ProbePoint::Leave)
      AtReturn[Before] |= bitOf(Element);
    else
      B.set(*MaskSlot, B.make(irop::Plain, op::LOR, Type::Long,
                              {B.get(*MaskSlot, Type::Long),
                               B.constantLong(int64_t(bitOf(Element)))}));
    return;
  }
}

llvm::Error CoveragePlacer::placePoints() {
  for (size_t N = 0; N < M.Points.size(); ++N) {
    const ProbePoint &P = M.Points[N];
    if (M.Plan.Actions[N] == MethodPlan::Nothing)
      continue;
    Instruction *Before =
        M.isAtEntry(N) ? F.entry().terminator() : Places->find(P);
    if (!Before)
      return makeError(
          llvm::formatv("there is no place for the probe on the way from {0} "
                        "to {1}",
                        P.From, P.To)
              .str());
    if (P.Kind == ProbePoint::Jump || P.Kind == ProbePoint::Switch)
      OnJumps[{P.From, P.To}] = Before;
    place(N, Before);
  }
  return llvm::Error::success();
}

/// Tells the mask where the method returns.
void CoveragePlacer::tellAtReturns() {
  for (auto [BCI, I] : Places->ends()) {
    const uint64_t Own = AtReturn.lookup(I);
    if (!returns(I) || (!MaskSlot && !Own))
      continue;
    RecordingBuilder B(F, I);
    Value *Mask = MaskSlot ? B.get(*MaskSlot, Type::Long) : nullptr;
    Value *Bits = Own ? B.constantLong(int64_t(Own)) : nullptr;
    tell(B, Mask && Bits
                ? B.make(irop::Plain, op::LOR, Type::Long, {Mask, Bits})
            : Mask ? Mask
                   : Bits);
    ++NumTold;
  }
}

/// The blocks from which the method can return.
static llvm::DenseSet<const Block *> findReturning(Body &F) {
  llvm::DenseMap<const Block *, llvm::SmallVector<const Block *, 2>> Before;
  llvm::DenseSet<const Block *> Found;
  llvm::SmallVector<const Block *, 16> Work;
  auto Add = [&](const Block *B) {
    if (Found.insert(B).second)
      Work.push_back(B);
  };
  for (Block &B : F.blocks()) {
    for (Block *To : B.terminator()->successors())
      Before[To].push_back(&B);
    if (returns(B.terminator()))
      Add(&B);
  }
  while (!Work.empty())
    for (const Block *B : Before.lookup(Work.pop_back_val()))
      Add(B);
  return Found;
}

/// Finds jumps back of loops that may last: they go over a call, or over no
/// store to a slot that they could depend on, or there is no way out but by an
/// exception.
llvm::SmallVector<ProbePoint, 8> CoveragePlacer::findLoops() {
  llvm::SmallVector<ProbePoint, 8> JumpsBack;
  llvm::SmallVector<uint32_t, 32> Calls, Stores;
  for (Block &B : F.blocks())
    for (Instruction &I : B)
      if (I.op() == irop::Invoke && I.bci() >= 0)
        Calls.push_back(uint32_t(I.bci()));
      else if ((I.op() == irop::LocalSet || I.op() == irop::LocalInc) &&
               I.bci() >= 0)
        Stores.push_back(uint32_t(I.bci()));
  llvm::sort(Calls);
  llvm::sort(Stores);
  auto IsAny = [](llvm::ArrayRef<uint32_t> Of, uint32_t First, uint32_t End) {
    auto At = llvm::lower_bound(Of, First);
    return At != Of.end() && *At < End;
  };
  const llvm::DenseSet<const Block *> Returning = findReturning(F);
  for (auto [From, I] : Places->ends())
    for (Block *To : I->successors()) {
      if (To->bci() < 0 || uint32_t(To->bci()) > From)
        continue;
      const auto First = uint32_t(To->bci());
      if (IsAny(Calls, First, From) || !IsAny(Stores, First, From) ||
          !Returning.count(To))
        JumpsBack.push_back(
            {ProbePoint::Jump, false, uint16_t(From), uint16_t(To->bci())});
    }
  return JumpsBack;
}

/// Tells the mask there.
void CoveragePlacer::tellInLoops(llvm::ArrayRef<ProbePoint> JumpsBack) {
  for (const ProbePoint &P : JumpsBack) {
    Instruction *&Before = OnJumps[{P.From, P.To}];
    if (!Before)
      Before = Places->find(P);
    if (!Before)
      continue;
    if (!ToldSlot) {
      ToldSlot = F.addPinnedLocal(Type::Long);
      RecordingBuilder B(F, F.entry().terminator());
      B.set(*ToldSlot, B.constantLong(0));
    }
    RecordingBuilder B(F, Before);
    B.set(*ToldSlot,
          tell(B, B.get(*MaskSlot, Type::Long), B.get(*ToldSlot, Type::Long)));
    ++NumTold;
  }
}

void CoveragePlacer::placeHandlers() {
  for (Thrown T : M.Plan.Handlers) {
    if (T == Thrown::OutOfMethod)
      continue;
    Instruction *I = Places->at(uint32_t(T));
    if (!I)
      continue;
    RecordingBuilder B(F, &*I->block()->begin());
    record(B, B.get(*PositionSlot, Type::Int));
    ++NumHandlers;
  }
}

void CoveragePlacer::placeFinalHandler() {
  NumHandlers += addRecordingHandler(F, This, [&](Instruction *End) {
    RecordingBuilder B(F, End);
    if (MaskSlot)
      tell(B, B.get(*MaskSlot, Type::Long));
    if (PositionSlot)
      record(B, B.get(*PositionSlot, Type::Int));
  });
}

llvm::Error CoveragePlacer::run() {
  Places.emplace(F);
  startBehindSuper(F, This);
  Places->addBlocks();
  if (M.usesArray())
    if (llvm::Error E = addSlots())
      return E;
  // As long as blocks are those of the original code.
  llvm::SmallVector<ProbePoint, 8> JumpsBack;
  if (MaskSlot)
    JumpsBack = findLoops();
  if (llvm::Error E = placePoints())
    return E;
  if (M.Plan.has(MethodPlan::Bit))
    tellAtReturns();
  if (MaskSlot)
    tellInLoops(JumpsBack);
  if (PositionSlot)
    placeHandlers();
  if ((MaskSlot || PositionSlot) &&
      llvm::is_contained(M.Plan.Handlers, Thrown::OutOfMethod))
    placeFinalHandler();
  return llvm::Error::success();
}

static Strategy strategyOf(const PlaceCoveragePass &P) {
  return *findStrategy(P.Options.nameOfStrategy());
}

static PointCode pointCodeOf(const PlaceCoveragePass &P) {
  const auto &O = P.Options;
  return O.Points == O.PointsConstants ? PointCode::Constants
         : O.Points == O.PointsSites   ? PointCode::Sites
                                       : PointCode::Stores;
}

bool PlaceCoveragePass::begin(PassContext &C) const {
  materializeBytecode(C, true);
  C.makeAnchors();
  const CoveragePlan &Plan = CoveragePlan::get(strategyOf(*this), C);
  // Those of Blocks are within expressions, which the scheduler of lifted
  // bodies orders in its own way.
  if (Plan.Kind == Elements::Bits && strategyOf(*this) != Strategy::Blocks)
    C.takePatches();
  std::string Problem = Plan.Problem;
  if (Plan.Kind == Elements::Bits && pointCodeOf(*this) == PointCode::Constants)
    raiseForConstants(C.classFile());
  if (Problem.empty() && !Plan.Methods.empty())
    Problem = addHolder(Plan, Options.nameOfStrategy(), C);
  if (!Problem.empty())
    C.report(ReportRow::problem(Plan.ProblemKind, Problem));
  return Problem.empty() && !Plan.Methods.empty();
}

bool PlaceCoveragePass::wants(const Method &M, PassContext &C) const {
  const auto &Methods = CoveragePlan::get(strategyOf(*this), C).Methods;
  auto Of = Methods.find(&M);
  return Of != Methods.end() &&
         llvm::any_of(Of->second.Plan.Actions, [](MethodPlan::Action A) {
           return A != MethodPlan::Nothing;
         });
}

/// Places what \p M does in \p F, a patched body.
static llvm::Error patchMethod(Body &F, const CoveragePlan &Class,
                               const CoveragePlan::OfMethod &M,
                               llvm::ArrayRef<PointLink> Links,
                               llvm::StringRef Name) {
  std::optional<ArrayLoad> Load;
  if (M.usesArray())
    if (llvm::Error E =
            addArrayLoad(F.classFile(), Class, Name).moveInto(Load.emplace()))
      return E;
  CoverageSites Placed;
  if (!patchCoverage(F, M, Load ? &*Load : nullptr, Links, Placed))
    return makeError("its points have no places in original code");
  NumStores += Placed.NumStores;
  NumLinks += Placed.NumLinks;
  NumMarks += Placed.NumMarks;
  NumHandlers += Placed.NumHandlers;
  return llvm::Error::success();
}

llvm::Expected<PreservedAnalyses> PlaceCoveragePass::run(Body &F,
                                                         PassContext &C) const {
  const Strategy S = strategyOf(*this);
  const CoveragePlan &Plan = CoveragePlan::get(S, C);
  const CoveragePlan::OfMethod *M = &Plan.Methods.find(&F.method())->second;
  const llvm::StringRef Name = getStrategyInfo(S).Name;
  const PointCode How =
      pointCodeFor(F.classFile(), Plan, *M, pointCodeOf(*this));
  CoveragePlan::OfMethod Linked;
  PointLinks Links;
  if (How != PointCode::Stores) {
    Linked = *M;
    M = &Linked;
    CodeView Code;
    if (llvm::Error E = parseCode(
            F.classFile(), originalCode(F.classFile(), F.method()), Code))
      return E;
    linkPoints(Linked, F.classFile(), F.method(), Code);
    if (llvm::Error E = addPointLinks(F.classFile(), Plan, Linked, How, Name)
                            .moveInto(Links))
      return E;
  }
  if (llvm::Error E = F.Patch
                          ? patchMethod(F, Plan, *M, Links, Name)
                          : CoveragePlacer(F, C, Plan, *M, Links, Name).run())
    return E;
  ++NumMethods;
  NumPoints += M->Points.size();
  const llvm::ArrayRef<MethodPlan::Action> Actions = M->Plan.Actions;
  const auto Number = [&](MethodPlan::Action A) {
    return unsigned(llvm::count(Actions, A));
  };
  const unsigned Bits = Number(MethodPlan::Bit), Own = Number(MethodPlan::Link);
  C.remark(F.method(),
           llvm::formatv("{0} points: {1} stores, {2} positions",
                         Actions.size(), Number(MethodPlan::Store),
                         Number(MethodPlan::Mark)) +
               (Bits ? ", " + llvm::Twine(Bits) + " bits" : llvm::Twine()) +
               (Own ? ", " + llvm::Twine(Own) + " linked" : llvm::Twine()));
  return PreservedAnalyses::none();
}
