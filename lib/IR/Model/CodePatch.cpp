//===- CodePatch.cpp - Original code with snippets in it ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/CodePatch.h"
#include "jopt/IR/Model/Body.h"

using namespace jopt;

// Out of line, where Body is complete.
void Body::DeletePatch::operator()(CodePatch *Of) const { delete Of; }

Snippet::Snippet() = default;
Snippet::~Snippet() = default;

bool jopt::hasBorderAt(const CodeView &Code, const ConstantPool &Pool,
                       llvm::function_ref<bool(uint32_t BCI)> Is) {
  for (const Attribute &A : Code.Attributes) {
    const llvm::StringRef Name = Pool.utf8(A.NameIndex);
    const bool IsLines = Name == "LineNumberTable";
    if (!IsLines && Name != "LocalVariableTable" &&
        Name != "LocalVariableTypeTable")
      continue;
    const size_t Row = IsLines ? 4 : 10;
    for (size_t At = 2; At + Row <= A.Data.size(); At += Row) {
      const uint32_t Start = readU2(A.Data.data() + At);
      if (Is(Start) || (!IsLines && Is(Start + readU2(A.Data.data() + At + 2))))
        return true;
    }
  }
  return false;
}
