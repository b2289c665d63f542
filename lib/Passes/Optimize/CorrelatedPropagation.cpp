//===- CorrelatedPropagation.cpp - What tests say about later tests -------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeadCode.h"
#include "Outcomes.h"
#include "Unreachable.h"
#include "jopt/Passes/Analysis/Constants.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

#define GET_STATISTICS_CorrelatedPropagation
#include "jopt/Passes/Passes.inc"

/// Bytes that are kept for a method, at most.
static constexpr size_t MostState = size_t(1) << 20;

namespace {

/// The outcomes that the tests of each slot may have, where a block begins:
/// what a test, a store or an access has left. None: control has not got there.
using Outcomes = std::vector<uint8_t>;

/// The facts at an instruction.
class Tracker {
public:
  Tracker(const Body &F, const Effects &What)
      : What(What), Now(F.numSlots(), AnyOutcome), Values(F.numValues()),
        Version(F.numSlots()) {}

  void enter(const Outcomes &In) {
    Now = In;
    // Values of one block are of no use in another.
    ++Epoch;
  }
  void step(const Instruction &I);
  uint8_t of(const Value &V) const;
  /// Has what \p V was read from, unless that was written since, leave
  /// \p Left alone. False if nothing is left.
  bool narrow(Outcomes &State, const Value &V, uint8_t Left) const;
  const Outcomes &now() const { return Now; }

private:
  /// The slot that \p V was read from, and that still holds it.
  const Instruction *asSlot(const Value &V) const;
  void write(unsigned Slot, uint8_t Of) {
    if (Slot >= Now.size())
      return;
    Now[Slot] = Of;
    Version[Slot] = ++Writes;
  }

  const Effects &What;
  Outcomes Now;
  struct OfValue {
    uint8_t Outcome = AnyOutcome;
    uint32_t Epoch = 0, Version = 0;
  };
  std::vector<OfValue> Values; ///< by Value::id()
  std::vector<uint32_t> Version;
  uint32_t Epoch = 0, Writes = 0;
};

class Correlation {
public:
  Correlation(Body &F, PassContext &C)
      : F(F), C(C), What(C.analysis<Effects>(F)), Track(F, What),
        In(F.numBlocks()), Changed(F.numBlocks()) {}

  /// False if there is too much to look at.
  bool solve();
  bool rewrite();

private:
  void run(Block &B);
  void flow(Block &To, const Outcomes &State);
  void flowSlots(Block &To, const Outcomes &State, size_t First, size_t End);
  void flowAlong(Block &B, size_t Successor);
  std::optional<size_t> onlyWay(const Block &B) const;

  Body &F;
  PassContext &C;
  const Effects &What;
  Tracker Track;
  std::vector<Outcomes> In; ///< by Block::id(); empty: not reached
  llvm::BitVector Changed;  ///< by Block::id(): In has, since run()
};

} // namespace

/// `Objects.requireNonNull(x)`.
static bool isNullTest(const Instruction &I) {
  if (I.op() != irop::Invoke || I.opcode() != op::INVOKESTATIC ||
      I.operands().size() != 1)
    return false;
  const MemberRef Callee = I.block()->body().pool().member(I.index());
  return Callee.Owner == "java/util/Objects" &&
         Callee.Name == "requireNonNull" &&
         Callee.Descriptor == "(Ljava/lang/Object;)Ljava/lang/Object;";
}

const Instruction *Tracker::asSlot(const Value &V) const {
  const auto *I = llvm::dyn_cast<Instruction>(&V);
  if (!I || I->op() != irop::LocalGet || Values[I->id()].Epoch != Epoch ||
      Values[I->id()].Version != Version[I->index()])
    return nullptr;
  return I;
}

uint8_t Tracker::of(const Value &V) const {
  if (Values[V.id()].Epoch == Epoch)
    return Values[V.id()].Outcome;
  if (V.type().is(Type::Null))
    return IsNull;
  if (V.type().isReference() && What.isNonNull(V))
    return IsObject;
  return AnyOutcome;
}

bool Tracker::narrow(Outcomes &State, const Value &V, uint8_t Left) const {
  const Instruction *Read = asSlot(V);
  if (!Read)
    return (of(V) & Left) != 0;
  State[Read->index()] &= Left;
  return State[Read->index()] != 0;
}

void Tracker::step(const Instruction &I) {
  OfValue &Result = Values[I.id()];
  Result = {AnyOutcome, Epoch, 0};
  switch (I.op()) {
  case irop::LocalGet:
    Result.Outcome = Now[I.index()];
    Result.Version = Version[I.index()];
    return;
  case irop::LocalInc:
    return write(I.index(), AnyOutcome);
  case irop::LocalSet: {
    const Value &V = *I.operand(0);
    write(I.index(), V.type().isCategory2() ? uint8_t(AnyOutcome) : of(V));
    if (V.type().isCategory2())
      write(I.index() + 1, AnyOutcome);
    return;
  }
  case irop::Const:
    if (auto N = intConstant(I))
      Result.Outcome = outcomeOf(*N);
    break;
  case irop::ClassOp:
    if (I.opcode() == op::CHECKCAST)
      Result.Outcome = of(*I.operand(0));
    break;
  default:
    break;
  }
  if (I.type().is(Type::Null))
    Result.Outcome = IsNull;
  else if (I.type().isReference() && What.isNonNull(I))
    Result.Outcome = IsObject;
  // It has gone on: what it accesses is an object.
  if (I.opcodeInfo().Failures & op::OfNull && !I.operands().empty() &&
      I.operand(0)->type().isReference() && !I.isTerminator())
    narrow(Now, *I.operand(0), IsObject);
}

void Correlation::flow(Block &To, const Outcomes &State) {
  Outcomes &Old = In[To.id()];
  if (Old.empty()) {
    Old = State;
    Changed.set(To.id());
    return;
  }
  flowSlots(To, State, 0, Old.size());
}

/// The same of some slots, where \p To was reached before.
void Correlation::flowSlots(Block &To, const Outcomes &State, size_t First,
                            size_t End) {
  Outcomes &Old = In[To.id()];
  for (size_t S = First; S < std::min(End, Old.size()); ++S)
    if (State[S] & ~Old[S]) {
      Old[S] |= State[S];
      Changed.set(To.id());
    }
}

/// What the way \p Successor of the branch of \p B says.
void Correlation::flowAlong(Block &B, size_t Successor) {
  const Instruction &T = *B.terminator();
  Block &To = *T.successors()[Successor];
  const uint8_t Taken =
      T.op() == irop::If && T.operands().size() == 1 ? takenFor(T.opcode()) : 0;
  if (!Taken)
    return flow(To, Track.now());
  Outcomes State = Track.now();
  const Value &V = *T.operand(0);
  const uint8_t Left = Successor == 0 ? Taken : AnyOutcome & ~Taken;
  if (!Track.narrow(State, V, Left))
    return; // control does not go there
  // An instance of something is an object.
  const auto *Is = llvm::dyn_cast<Instruction>(&V);
  if (Is && Is->op() == irop::ClassOp && Is->opcode() == op::INSTANCEOF &&
      !(Left & Zero))
    Track.narrow(State, *Is->operand(0), IsObject);
  flow(To, State);
}

void Correlation::run(Block &B) {
  Changed.reset(B.id());
  Track.enter(In[B.id()]);
  // A handler may get control anywhere: what was known before, but for slots
  // that are written.
  forEachTry(B.throwEdges(),
             [&](TryEntry *T) { flow(*T->Handler, Track.now()); });
  for (const Instruction &I : B) {
    Track.step(I);
    if (B.throwEdges() &&
        (I.op() == irop::LocalSet || I.op() == irop::LocalInc))
      forEachTry(B.throwEdges(), [&](TryEntry *T) {
        flowSlots(*T->Handler, Track.now(), I.index(), I.index() + 2);
      });
  }
  const Instruction &T = *B.terminator();
  for (size_t N = 0; N < T.successors().size(); ++N)
    flowAlong(B, N);
}

bool Correlation::solve() {
  constexpr unsigned MostRounds = 32;
  Outcomes Entry(F.numSlots(), AnyOutcome);
  if (What.hasThis())
    Entry[0] = IsObject;
  In[F.entry().id()] = Entry;
  Changed.set(F.entry().id());
  for (unsigned Round = 0; Round < MostRounds && Changed.any(); ++Round)
    for (Block &B : F.blocks())
      if (Changed.test(B.id()))
        run(B);
  return Changed.none();
}

/// The way that the branch of \p B, where Track stands at the end, goes alone.
std::optional<size_t> Correlation::onlyWay(const Block &B) const {
  const Instruction &T = *B.terminator();
  if (T.op() != irop::If || T.operands().size() != 1)
    return std::nullopt;
  const uint8_t Of = Track.of(*T.operand(0)), Taken = takenFor(T.opcode());
  if (!(Of & ~Taken))
    return 0;
  return Of & Taken ? std::optional<size_t>() : 1;
}

bool Correlation::rewrite() {
  DeadCode D(F, C);
  bool HasDropped = false;
  unsigned Branches = 0;
  for (Block &B : F.blocks()) {
    if (In[B.id()].empty())
      continue;
    Track.enter(In[B.id()]);
    llvm::SmallVector<Instruction *, 4> Tests;
    for (Instruction &I : B) {
      if (isNullTest(I) && !(Track.of(*I.operand(0)) & IsNull) && !D.uses(I))
        Tests.push_back(&I);
      Track.step(I);
    }
    if (auto Only = onlyWay(B)) {
      D.goOneWay(B, *Only);
      ++Branches;
    }
    for (Instruction *I : Tests)
      D.erase(I);
    NumTests += Tests.size();
    HasDropped |= !Tests.empty();
  }
  NumBranches += Branches;
  if (Branches)
    removeUnreachable(F, D.lines());
  return HasDropped || Branches;
}

/// A branch or a call tests a value that something may be known of.
static bool hasTests(const Body &F) {
  for (const Block &B : F.blocks())
    for (const Instruction &I : B.instructions()) {
      if (I.op() == irop::If && I.operands().size() == 1 &&
          llvm::isa<Instruction>(I.operand(0)) &&
          llvm::cast<Instruction>(I.operand(0))->op() == irop::LocalGet)
        return true;
      if (isNullTest(I))
        return true;
    }
  return false;
}

llvm::Expected<PreservedAnalyses>
CorrelatedPropagationPass::run(Body &F, PassContext &C) const {
  if (F.Inferred || F.Inlined || !hasTests(F) ||
      size_t(F.numBlocks()) * F.numSlots() > MostState)
    return PreservedAnalyses::all();
  Correlation Of(F, C);
  if (!Of.solve()) {
    C.missed(F.method(), "facts about slots take too long to find");
    return PreservedAnalyses::all();
  }
  return PreservedAnalyses::changedIf(Of.rewrite()).preserve<Effects>();
}
