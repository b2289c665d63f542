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

#include "CoverageHolder.h"
#include "jopt/IR/Surgery.h"
#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Passes/Analysis/CoveragePlan.h"
#include "jopt/Passes/Analysis/ThisState.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace jopt;
using namespace jopt::coverage;

#define GET_STATISTICS_PlaceCoverage
#include "jopt/Passes/Passes.inc"

namespace {

constexpr llvm::StringLiteral ConstantDescriptor = "Ljava/lang/Object;";

class CoveragePlacer {
public:
  CoveragePlacer(Body &F, PassContext &C, const CoveragePlan &Class,
                 const CoveragePlan::OfMethod &M, llvm::StringRef Name)
      : F(F), Class(Class), M(M), Name(Name), Array(coverageArray(Class.Kind)),
        ArrayType(F.types().fromDescriptor(Array.Type)),
        This(C.analysis<ThisState>(F)) {}

  llvm::Error run();

private:
  void findCode();
  Block &prologue();
  void addSlots();

  Instruction *placeOf(const ProbePoint &P);
  Instruction *placeOfFall(Instruction &I);
  Instruction *placeOnEdge(Instruction &T, const Block &To, bool Jumps);
  Value *loadArray(Builder &B);
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
  uint16_t Bootstrap = 0;
  unsigned ArraySlot = 0;
  std::optional<unsigned> PositionSlot;
  /// The first instruction that each bytecode index has, and the terminators.
  llvm::DenseMap<uint32_t, Instruction *> At, Ends;
  /// How many ways lead to a block, by its id; those of exceptions count twice.
  std::vector<uint32_t> Ways;
};

} // namespace

void CoveragePlacer::findCode() {
  Ways.resize(F.numBlocks());
  for (Block &B : F.blocks()) {
    if (B.isHandler())
      Ways[B.id()] += 2;
    for (Instruction &I : B) {
      if (I.bci() < 0 || I.op() == irop::FallThrough)
        continue;
      At.try_emplace(uint32_t(I.bci()), &I);
      if (I.isTerminator())
        Ends[uint32_t(I.bci())] = &I;
    }
    llvm::SmallPtrSet<Block *, 4> Seen;
    for (Block *S : B.terminator()->successors())
      if (Seen.insert(S).second)
        ++Ways[S->id()];
  }
  ++Ways[F.entry().id()];
}

/// A block in front of all other code, in no range.
Block &CoveragePlacer::prologue() {
  Block *Old = &F.entry();
  Block *Front = F.createBlock(Old);
  Builder B(F);
  B.setEnd(Front);
  B.fallThrough(Old);
  return *Front;
}

/// The array is loaded when the method is entered: if linking it fails, as
/// where the stack is full, nothing of the method has run yet, and no handler
/// of its own sees it, which could go on for ever.
void CoveragePlacer::addSlots() {
  Builder B(F, prologue().terminator());
  Value *Loaded = loadArray(B);
  ArraySlot = F.addMethodWideSlot(ArrayType);
  B.set(ArraySlot, Loaded);
  if (M.Plan.hasMarks()) {
    PositionSlot = F.addMethodWideSlot(Type::Int);
    B.set(*PositionSlot, B.constant(0));
  }
}

Value *CoveragePlacer::loadArray(Builder &B) {
  const unsigned Version = F.classFile().Major;
  if (Version < FirstWithCallSites)
    return B.callStatic(holderName(F.classFile().name(), Class, Name),
                        HolderMethod, Array.getter(), {});
  if (Version < FirstWithConstants)
    return B.callSite(Bootstrap, Name, Array.getter(), {});
  CPEntry Constant;
  Constant.Tag = CPTag::Dynamic;
  Constant.A = Bootstrap;
  Constant.B = F.pool().addNameAndType(Name, ConstantDescriptor);
  Instruction *I =
      B.make(irop::Const, op::LDC, F.types().ref("java/lang/Object"));
  I->setIndex(F.pool().addEntry(Constant));
  return B.cast(I, Array.Class);
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

/// On the way from \p T to \p To: of an `if` the one that jumps, or falls.
Instruction *CoveragePlacer::placeOnEdge(Instruction &T, const Block &To,
                                         bool Jumps) {
  if (llvm::all_equal(T.successors()) && T.op() != irop::If)
    return &T;
  if (Ways[To.id()] == 1 && llvm::count(T.successors(), &To) == 1)
    return &*T.successors()[size_t(llvm::find(T.successors(), &To) -
                                   T.successors().begin())]
                 ->begin();
  const bool Falls = T.op() == irop::If && !Jumps;
  Block *Next = const_cast<Block *>(&To);
  Block *New = F.createBlock(Falls ? Next : nullptr);
  llvm::SmallVector<Type, 8> Types;
  for (Parameter *V : To.parameters())
    Types.push_back(V->type());
  F.setParameters(New, Types);
  llvm::SmallVector<Value *, 8> Through;
  for (Parameter *V : New->parameters()) {
    V->setPopped(true);
    Through.push_back(V);
  }
  F.setExitValues(New, Through);
  Builder B(F);
  B.setEnd(New);
  if (Falls) {
    New->setThrowEdges(To.throwEdges());
    B.fallThrough(Next);
  } else {
    F.setSharedFrame(New, To.locals());
    B.jump(Next);
  }
  for (size_t I = 0; I < T.successors().size(); ++I)
    if (T.successors()[I] == Next && (T.op() != irop::If || (I == 0) == Jumps))
      T.successors()[I] = New;
  return New->terminator();
}

/// Where control falls into \p I.
Instruction *CoveragePlacer::placeOfFall(Instruction &I) {
  Block *B = I.block();
  if (&*B->begin() != &I)
    return &I;
  if (B == &F.entry())
    return nullptr;
  Instruction *T = std::prev(B->getIterator())->terminator();
  if (!T || !llvm::is_contained(T->successors(), B) ||
      (T->op() != irop::FallThrough && T->op() != irop::If))
    return nullptr;
  return placeOnEdge(*T, *B, /*Jumps=*/false);
}

/// What the code for \p P stands in front of; null if the body has no such
/// place.
Instruction *CoveragePlacer::placeOf(const ProbePoint &P) {
  if (P.Kind == ProbePoint::Fall) {
    Instruction *I = At.lookup(P.To);
    return I ? placeOfFall(*I) : nullptr;
  }
  Instruction *T = Ends.lookup(P.From);
  if (P.Kind == ProbePoint::Leave)
    return T;
  if (!T) // a goto to what follows
    return At.lookup(P.From);
  for (Block *To : T->successors())
    if (To->bci() == P.To && (T->op() != irop::If || To == T->successors()[0]))
      return placeOnEdge(*T, *To, /*Jumps=*/true);
  return nullptr;
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
    Instruction *I = At.lookup(uint32_t(T));
    if (!I)
      continue;
    Builder B(F, &*I->block()->begin());
    record(B, B.get(*PositionSlot, Type::Int));
    ++NumHandlers;
  }
}

/// In a constructor around what comes behind super() alone, which begins a
/// block.
void CoveragePlacer::placeFinalHandler() {
  llvm::SmallVector<Block *, 32> Covered;
  bool Uninit = This.Constructor;
  for (Block &B : F.blocks()) {
    if (B.id() < This.Uninitialized.size())
      Uninit = This.Uninitialized[B.id()];
    if (!Uninit &&
        llvm::any_of(B, [](const Instruction &I) { return I.bci() >= 0; }))
      Covered.push_back(&B);
    if (Uninit && llvm::any_of(B, isSuperCall))
      Uninit = false;
  }
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
  if (F.classFile().Major >= FirstWithCallSites) {
    auto Number = addCoverageBootstrap(F.classFile(), Class);
    if (!Number)
      return Number.takeError();
    Bootstrap = *Number;
  }
  findCode();
  // Behind super() a block begins before places are taken.
  if (This.Constructor)
    for (Block &B : F.blocks())
      for (Instruction &I : B)
        if (isSuperCall(I)) {
          startBlock(&*std::next(I.getIterator()));
          break;
        }
  Ways.resize(F.numBlocks(), 1);
  addSlots();
  for (size_t N = 0; N < M.Points.size(); ++N) {
    if (M.Plan.Actions[N] == MethodPlan::Nothing)
      continue;
    Instruction *Before = placeOf(M.Points[N]);
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

/// Why the class cannot have a holder beside it; empty: it has one.
static std::string addHolder(Strategy S, const CoveragePlan &Plan,
                             PassContext &C) {
  auto *Sink = C.find<ClassSink>();
  if (!Sink)
    return "is of a version without call sites: coverage needs a class beside "
           "it, which text has not";
  auto Holder = makeHolder(C.classFile().name(), Plan, getStrategyInfo(S).Name);
  if (!Holder)
    return toMessage(Holder.takeError());
  Sink->Take(std::move(*Holder));
  return {};
}

bool PlaceCoveragePass::begin(PassContext &C) const {
  settleText(C, true);
  C.makeAnchors();
  const CoveragePlan &Plan = CoveragePlan::get(strategyOf(*this), C);
  std::string Problem = Plan.Problem;
  if (Problem.empty() && !Plan.Methods.empty() &&
      C.classFile().Major < FirstWithCallSites)
    Problem = addHolder(strategyOf(*this), Plan, C);
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
