//===- Arguments.cpp - Arguments that advices write -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Boxing.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/IR/Surgery/Surgery.h"

using namespace jopt;
using llvm::StringRef;

void jopt::updateSlot(Body &F, Instruction *At, int32_t Advice, unsigned Slot,
                      StringRef Descriptor,
                      llvm::function_ref<Value *(Builder &)> New,
                      llvm::ArrayRef<Type> Frame) {
  BlockCut Cut(At);
  Block *Changed = Cut.addThen();
  Builder B(F);
  B.setAdvice(Advice);
  B.setEnd(Cut.Before);
  Value *Given = New(B);
  Instruction *Branch =
      B.make(irop::If, op::IF_ACMPEQ, Type::Void,
             {Given, B.get(Slot, F.types().ref("java/lang/Object"))});
  F.setSuccessors(Branch, {Cut.After, Changed});
  B.setPoint(Changed->terminator());
  B.set(Slot, unbox(B, New(B), "Ljava/lang/Object;", Descriptor));
  Cut.close();
  F.setSharedFrame(Cut.After, Frame);
}

Value *jopt::loadElement(Builder &B, Value *Array, Value *Index) {
  return B.make(irop::Plain, op::AALOAD,
                B.block()->body().types().ref("java/lang/Object"),
                {Array, Index});
}

llvm::SmallVector<Value *, 8> jopt::readParameters(Builder &B, Body &F,
                                                   StringRef Descriptor) {
  llvm::SmallVector<Value *, 8> Values;
  MethodDescriptor D(Descriptor);
  unsigned Slot = isStatic(F.classFile(), F.method()) ? 0 : 1;
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter()) {
    Values.push_back(B.get(Slot, F.types().fromDescriptor(P)));
    Slot += slotsOf(P);
  }
  return Values;
}
