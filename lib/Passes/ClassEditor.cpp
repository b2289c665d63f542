//===- ClassEditor.cpp - Changes to the members of a class
//--------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/ClassEditor.h"

using namespace jopt;

ServiceKey ClassEditor::Key;

Field &ClassEditor::addField(uint16_t Access, llvm::StringRef Name,
                             llvm::StringRef Descriptor) {
  Field &F = Class.Fields.emplace_back();
  F.Access = Access;
  F.NameIndex = Class.Pool.addUtf8(Name);
  F.DescriptorIndex = Class.Pool.addUtf8(Descriptor);
  F.Changed = Class.Changed = true;
  return F;
}

Method &ClassEditor::addMethod(uint16_t Access, llvm::StringRef Name,
                               llvm::StringRef Descriptor) {
  Method &M = Class.Methods.emplace_back();
  M.Access = Access;
  M.NameIndex = Class.Pool.addUtf8(Name);
  M.DescriptorIndex = Class.Pool.addUtf8(Descriptor);
  M.Changed = Class.Changed = true;
  M.IR = std::make_unique<Body>(Class, M);
  M.IR->Inferred = !Class.hasFrames();
  Added.insert(&M);
  return M;
}

void ClassEditor::dropMethods(size_t From) {
  while (Class.Methods.size() > From) {
    const Method &M = Class.Methods.back();
    C.forget(M);
    Added.erase(&M);
    Class.Methods.pop_back();
  }
}
