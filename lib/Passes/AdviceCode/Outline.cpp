//===- Outline.cpp - Code of advices in methods of its own ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Outline.h"
#include "Boxing.h"

using namespace jopt;
using llvm::StringRef;

/// Nothing in the class names a member \p Name: no method of its own, and none
/// that it inherits and calls.
static bool isFree(ConstantPool &Pool, StringRef Name) {
  CPEntry E;
  E.Tag = CPTag::Utf8;
  E.Text = Name.data();
  E.Length = uint16_t(Name.size());
  return !Pool.find(E);
}

/// The slots in which a static method finds its parameters.
static llvm::SmallVector<Type, 8> slotsOfParameters(TypeTable &Types,
                                                    StringRef Descriptor) {
  llvm::SmallVector<Type, 8> Slots;
  MethodDescriptor D(Descriptor);
  for (StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter()) {
    Slots.push_back(Types.fromDescriptor(P));
    if (Slots.back().isCategory2())
      Slots.push_back(Type::High);
  }
  return Slots;
}

llvm::Expected<Instruction *>
Outliner::call(Builder &B, StringRef Key, const std::string &Descriptor,
               llvm::ArrayRef<Value *> Arguments,
               llvm::function_ref<llvm::Error(Body &)> Fill) {
  ClassFile &Class = Host.classFile();
  const Method *&M = Made[Key];
  if (!M) {
    if (Class.Methods.size() >= 65535)
      return makeError("its class would have more than 65,535 methods");
    std::string Name;
    do
      Name = "jopt$" + std::to_string(NextNumber++);
    while (!isFree(Class.Pool, Name));
    Method &New = C.get<ClassEditor>().addMethod(
        ACC_PRIVATE | ACC_STATIC | ACC_SYNTHETIC, Name, Descriptor);
    auto Slots = slotsOfParameters(Class.Types, Descriptor);
    New.IR->setInitialLocals(Slots);
    New.IR->setNumSlots(unsigned(Slots.size()));
    if (llvm::Error E = Fill(*New.IR))
      return E;
    M = &New;
  }
  return B.callStatic(Class.name(), Class.name(*M), Descriptor, Arguments,
                      Class.isInterface());
}

llvm::Expected<Instruction *> Outliner::boxAll(Builder &B, StringRef Descriptor,
                                               llvm::ArrayRef<Value *> Values,
                                               bool ByNew) {
  StringRef Parameters = Descriptor.take_front(Descriptor.rfind(')') + 1);
  return call(B, Descriptor, (Parameters + "[Ljava/lang/Object;").str(), Values,
              [&](Body &F) {
                Builder In(F);
                In.setEnd(F.createBlock());
                In.setAdvice(B.advice());
                llvm::SmallVector<Value *, 8> Given;
                llvm::ArrayRef<Type> Slots = F.initialLocals();
                for (unsigned S = 0; S < Slots.size(); S += Slots[S].slots())
                  Given.push_back(In.get(S, Slots[S]));
                makeReturn(In, jopt::boxAll(In, Descriptor, Given, ByNew));
                return llvm::Error::success();
              });
}

void jopt::makeReturn(Builder &B, Value *V) {
  if (!V) {
    B.make(irop::Return, op::RETURN, Type::Void);
    return;
  }
  B.make(irop::Return, opcodeFor(op::IRETURN, V->type()), Type::Void, V);
}
