//===- Boxing.cpp - Primitive values and objects --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Boxing.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/IR/Model/OpcodeSemantics.h"
#include "llvm/Support/Casting.h"

using namespace jopt;
using llvm::StringRef;

namespace {

/// A type that is int on the operand stack: its values, and the conversion that
/// makes one. A boolean keeps the lowest bit.
struct NarrowType {
  char Letter;
  int32_t Least, Greatest;
  Opcode Convert;
};

} // namespace

static constexpr NarrowType Narrow[] = {
    {'Z', 0, 1, op::IAND},
    {'B', INT8_MIN, INT8_MAX, op::I2B},
    {'C', 0, UINT16_MAX, op::I2C},
    {'S', INT16_MIN, INT16_MAX, op::I2S},
};

/// The row of \p Letter; null for a type that is as wide as its kind.
static const NarrowType *findNarrow(char Letter) {
  const auto *Row = llvm::find_if(
      Narrow, [&](const NarrowType &T) { return T.Letter == Letter; });
  return Row == std::end(Narrow) ? nullptr : Row;
}

/// The type that holds every result of \p I.
static char resultLetter(const Instruction &I) {
  const Body &F = I.block()->body();
  switch (I.op()) {
  case irop::FieldAccess:
    return F.pool().member(I.index()).Descriptor.front();
  case irop::Invoke:
    return returnDescriptor(F.pool().member(I.index()).Descriptor).front();
  case irop::ClassOp:
    return I.opcode() == op::INSTANCEOF ? 'Z' : 'I';
  case irop::Plain:
    break;
  default:
    return 'I';
  }
  switch (I.opcode()) {
  case op::BALOAD: {
    const Type Array = I.operand(0)->type();
    return F.types().isArray(Array) && F.types().name(Array) == "[Z" ? 'Z'
                                                                     : 'B';
  }
  case op::CALOAD:
    return 'C';
  case op::SALOAD:
    return 'S';
  default:
    for (const NarrowType &T : Narrow)
      if (T.Convert == I.opcode() && T.Letter != 'Z')
        return T.Letter;
    return 'I';
  }
}

/// \p V is a value of \p Wanted wherever it comes from.
static bool isOf(const NarrowType &Wanted, const Value *V) {
  const auto *I = llvm::dyn_cast<Instruction>(V);
  if (!I)
    return false;
  if (I->op() == irop::Const) {
    const std::optional<int32_t> Number = immediateInt(I->opcode(), I->imm());
    return Number && Wanted.Least <= *Number && *Number <= Wanted.Greatest;
  }
  const NarrowType *Given = findNarrow(resultLetter(*I));
  return Given && Wanted.Least <= Given->Least &&
         Given->Greatest <= Wanted.Greatest;
}

Value *jopt::narrow(Builder &B, Value *V, StringRef Descriptor) {
  const NarrowType *To = findNarrow(Descriptor.front());
  if (!To || isOf(*To, V))
    return V;
  if (To->Letter == 'Z')
    return B.make(irop::Plain, To->Convert, Type::Int, {V, B.constant(1)});
  return B.make(irop::Plain, To->Convert, Type::Int, {V});
}

static constexpr BoxType Boxes[] = {
    {'Z', "java/lang/Boolean", "booleanValue"},
    {'B', "java/lang/Byte", "byteValue"},
    {'C', "java/lang/Character", "charValue"},
    {'S', "java/lang/Short", "shortValue"},
    {'I', "java/lang/Integer", "intValue"},
    {'J', "java/lang/Long", "longValue"},
    {'F', "java/lang/Float", "floatValue"},
    {'D', "java/lang/Double", "doubleValue"},
};

const BoxType *jopt::findBox(StringRef Descriptor) {
  for (const BoxType &B : Boxes)
    if (Descriptor.size() == 1 && Descriptor[0] == B.Letter)
      return &B;
  return nullptr;
}

/// The name that checkcast takes: of a class, or an array's descriptor.
static StringRef className(StringRef Descriptor) {
  return Descriptor[0] == 'L' ? Descriptor.drop_front().drop_back()
                              : Descriptor;
}

Value *jopt::box(Builder &B, Value *V, StringRef Descriptor, bool ByNew,
                 Narrowing How) {
  const BoxType *Box = findBox(Descriptor);
  if (!Box)
    return V;
  if (How == Narrowing::Always)
    V = narrow(B, V, Descriptor);
  if (ByNew)
    return B.newObject(Box->Class, ("(" + Descriptor + ")V").str(), V);
  return B.callStatic(Box->Class, "valueOf",
                      ("(" + Descriptor + ")L" + Box->Class + ";").str(), V);
}

Value *jopt::boxAll(Builder &B, StringRef Descriptor,
                    llvm::ArrayRef<Value *> Values, bool ByNew, Narrowing How) {
  MethodDescriptor D(Descriptor);
  Value *Array =
      B.newArray("java/lang/Object", B.constant(int32_t(Values.size())));
  for (size_t I = 0; I < Values.size(); ++I) {
    Value *Index = B.constant(int32_t(I));
    B.storeElement(Array, Index,
                   box(B, Values[I], D.nextParameter(), ByNew, How));
  }
  return Array;
}

Value *jopt::unbox(Builder &B, Value *Object, StringRef Class,
                   StringRef Descriptor) {
  const BoxType *Box = findBox(Descriptor);
  StringRef Wanted = Box ? Box->Class : className(Descriptor);
  if (Wanted != "java/lang/Object" && Wanted != className(Class))
    Object = B.cast(Object, Wanted);
  if (!Box)
    return Object;
  return B.callVirtual(Box->Class, Box->Unbox, ("()" + Descriptor).str(),
                       Object);
}
