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
//===----------------------------------------------------------------------===//

#include "CodePlaces.h"
#include "CoverageHolder.h"
#include "jopt/IR/Surgery.h"
#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Passes/Analysis/CoveragePlan.h"
#include "jopt/Passes/Analysis/ThisState.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"
#include "llvm/Support/FormatVariadic.h"

using namespace jopt;
using namespace jopt::coverage;

#define GET_STATISTICS_PlaceCoverage
#include "jopt/Passes/Passes.inc"

namespace {

class CoveragePlacer {
public:
  CoveragePlacer(Body &F, PassContext &C, const CoveragePlan &Class,
                 const CoveragePlan::OfMethod &M, llvm::StringRef Name)
      : F(F), Class(Class), M(M), Name(Name), Array(coverageArray(Class.Kind)),
        ArrayType(F.types().fromDescriptor(Array.Type)),
        This(C.analysis<ThisState>(F)) {}

  llvm::Error run();

private:
  llvm::Error addSlots();

  void record(Builder &B, Instruction *Element);
  void place(size_t N, Instruction *Before);
  void placeHandlers();
  void placeFinalHandler();

  Body &F;
  const CoveragePlan &Class;
  const CoveragePlan::OfMethod &M;
  const llvm::StringRef Name; ///< of the strategy
  const CoverageArray Array;
  const Type ArrayType;
  const ThisState This; ///< as it was before anything changed
  unsigned ArraySlot = 0;
  std::optional<unsigned> PositionSlot;
  std::optional<CodePlaces> Places;
};

} // namespace

/// The array is loaded when the method is entered: if linking it fails, as
/// where the stack is full, nothing of the method has run yet, and no handler
/// of its own sees it, which could go on for ever.
llvm::Error CoveragePlacer::addSlots() {
  Builder B(F, addPrologue(F).terminator());
  auto Loaded = loadCoverageArray(B, F, Class, Name);
  if (!Loaded)
    return Loaded.takeError();
  ArraySlot = F.addMethodWideSlot(ArrayType);
  B.set(ArraySlot, *Loaded);
  if (M.Plan.hasMarks()) {
    PositionSlot = F.addMethodWideSlot(Type::Int);
    B.set(*PositionSlot, B.constant(0));
  }
  return llvm::Error::success();
}

/// Records \p Element where \p B stands: sets it, or counts.
void CoveragePlacer::record(Builder &B, Instruction *Element) {
  Instruction *To = B.get(ArraySlot, ArrayType);
  switch (Class.Kind) {
  case Elements::Bits:
    B.make(irop::Plain, op::BASTORE, Type::Void, {To, Element, B.constant(1)});
    return;
  case Elements::Counts: {
    // One dup2 copies both.
    To->setFloating(false);
    Element->setFloating(false);
    Value *Old = B.make(irop::Plain, op::LALOAD, Type::Long, {To, Element});
    Value *New =
        B.make(irop::Plain, op::LADD, Type::Long, {Old, B.constantLong(1)});
    B.make(irop::Plain, op::LASTORE, Type::Void, {To, Element, New});
    return;
  }
  case Elements::AtomicCounts:
    B.callVirtual(Array.Class, "getAndIncrement", "(I)J", {To, Element});
    return;
  }
}

void CoveragePlacer::place(size_t N, Instruction *Before) {
  Builder B(F, Before);
  const int32_t Element = int32_t(M.Elements[N]);
  if (M.Plan.Actions[N] == MethodPlan::Mark) {
    B.set(*PositionSlot, B.constant(Element));
    ++NumMarks;
  } else {
    record(B, B.constant(Element));
    ++NumStores;
  }
}

void CoveragePlacer::placeHandlers() {
  for (Thrown T : M.Plan.Handlers) {
    if (T == Thrown::OutOfMethod)
      continue;
    Instruction *I = Places->at(uint32_t(T));
    if (!I)
      continue;
    Builder B(F, &*I->block()->begin());
    record(B, B.get(*PositionSlot, Type::Int));
    ++NumHandlers;
  }
}

void CoveragePlacer::placeFinalHandler() {
  llvm::SmallVector<Block *, 32> Covered = blocksBehindSuper(F, This);
  if (Covered.empty())
    return;
  Block *H = addCatchAll(F, {});
  Builder B(F);
  B.setEnd(H);
  B.raise(H->parameters()[0]);
  B.setPoint(H->terminator());
  record(B, B.get(*PositionSlot, Type::Int));
  F.addFinalHandler(H, Covered);
  ++NumHandlers;
}

llvm::Error CoveragePlacer::run() {
  Places.emplace(F);
  startBehindSuper(F, This);
  Places->addBlocks();
  if (llvm::Error E = addSlots())
    return E;
  for (size_t N = 0; N < M.Points.size(); ++N) {
    if (M.Plan.Actions[N] == MethodPlan::Nothing)
      continue;
    Instruction *Before = Places->find(M.Points[N]);
    if (!Before)
      return makeError(
          llvm::formatv("there is no place for the probe on the way from {0} "
                        "to {1}",
                        M.Points[N].From, M.Points[N].To)
              .str());
    place(N, Before);
  }
  placeHandlers();
  if (llvm::is_contained(M.Plan.Handlers, Thrown::OutOfMethod))
    placeFinalHandler();
  return llvm::Error::success();
}

static Strategy strategyOf(const PlaceCoveragePass &P) {
  return *findStrategy(P.Options.nameOfStrategy());
}

bool PlaceCoveragePass::begin(PassContext &C) const {
  settleText(C, true);
  C.makeAnchors();
  const CoveragePlan &Plan = CoveragePlan::get(strategyOf(*this), C);
  std::string Problem = Plan.Problem;
  if (Problem.empty() && !Plan.Methods.empty())
    Problem = addHolder(Plan, Options.nameOfStrategy(), C);
  if (!Problem.empty())
    C.report(ReportRow::problem(ReportRow::Undone, Problem));
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

llvm::Expected<PreservedAnalyses> PlaceCoveragePass::run(Body &F,
                                                         PassContext &C) const {
  const Strategy S = strategyOf(*this);
  const CoveragePlan &Plan = CoveragePlan::get(S, C);
  const CoveragePlan::OfMethod &M = Plan.Methods.find(&F.method())->second;
  if (llvm::Error E =
          CoveragePlacer(F, C, Plan, M, getStrategyInfo(S).Name).run())
    return E;
  ++NumMethods;
  NumPoints += M.Points.size();
  C.remark(F.method(),
           llvm::formatv("{0} points: {1} stores, {2} positions",
                         M.Points.size(),
                         llvm::count(M.Plan.Actions, MethodPlan::Store),
                         llvm::count(M.Plan.Actions, MethodPlan::Mark))
               .str());
  return PreservedAnalyses::none();
}
