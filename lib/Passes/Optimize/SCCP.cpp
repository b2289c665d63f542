//===- SCCP.cpp - Propagate constants through slots -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeadCode.h"
#include "Unreachable.h"
#include "jopt/Passes/Analysis/Constants.h"
#include "jopt/Passes/Analysis/SlotSSA.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

#define GET_STATISTICS_SCCP
#include "jopt/Passes/Passes.inc"

namespace {

/// A fact about a value: not known yet, one constant, some object, or anything.
struct Fact {
  enum Kind : uint8_t { Unknown, Known, NonNull, Varying } K = Unknown;
  Constant Of = {};

  static Fact varying() { return {Varying, {}}; }
  static Fact of(std::optional<Constant> C) {
    return C ? Fact{Known, *C} : varying();
  }
  bool isKnown() const { return K == Known; }
  bool operator==(const Fact &O) const {
    return K == O.K && (K != Known || Of == O.Of);
  }
  /// The fact about a value that is the one or the other.
  static Fact meet(const Fact &A, const Fact &B) {
    if (A.K == Unknown)
      return B;
    if (B.K == Unknown || A == B)
      return A;
    return varying();
  }
};

/// Sparse conditional constant propagation (Wegman and Zadeck), with the slots
/// of SlotSSA as variables.
class Propagation {
public:
  Propagation(Body &F, const SlotSSA &S, const Effects &What)
      : F(F), S(S), What(What), Values(F.numValues()), Defs(S.defs().size()),
        Readers(S.defs().size()), Runs(F.numBlocks()), Stale(F.numBlocks()) {}

  /// False if that takes too long.
  bool solve();
  /// Control may get to \p B.
  bool runs(const Block &B) const { return Runs.test(B.id()); }
  const Fact &of(const Value &V) const { return Values[V.id()]; }
  /// The successor that \p T alone goes to; nothing if there are more.
  std::optional<size_t> onlyWay(const Instruction &T) const;

private:
  Fact evaluate(const Instruction &I) const;
  void run(Block &B);
  void take(Block &B, Block &To);
  void reach(Block &B) {
    if (Runs.test(B.id()))
      return;
    Runs.set(B.id());
    Stale.set(B.id());
    Again = true;
  }
  /// True if that is new.
  bool update(Fact &Old, const Fact &New) {
    const Fact Both = Fact::meet(Old, New);
    if (Both == Old)
      return false;
    Old = Both;
    Again = true;
    return true;
  }
  void updateDef(unsigned D, const Fact &New) {
    if (update(Defs[D], New))
      for (unsigned Reader : Readers[D])
        Stale.set(Reader);
  }
  void updateDefs();
  Fact ofDef(unsigned D) const {
    return D == SlotSSA::None ? Fact::varying() : Defs[D];
  }

  Body &F;
  const SlotSSA &S;
  const Effects &What;
  std::vector<Fact> Values; ///< by Value::id()
  std::vector<Fact> Defs;   ///< of SlotSSA
  /// By definition: blocks that read it, by Block::id().
  std::vector<llvm::SmallVector<unsigned, 2>> Readers;
  llvm::BitVector Runs;  ///< by Block::id()
  llvm::BitVector Stale; ///< something that they read is new
  llvm::DenseSet<std::pair<const Block *, const Block *>> Taken;
  bool Again = false;
};

} // namespace

Fact Propagation::evaluate(const Instruction &I) const {
  if (What.isNonNull(I))
    return {Fact::NonNull, {}};
  switch (I.op()) {
  case irop::Const:
    return Fact::of(constantOf(I));
  case irop::LocalGet:
    return ofDef(S.seenBy(I));
  case irop::ClassOp: {
    const Fact &Of = Values[I.operand(0)->id()];
    if (I.opcode() == op::CHECKCAST)
      return Of;
    if (I.opcode() != op::INSTANCEOF ||
        !(Of.K == Fact::Unknown || Of.isKnown()))
      return Fact::varying();
    return Of.isKnown() ? Fact::of(Constant::ofInt(0)) : Of; // it is null
  }
  case irop::Plain: {
    if (I.operands().empty() || I.operands().size() > 2)
      return Fact::varying();
    const Fact &A = Values[I.operand(0)->id()];
    const Fact &B = Values[I.operands().back()->id()];
    if (A.K == Fact::Unknown || B.K == Fact::Unknown)
      return {};
    if (!A.isKnown() || !B.isKnown())
      return Fact::varying();
    return Fact::of(fold(I.opcode(), A.Of, B.Of));
  }
  default:
    return Fact::varying();
  }
}

std::optional<size_t> Propagation::onlyWay(const Instruction &T) const {
  if (T.op() != irop::If && T.op() != irop::TableSwitch &&
      T.op() != irop::LookupSwitch)
    return std::nullopt;
  const Fact &A = Values[T.operand(0)->id()];
  if (T.op() != irop::If) {
    if (!A.isKnown())
      return std::nullopt;
    for (size_t N = 0; N < T.keys().size(); ++N)
      if (T.keys()[N] == A.Of.i())
        return N + 1;
    return 0;
  }
  if (T.opcode() == op::IFNULL || T.opcode() == op::IFNONNULL) {
    if (!A.isKnown() && A.K != Fact::NonNull)
      return std::nullopt;
    return A.isKnown() != (T.opcode() == op::IFNULL);
  }
  const Fact &B = Values[T.operands().back()->id()];
  if (!A.isKnown() || !B.isKnown())
    return std::nullopt;
  const auto Goes = fold(T.opcode(), A.Of, B.Of);
  return Goes ? std::optional<size_t>(!Goes->Bits) : std::nullopt;
}

void Propagation::take(Block &B, Block &To) {
  if (Taken.insert({&B, &To}).second)
    Again = true;
  reach(To);
  for (size_t N = 0; N < B.exitValues().size(); ++N)
    if (update(Values[To.parameters()[N]->id()],
               Values[B.exitValues()[N]->id()]))
      Stale.set(To.id());
}

void Propagation::run(Block &B) {
  if (B.isHandler())
    for (const Parameter *P : B.parameters())
      update(Values[P->id()], {Fact::NonNull, {}});
  bool Throws = false;
  for (const Instruction &I : B) {
    Throws |= What.mayThrow(I);
    if (!I.type().isVoid())
      update(Values[I.id()], evaluate(I));
    if (I.op() == irop::LocalSet) {
      updateDef(S.madeBy(I), Values[I.operand(0)->id()]);
    } else if (I.op() == irop::LocalInc) {
      Fact Of = ofDef(S.seenBy(I));
      if (Of.isKnown())
        Of = Fact::of(Constant::ofInt(Of.Of.u() + uint32_t(I.imm())));
      updateDef(S.madeBy(I), Of);
    }
  }
  if (Throws)
    forEachTry(B.throwEdges(), [&](TryEntry *T) { reach(*T->Handler); });
  Instruction &T = *B.terminator();
  // A branch goes nowhere before its operand is known.
  if (llvm::any_of(T.operands(), [&](const Value *V) {
        return Values[V->id()].K == Fact::Unknown;
      }))
    return;
  if (auto Only = onlyWay(T))
    return take(B, *T.successors()[*Only]);
  for (Block *To : T.successors())
    take(B, *To);
}

void Propagation::updateDefs() {
  for (unsigned D = 0; D < Defs.size(); ++D) {
    const SlotSSA::Def &Of = S.defs()[D];
    if (Of.K != SlotSSA::Def::Phi)
      continue;
    Fact All = Defs[D];
    for (auto [Operand, From] : Of.Operands)
      if (!From || (Of.At->isHandler() ? Runs.test(From->id())
                                       : Taken.contains({From, Of.At})))
        All = Fact::meet(All, ofDef(Operand));
    updateDef(D, All);
  }
}

bool Propagation::solve() {
  constexpr unsigned MostRounds = 64;
  if (!Defs.empty())
    Defs[0] = Fact::varying(); // what the caller gave
  reach(F.entry());
  for (const Block &B : F.blocks())
    for (const Instruction &I : B.instructions())
      if (I.op() == irop::LocalGet || I.op() == irop::LocalInc)
        if (unsigned D = S.seenBy(I); D != SlotSSA::None)
          if (Readers[D].empty() || Readers[D].back() != B.id())
            Readers[D].push_back(B.id());
  for (unsigned Round = 0; Round < MostRounds; ++Round) {
    Again = false;
    updateDefs();
    for (Block &B : F.blocks())
      if (Runs.test(B.id()) && Stale.test(B.id())) {
        Stale.reset(B.id());
        run(B);
      }
    if (!Again)
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// \p Made is no longer than \p I, with what only \p I may use.
static bool isShort(const Instruction &Made, const Instruction &I) {
  constexpr unsigned FirstLongSlot = 4;
  const bool IsInPool = Made.opcodeInfo().PoolTags;
  if (I.op() != irop::LocalGet)
    return !IsInPool || I.operands().size() > 1;
  const unsigned Read = I.index() < FirstLongSlot ? 1 : 2;
  return !IsInPool && Made.opcodeInfo().Length <= Read;
}

/// Replaces results that are constants. Returns how many there were.
static unsigned replaceResults(Body &F, Block &B, const Propagation &Of,
                               DeadCode &D) {
  unsigned Count = 0;
  llvm::DenseMap<Value *, Value *> New;
  llvm::SmallVector<Instruction *, 8> Old;
  for (auto It = B.begin(); It != B.end();) {
    Instruction &I = *It++;
    for (Value *&V : I.operands())
      if (auto At = New.find(V); At != New.end()) {
        D.replaced(*V, *At->second);
        V = At->second;
      }
    const bool IsRead = I.op() == irop::LocalGet;
    if (I.type().isVoid() || (!IsRead && I.op() != irop::Plain) || !D.uses(I) ||
        !Of.of(I).isKnown() || Of.of(I).Of.Ty.is(Type::Null))
      continue;
    Instruction *Made = makeConstant(F, Of.of(I).Of, &I);
    if (!Made)
      continue;
    if (!isShort(*Made, I)) {
      F.erase(Made);
      continue;
    }
    New[&I] = Made;
    Old.push_back(&I);
    ++(IsRead ? NumReads : NumConstants);
    ++Count;
  }
  for (Value *&V : B.exitValues())
    if (auto At = New.find(V); At != New.end()) {
      D.replaced(*V, *At->second);
      V = At->second;
    }
  for (Instruction *I : llvm::reverse(Old))
    if (I->block() && !D.uses(*I))
      D.erase(I);
  return Count;
}

/// Something may follow: a number goes on to another block, by a slot that has
/// nothing but numbers or on the stack, or a branch looks at a slot that has
/// nothing but objects.
static bool hasFacts(const Body &F, const Effects &What) {
  llvm::BitVector Numbers(F.numSlots()), Objects(F.numSlots()),
      Others(F.numSlots()), Read(F.numSlots()), Tested(F.numSlots());
  for (unsigned S = 0; S < F.initialLocals().size(); ++S)
    Others.set(S);
  for (const Block &B : F.blocks()) {
    for (const Value *V : B.exitValues())
      if (constantOf(*V))
        return true;
    for (const Instruction &I : B.instructions()) {
      switch (I.op()) {
      case irop::LocalInc: // It is no number for long.
        Others.set(I.index());
        break;
      case irop::LocalGet:
        Read.set(I.index());
        break;
      case irop::LocalSet:
        (constantOf(*I.operand(0))       ? Numbers
         : What.isNonNull(*I.operand(0)) ? Objects
                                         : Others)
            .set(I.index());
        break;
      case irop::If:
        if (llvm::all_of(I.operands(), [&](const Value *V) {
              return constantOf(*V) || What.isNonNull(*V);
            }))
          return true;
        if (const auto *Of = llvm::dyn_cast<Instruction>(I.operand(0));
            Of && Of->op() == irop::LocalGet && I.operands().size() == 1)
          Tested.set(Of->index());
        break;
      default:
        break;
      }
    }
  }
  return (Numbers &= Read).test(Others) || (Objects &= Tested).test(Others);
}

llvm::Expected<PreservedAnalyses> SCCPPass::run(Body &F, PassContext &C) const {
  if (F.Inferred || F.Inlined || !hasFacts(F, C.analysis<Effects>(F)))
    return PreservedAnalyses::all();
  const auto &S = C.analysis<SlotSSA>(F);
  if (!S.isKnown())
    return PreservedAnalyses::all();
  Propagation Of(F, S, C.analysis<Effects>(F));
  if (!Of.solve()) {
    C.missed(F.method(), "constants take too long to find");
    return PreservedAnalyses::all();
  }
  DeadCode D(F, C);
  unsigned Branches = 0, Results = 0;
  for (Block &B : F.blocks()) {
    if (!Of.runs(B))
      continue;
    const auto Only = Of.onlyWay(*B.terminator());
    Results += replaceResults(F, B, Of, D);
    if (!Only)
      continue;
    D.goOneWay(B, *Only);
    ++Branches;
  }
  if (!Branches && !Results)
    return PreservedAnalyses::all();
  NumBranches += Branches;
  if (Branches)
    removeUnreachable(F, D.lines());
  C.remark(F.method(), "found " + llvm::Twine(Results) + " constants and " +
                           llvm::Twine(Branches) +
                           " branches that go one way only");
  return PreservedAnalyses::none().preserve<Effects>();
}
