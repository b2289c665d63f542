//===- ClassEditor.cpp - Changes to the members of a class
//--------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/ClassEditor.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Bytes.h"

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

/// Takes the attributes out of the code of \p M named \p Names.
static void dropAttributes(ClassFile &F, Method &M,
                           llvm::ArrayRef<llvm::StringLiteral> Names) {
  const int At = M.codeAttribute(F.Pool);
  if (At < 0 || M.IR)
    return;
  CodeView View;
  if (llvm::Error E = parseCode(F, M.Attributes[At].Data, View))
    return llvm::consumeError(std::move(E));
  auto Stays = [&](const Attribute &A) {
    return !llvm::is_contained(Names, F.Pool.utf8(A.NameIndex));
  };
  if (llvm::all_of(View.Attributes, Stays))
    return;
  constexpr size_t HeaderSize = 6; // of an attribute: name and length
  const Bytes Old = M.Attributes[At].Data;
  size_t Size = 2;
  for (const Attribute &A : View.Attributes)
    Size += HeaderSize + A.Data.size();
  ByteWriter W;
  W.bytes(Old.drop_back(Size));
  W.u2(uint16_t(llvm::count_if(View.Attributes, Stays)));
  for (const Attribute &A : View.Attributes)
    if (Stays(A)) {
      W.u2(A.NameIndex);
      W.u4(uint32_t(A.Data.size()));
      W.bytes(A.Data);
    }
  M.Attributes[At].Data = F.save(W.data());
  M.Changed = true;
}

void ClassEditor::finish() {
  if (!Dropped.empty())
    for (Method &M : Class.Methods)
      dropAttributes(Class, M, Dropped);
}
