//===- Annotations.cpp - Which annotations something carries --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/Annotations.h"
#include "jopt/Support/Bytes.h"

using namespace jopt;
using llvm::StringRef;

namespace {
struct Level {
  unsigned Left;
  bool Named; ///< a name stands before each value
};
} // namespace

static void skip(ByteCursor &C, Level First) {
  // A stack of our own: how deep they nest the input decides.
  llvm::SmallVector<Level, 8> Levels{First};
  while (!Levels.empty() && !C.failed()) {
    Level &L = Levels.back();
    if (!L.Left) {
      Levels.pop_back();
      continue;
    }
    --L.Left;
    if (L.Named)
      C.skip(2);
    switch (C.u1()) {
    case 'e':
      C.skip(4);
      break;
    case '@':
      C.skip(2);
      Levels.push_back({C.u2(), true});
      break;
    case '[':
      Levels.push_back({C.u2(), false});
      break;
    default: // a constant or a class: one index
      C.skip(2);
      break;
    }
  }
}

void jopt::skipElementValue(ByteCursor &C) { skip(C, {1, false}); }

void jopt::skipElementValues(ByteCursor &C) { skip(C, {C.u2(), true}); }

void jopt::findAnnotations(const ConstantPool &Pool,
                           llvm::ArrayRef<Attribute> Attributes,
                           llvm::SmallVectorImpl<StringRef> &Names) {
  for (const Attribute &A : Attributes) {
    StringRef Name = Pool.utf8(A.NameIndex);
    if (Name != "RuntimeVisibleAnnotations" &&
        Name != "RuntimeInvisibleAnnotations")
      continue;
    ByteCursor C(A.Data);
    for (unsigned N = C.u2(); N; --N) {
      StringRef Type = Pool.utf8(C.u2());
      if (C.failed())
        break;
      if (Type.consume_front("L") && Type.consume_back(";"))
        Names.push_back(Type);
      skipElementValues(C);
    }
  }
}
