//===- DropAssertions.cpp - Take Java's assertions out --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeadCode.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"

using namespace jopt;

#define GET_STATISTICS_DropAssertions
#include "jopt/Passes/Passes.inc"

/// \p F is the field that compilers make for `assert` (JLS 14.10).
static bool isOfAssertions(const ClassFile &Class, const Field &F) {
  return F.is(ACC_STATIC) && F.is(ACC_FINAL) && F.is(ACC_SYNTHETIC) &&
         Class.name(F) == "$assertionsDisabled" && Class.descriptor(F) == "Z";
}

bool DropAssertionsPass::begin(PassContext &C) const {
  return llvm::any_of(C.classFile().Fields, [&](const Field &F) {
    return isOfAssertions(C.classFile(), F);
  });
}

llvm::Expected<PreservedAnalyses>
DropAssertionsPass::run(Body &F, PassContext &C) const {
  std::optional<DeadCode> D;
  unsigned Count = 0;
  for (Block &B : F.blocks())
    for (auto It = B.begin(); It != B.end();) {
      Instruction &I = *It++;
      if (I.opcode() != op::GETSTATIC || I.op() != irop::FieldAccess)
        continue;
      if (!D)
        D.emplace(F, C);
      const Field *Of = D->effects().ownField(I);
      // An object of the class can see it uninitialised only after its
      // initialiser failed.
      if (!Of || !isOfAssertions(F.classFile(), *Of) ||
          D->effects().failures(I) & ~unsigned(op::OfInit))
        continue;
      Instruction *True =
          F.create(irop::Const, op::ICONST_1, Type::Int, {}, I.bci());
      True->setImm(1);
      True->setAdvice(I.advice());
      F.insert(True, &B, I.getIterator());
      D->lines().add(*True);
      B.replaceUses(&I, True);
      D->lines().erase(&I);
      ++Count;
    }
  if (!Count)
    return PreservedAnalyses::all();
  NumReads += Count;
  C.remark(F.method(), "dropped " + llvm::Twine(Count) + " assertions");
  return PreservedAnalyses::none().preserve<Effects>();
}
