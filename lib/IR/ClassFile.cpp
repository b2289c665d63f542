//===- lib/IR/ClassFile.cpp - Classes, members, attributes -*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/ClassFile.h"
#include "jopt/IR/Body.h"
#include "jopt/Support/ModifiedUTF8.h"

using namespace jopt;

// Out of line, where Body is complete.
Method::Method() = default;
Method::Method(Method &&) = default;
Method &Method::operator=(Method &&) = default;
Method::~Method() = default;

int Method::codeAttribute(const ConstantPool &Pool) const {
  for (unsigned I = 0; I < Attributes.size(); ++I)
    if (Pool.utf8(Attributes[I].NameIndex) == "Code")
      return int(I);
  return -1;
}

const Attribute *ClassFile::findAttribute(const ConstantPool &Pool,
                                          llvm::ArrayRef<Attribute> As,
                                          llvm::StringRef Name) {
  for (const Attribute &A : As)
    if (Pool.utf8(A.NameIndex) == Name)
      return &A;
  return nullptr;
}

bool ClassFile::isChanged() const {
  if (Changed || Original.empty() || Pool.size() != Pool.numOriginal())
    return true;
  for (const Field &F : Fields)
    if (F.Changed)
      return true;
  for (const Method &M : Methods)
    if (M.Changed)
      return true;
  return false;
}

std::string ClassFile::displayName(const Method &M) const {
  return toDisplayUTF8(name()) + "." + toDisplayUTF8(name(M)) +
         toDisplayUTF8(descriptor(M));
}

Bytes ClassFile::save(Bytes B) { return B.copy(Alloc); }
