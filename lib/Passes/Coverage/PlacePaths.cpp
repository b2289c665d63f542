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
/// Of a sample, what counts asks whether it is to. By `dup` nobody asks but
/// where paths begin, in copies of all blocks that do nothing else: who is of
/// the sample goes on in the original blocks, which count, and comes back where
/// the path ends (PathCopies.h).
///
//===----------------------------------------------------------------------===//

#include "CodePlaces.h"
#include "CoverageHolder.h"
#include "PathCopies.h"
#include "jopt/Coverage/ClassId.h"
#include "jopt/Coverage/PathLayout.h"
#include "jopt/IR/Surgery/Surgery.h"
#include "jopt/Passes/Analysis/CodeUnits.h"
#include "jopt/Passes/Analysis/ThisState.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Passes/PassManager.h"
#include "jopt/Support/Statistics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace jopt;
using namespace jopt::coverage;

#define GET_STATISTICS_PlacePaths
#include "jopt/Passes/Passes.inc"

namespace {

/// Who counts the paths that end.
enum class How : uint8_t {
  All,     ///< each
  Sampled, ///< who is of the sample, which is asked then
  Copied   ///< who was sent here, since it is of the sample
};

/// The paths of a class as it came.
struct PathPlan {
  static inline AnalysisKey Key;
  static PathPlan run(const ClassFile &F, PassContext &C);

  CoveragePlan Class;
  llvm::DenseMap<const Method *, PathLayout::OfMethod> Methods;
};

class CoveragePathPlacer {
public:
  CoveragePathPlacer(Body &F, PassContext &C, const CoveragePlan &Class,
                     const PathLayout::OfMethod &M, llvm::StringRef Name, How H,
                     int32_t Rate)
      : F(F), Class(Class), M(M), Paths(M.Paths), Name(Name), H(H), Rate(Rate),
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
  struct Ended {
    Instruction *Array, *Number;
  };
  Ended ended(Builder &B, uint32_t Step);
  void addTo(Builder &B, Ended E, Instruction *Count);
  Instruction *sample(Builder &B, Ended E);
  Instruction *count(Instruction *Before, uint32_t Step);
  void takeBack(Instruction *Before);
  void begin(Instruction *Before, uint32_t Block);
  llvm::Error placeEdge(const PathBlock &B, uint32_t N, size_t Edge);
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
  const How H;
  const int32_t Rate; ///< of the sample; 1: of all
  const Type ArrayType;
  const ThisState This; ///< as it was before anything changed
  CodePlaces Places;
  unsigned ArraySlot = 0, Slot = 0;
  /// The slot of the count that was added before super(); 0 outside the sample.
  unsigned AddedSlot = 0;
  std::optional<PathCopies> Copies;
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

void CoveragePathPlacer::findCallsBeforeSuper() {
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

llvm::Error CoveragePathPlacer::addSlots() {
  RecordingBuilder B(F, addPrologue(F).terminator());
  auto Array = loadCoverageArray(B, F, Class, Name);
  if (!Array)
    return Array.takeError();
  ArraySlot = F.addPinnedLocal(ArrayType);
  B.set(ArraySlot, *Array);
  Slot = F.addPinnedLocal(Type::Int);
  B.set(Slot, B.constant(numberOf(Paths.first(0))));
  if (H == How::Sampled && !BeforeSuper.empty()) {
    AddedSlot = F.addPinnedLocal(Type::Int);
    B.set(AddedSlot, B.constant(0));
  }
  return llvm::Error::success();
}

void CoveragePathPlacer::add(Instruction *Before, uint32_t Step) {
  if (!Step)
    return;
  ++NumSteps;
  RecordingBuilder B(F, Before);
  if (Step > INT16_MAX) {
    B.set(Slot, B.make(irop::Plain, op::IADD, Type::Int,
                       {B.get(Slot, Type::Int), B.constant(int32_t(Step))}));
    return;
  }
  Instruction *I = B.make(irop::LocalInc, op::IINC, Type::Void);
  I->setIndex(Slot);
  I->setImm(int32_t(Step));
}

/// The path that ends here, when \p Step is added.
CoveragePathPlacer::Ended CoveragePathPlacer::ended(Builder &B, uint32_t Step) {
  Instruction *Array = B.get(ArraySlot, ArrayType);
  Instruction *Number = B.get(Slot, Type::Int);
  if (Step)
    Number = B.make(irop::Plain, op::IADD, Type::Int,
                    {Number, B.constant(int32_t(Step))});
  return {Array, Number};
}

/// Adds \p Count, a long, to what was counted.
void CoveragePathPlacer::addTo(Builder &B, Ended E, Instruction *Count) {
  if (M.IsTable) {
    B.callStatic("jopt/boot/Link", "countPath", "([JIIJ)V",
                 {E.Array, B.constant(int32_t(M.First)), E.Number, Count});
    return;
  }
  addToElement(B, E.Array, E.Number, Count);
}

/// Counts it if it is of the sample. What was added, an int.
Instruction *CoveragePathPlacer::sample(Builder &B, Ended E) {
  if (!M.IsTable)
    return sampleElement(B, E.Array, E.Number, Rate);
  return B.callStatic(
      "jopt/boot/Link", "samplePath", "([JIII)I",
      {E.Array, B.constant(int32_t(M.First)), E.Number, B.constant(Rate)});
}

/// The path ends here, when \p Step is added. What was counted, if that is to
/// be seen.
Instruction *CoveragePathPlacer::count(Instruction *Before, uint32_t Step) {
  ++NumCounts;
  RecordingBuilder B(F, Before);
  const Ended E = ended(B, Step);
  if (H == How::Sampled)
    return sample(B, E);
  addTo(B, E, B.constantLong(Rate));
  return nullptr;
}

/// It has not ended, though that was counted before super().
void CoveragePathPlacer::takeBack(Instruction *Before) {
  RecordingBuilder B(F, Before);
  const Ended E = ended(B, 0);
  if (H != How::Sampled) {
    addTo(B, E, B.constantLong(-Rate));
    return;
  }
  Value *Added =
      B.make(irop::Plain, op::I2L, Type::Long, {B.get(AddedSlot, Type::Int)});
  addTo(B, E, B.make(irop::Plain, op::LNEG, Type::Long, {Added}));
}

/// One begins here, with \p Block.
void CoveragePathPlacer::begin(Instruction *Before, uint32_t Block) {
  RecordingBuilder B(F, Before);
  B.set(Slot, B.constant(numberOf(Paths.first(Block))));
}

llvm::Error CoveragePathPlacer::placeEdge(const PathBlock &B, uint32_t N,
                                          size_t Edge) {
  const PathBlock::Edge &E = B.Next[Edge];
  const uint32_t Step = Paths.step(N, Edge);
  if (!Step && !E.IsCut)
    return llvm::Error::success();
  Instruction *Before = Copies ? Copies->placeOf(N, Edge) : nullptr;
  if (!Before)
    Before = Places.find(Paths, N, Edge);
  if (!Before)
    return makeError(llvm::formatv("there is no place for what the path from "
                                   "{0} to {1} adds",
                                   B.Last, Paths.blocks()[E.To].Start)
                         .str());
  // A handler counts what arrives.
  if (!E.IsCut || Paths.blocks()[E.To].IsHandler) {
    add(Before, Step);
    return llvm::Error::success();
  }
  count(Before, Step);
  if (H != How::Copied) // else that is asked there
    begin(Before, E.To);
  return llvm::Error::success();
}

llvm::Error CoveragePathPlacer::placeBlock(uint32_t N) {
  const PathBlock &B = Paths.blocks()[N];
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
  // Exceptions from before super() are counted already.
  if (!isBeforeSuper(*I->block()))
    count(I, 0);
  if (H != How::Copied)
    begin(I, N);
  return llvm::Error::success();
}

void CoveragePathPlacer::placeBeforeSuper() {
  for (const Call &C : BeforeSuper) {
    if (!C.Last->isTerminator())
      takeBack(&*std::next(C.Last->getIterator()));
    if (Instruction *Added = count(C.First, 0))
      Builder(F, C.First).set(AddedSlot, Added);
  }
}

void CoveragePathPlacer::placeFinalHandler() {
  addRecordingHandler(
      F, This, [&](Instruction *End) { count(End, 0); },
      [&](const Block &B) { return !Copies || Copies->counts(B); });
}

llvm::Error CoveragePathPlacer::run() {
  findCallsBeforeSuper();
  startBehindSuper(F, This);
  Places.addBlocks();
  if (H == How::Copied) {
    Copies.emplace(F, Paths, Places);
    if (llvm::Error E = Copies->copy())
      return E;
  }
  if (llvm::Error E = addSlots())
    return E;
  for (uint32_t N = 0; N < Paths.blocks().size(); ++N)
    if (Paths.blocks()[N].IsReached)
      if (llvm::Error E = placeBlock(N))
        return E;
  placeBeforeSuper();
  if (llvm::any_of(Paths.blocks(), [](const PathBlock &B) {
        return B.IsReached && B.MayThrow;
      }))
    placeFinalHandler();
  if (Copies)
    Copies->connect(
        [&](Builder &B) {
          return B.callStatic("jopt/boot/Link", "isSampled", "([JI)Z",
                              {B.get(ArraySlot, ArrayType), B.constant(Rate)});
        },
        [&](Builder &B, uint32_t N) {
          B.set(Slot, B.constant(numberOf(Paths.first(N))));
        });
  return llvm::Error::success();
}

bool PlacePathsPass::begin(PassContext &C) const {
  materializeBytecode(C, true);
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
  const llvm::StringRef Name = Options.nameOfStrategy();
  How H = How::All;
  if (*findPathStrategy(Name) != PathStrategy::Paths)
    H = *findPathStrategy(Name) == PathStrategy::Dup &&
                PathCopies::arePossible(F, M.Paths)
            ? How::Copied
            : How::Sampled;
  const int32_t Rate = H == How::All ? 1 : rateOf(Options.Rate);
  if (llvm::Error E =
          CoveragePathPlacer(F, C, Plan.Class, M, Name, H, Rate).run())
    return E;
  ++NumMethods;
  NumCopied += H == How::Copied;
  NumCut += M.Paths.numCut();
  NumTables += M.IsTable;
  NumPaths += M.IsTable ? 0 : M.Paths.size();
  std::string Text = llvm::utostr(M.Paths.size()) + " paths";
  if (M.IsTable)
    Text += ", in a table";
  if (H != How::All)
    Text += H == How::Copied ? ", counted in a copy" : ", sampled";
  if (M.Paths.numCut())
    Text += ", " + llvm::utostr(M.Paths.numCut()) + " edges cut";
  C.remark(F.method(), Text);
  return PreservedAnalyses::none();
}
