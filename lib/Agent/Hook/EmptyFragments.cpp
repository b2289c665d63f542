//===- EmptyFragments.cpp - Probe classes that do nothing -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hook/EmptyFragments.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/Bytecode/Opcodes.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Writer/ClassWriter.h"

using namespace jopt;
using llvm::StringRef;

/// Instructions that return zero or null as \p Descriptor says.
static llvm::SmallVector<uint8_t, 4> returnNothing(StringRef Descriptor) {
  switch (returnDescriptor(Descriptor)[0]) {
  case 'V':
    return {op::RETURN};
  case 'J':
    return {op::LCONST_0, op::LRETURN};
  case 'F':
    return {op::FCONST_0, op::FRETURN};
  case 'D':
    return {op::DCONST_0, op::DRETURN};
  case 'L':
  case '[':
    return {op::ACONST_NULL, op::ARETURN};
  default:
    return {op::ICONST_0, op::IRETURN};
  }
}

/// The slot of the parameter that gets \p Item, if it has one of type \p Type.
static std::optional<uint8_t> slotOf(const Advice &A, DataItem Wanted,
                                     StringRef WantedType) {
  MethodDescriptor D(A.Body.Descriptor);
  unsigned Slot = 0;
  for (DataItem Item : A.Data) {
    StringRef Type = D.nextParameter();
    if (Item == Wanted && Type == WantedType && Slot <= 255)
      return uint8_t(Slot);
    Slot += slotsOf(Type);
  }
  return std::nullopt;
}

/// Instructions that leave everything as it would be without \p A; none if it
/// is not given what that takes.
static llvm::SmallVector<uint8_t, 4> doNothing(const Advice &A) {
  StringRef Type = returnDescriptor(A.Body.Descriptor);
  if (A.Result == ResultUse::Return) {
    auto Slot = slotOf(A, DataItem::ExceptionObject, "Ljava/lang/Throwable;");
    if (!Slot)
      return {};
    return {op::ALOAD, *Slot, op::ATHROW};
  }
  if (A.Result != ResultUse::ReplaceValue)
    return returnNothing(A.Body.Descriptor);
  for (DataItem Item : {DataItem::ReturnedObject, DataItem::Result})
    if (auto Slot = slotOf(A, Item, Type)) {
      // Loads stand in the order of returns.
      uint8_t Return = returnNothing(A.Body.Descriptor).back();
      return {uint8_t(op::ILOAD + Return - op::IRETURN), *Slot, Return};
    }
  return {};
}

llvm::Expected<llvm::SmallVector<uint8_t, 0>>
agent::emptyFragments(Bytes Data, const AdviceSet &Advices) {
  auto Read = readClass(Data);
  if (!Read)
    return Read.takeError();
  ClassFile &F = **Read;
  bool Any = false;
  for (Method &M : F.Methods) {
    int Index = M.codeAttribute(F.Pool);
    if (Index < 0 || !M.is(ACC_STATIC))
      continue;
    std::optional<llvm::SmallVector<uint8_t, 4>> Code;
    for (const Advice &A : Advices.Advices) {
      if (A.Body.Owner != F.name() || A.Body.Name != F.name(M) ||
          A.Body.Descriptor != F.descriptor(M))
        continue;
      if (A.Kind == AdviceKind::StaticInitializer) {
        Code.emplace();
        break;
      }
      if (!Code || A.Result == ResultUse::ReplaceValue ||
          A.Result == ResultUse::Return)
        Code = doNothing(A);
    }
    if (!Code || Code->empty())
      continue;
    ByteWriter W;
    W.u2(2); // max_stack
    W.u2(uint16_t(parameterSlots(F.descriptor(M))));
    W.u4(uint32_t(Code->size()));
    W.bytes(*Code);
    W.u2(0); // handlers
    W.u2(0); // attributes
    M.Attributes[Index].Data = F.save(W.data());
    M.Changed = true;
    Any = true;
  }
  if (!Any)
    return llvm::SmallVector<uint8_t, 0>();
  return writeClass(F);
}
