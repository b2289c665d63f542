//===- InstCombine.cpp - Combine instructions into fewer ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeadCode.h"
#include "jopt/IR/Surgery/Builder.h"
#include "jopt/Passes/Analysis/Constants.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

#define GET_STATISTICS_InstCombine
#include "jopt/Passes/Passes.inc"

namespace {

/// Combines the instructions of a block, from its beginning.
class Combiner {
public:
  Combiner(Body &F) : F(F) {}

  void run(Block &B);
  bool changed() const { return Changed; }
  /// Instructions that have lost a use.
  llvm::SmallVector<Instruction *, 16> Old;

private:
  Value *resolve(Value *V) const {
    auto It = Replaced.find(V);
    return It == Replaced.end() ? V : It->second;
  }
  void replace(Instruction &I, Value *New);
  bool foldConstant(Instruction &I);
  Value *findEqual(const Instruction &I) const;
  Value *equalConversion(const Instruction &I) const;
  bool shortenBranch(Instruction &T);
  bool makeIncrement(Instruction &Set);
  unsigned uses(const Value &V);

  Body &F;
  /// By Value::id(), with those of what a value takes the place of; empty until
  /// somebody asks.
  std::vector<unsigned> Uses;
  llvm::DenseMap<Value *, Value *> Replaced;
  bool Changed = false;
};

} // namespace

static const Instruction *asPlain(const Value *V) {
  const auto *I = llvm::dyn_cast<Instruction>(V);
  return I && I->op() == irop::Plain ? I : nullptr;
}

void Combiner::replace(Instruction &I, Value *New) {
  Replaced[&I] = New;
  if (!Uses.empty()) {
    Uses.resize(F.numValues());
    Uses[New->id()] += Uses[I.id()];
  }
  Old.push_back(&I);
  Changed = true;
}

/// The result follows from constants.
bool Combiner::foldConstant(Instruction &I) {
  if (I.op() != irop::Plain || I.type().isVoid() || I.operands().empty() ||
      I.operands().size() > 2)
    return false;
  std::optional<Constant> Of[2];
  for (size_t N = 0; N < I.operands().size(); ++N)
    if (!(Of[N] = constantOf(*I.operand(N))))
      return false;
  const auto Result = fold(I.opcode(), *Of[0], Of[1].value_or(Constant()));
  if (!Result)
    return false;
  Instruction *New = makeConstant(F, *Result, &I);
  if (!New)
    return false;
  // A conversion is shorter than a constant in the pool.
  if (New->opcodeInfo().PoolTags && !Of[1]) {
    F.erase(New);
    return false;
  }
  replace(I, New);
  ++NumConstants;
  return true;
}

/// \p I converts what is converted already.
Value *Combiner::equalConversion(const Instruction &I) const {
  const Instruction *Inner = asPlain(I.operand(0));
  if (!Inner)
    return nullptr;
  auto Is = [&](Opcode Outer, Opcode Of) {
    return I.opcode() == Outer && Inner->opcode() == Of;
  };
  if (Is(op::I2B, op::I2B) || Is(op::I2C, op::I2C) || Is(op::I2S, op::I2S) ||
      Is(op::I2S, op::I2B) || Is(op::I2S, op::SALOAD) ||
      Is(op::I2C, op::CALOAD) || Is(op::I2B, op::BALOAD) ||
      Is(op::I2S, op::BALOAD))
    return I.operand(0);
  if (Is(op::L2I, op::I2L) || Is(op::INEG, op::INEG) || Is(op::LNEG, op::LNEG))
    return Inner->operand(0);
  return nullptr;
}

/// The value that \p I has as its result; null if it makes another.
Value *Combiner::findEqual(const Instruction &I) const {
  if (I.op() == irop::ClassOp && I.opcode() == op::CHECKCAST) {
    const auto *Inner = llvm::dyn_cast<Instruction>(I.operand(0));
    const bool Again = Inner && Inner->op() == irop::ClassOp &&
                       Inner->opcode() == op::CHECKCAST &&
                       Inner->index() == I.index();
    return Again ? I.operand(0) : nullptr;
  }
  if (I.op() != irop::Plain || I.type().isVoid())
    return nullptr;
  if (I.operands().size() == 1)
    return equalConversion(I);
  if (I.operands().size() != 2)
    return nullptr;
  for (bool AtLeft : {false, true})
    if (auto C = constantOf(*I.operand(!AtLeft));
        C && isNeutral(I.opcode(), *C, AtLeft))
      return I.operand(AtLeft);
  return nullptr;
}

/// Compares with zero and null by the branch for that.
bool Combiner::shortenBranch(Instruction &T) {
  if (T.op() != irop::If || T.operands().size() != 2)
    return false;
  for (bool AtLeft : {false, true}) {
    const auto C = constantOf(*T.operand(!AtLeft));
    if (!C || C->Bits || (!C->Ty.is(Type::Int) && !C->Ty.is(Type::Null)))
      continue;
    // In the order of the table: eq ne lt ge gt le; those change sides.
    static constexpr Opcode Sides[] = {op::IFEQ, op::IFNE, op::IFGT,
                                       op::IFLE, op::IFLT, op::IFGE};
    const bool IsNull = C->Ty.is(Type::Null);
    const unsigned Kind = T.opcode() - (IsNull ? op::IF_ACMPEQ : op::IF_ICMPEQ);
    const Opcode Branch = IsNull   ? Opcode(op::IFNULL + Kind)
                          : AtLeft ? Sides[Kind]
                                   : Opcode(op::IFEQ + Kind);
    Instruction *New =
        F.create(irop::If, Branch, Type::Void, T.operand(AtLeft), T.bci());
    New->setAdvice(T.advice());
    F.setSuccessors(New, llvm::SmallVector<Block *, 2>(T.successors()));
    if (auto *Of = llvm::dyn_cast<Instruction>(T.operand(!AtLeft)))
      Old.push_back(Of);
    if (!Uses.empty())
      --Uses[T.operand(!AtLeft)->id()];
    F.append(New, T.block());
    F.erase(&T);
    Changed = true;
    ++NumBranches;
    return true;
  }
  return false;
}

/// Uses of \p V, with those of what it takes the place of.
unsigned Combiner::uses(const Value &V) {
  if (Uses.empty()) {
    Uses = countUses(F);
    for (auto [Old, New] : Replaced)
      Uses[New->id()] += Uses[Old->id()];
  }
  return Uses[V.id()];
}

/// Something is stored in \p Slot from \p From to \p To.
static bool isWritten(unsigned Slot, const Instruction &From,
                      const Instruction &To) {
  return std::any_of(
      From.getIterator(), To.getIterator(), [&](const Instruction &I) {
        return (I.op() == irop::LocalSet || I.op() == irop::LocalInc) &&
               (I.index() == Slot ||
                (I.op() == irop::LocalSet &&
                 I.operand(0)->type().isCategory2() && I.index() + 1 == Slot));
      });
}

/// `x = x + 1` is an increment.
bool Combiner::makeIncrement(Instruction &Set) {
  const Instruction *Sum = asPlain(Set.operand(0));
  if (!Sum || (Sum->opcode() != op::IADD && Sum->opcode() != op::ISUB))
    return false;
  for (bool AtLeft : {false, true}) {
    if (AtLeft && Sum->opcode() == op::ISUB)
      break;
    const auto *Get = llvm::dyn_cast<Instruction>(Sum->operand(AtLeft));
    const auto C = constantOf(*Sum->operand(!AtLeft));
    if (!C || !Get || Get->op() != irop::LocalGet ||
        Get->index() != Set.index() || Set.index() > 255 || uses(*Sum) != 1 ||
        uses(*Get) != 1 || isWritten(Set.index(), *Get, Set))
      continue;
    const int64_t By = Sum->opcode() == op::ISUB ? -int64_t(C->i()) : C->i();
    if (By != int8_t(By))
      continue;
    // An index from which on the original has room for it.
    const int32_t BCI =
        Get->bci() >= 0 && Sum->bci() - Get->bci() >= 2 ? Get->bci() : -1;
    Instruction *New = F.create(irop::LocalInc, op::IINC, Type::Void, {}, BCI);
    New->setIndex(Set.index());
    New->setImm(int32_t(By));
    New->setAdvice(Set.advice());
    F.insert(New, Set.block(), Set.getIterator());
    Old.push_back(&Set);
    Changed = true;
    ++NumIncrements;
    return true;
  }
  return false;
}

void Combiner::run(Block &B) {
  Replaced.clear();
  for (auto It = B.begin(); It != B.end();) {
    Instruction &I = *It++;
    if (!Replaced.empty())
      for (Value *&V : I.operands())
        V = resolve(V);
    if (I.op() == irop::LocalSet)
      makeIncrement(I);
    if (foldConstant(I) || shortenBranch(I))
      continue;
    if (Value *Equal = findEqual(I)) {
      replace(I, Equal);
      ++NumIdentities;
    }
  }
  if (!Replaced.empty())
    for (Value *&V : B.exitValues())
      V = resolve(V);
}

llvm::Expected<PreservedAnalyses> InstCombinePass::run(Body &F,
                                                       PassContext &C) const {
  if (F.Inferred || F.Inlined)
    return PreservedAnalyses::all();
  Combiner Of(F);
  for (Block &B : F.blocks())
    Of.run(B);
  if (!Of.changed())
    return PreservedAnalyses::all();
  DeadCode D(F, C);
  llvm::SmallPtrSet<Instruction *, 16> Gone;
  for (Instruction *I : llvm::reverse(Of.Old)) {
    if (!Gone.insert(I).second || !I->block())
      continue;
    if (I->op() == irop::LocalSet)
      D.erase(I);
    else if (!D.uses(*I))
      D.erase(I);
  }
  return PreservedAnalyses::none().preserve<Effects>();
}
