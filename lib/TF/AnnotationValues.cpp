//===- AnnotationValues.cpp - Annotations with their values ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnnotationValues.h"
#include "jopt/IR/Model/Annotations.h"

using namespace jopt;
using namespace jopt::tf;
using llvm::StringRef;

const AnnotationValues::Element *AnnotationValues::find(StringRef Name) const {
  for (const Element &E : Elements)
    if (E.Name == Name)
      return &E;
  return nullptr;
}

StringRef AnnotationValues::text(StringRef Name) const {
  const Element *E = find(Name);
  return E ? E->Text : StringRef();
}

static AnnotationValues::Element readElement(const ConstantPool &Pool,
                                             ByteCursor &C) {
  AnnotationValues::Element E;
  E.Name = Pool.utf8(C.u2());
  ByteCursor Value = C;
  skipElementValue(C);
  if (C.failed())
    return E;
  switch (Value.u1()) {
  case 's':
    E.Text = Pool.utf8(Value.u2());
    break;
  case 'e':
    Value.skip(2);
    E.Text = Pool.utf8(Value.u2());
    break;
  case 'c':
    E.Classes.push_back(Pool.utf8(Value.u2()));
    break;
  case '[':
    // An array has elements of one kind: the first that is no class ends it.
    for (unsigned N = Value.u2(); N && Value.u1() == 'c'; --N)
      E.Classes.push_back(Pool.utf8(Value.u2()));
    break;
  default:
    break;
  }
  return E;
}

void tf::readAnnotations(
    const ConstantPool &Pool, llvm::ArrayRef<Attribute> Attributes,
    bool Invisible, llvm::function_ref<void(const AnnotationValues &)> Visit) {
  for (const Attribute &A : Attributes) {
    StringRef Name = Pool.utf8(A.NameIndex);
    if (Name != "RuntimeVisibleAnnotations" &&
        !(Invisible && Name == "RuntimeInvisibleAnnotations"))
      continue;
    ByteCursor C(A.Data);
    for (unsigned N = C.u2(); N && !C.failed(); --N) {
      AnnotationValues V;
      V.Type = Pool.utf8(C.u2());
      bool IsClass = V.Type.consume_front("L") && V.Type.consume_back(";");
      for (unsigned K = C.u2(); K && !C.failed(); --K)
        V.Elements.push_back(readElement(Pool, C));
      if (IsClass && !C.failed())
        Visit(V);
    }
  }
}
