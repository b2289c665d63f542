//===- PlacePaths.cpp - Has methods count the paths through them ----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A slot holds the number of the path that the activation is on, which is
/// right wherever an exception may come: handlers count it as they find it. No
/// handler can stand around super(). What may throw up to its return is counted
/// before, as if it had, and taken back behind.
///
//===----------------------------------------------------------------------===//

#include "CodePlaces.h"
#include "CoverageHolder.h"
#include "jopt/Coverage/ClassId.h"
#include "jopt/Coverage/PathLayout.h"
#include "jopt/IR/Surgery.h"
#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Passes/Analysis/ThisState.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/PassManager.h"
#include "jopt/Support/Statistics.h"
#include "llvm/Support/FormatVariadic.h"

using namespace jopt;
using namespace jopt::coverage;

#define GET_STATISTICS_PlacePaths
#include "jopt/Passes/Passes.inc"

namespace {

/// The paths of a class as it came.
struct PathPlan {
  static inline AnalysisKey Key;
  static PathPlan run(const ClassFile &F, PassContext &C);

  CoveragePlan Class;
  llvm::DenseMap<const Method *, PathLayout::OfMethod> Methods;
};

class PathPlacer {
public:
  PathPlacer(Body &F, PassContext &C, const CoveragePlan &Class,
             const PathLayout::OfMethod &M, llvm::StringRef Name)
      : F(F), Class(Class), M(M), Paths(M.Paths), Name(Name),
        ArrayType(F.types().fromDescriptor(coverageArray(Class.Kind).Type)),
        This(C.analysis<ThisState>(F)), Places(F) {}

  llvm::Error run();

private:
  struct Call {
    Instruction *First, *Last;
  };
  void findCallsBeforeSuper();
  llvm::Error addSlots();
  void add(Instruction *Before, uint32_t Step);
  void count(Instruction *Before, uint32_t Step, int64_t By = 1);
  void begin(Instruction *Before, uint32_t Block);
  llvm::Error placeEdge(const CodeBlock &B, uint32_t N, size_t Edge);
  llvm::Error placeBlock(uint32_t N);
  void placeBeforeSuper();
  void placeFinalHandler();
  bool isBeforeSuper(const Block &B) const {
    return This.Constructor && B.id() < This.Uninitialized.size() &&
           This.Uninitialized[B.id()];
  }
  int32_t numberOf(uint32_t Path) const {
    return int32_t(M.IsTable ? Path : M.First + Path);
  }

  Body &F;
  const CoveragePlan &Class;
  const PathLayout::OfMethod &M;
  const CodePaths &Paths;
  const llvm::StringRef Name; ///< of the strategy
  const Type ArrayType;
  const ThisState This; ///< as it was before anything changed
  CodePlaces Places;
  unsigned ArraySlot = 0, Slot = 0;
  /// In each block before super(): the first instruction, and the last one that
  /// may throw.
  std::vector<Call> BeforeSuper;
};

} // namespace

PathPlan PathPlan::run(const ClassFile &F, PassContext &) {
  PathPlan P;
  if (P.Class.isRefused(F))
    return P;
  auto Layout = PathLayout::make(F);
  if (!Layout) {
    P.Class.Problem = toMessage(Layout.takeError());
    return P;
  }
  P.Class.Kind = Elements::Counts;
  P.Class.Count = Layout->Count;
  P.Class.Rules = Layout->text(1);
  if (!F.Original.empty())
    P.Class.Id = classId(F.Original);
  for (PathLayout::OfMethod &M : Layout->Methods)
    P.Methods.try_emplace(&F.Methods[M.Index], std::move(M));
  return P;
}

/// \p I, in front of the return of super(), may throw. Object's constructor
/// does not.
static bool mayThrow(const Body &F, const Instruction &I) {
  if (I.isInit() && F.pool().member(I.index()).Owner == "java/lang/Object")
    return false;
  return !I.info().NoCode && I.op() != irop::Drop && I.opcodeInfo().MayThrow;
}

void PathPlacer::findCallsBeforeSuper() {
  for (Block &B : F.blocks()) {
    if (!isBeforeSuper(B))
      continue;
    Call C = {&*B.begin(), nullptr};
    for (Instruction &I : B) {
      if (mayThrow(F, I))
        C.Last = &I;
      if (isSuperCall(I))
        break;
    }
    if (C.Last)
      BeforeSuper.push_back(C);
  }
}

llvm::Error PathPlacer::addSlots() {
  Builder B(F, addPrologue(F).terminator());
  auto Array = loadCoverageArray(B, F, Class, Name);
  if (!Array)
    return Array.takeError();
  ArraySlot = F.addMethodWideSlot(ArrayType);
  B.set(ArraySlot, *Array);
  Slot = F.addMethodWideSlot(Type::Int);
  B.set(Slot, B.constant(numberOf(Paths.first(0))));
  return llvm::Error::success();
}

void PathPlacer::add(Instruction *Before, uint32_t Step) {
  if (!Step)
    return;
  ++NumSteps;
  Builder B(F, Before);
  if (Step > INT16_MAX) {
    B.set(Slot, B.make(irop::Plain, op::IADD, Type::Int,
                       {B.get(Slot, Type::Int), B.constant(int32_t(Step))}));
    return;
  }
  Instruction *I = B.make(irop::LocalInc, op::IINC, Type::Void);
  I->setIndex(Slot);
  I->setImm(int32_t(Step));
}

/// The path ends here, when \p Step is added.
void PathPlacer::count(Instruction *Before, uint32_t Step, int64_t By) {
  ++NumCounts;
  Builder B(F, Before);
  Instruction *Array = B.get(ArraySlot, ArrayType);
  Instruction *Number = B.get(Slot, Type::Int);
  if (Step)
    Number = B.make(irop::Plain, op::IADD, Type::Int,
                    {Number, B.constant(int32_t(Step))});
  if (M.IsTable) {
    B.callStatic("jopt/boot/Link", By < 0 ? "takePathBack" : "countPath",
                 "([JII)V", {Array, B.constant(int32_t(M.First)), Number});
    return;
  }
  // One dup2 copies both.
  Array->setFloating(false);
  Number->setFloating(false);
  Value *Old = B.make(irop::Plain, op::LALOAD, Type::Long, {Array, Number});
  Value *New = B.make(irop::Plain, By < 0 ? op::LSUB : op::LADD, Type::Long,
                      {Old, B.constantLong(1)});
  B.make(irop::Plain, op::LASTORE, Type::Void, {Array, Number, New});
}

/// One begins here, with \p Block.
void PathPlacer::begin(Instruction *Before, uint32_t Block) {
  Builder B(F, Before);
  B.set(Slot, B.constant(numberOf(Paths.first(Block))));
}

llvm::Error PathPlacer::placeEdge(const CodeBlock &B, uint32_t N, size_t Edge) {
  const CodeBlock::Edge &E = B.Next[Edge];
  const uint32_t Step = Paths.step(N, Edge);
  if (!Step && !E.IsCut)
    return llvm::Error::success();
  ProbePoint P;
  P.Kind = E.Kind == CodeBlock::Edge::Fall     ? ProbePoint::Fall
           : E.Kind == CodeBlock::Edge::Switch ? ProbePoint::Switch
                                               : ProbePoint::Jump;
  P.From = uint16_t(B.Last);
  P.To = uint16_t(Paths.blocks()[E.To].Start);
  // An `if` may lead to the same block by both ways.
  Instruction *Before = B.Next.size() == 1 ? Places.end(B.Last) : nullptr;
  if (!Before)
    Before = Places.find(P);
  if (!Before)
    return makeError(llvm::formatv("there is no place for what the path from "
                                   "{0} to {1} adds",
                                   P.From, P.To)
                         .str());
  // A handler counts what arrives.
  if (!E.IsCut || Paths.blocks()[E.To].IsHandler) {
    add(Before, Step);
    return llvm::Error::success();
  }
  count(Before, Step);
  begin(Before, E.To);
  return llvm::Error::success();
}

llvm::Error PathPlacer::placeBlock(uint32_t N) {
  const CodeBlock &B = Paths.blocks()[N];
  for (size_t Edge = 0; Edge < B.Next.size(); ++Edge)
    if (llvm::Error E = placeEdge(B, N, Edge))
      return E;
  if (B.Returns)
    if (Instruction *T = Places.end(B.Last))
      count(T, Paths.stepToReturn(N));
  if (!B.IsHandler)
    return llvm::Error::success();
  Instruction *I = Places.at(B.Start);
  if (!I)
    return llvm::Error::success(); // nothing is thrown to it
  // What was thrown before super() is counted already.
  if (!isBeforeSuper(*I->block()))
    count(I, 0);
  begin(I, N);
  return llvm::Error::success();
}

void PathPlacer::placeBeforeSuper() {
  for (const Call &C : BeforeSuper) {
    if (!C.Last->isTerminator())
      count(&*std::next(C.Last->getIterator()), 0, -1);
    count(C.First, 0);
  }
}

void PathPlacer::placeFinalHandler() {
  addRecordingHandler(F, This, [&](Instruction *End) { count(End, 0); });
}

llvm::Error PathPlacer::run() {
  findCallsBeforeSuper();
  startBehindSuper(F, This);
  Places.addBlocks();
  if (llvm::Error E = addSlots())
    return E;
  for (uint32_t N = 0; N < Paths.blocks().size(); ++N)
    if (Paths.blocks()[N].IsReached)
      if (llvm::Error E = placeBlock(N))
        return E;
  placeBeforeSuper();
  if (llvm::any_of(Paths.blocks(), [](const CodeBlock &B) {
        return B.IsReached && B.MayThrow;
      }))
    placeFinalHandler();
  return llvm::Error::success();
}

bool PlacePathsPass::begin(PassContext &C) const {
  settleText(C, true);
  C.makeAnchors();
  const PathPlan &Plan = C.analysis<PathPlan>(C.classFile());
  std::string Problem = Plan.Class.Problem;
  if (Problem.empty() && !Plan.Methods.empty())
    Problem = addHolder(Plan.Class, Options.nameOfStrategy(), C);
  if (!Problem.empty())
    C.report(ReportRow::problem(Plan.Class.ProblemKind, Problem));
  return Problem.empty() && !Plan.Methods.empty();
}

bool PlacePathsPass::wants(const Method &M, PassContext &C) const {
  return C.analysis<PathPlan>(C.classFile()).Methods.count(&M);
}

llvm::Expected<PreservedAnalyses> PlacePathsPass::run(Body &F,
                                                      PassContext &C) const {
  const PathPlan &Plan = C.analysis<PathPlan>(C.classFile());
  const PathLayout::OfMethod &M = Plan.Methods.find(&F.method())->second;
  if (llvm::Error E =
          PathPlacer(F, C, Plan.Class, M, Options.nameOfStrategy()).run())
    return E;
  ++NumMethods;
  NumCut += M.Paths.numCut();
  NumTables += M.IsTable;
  NumPaths += M.IsTable ? 0 : M.Paths.size();
  std::string Text = llvm::formatv("{0} paths", M.Paths.size());
  if (M.IsTable)
    Text += ", in a table";
  if (M.Paths.numCut())
    Text += llvm::formatv(", {0} edges cut", M.Paths.numCut());
  C.remark(F.method(), Text);
  return PreservedAnalyses::none();
}
