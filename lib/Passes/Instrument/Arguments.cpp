//===- Arguments.cpp - Arguments that advices write -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Boxing.h"

using namespace jopt;
using llvm::StringRef;

void jopt::updateSlot(Body &F, Instruction *At, int32_t Advice, unsigned Slot,
                      StringRef Descriptor,
                      llvm::function_ref<Value *(Builder &)> New,
                      llvm::ArrayRef<Type> Frame) {
  Block *Front = At->block();
  Block *Rest = F.split(Front, At->getIterator());
  F.erase(Front->terminator());
  Block *Changed = F.createBlock(Rest);
  Changed->setThrowEdges(Front->throwEdges());
  llvm::SmallVector<Type, 8> Types;
  for (const Parameter *P : Rest->parameters())
    Types.push_back(P->type());
  F.setParameters(Changed, Types);
  llvm::SmallVector<Value *, 8> Through(Changed->parameters());
  F.setExitValues(Changed, Through);

  constexpr StringRef Object = "java/lang/Object";
  Builder B(F);
  B.setAdvice(Advice);
  B.setEnd(Front);
  Value *Given = New(B);
  Instruction *Branch = B.make(irop::If, op::IF_ACMPEQ, Type::Void,
                               {Given, B.get(Slot, F.types().ref(Object))});
  F.setSuccessors(Branch, {Rest, Changed});
  B.setEnd(Changed);
  B.set(Slot, unbox(B, New(B), "Ljava/lang/Object;", Descriptor));
  B.fallThrough(Rest);
  F.setSharedFrame(Rest, Frame);
}

Value *jopt::loadElement(Builder &B, Value *Array, Value *Index) {
  return B.make(irop::Plain, op::AALOAD,
                B.block()->body().types().ref("java/lang/Object"),
                {Array, Index});
}

void jopt::declareSlot(llvm::SmallVectorImpl<Type> &Frame, unsigned Slot,
                       Type Ty) {
  if (Frame.size() < Slot + Ty.slots())
    Frame.resize(Slot + Ty.slots(), Type::Top);
  Frame[Slot] = Ty;
  if (Ty.isCategory2())
    Frame[Slot + 1] = Type::High;
}

void jopt::dropMethodWideSlots(llvm::MutableArrayRef<Type> Frame,
                               const Body &F) {
  for (const Body::MethodWideSlot &W : F.MethodWideSlots)
    for (unsigned S = W.Slot; S < W.Slot + W.Ty.slots(); ++S)
      if (S < Frame.size())
        Frame[S] = Type::Top;
}

llvm::SmallVector<Value *, 8> jopt::readParameters(Builder &B, Body &F,
                                                   StringRef Descriptor) {
  llvm::SmallVector<Value *, 8> Values;
  MethodDescriptor D(Descriptor);
  unsigned Slot = F.method().is(ACC_STATIC) ? 0 : 1;
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter()) {
    Values.push_back(B.get(Slot, F.types().fromDescriptor(P)));
    Slot += slotsOf(P);
  }
  return Values;
}
