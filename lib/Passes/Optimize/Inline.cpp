//===- Inline.cpp - Put short methods where they are called ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Inlining without growth. Larger methods are HotSpot's to inline: it knows
/// which calls are hot, and keeps their frames for stack traces.
///
//===----------------------------------------------------------------------===//

#include "../ActivePasses.h"
#include "DeadCode.h"
#include "Optimizable.h"
#include "jopt/IR/Model/OpcodeSemantics.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Reader/ShortMethods.h"
#include "jopt/Support/Statistics.h"
#include "llvm/Support/Casting.h"

using namespace jopt;

#define GET_STATISTICS_Inline
#include "jopt/Passes/Passes.inc"

namespace {

/// The short methods of the class at work, as it came.
struct Callees : ShortMethods {
  static inline AnalysisKey Key;
  static Callees run(const ClassFile &F, PassContext &) {
    return {ShortMethods(F)};
  }
};

class LocalInliner {
public:
  LocalInliner(Body &F, PassContext &C)
      : F(F), C(C), Short(C.analysis<Callees>(F.classFile())), Dead(F, C) {}

  bool run();

private:
  bool inlineCall(Instruction &Call);
  Value *execute(const ShortMethod &Of, Instruction &Call);

  Body &F;
  PassContext &C;
  const ShortMethods &Short;
  DeadCode Dead;
};

} // namespace

/// Puts the steps of \p Of in front of \p Call, with its operands. The result;
/// null if there is none.
Value *LocalInliner::execute(const ShortMethod &Of, Instruction &Call) {
  llvm::SmallVector<Value *, 4> Stack(
      llvm::ArrayRef<Value *>(Call.operands()).take_front(Of.NumLoaded));
  for (const DecodedInst &Step : Of.Steps) {
    const OpcodeInfo &Info = Step.info();
    OperandShape Shape;
    [[maybe_unused]] const bool IsRight =
        operandShape(F.pool(), {Step.Op, Step.Index}, Shape);
    assert(IsRight && "ShortMethods looked at it");
    const llvm::SmallVector<Value *, 4> Operands(
        llvm::ArrayRef<Value *>(Stack).take_back(Shape.Operands.size()));
    Stack.truncate(Stack.size() - Operands.size());
    const IROp Kind = *getIROp(Step.Op);
    Instruction *I =
        F.create(Kind, Info.Canonical,
                 *resultType(F, Kind, Info.Canonical, Step.Index, Operands),
                 Operands, Call.bci());
    if (Info.PoolTags)
      I->setIndex(Step.Index);
    else
      I->setImm(immediateInt(Step.Op, Step.Value).value_or(0));
    I->setAdvice(Call.advice());
    I->setPopped(true);
    F.insert(I, Call.block(), Call.getIterator());
    Dead.added(*I);
    if (!I->type().isVoid())
      Stack.push_back(I);
  }
  return Stack.empty() ? nullptr : Stack.back();
}

bool LocalInliner::inlineCall(Instruction &Call) {
  const Effects &What = Dead.effects();
  const ShortMethod *Of =
      Short.calledBy(Call.opcode(), Call.index(), What.isInitialized());
  if (!Of || Of->Of == &F.method())
    return false;
  const llvm::ArrayRef<Value *> Operands = Call.operands();
  if (Call.opcode() != op::INVOKESTATIC && !Of->UsesThis &&
      !What.isNonNull(*Operands[0]))
    return false;
  // An object or number that nobody needs is popped, if it has to be made.
  unsigned Size = Of->Size;
  for (const Value *V : Operands.drop_front(Of->NumLoaded)) {
    const auto *I = llvm::dyn_cast<Instruction>(V);
    Size += !I || Dead.uses(*V) > 1 || !What.isRemovable(*I);
  }
  if (Size > Call.opcodeInfo().Length || !mayOptimize(F.classFile(), *Of->Of))
    return false;
  if (C.get<ActivePasses>().isInstrumented(*Of->Of)) {
    C.missed(F.method(), "no call of " + F.classFile().displayName(*Of->Of) +
                             " is inlined, as other passes change that");
    return false;
  }
  if (Value *V = execute(*Of, Call)) {
    V->setKeep(V->keep() || Call.keep());
    Dead.replaceUses(Call, *V);
  }
  Dead.erase(&Call);
  return true;
}

bool LocalInliner::run() {
  unsigned Count = 0;
  for (Block &B : F.blocks())
    for (auto It = B.begin(); It != B.end();) {
      Instruction &I = *It++;
      Count += I.op() == irop::Invoke && inlineCall(I);
    }
  NumCalls += Count;
  if (Count)
    C.remark(F.method(), "inlined " + llvm::Twine(Count) +
                             (Count == 1 ? " call" : " calls"));
  return Count;
}

bool InlinePass::begin(PassContext &C) const {
  return C.debugTables() != DebugTables::Keep &&
         !C.analysis<Callees>(C.classFile()).empty();
}

llvm::Expected<PreservedAnalyses> InlinePass::run(Body &F,
                                                  PassContext &C) const {
  if (!LocalInliner(F, C).run())
    return PreservedAnalyses::all();
  return PreservedAnalyses::none().preserve<Effects>();
}
