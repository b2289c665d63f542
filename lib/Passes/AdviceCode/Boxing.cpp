//===- Boxing.cpp - Primitive values and objects --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Boxing.h"

using namespace jopt;
using llvm::StringRef;

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

Value *jopt::box(Builder &B, Value *V, StringRef Descriptor, bool ByNew) {
  const BoxType *Box = findBox(Descriptor);
  if (!Box)
    return V;
  if (ByNew)
    return B.newObject(Box->Class, ("(" + Descriptor + ")V").str(), V);
  return B.callStatic(Box->Class, "valueOf",
                      ("(" + Descriptor + ")L" + Box->Class + ";").str(), V);
}

Value *jopt::boxAll(Builder &B, StringRef Descriptor,
                    llvm::ArrayRef<Value *> Values, bool ByNew) {
  MethodDescriptor D(Descriptor);
  Value *Array =
      B.newArray("java/lang/Object", B.constant(int32_t(Values.size())));
  for (size_t I = 0; I < Values.size(); ++I) {
    Value *Index = B.constant(int32_t(I));
    B.storeElement(Array, Index, box(B, Values[I], D.nextParameter(), ByNew));
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
