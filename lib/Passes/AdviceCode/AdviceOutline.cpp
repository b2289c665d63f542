//===- AdviceOutline.cpp - Advices in methods of their own ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AdviceOutline.h"
#include "AdviceCall.h"
#include "llvm/Support/Casting.h"

using namespace jopt;
using llvm::StringRef;
using llvm::Twine;

/// A constant that a method can make itself. Numbers are passed to it, so that
/// sites that differ in them have one method.
static const Instruction *innerConstant(const Value *V) {
  auto *I = llvm::dyn_cast<Instruction>(V);
  return I && I->op() == irop::Const && I->isPure() && !I->type().is(Type::Int)
             ? I
             : nullptr;
}

bool jopt::outlineAdvice(const Instruction &I, const Advice &A,
                         StringRef CallDescriptor, bool Branches,
                         OutlinedAdvice &G) {
  // The method that is to return is this one.
  if (A.Result == ResultUse::Return)
    return false;
  TypeTable &Types = I.block()->body().types();
  bool Smaller = Branches;
  llvm::raw_string_ostream Key(G.Key);
  Key << I.index() << ' ' << I.imm();
  auto Pass = [&](Value *V, const Twine &Type) {
    G.Values.push_back(V);
    G.Constants.push_back(nullptr);
    G.Parameters += Type.str();
  };
  MethodDescriptor D(CallDescriptor);
  llvm::ArrayRef<Value *> Operands = I.operands();
  for (const DataUse &Item : A.Data) {
    StringRef Wanted = D.nextParameter();
    if (!isSiteItem(A.Kind, Item)) {
      Smaller |=
          Item.Item != DataItem::Args && Item.Item != DataItem::Arguments;
      continue;
    }
    Value *V = Operands.front();
    Operands = Operands.drop_front();
    if (const Instruction *Const = innerConstant(V)) {
      G.Constants.push_back(Const);
      Key << " =" << Const->opcode() << '/' << Const->index();
      Smaller = true;
      continue;
    }
    bool WantsObject = Wanted.size() > 1;
    if (WantsObject ? V->type().isInitialized()
                    : V->type() == Types.fromDescriptor(Wanted)) {
      Pass(V, Wanted);
      continue;
    }
    StringRef Primitive = primitiveType(narrowTypeOf(I, A, Item), V->type());
    if (!WantsObject || Primitive.empty())
      return false;
    Pass(V, Primitive);
    Smaller = true;
  }
  if (A.Result == ResultUse::ReplaceValue && !I.type().isVoid()) {
    StringRef Primitive = primitiveType(NarrowTypes(I.imm()).value(), I.type());
    if (!Primitive.empty()) {
      G.Result = Primitive.str();
    } else if (I.type().is(Type::Ref)) {
      G.Result = descriptorOf(Types, I.type());
    } else {
      return false;
    }
    Pass(Operands.front(), G.Result);
    Smaller = true;
  } else {
    G.Result = I.type().isVoid() ? "V" : returnDescriptor(CallDescriptor);
  }
  if (takesArguments(A)) {
    G.ArgumentSlot = 0;
    for (const Value *V : G.Values)
      G.ArgumentSlot += int(V->type().slots());
  }
  Key << ' ' << G.Parameters << G.Result;
  return Smaller;
}
