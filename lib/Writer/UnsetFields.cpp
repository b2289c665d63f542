//===- UnsetFields.cpp - Strict fields not set before super() -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnsetFields.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;

/// \p I sets a field of `this`, or calls super() or this().
void UnsetFields::step(const Instruction &I, llvm::BitVector &Unset) const {
  const bool Sets = I.op() == irop::FieldAccess && I.opcode() == op::PUTFIELD;
  if ((!Sets && !I.isInit()) || !I.operand(0)->type().is(Type::UninitThis))
    return;
  if (I.isInit()) {
    Unset.reset();
    return;
  }
  const MemberRef Of = Class->Pool.member(I.index());
  if (Of.Owner != Class->name())
    return;
  for (unsigned N : Unset.set_bits())
    if (Class->name(*Fields[N]) == Of.Name &&
        Class->descriptor(*Fields[N]) == Of.Descriptor) {
      Unset.reset(N);
      return;
    }
}

llvm::Error UnsetFields::follow(Body &F) {
  const auto NumFields = unsigned(Fields.size());
  // Code of real programs has a thousandth of this.
  size_t Budget = size_t(1) << 26;
  auto Spend = [&](size_t Cost) {
    const bool Enough = Budget >= Cost;
    Budget -= Enough ? Cost : Budget;
    return Enough;
  };
  auto TooMuch = [] {
    return makeError("too many strict fields and branches before super()");
  };
  const size_t Words = NumFields / 64 + 1;
  if (!Spend(Words * F.numBlocks()))
    return TooMuch();
  At.assign(F.numBlocks(), llvm::BitVector(NumFields));
  At[F.entry().id()].set();
  llvm::SmallVector<const Block *, 16> Work = {&F.entry()};
  llvm::BitVector Waits(F.numBlocks());
  Waits.set(F.entry().id());
  llvm::BitVector Now;
  auto Reach = [&](const Block *To, const llvm::BitVector &Unset) {
    if (!Unset.test(At[To->id()]))
      return;
    At[To->id()] |= Unset;
    if (!Waits.test(To->id())) {
      Waits.set(To->id());
      Work.push_back(To);
    }
  };
  while (!Work.empty()) {
    const Block &B = *Work.pop_back_val();
    Waits.reset(B.id());
    Now = At[B.id()];
    size_t Cost = Words;
    // Fields are only set on the way, so the handlers see most at the begin.
    forEachTry(B.throwEdges(), [&](const TryEntry *E) {
      Cost += Words;
      Reach(E->Handler, Now);
    });
    for (const Instruction &I : B.instructions()) {
      step(I, Now);
      Cost += I.op() == irop::FieldAccess ? NumFields : 1;
    }
    for (const Block *To : B.terminator()->successors()) {
      Cost += Words;
      Reach(To, Now);
    }
    if (!Spend(Cost))
      return TooMuch();
  }
  return llvm::Error::success();
}

llvm::Error UnsetFields::run(Body &F) {
  Class = &F.classFile();
  Fields.clear();
  if (!Class->hasValueClasses() || Class->name(F.method()) != "<init>")
    return llvm::Error::success();
  for (const Field &Of : Class->Fields)
    if (Class->isStrict(Of))
      Fields.push_back(&Of);
  return any() ? follow(F) : llvm::Error::success();
}
