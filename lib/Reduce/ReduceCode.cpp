//===- ReduceCode.cpp - Less code -----------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What goes leaves a body that is whole, so that most candidates are legal;
/// the verifiers refuse the others.
///
//===----------------------------------------------------------------------===//

#include "Reducers.h"
#include "jopt/IR/Surgery/Builder.h"

using namespace jopt;
using namespace jopt::reduce;

/// Calls \p Each with all methods that have a body.
template <typename Fn> static void forEachBody(Subject &S, Fn &&Each) {
  for (Method &M : S.classFile().Methods)
    if (Body *B = S.body(M))
      Each(M, *B);
}

/// \p Blk ends here: nothing is left on the stack, and nowhere to go.
static Builder dropEnd(Body &B, Block &Blk) {
  if (Instruction *End = Blk.terminator())
    B.erase(End);
  B.setExitValues(&Blk, {});
  Builder At(B);
  At.setEnd(&Blk);
  return At;
}

/// Ends \p Blk by a return of zero. A constructor throws instead, as it may not
/// have called another yet.
static void endByReturn(Body &B, Block &Blk) {
  Builder At = dropEnd(B, Blk);
  const ClassFile &F = B.classFile();
  if (F.name(B.method()) == "<init>") {
    At.raise(At.null());
    return;
  }
  MethodDescriptor D(F.descriptor(B.method()));
  while (!D.nextParameter().empty())
    ;
  const Type Ty = B.types().fromDescriptor(D.returnType());
  if (Ty.isVoid())
    At.make(irop::Return, op::RETURN, Type::Void);
  else
    At.make(irop::Return, opcodeFor(op::IRETURN, Ty), Type::Void,
            {At.zero(Ty)});
}

void jopt::reduce::reduceCode(Subject &S, Oracle &O) {
  forEachBody(S, [&](Method &M, Body &B) {
    if (O.keeps())
      return;
    S.touch(M);
    while (!B.tries().empty())
      B.eraseTry(B.tries().back());
    while (B.blocks().size() > 1)
      B.erase(&B.blocks().back());
    B.clear(&B.entry());
    B.Attributes.clear();
    endByReturn(B, B.entry());
  });
}

void jopt::reduce::reduceRanges(Subject &S, Oracle &O) {
  forEachBody(S, [&](Method &M, Body &B) {
    const llvm::SmallVector<TryEntry *, 8> Tries(B.tries());
    for (TryEntry *E : Tries)
      if (!O.keeps()) {
        S.touch(M);
        B.eraseTry(E);
      }
  });
}

/// Has \p Blk, which ends in a branch, go only where \p Kept says.
static void keepEdges(Body &B, Block &Blk, llvm::ArrayRef<unsigned> Kept) {
  Instruction *Old = Blk.terminator();
  if (Kept.empty()) {
    endByReturn(B, Blk);
    return;
  }
  const llvm::SmallVector<Block *, 8> Targets(Old->successors());
  if (Kept.size() == 1) {
    Block *Target = Targets[Kept[0]];
    const llvm::SmallVector<Value *, 4> Exit(Blk.exitValues());
    Builder At = dropEnd(B, Blk);
    B.setExitValues(&Blk, Exit);
    // Only what is next may be without a frame.
    auto Next = std::next(Blk.getIterator());
    if (Next != B.blocks().end() && &*Next == Target)
      At.fallThrough(Target);
    else
      At.jump(Target);
    return;
  }
  // A switch without some cases; its default is whatever is left first.
  llvm::SmallVector<Block *, 8> NewTargets = {Targets[Kept[0]]};
  llvm::SmallVector<int32_t, 8> NewKeys;
  for (unsigned I : Kept.drop_front()) {
    NewTargets.push_back(Targets[I]);
    // The default of the old one has no key, and comes first.
    NewKeys.push_back(Old->keys()[I - 1]);
  }
  Instruction *New = B.create(irop::LookupSwitch, op::LOOKUPSWITCH, Type::Void,
                              {Old->operand(0)});
  B.setSuccessors(New, NewTargets, NewKeys);
  B.erase(Old);
  B.append(New, &Blk);
}

void jopt::reduce::reduceEdges(Subject &S, Oracle &O) {
  forEachBody(S, [&](Method &M, Body &B) {
    for (Block &Blk : B.blocks()) {
      const Instruction *End = Blk.terminator();
      const unsigned Count = End ? unsigned(End->successors().size()) : 0;
      llvm::SmallVector<unsigned, 8> Kept;
      for (unsigned I = 0; I < Count; ++I)
        if (O.keeps())
          Kept.push_back(I);
      if (Kept.size() == Count)
        continue;
      S.touch(M);
      keepEdges(B, Blk, Kept);
    }
  });
}

/// A constant that can be no smaller.
static bool isZero(const Instruction &I) {
  if (I.op() != irop::Const)
    return false;
  switch (I.opcode()) {
  case op::ACONST_NULL:
  case op::ICONST_0:
  case op::LCONST_0:
  case op::FCONST_0:
  case op::DCONST_0:
    return true;
  default:
    return false;
  }
}

void jopt::reduce::removeInstruction(Body &B, Instruction *I) {
  Block *Blk = I->block();
  if (!I->type().isVoid() && Blk->countUses(I)) {
    // An object that is not initialised has no zero; it stays until nobody
    // uses it.
    if (I->type().is(Type::Uninit) || I->type().is(Type::UninitThis))
      return;
    Builder At(B, I);
    At.setAdvice(I->advice());
    Blk->replaceUses(I, At.zero(I->type()));
  }
  B.erase(I);
}

void jopt::reduce::reduceInstructions(Subject &S, Oracle &O) {
  forEachBody(S, [&](Method &M, Body &B) {
    llvm::SmallVector<Instruction *, 32> Goes;
    for (Block &Blk : B.blocks())
      for (Instruction &I : Blk)
        if (!I.isTerminator() && !(isZero(I) && Blk.countUses(&I)) &&
            !O.keeps())
          Goes.push_back(&I);
    if (!Goes.empty())
      S.touch(M);
    // Those that use a value go before it.
    for (Instruction *I : llvm::reverse(Goes))
      removeInstruction(B, I);
  });
}

void jopt::reduce::reduceOperations(Subject &S, Oracle &O) {
  forEachBody(S, [&](Method &M, Body &B) {
    for (Block &Blk : B.blocks())
      for (auto It = Blk.begin(); It != Blk.end();) {
        Instruction &I = *It++;
        if (I.type().isVoid() || I.isInit())
          continue;
        auto Same = llvm::find_if(I.operands(), [&](const Value *V) {
          return V->type() == I.type();
        });
        if (Same == I.operands().end() || O.keeps())
          continue;
        S.touch(M);
        Value *V = *Same;
        V->setKeep(false);
        Blk.replaceUses(&I, V);
        B.erase(&I);
      }
  });
}

void jopt::reduce::reduceConstants(Subject &S, Oracle &O) {
  forEachBody(S, [&](Method &M, Body &B) {
    for (Block &Blk : B.blocks())
      for (auto It = Blk.begin(); It != Blk.end();) {
        Instruction &I = *It++;
        if (I.op() != irop::Const || isZero(I) || O.keeps())
          continue;
        S.touch(M);
        removeInstruction(B, &I);
      }
  });
}
