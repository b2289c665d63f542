//===- MergeTails.cpp - Share equal ends of blocks ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionSize.h"
#include "jopt/IR/Model/SlotState.h"
#include "jopt/Passes/Analysis/Effects.h"
#include "jopt/Passes/Analysis/LineNumbers.h"
#include "jopt/Passes/Analysis/SlotLiveness.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

#define GET_STATISTICS_MergeTails
#include "jopt/Passes/Passes.inc"

namespace {

/// Instructions at the ends of two blocks that do the same.
struct Tail {
  Block *Here = nullptr, *There = nullptr; ///< There stays, and is behind Here
  /// The first of both; the terminator at least.
  Instruction *HereFirst = nullptr, *ThereFirst = nullptr;
  unsigned Size = 0; ///< bytes, without the jump to a successor
  /// The value on the stack where it begins; null: there is none.
  Value *HereValue = nullptr, *ThereValue = nullptr;
};

class TailMerger {
public:
  TailMerger(Body &F, PassContext &C)
      : F(F), C(C), What(C.analysis<Effects>(F)),
        Lines(C.analysis<LineNumbers>(F)) {}

  unsigned run();

private:
  using Group = llvm::SmallVector<Block *, 8>;
  llvm::SmallVector<Group, 8> findGroups();
  void mergeGroup(Group G);
  std::optional<Tail> findTail(Block &Here, Block &There);
  bool mayShare(const Instruction &A, const Instruction &B, bool Throws) const;
  bool haveOneLine(const Instruction &A, const Instruction &B) const;
  unsigned lineOf(const Instruction &I) const;
  bool merge(const Tail &T);
  std::optional<llvm::SmallVector<Type, 16>> frameOf(const Tail &T) const;
  int frameCost(const Tail &T, llvm::ArrayRef<Type> Frame) const;

  Body &F;
  PassContext &C;
  const Effects &What;
  const LineNumbers &Lines;
  unsigned Count = 0;
  size_t Looks = 0; ///< pairs of instructions that were compared
};

} // namespace

/// Bounds: blocks with one end that each is compared with; pairs of
/// instructions that are compared, and tails that are merged, in a method.
static constexpr unsigned MostPartners = 32;
static constexpr size_t MostLooks = 1 << 16;
static constexpr unsigned MostTails = 64;

//===----------------------------------------------------------------------===//
// Equal ends
//===----------------------------------------------------------------------===//

/// The line of a stack trace through \p I; 0: none is known.
unsigned TailMerger::lineOf(const Instruction &I) const {
  const Block &B = *I.block();
  for (auto It = I.getIterator();; --It) {
    if (It->bci() >= 0)
      return Lines.at(It->bci());
    if (&*It == &B.instructions().front())
      return 0;
  }
}

bool TailMerger::haveOneLine(const Instruction &A, const Instruction &B) const {
  if (Lines.Entries.empty())
    return true;
  const unsigned Line = lineOf(A);
  return Line && Line == lineOf(B);
}

/// Whether one instruction may do for \p A and \p B. The compilers keep what
/// they learn at an instruction: receivers of calls, classes of casts. Code
/// that \p Throws in the end is not worth their while.
bool TailMerger::mayShare(const Instruction &A, const Instruction &B,
                          bool Throws) const {
  if (A.op() != B.op() || A.opcode() != B.opcode() || A.type() != B.type() ||
      A.index() != B.index() || A.imm() != B.imm() ||
      A.advice() != B.advice() || A.longForm() != B.longForm() ||
      A.operands().size() != B.operands().size())
    return false;
  switch (A.opcode()) {
  case op::INVOKEDYNAMIC: // each links by itself
    return false;
  case op::CHECKCAST:
  case op::INSTANCEOF:
  case op::INVOKEINTERFACE:
  case op::INVOKEVIRTUAL:
    if (!Throws)
      return false;
    break;
  default:
    break;
  }
  if (A.op() == irop::Raw || A.info().NoCode)
    return A.op() == B.op() && A.op() == irop::FallThrough;
  return (!What.mayThrow(A) && !What.mayThrow(B)) || haveOneLine(A, B);
}

/// All uses of \p V are in its block from \p First on, or where it ends.
static bool isUsedFrom(const Value &V, const Block &B,
                       const Instruction &First) {
  for (const Instruction &I : B.instructions()) {
    if (&I == &First)
      return true;
    if (llvm::is_contained(I.operands(), &V))
      return false;
  }
  return true;
}

namespace {
/// Values that a tail uses and does not make: those of both blocks.
class OpenValues {
public:
  /// False if one stands for two.
  bool add(Value *Here, Value *There) {
    for (const auto &[A, B] : Pairs)
      if (A == Here || B == There)
        return A == Here && B == There;
    Pairs.push_back({Here, There});
    return true;
  }
  bool add(llvm::ArrayRef<Value *> Here, llvm::ArrayRef<Value *> There) {
    if (Here.size() != There.size())
      return false;
    for (size_t N = 0; N < Here.size(); ++N)
      if (!add(Here[N], There[N]))
        return false;
    return true;
  }
  /// Both instructions are part of the tail now. False if only one was used.
  bool close(const Value *Here, const Value *There) {
    for (auto *It = Pairs.begin(); It != Pairs.end(); ++It)
      if (It->first == Here || It->second == There) {
        if (It->first != Here || It->second != There)
          return false;
        Pairs.erase(It);
        return true;
      }
    return true;
  }
  llvm::ArrayRef<std::pair<Value *, Value *>> pairs() const { return Pairs; }

private:
  llvm::SmallVector<std::pair<Value *, Value *>, 8> Pairs;
};
} // namespace

/// The longest tail with at most one value on the stack where it begins.
std::optional<Tail> TailMerger::findTail(Block &Here, Block &There) {
  Instruction &End = *Here.terminator(), &Other = *There.terminator();
  // One that was merged before goes on in the tail that it shares.
  if (End.successors() != Other.successors())
    return std::nullopt;
  OpenValues Open;
  if (!Open.add(Here.exitValues(), There.exitValues()) ||
      !Open.add(End.operands(), Other.operands()))
    return std::nullopt;
  const bool Throws = End.op() == irop::Throw;
  const bool Ends = End.successors().empty();
  if (Ends && !mayShare(End, Other, Throws))
    return std::nullopt;
  std::optional<Tail> Best;
  unsigned Size = Ends ? sizeOf(End) : 0;
  for (auto A = End.getIterator(), B = Other.getIterator();;) {
    if (A == Here.begin() || B == There.begin())
      break;
    --A;
    --B;
    ++Looks;
    if (A->info().NoCode || !mayShare(*A, *B, Throws) ||
        !Open.close(&*A, &*B) || !Open.add(A->operands(), B->operands()))
      break;
    Size += sizeOf(*A);
    if (Open.pairs().size() > 1)
      continue;
    Tail T{&Here, &There, &*A, &*B, Size};
    if (!Open.pairs().empty()) {
      std::tie(T.HereValue, T.ThereValue) = Open.pairs().front();
      const Type Ty = T.HereValue->type();
      if (Ty != T.ThereValue->type() || Ty.is(Type::Uninit) ||
          Ty.is(Type::UninitThis) || !isUsedFrom(*T.HereValue, Here, *A) ||
          !isUsedFrom(*T.ThereValue, There, *B))
        continue;
    }
    Best = T;
  }
  return Best;
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

/// The slots in front of \p At.
static llvm::SmallVector<Type, 16> slotsAt(const Body &F, const Block &B,
                                           const Instruction &At) {
  SlotState S(F);
  auto First = B.getIterator();
  while (First != F.blocks().begin() && !First->hasFrame())
    --First;
  for (;; ++First) {
    S.enter(*First);
    for (const Instruction &I : First->instructions()) {
      if (&I == &At)
        return llvm::SmallVector<Type, 16>(S.slots());
      S.step(I);
    }
  }
}

/// A frame of the successors and handlers of \p B declares \p Slot.
static bool isDeclaredBehind(const Block &B, unsigned Slot) {
  auto Declares = [&](const Block &To) {
    return Slot < To.locals().size() && !To.locals()[Slot].is(Type::Top);
  };
  bool Found = llvm::any_of(B.terminator()->successors(), [&](const Block *S) {
    return !S->hasFrame() || Declares(*S);
  });
  forEachTry(B.throwEdges(),
             [&](const TryEntry *T) { Found |= Declares(*T->Handler); });
  return Found;
}

/// The slots where \p T begins, of both ways there; nothing if no frame can
/// say them.
std::optional<llvm::SmallVector<Type, 16>>
TailMerger::frameOf(const Tail &T) const {
  const auto &L = C.analysis<SlotLiveness>(F);
  if (!L.isKnown())
    return std::nullopt;
  llvm::BitVector Live = L.liveIn(*T.There);
  const Instruction *Before = T.ThereFirst == &*T.There->begin()
                                  ? nullptr
                                  : &*std::prev(T.ThereFirst->getIterator());
  L.walk(*T.There, [&](const Instruction &I, const llvm::BitVector &Behind) {
    if (&I == Before)
      Live = Behind;
    return true;
  });
  const auto Here = slotsAt(F, *T.Here, *T.HereFirst);
  auto Frame = slotsAt(F, *T.There, *T.ThereFirst);
  const auto HereAt = [&](size_t N) {
    return N < Here.size() ? Here[N] : Type(Type::Top);
  };
  // No frame forgets that this object is not initialised (JVMS 4.10.1.4).
  if (llvm::any_of(
          llvm::ArrayRef(Here).drop_front(std::min(Here.size(), Frame.size())),
          [](Type Ty) { return Ty.is(Type::UninitThis); }))
    return std::nullopt;
  for (unsigned N = 0; N < Frame.size(); ++N) {
    const Type Ty = Frame[N];
    const bool IsUninit = Ty.is(Type::Uninit) || HereAt(N).is(Type::Uninit);
    if (Ty == HereAt(N) && !IsUninit)
      continue;
    if (Ty.is(Type::High) && Frame[N - 1].is(Type::Top)) {
      Frame[N] = Type::Top;
      continue;
    }
    if (Ty.is(Type::UninitThis) || HereAt(N).is(Type::UninitThis) ||
        Live.test(N) || isDeclaredBehind(*T.There, N))
      return std::nullopt;
    Frame[N] = Type::Top;
  }
  // Half of a long is nothing.
  for (unsigned N = 0; N < Frame.size(); ++N)
    if (Frame[N].isCategory2() &&
        (N + 1 == Frame.size() || !Frame[N + 1].is(Type::High)))
      return std::nullopt;
  while (!Frame.empty() && Frame.back().is(Type::Top))
    Frame.pop_back();
  return Frame;
}

/// Bytes of an entry of StackMapTable with \p Frame behind one with \p Before
/// (JVMS 4.7.4), about.
static int frameSize(llvm::ArrayRef<Type> Before, llvm::ArrayRef<Type> Frame,
                     bool HasValue) {
  constexpr int EachLocal = 3, MostChanged = 3;
  if (Before == Frame)
    return HasValue ? 4 : 1;
  const size_t Common = std::min(Before.size(), Frame.size());
  const int Changed = std::abs(int(Before.size()) - int(Frame.size()));
  if (!HasValue && Before.take_front(Common) == Frame.take_front(Common) &&
      Changed <= MostChanged)
    return 3 + (Frame.size() > Before.size() ? EachLocal * Changed : 0);
  return 7 + EachLocal * int(Frame.size() + HasValue);
}

/// What the frame at the beginning of \p T costs; nothing where a frame is
/// already.
int TailMerger::frameCost(const Tail &T, llvm::ArrayRef<Type> Frame) const {
  constexpr int Table = 8;
  llvm::ArrayRef<Type> Before = F.initialLocals();
  const Block *Next = nullptr;
  bool HasFrames = false, IsBehind = false;
  for (const Block &B : F.blocks()) {
    if (B.hasFrame()) {
      HasFrames = true;
      if (IsBehind && !Next)
        Next = &B;
      if (!IsBehind)
        Before = B.locals();
    }
    IsBehind |= &B == T.There;
  }
  if (T.There->hasFrame() && T.ThereFirst == &*T.There->begin())
    return 0;
  int Cost = frameSize(Before, Frame, T.ThereValue);
  if (Next)
    Cost += frameSize(Frame, Next->locals(), !Next->parameters().empty()) -
            frameSize(Before, Next->locals(), !Next->parameters().empty());
  return HasFrames ? Cost : Cost + Table;
}

//===----------------------------------------------------------------------===//
// The change
//===----------------------------------------------------------------------===//

/// Has T.Here go on in T.There, if that is shorter.
bool TailMerger::merge(const Tail &T) {
  constexpr int GotoSize = 3;
  Instruction *End = T.Here->terminator();
  const int Saved = int(T.Size) - (End->op() == irop::Goto ? 0 : GotoSize);
  if (Saved <= 0)
    return false;
  const auto Frame = frameOf(T);
  if (!Frame || Saved <= frameCost(T, *Frame))
    return false;
  const int32_t BCI = T.HereFirst->bci();
  const int32_t Advice = T.HereFirst->advice();
  Block *Shared = F.split(T.There, T.ThereFirst->getIterator());
  F.setFrame(Shared, *Frame);
  for (auto It = T.HereFirst->getIterator(); It != T.Here->end();)
    F.erase(&*It++);
  F.setExitValues(T.Here, T.HereValue ? llvm::ArrayRef(T.HereValue)
                                      : llvm::ArrayRef<Value *>());
  Instruction *Goto = F.create(irop::Goto, op::GOTO, Type::Void, {}, BCI);
  Goto->setAdvice(Advice);
  F.setSuccessors(Goto, Shared);
  F.append(Goto, T.Here);
  C.invalidate(
      F, PreservedAnalyses::none().preserve<Effects>().preserve<LineNumbers>());
  ++Count;
  NumBytes += unsigned(Saved);
  return true;
}

/// Blocks that end alike: with one kind of return, by a throw, or on the way to
/// one successor; in the order of the layout.
llvm::SmallVector<TailMerger::Group, 8> TailMerger::findGroups() {
  llvm::MapVector<std::pair<unsigned, const Block *>, Group> Groups;
  for (Block &B : F.blocks()) {
    const Instruction &T = *B.terminator();
    switch (T.op()) {
    case irop::Return:
    case irop::Throw:
      Groups[{T.opcode(), nullptr}].push_back(&B);
      break;
    case irop::Goto:
    case irop::FallThrough:
      Groups[{0, T.successors()[0]}].push_back(&B);
      break;
    default:
      break;
    }
  }
  llvm::SmallVector<Group, 8> Found;
  for (auto &[Key, G] : Groups)
    if (G.size() > 1)
      Found.push_back(std::move(G));
  return Found;
}

void TailMerger::mergeGroup(Group G) {
  // Jumps go forward: each block may go on in one behind it.
  for (size_t Here = G.size() - 1; Here-- > 0;) {
    std::optional<Tail> Best;
    size_t BestAt = 0;
    const size_t End = std::min(G.size(), Here + 1 + MostPartners);
    for (size_t There = Here + 1;
         There < End && Looks < MostLooks && Count < MostTails; ++There) {
      if (G[Here]->throwEdges() != G[There]->throwEdges())
        continue;
      const auto T = findTail(*G[Here], *G[There]);
      if (T && (!Best || T->Size > Best->Size)) {
        Best = T;
        BestAt = There;
      }
    }
    // The end of the other is a block of its own now.
    if (Best && merge(*Best))
      G[BestAt] = &*std::next(G[BestAt]->getIterator());
  }
}

unsigned TailMerger::run() {
  for (Group &G : findGroups())
    mergeGroup(std::move(G));
  return Count;
}

llvm::Expected<PreservedAnalyses> MergeTailsPass::run(Body &F,
                                                      PassContext &C) const {
  // Variables of one block would be named in the code of another; the JVM looks
  // for locks and unlocks in pairs.
  if (F.Inferred || F.Inlined || C.debugTables() != DebugTables::None ||
      C.analysis<Effects>(F).locks())
    return PreservedAnalyses::all();
  const unsigned Count = TailMerger(F, C).run();
  if (!Count)
    return PreservedAnalyses::all();
  NumTails += Count;
  C.remark(F.method(),
           "merged " + llvm::Twine(Count) + " ends of blocks with others");
  return PreservedAnalyses::none().preserve<Effects>().preserve<LineNumbers>();
}
