//===- JumpThreading.cpp - Pass tests whose result is known ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionSize.h"
#include "LineKeeper.h"
#include "Outcomes.h"
#include "Unreachable.h"
#include "jopt/Passes/Analysis/Constants.h"
#include "jopt/Passes/Analysis/Effects.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

#define GET_STATISTICS_JumpThreading
#include "jopt/Passes/Passes.inc"

namespace {

/// A block that does nothing but test a value.
struct TestBlock {
  Block *B = nullptr;
  const Instruction *Test = nullptr;
  /// The value: on the stack where the block begins, or in a slot.
  const Parameter *OnStack = nullptr;
  const Instruction *Read = nullptr;
  unsigned Size = 0; ///< bytes, about
};

/// A way into a test that always leaves it by one way.
struct Thread {
  Block *From;
  size_t Successor;
  Block *To;
};

class Threader {
public:
  Threader(Body &F, PassContext &C)
      : F(F), What(C.analysis<Effects>(F)), Lines(F, C) {}

  bool run();

private:
  std::optional<TestBlock> asTest(Block &B) const;
  std::optional<size_t> wayOf(const TestBlock &T, Block &From,
                              size_t Successor) const;
  bool mayThread(const TestBlock &T, Block &From, Block &To) const;
  bool reaches(Block &From, const Block &To) const;
  bool thread(const TestBlock &T);
  void redirect(const TestBlock &T, const Thread &Way);

  Body &F;
  const Effects &What;
  LineKeeper Lines;
  /// Blocks of which Preds may be wrong.
  llvm::SmallPtrSet<const Block *, 8> Stale;
  std::vector<unsigned> Order; ///< in the layout, by Block::id()
  std::vector<llvm::SmallVector<Block *, 2>> Preds; ///< each once, by id
};

} // namespace

std::optional<TestBlock> Threader::asTest(Block &B) const {
  const Instruction *T = B.terminator();
  if (B.isHandler() || !B.hasFrame() || &B == &F.blocks().front() ||
      (T->op() != irop::If && T->op() != irop::TableSwitch &&
       T->op() != irop::LookupSwitch))
    return std::nullopt;
  TestBlock R{&B, T};
  for (const Instruction &I : B.instructions()) {
    const bool IsTested = &I == T->operand(0);
    if (IsTested && I.op() == irop::LocalGet)
      R.Read = &I;
    else if (&I != T && !(I.op() == irop::Const && constantOf(I) &&
                          I.block()->countUses(&I) == 1))
      return std::nullopt;
    if (!I.isTerminator() || I.op() == irop::If)
      R.Size += sizeOf(I);
  }
  if (T->operands().size() == 2 && !constantOf(*T->operand(1)))
    return std::nullopt;
  llvm::ArrayRef<Parameter *> Stay = B.parameters();
  if (!R.Read) {
    R.OnStack = llvm::dyn_cast<Parameter>(T->operand(0));
    if (!R.OnStack || Stay.empty() || Stay.back() != R.OnStack)
      return std::nullopt;
    Stay = Stay.drop_back();
  }
  // The rest of the stack goes on as it came.
  if (!std::equal(Stay.begin(), Stay.end(), B.exitValues().begin(),
                  B.exitValues().end(),
                  [](const Value *P, const Value *V) { return P == V; }))
    return std::nullopt;
  return R;
}

/// The value that \p From leaves in \p Slot; null if it does not say.
static const Value *storedIn(Block &From, unsigned Slot) {
  for (auto It = From.end(); It != From.begin();) {
    const Instruction &I = *--It;
    if (I.op() == irop::LocalInc && I.index() == Slot)
      return nullptr;
    if (I.op() != irop::LocalSet)
      continue;
    if (I.index() == Slot)
      return I.operand(0);
    if (I.operand(0)->type().isCategory2() && I.index() + 1 == Slot)
      return nullptr;
  }
  return nullptr;
}

/// The outcomes that are left of a test of \p Slot at the end of \p From, where
/// it takes the way \p Successor; all if it tests something else.
static uint8_t testedAtEnd(Block &From, size_t Successor, unsigned Slot) {
  constexpr uint8_t All = AnyOutcome;
  const Instruction &T = *From.terminator();
  if (T.op() != irop::If || T.operands().size() != 1)
    return All;
  const auto *Read = llvm::dyn_cast<Instruction>(T.operand(0));
  if (!Read || Read->op() != irop::LocalGet || Read->index() != Slot)
    return All;
  // Nothing is stored between.
  for (auto It = Read->getIterator(); It != From.end(); ++It)
    if ((It->op() == irop::LocalSet || It->op() == irop::LocalInc) &&
        It->index() == Slot)
      return All;
  const uint8_t Taken = takenFor(T.opcode());
  return Successor == 0 ? Taken : All & ~Taken;
}

std::optional<size_t> Threader::wayOf(const TestBlock &T, Block &From,
                                      size_t Successor) const {
  const Instruction &Test = *T.Test;
  const Value *V =
      T.OnStack ? From.exitValues().back() : storedIn(From, T.Read->index());
  if (!V) {
    const uint8_t Left = testedAtEnd(From, Successor, T.Read->index());
    const uint8_t Taken = takenFor(Test.opcode());
    if (Test.op() != irop::If || Test.operands().size() != 1 || !Taken)
      return std::nullopt;
    if (!(Left & ~Taken))
      return 0;
    return Left & Taken ? std::optional<size_t>() : 1;
  }
  const auto C = constantOf(*V);
  if (Test.op() != irop::If) {
    if (!C)
      return std::nullopt;
    for (size_t N = 0; N < Test.keys().size(); ++N)
      if (Test.keys()[N] == C->i())
        return N + 1;
    return 0;
  }
  if (Test.opcode() == op::IFNULL || Test.opcode() == op::IFNONNULL) {
    const bool IsNull = V->type().is(Type::Null);
    if (!IsNull && !What.isNonNull(*V))
      return std::nullopt;
    return IsNull != (Test.opcode() == op::IFNULL);
  }
  if (!C)
    return std::nullopt;
  const auto Other = Test.operands().size() == 2 ? constantOf(*Test.operand(1))
                                                 : Constant{Type::Int, 0};
  const auto Goes = fold(Test.opcode(), *C, *Other);
  return Goes ? std::optional<size_t>(!Goes->Bits) : std::nullopt;
}

/// A way over normal edges.
bool Threader::reaches(Block &From, const Block &To) const {
  llvm::DenseSet<const Block *> Seen{&From};
  llvm::SmallVector<Block *, 16> Open{&From};
  while (!Open.empty()) {
    Block *B = Open.pop_back_val();
    if (B == &To)
      return true;
    for (Block *S : B->terminator()->successors())
      if (Seen.insert(S).second)
        Open.push_back(S);
  }
  return false;
}

bool Threader::mayThread(const TestBlock &T, Block &From, Block &To) const {
  if (&To == T.B || &From == T.B)
    return false;
  if (Lines.isKept() && Lines.lineOf(*T.Test) &&
      Lines.lineOf(*T.Test) != Lines.lineOf(*From.terminator()))
    return false;
  // A loop that begins with something on the stack is not compiled while it
  // runs.
  if (!To.parameters().empty() && Order[To.id()] <= Order[From.id()])
    return false;
  // Compilers cannot do with a second way into a loop.
  return !reaches(To, *T.B) || reaches(To, From);
}

void Threader::redirect(const TestBlock &T, const Thread &Way) {
  if (!Way.To->hasFrame())
    F.setSharedFrame(Way.To, T.B->locals());
  Instruction *Old = Way.From->terminator();
  if (Old->op() == irop::If) {
    Old->successors()[Way.Successor] = Way.To;
    return;
  }
  if (T.OnStack) {
    Value *Known = Way.From->exitValues().back();
    F.setExitValues(Way.From, llvm::SmallVector<Value *, 4>(
                                  Way.From->exitValues().drop_back()));
    auto *I = llvm::dyn_cast<Instruction>(Known);
    if (I && I->op() == irop::Const && I->block() &&
        !Way.From->countUses(Known))
      Lines.erase(I);
  }
  Instruction *New = F.create(irop::Goto, op::GOTO, Type::Void, {}, Old->bci());
  F.setSuccessors(New, Way.To);
  New->setAdvice(Old->advice());
  F.erase(Old);
  F.append(New, Way.From);
}

/// Threads all ways through \p T that lead one way, if that is no longer.
bool Threader::thread(const TestBlock &T) {
  constexpr int GotoSize = 3;
  constexpr size_t MostWays = 64;
  llvm::SmallVector<Thread, 4> Ways;
  bool All = true;
  int Longer = 0;
  const Thread *Falling = nullptr;
  if (Preds[T.B->id()].size() > MostWays)
    return false;
  for (Block *P : Preds[T.B->id()]) {
    const Instruction &End = *P->terminator();
    for (size_t N = 0; N < End.successors().size(); ++N) {
      if (End.successors()[N] != T.B)
        continue;
      const bool IsBranch = End.op() == irop::If;
      const bool MayChange = End.op() == irop::Goto ||
                             End.op() == irop::FallThrough ||
                             (IsBranch && N == 0 && !T.OnStack &&
                              !llvm::all_equal(End.successors()));
      const auto Way = MayChange ? wayOf(T, *P, N) : std::nullopt;
      Block *To = Way ? T.Test->successors()[*Way] : nullptr;
      if (!To || !mayThread(T, *P, *To)) {
        All = false;
        continue;
      }
      Ways.push_back({P, N, To});
      if (T.OnStack)
        if (const auto *I = llvm::dyn_cast<Instruction>(P->exitValues().back());
            I && I->op() == irop::Const && P->countUses(I) == 1)
          Longer -= int(sizeOf(*I));
    }
  }
  for (const Thread &Way : Ways)
    if (Way.From->terminator()->op() == irop::FallThrough)
      Falling = &Way;
  if (All)
    Longer -= int(T.Size);
  if (Falling && All) {
    // It falls on, over what is gone, to the way that is not taken.
    if (Falling->To != T.Test->successors().back() || T.Test->op() != irop::If)
      Longer += GotoSize;
  } else if (Falling) {
    // The test stays, and something falls into it.
    const size_t At = size_t(Falling - Ways.data());
    Ways.erase(Ways.begin() + At);
  }
  if (Ways.empty() || Longer > 0)
    return false;
  Stale.insert(T.B);
  for (const Thread &Way : Ways) {
    redirect(T, Way);
    Stale.insert(Way.From);
    Stale.insert(Way.To);
  }
  NumThreaded += Ways.size();
  if (All)
    ++NumTests;
  return true;
}

bool Threader::run() {
  constexpr unsigned MostRounds = 8;
  bool Changed = false;
  for (unsigned Round = 0; Round < MostRounds; ++Round) {
    Order.assign(F.numBlocks(), 0);
    Preds.assign(F.numBlocks(), {});
    unsigned Number = 0;
    llvm::SmallVector<TestBlock, 8> Tests;
    for (Block &B : F.blocks()) {
      Order[B.id()] = Number++;
      for (const Block *S : B.terminator()->successors())
        if (auto &Of = Preds[S->id()]; Of.empty() || Of.back() != &B)
          Of.push_back(&B);
      if (auto T = asTest(B))
        Tests.push_back(*T);
    }
    if (Tests.empty())
      return Changed;
    bool Now = false;
    Stale.clear();
    for (const TestBlock &T : Tests)
      if (!Stale.contains(T.B) &&
          llvm::none_of(Preds[T.B->id()],
                        [&](const Block *P) { return Stale.contains(P); }))
        Now |= thread(T);
    if (!Now)
      return Changed;
    Changed = true;
    removeUnreachable(F, Lines);
  }
  return Changed;
}

llvm::Expected<PreservedAnalyses> JumpThreadingPass::run(Body &F,
                                                         PassContext &C) const {
  if (F.Inferred || F.Inlined)
    return PreservedAnalyses::all();
  return PreservedAnalyses::changedIf(Threader(F, C).run()).preserve<Effects>();
}
