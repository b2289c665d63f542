//===- AdviceCalls.cpp - How a class calls its advices
//------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/AdviceCalls.h"
#include "jopt/Passes/PassManager.h"

using namespace jopt;

ServiceKey AdviceCalls::Key;

AdviceCalls::AdviceCalls(PassContext &C, const ClassEditor &Editor,
                         const RunOptions &O, const AdviceSet &Set)
    : Class(C.classFile()), Editor(Editor), Classes(O.Classes), Set(Set),
      CallsBySites(O.How == Dispatch::Indy) {
  C.add(*this);
}

Bytes AdviceCalls::findClass(llvm::StringRef InternalName) const {
  return Classes ? Classes->lookup(InternalName) : Bytes();
}

uint16_t AdviceCalls::bodyMethod(unsigned N) {
  if (N >= BodyMethods.size())
    BodyMethods.resize(Set.Advices.size());
  if (!BodyMethods[N]) {
    const AdviceBody &B = Set.Advices[N].Body;
    BodyMethods[N] =
        Class.Pool.addMember(CPTag::Methodref, B.Owner, B.Name, B.Descriptor);
  }
  return BodyMethods[N];
}

/// \p Descriptor with Object in the place of each class, and of arrays of
/// classes, that is not in a package `java.*`, which every class sees.
static std::string eraseDescriptor(llvm::StringRef Descriptor) {
  std::string Erased = "(";
  auto Add = [&](llvm::StringRef Type) {
    llvm::StringRef Class = Type.ltrim('[');
    bool Foreign = Class.consume_front("L") && !Class.starts_with("java/");
    Erased += Foreign ? llvm::StringRef("Ljava/lang/Object;") : Type;
  };
  MethodDescriptor D(Descriptor);
  for (llvm::StringRef P = D.nextParameter(); !P.empty(); P = D.nextParameter())
    Add(P);
  Erased += ')';
  Add(D.returnType());
  return Erased;
}

llvm::StringRef AdviceCalls::callDescriptor(unsigned N) {
  const std::string &Own = Set.Advices[N].Body.Descriptor;
  if (!CallsBySites)
    return Own;
  CallDescriptors.resize(Set.Advices.size());
  if (CallDescriptors[N].empty())
    CallDescriptors[N] = eraseDescriptor(Own);
  return CallDescriptors[N];
}
