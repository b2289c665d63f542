//===- Builder.cpp - Making instructions ----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Surgery/Builder.h"
#include "jopt/IR/Model/OpcodeSemantics.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;
using llvm::ArrayRef;
using llvm::StringRef;

Instruction *Builder::make(IROp Op, Opcode J, Type Ty,
                           ArrayRef<Value *> Operands) {
  Instruction *I = F.create(Op, J, Ty, Operands);
  I->setAdvice(Advice);
  F.insert(I, B, At);
  return I;
}

Instruction *Builder::null() {
  Instruction *I = make(irop::Const, op::ACONST_NULL, Type::Null);
  I->setFloating(true);
  return I;
}

Instruction *Builder::constant(int32_t V) {
  Opcode J = opcodeOfInt(V);
  Instruction *I = make(irop::Const, J, Type::Int);
  if (J == op::LDC)
    I->setIndex(F.pool().addInteger(V));
  else
    I->setImm(V);
  I->setFloating(true);
  return I;
}

Instruction *Builder::constantLong(int64_t V) {
  const Opcode J = V == 0 ? op::LCONST_0 : V == 1 ? op::LCONST_1 : op::LDC2_W;
  Instruction *I = make(irop::Const, J, Type::Long);
  if (J == op::LDC2_W)
    I->setIndex(F.pool().addLong(V));
  I->setFloating(true);
  return I;
}

Instruction *Builder::zero(Type Ty) {
  Opcode J = Ty.is(Type::Int)      ? op::ICONST_0
             : Ty.is(Type::Long)   ? op::LCONST_0
             : Ty.is(Type::Float)  ? op::FCONST_0
             : Ty.is(Type::Double) ? op::DCONST_0
                                   : op::ACONST_NULL;
  Instruction *I =
      make(irop::Const, J, J == op::ACONST_NULL ? Type(Type::Null) : Ty);
  I->setFloating(true);
  return I;
}

Instruction *Builder::string(StringRef Contents) {
  Instruction *I =
      make(irop::Const, op::LDC, F.types().ref("java/lang/String"));
  I->setIndex(F.pool().addString(Contents));
  I->setFloating(true);
  return I;
}

Instruction *Builder::classConstant(StringRef Class) {
  Instruction *I = make(irop::Const, op::LDC, F.types().ref("java/lang/Class"));
  I->setIndex(F.pool().addClass(Class));
  return I;
}

Instruction *Builder::get(unsigned Slot, Type Ty) {
  Instruction *I = make(irop::LocalGet, opcodeFor(op::ILOAD, Ty), Ty);
  I->setIndex(Slot);
  I->setFloating(true);
  return I;
}

Instruction *Builder::set(unsigned Slot, Value *V) {
  Instruction *I =
      make(irop::LocalSet, opcodeFor(op::ISTORE, V->type()), Type::Void, V);
  I->setIndex(Slot);
  return I;
}

Instruction *Builder::getStatic(StringRef Owner, StringRef Name,
                                StringRef Descriptor) {
  Instruction *I = make(irop::FieldAccess, op::GETSTATIC,
                        F.types().fromDescriptor(Descriptor));
  I->setIndex(F.pool().addMember(CPTag::Fieldref, Owner, Name, Descriptor));
  return I;
}

void Builder::putStatic(StringRef Owner, StringRef Name, StringRef Descriptor,
                        Value *V) {
  make(irop::FieldAccess, op::PUTSTATIC, Type::Void, V)
      ->setIndex(F.pool().addMember(CPTag::Fieldref, Owner, Name, Descriptor));
}

Instruction *Builder::invoke(Opcode J, uint16_t Index, StringRef Descriptor,
                             ArrayRef<Value *> Operands) {
  Instruction *I =
      make(irop::Invoke, J,
           F.types().fromDescriptor(returnDescriptor(Descriptor)), Operands);
  I->setIndex(Index);
  return I;
}

Instruction *Builder::callStatic(uint16_t Index, StringRef Descriptor,
                                 ArrayRef<Value *> Arguments) {
  return invoke(op::INVOKESTATIC, Index, Descriptor, Arguments);
}

llvm::Expected<Instruction *> Builder::callSite(StringRef Owner, StringRef Bind,
                                                ArrayRef<StringRef> Texts,
                                                StringRef Name,
                                                StringRef Descriptor,
                                                ArrayRef<Value *> Arguments) {
  ConstantPool &Pool = F.pool();
  std::string Given = "(Ljava/lang/invoke/MethodHandles$Lookup;"
                      "Ljava/lang/String;Ljava/lang/invoke/MethodType;";
  llvm::SmallVector<uint16_t, 4> Constants;
  for (StringRef T : Texts) {
    Given += "Ljava/lang/String;";
    Constants.push_back(Pool.addString(T));
  }
  Given += ")Ljava/lang/invoke/CallSite;";
  constexpr uint16_t InvokeStatic = 6;
  CPEntry Handle;
  Handle.Tag = CPTag::MethodHandle;
  Handle.A = InvokeStatic;
  Handle.B = Pool.addMember(CPTag::Methodref, Owner, Bind, Given);
  std::optional<uint16_t> Number =
      F.classFile().addBootstrapMethod(Pool.addEntry(Handle), Constants);
  if (!Number)
    return makeError("its table of bootstrap methods takes no more");
  return callSite(*Number, Name, Descriptor, Arguments);
}

Instruction *Builder::callSite(uint16_t Bootstrap, StringRef Name,
                               StringRef Descriptor,
                               ArrayRef<Value *> Arguments) {
  ConstantPool &Pool = F.pool();
  CPEntry Site;
  Site.Tag = CPTag::InvokeDynamic;
  Site.A = Bootstrap;
  Site.B = Pool.addNameAndType(Name, Descriptor);
  return invoke(op::INVOKEDYNAMIC, Pool.addEntry(Site), Descriptor, Arguments);
}

Instruction *Builder::callStatic(StringRef Owner, StringRef Name,
                                 StringRef Descriptor,
                                 ArrayRef<Value *> Arguments,
                                 bool OfInterface) {
  CPTag Tag = OfInterface ? CPTag::InterfaceMethodref : CPTag::Methodref;
  return callStatic(F.pool().addMember(Tag, Owner, Name, Descriptor),
                    Descriptor, Arguments);
}

Instruction *Builder::callVirtual(StringRef Owner, StringRef Name,
                                  StringRef Descriptor,
                                  ArrayRef<Value *> Operands) {
  return invoke(op::INVOKEVIRTUAL,
                F.pool().addMember(CPTag::Methodref, Owner, Name, Descriptor),
                Descriptor, Operands);
}

Instruction *Builder::callInterface(StringRef Owner, StringRef Name,
                                    StringRef Descriptor,
                                    ArrayRef<Value *> Operands) {
  return invoke(
      op::INVOKEINTERFACE,
      F.pool().addMember(CPTag::InterfaceMethodref, Owner, Name, Descriptor),
      Descriptor, Operands);
}

Instruction *Builder::newObject(StringRef Class, StringRef Descriptor,
                                ArrayRef<Value *> Arguments) {
  // The arguments stand before the `new` here, and are put above its copy by
  // the scheduler.
  Instruction *New = make(irop::New, op::NEW, Type::Top);
  New->setIndex(F.pool().addClass(Class));
  New->setType(F.addNewSite(New));
  llvm::SmallVector<Value *, 4> Operands = {New};
  Operands.append(Arguments.begin(), Arguments.end());
  Instruction *Init =
      invoke(op::INVOKESPECIAL,
             F.pool().addMember(CPTag::Methodref, Class, "<init>", Descriptor),
             Descriptor, Operands);
  F.setInit(Init);
  Init->setType(F.types().ref(Class));
  return Init;
}

Instruction *Builder::newArray(StringRef Class, Value *Length) {
  Instruction *I =
      make(irop::ClassOp, op::ANEWARRAY, arrayOf(F.types(), Class), Length);
  I->setIndex(F.pool().addClass(Class));
  return I;
}

void Builder::storeElement(Value *Array, Value *Index, Value *Element) {
  make(irop::Plain, op::AASTORE, Type::Void, {Array, Index, Element});
}

Instruction *Builder::cast(Value *V, StringRef Class) {
  Instruction *I = make(irop::ClassOp, op::CHECKCAST, F.types().ref(Class), V);
  I->setIndex(F.pool().addClass(Class));
  return I;
}

Instruction *Builder::instanceOf(Value *V, StringRef Class) {
  Instruction *I = make(irop::ClassOp, op::INSTANCEOF, Type::Int, V);
  I->setIndex(F.pool().addClass(Class));
  return I;
}

void Builder::fallThrough(Block *Next) {
  F.setSuccessors(make(irop::FallThrough, op::NOP, Type::Void), Next);
}

void Builder::jump(Block *Target) {
  F.setSuccessors(make(irop::Goto, op::GOTO, Type::Void), Target);
}

void Builder::jumpIfZero(Value *V, Block *Target, Block *Next) {
  F.setSuccessors(make(irop::If, op::IFEQ, Type::Void, V), {Target, Next});
}

void Builder::jumpIfNull(Value *Object, Block *Target, Block *Next) {
  F.setSuccessors(make(irop::If, op::IFNULL, Type::Void, Object),
                  {Target, Next});
}

void Builder::raise(Value *Throwable) {
  make(irop::Throw, op::ATHROW, Type::Void, Throwable);
}
