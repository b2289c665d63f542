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
  return Class.addField(Access, Name, Descriptor);
}

Method &ClassEditor::addMethod(uint16_t Access, llvm::StringRef Name,
                               llvm::StringRef Descriptor) {
  Method &M = Class.addMethod(Access, Name, Descriptor);
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
