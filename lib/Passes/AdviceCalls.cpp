//===- AdviceCalls.cpp - How a class calls its advices
//------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/AdviceCalls.h"
#include "jopt/Passes/AdviceRun.h"
#include "jopt/Trace/Declarations.h"

using namespace jopt;

ServiceKey AdviceCalls::Key;

AdviceCalls::AdviceCalls(PassContext &C, const ClassEditor &Editor,
                         const AdviceRunOptions &O, const AdviceSet &Set)
    : Class(C.classFile()), Editor(Editor), Classes(O.Classes), Set(Set),
      CallsBySites(O.How == Dispatch::Indy),
      CallsStubs(O.How == Dispatch::Stub) {
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
    std::string Descriptor = B.Descriptor;
    if (B.OfInterface) // without the receiver
      Descriptor.erase(1,
                       MethodDescriptor(B.Descriptor).nextParameter().size());
    BodyMethods[N] = Class.Pool.addMember(
        B.OfInterface ? CPTag::InterfaceMethodref : CPTag::Methodref, B.Owner,
        B.Name, Descriptor);
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

std::string jopt::stubDescriptor(const Advice &A) {
  const std::string Own = eraseDescriptor(A.Body.Descriptor);
  auto [Parameters, Result] = llvm::StringRef(Own).rsplit(')');
  std::string Replaced;
  if (A.Result == ResultUse::ReplaceValue && Result != "V")
    Replaced = Result.str();
  if (A.Result == ResultUse::Return && !endsMethod(A))
    Replaced = "Ljava/lang/Throwable;";
  return (Parameters + Replaced + "I)" + Result).str();
}

llvm::StringRef AdviceCalls::callDescriptor(unsigned N) {
  const std::string &Own = Set.Advices[N].Body.Descriptor;
  if (!CallsBySites && !callsStub(N))
    return Own;
  CallDescriptors.resize(Set.Advices.size());
  if (CallDescriptors[N].empty())
    CallDescriptors[N] = eraseDescriptor(Own);
  return CallDescriptors[N];
}

llvm::Expected<uint16_t> AdviceCalls::bootstrap(llvm::StringRef Owner,
                                                llvm::StringRef Bind,
                                                llvm::StringRef Text) {
  if (Bootstrap)
    return *Bootstrap;
  constexpr size_t MostArguments = 250; // of a method of three others
  ConstantPool &Pool = Class.Pool;
  llvm::SmallVector<uint16_t, 4> Constants;
  for (llvm::StringRef Part : trace::cutIntoConstants(Text))
    Constants.push_back(Pool.addString(Part));
  if (Constants.size() > MostArguments)
    return makeError("its declarations are too long for a class file");
  constexpr uint16_t InvokeStatic = 6;
  CPEntry Handle;
  Handle.Tag = CPTag::MethodHandle;
  Handle.A = InvokeStatic;
  Handle.B = Pool.addMember(
      CPTag::Methodref, Owner, Bind,
      "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
      "Ljava/lang/invoke/MethodType;[Ljava/lang/String;)"
      "Ljava/lang/invoke/CallSite;");
  Bootstrap = Class.addBootstrapMethod(Pool.addEntry(Handle), Constants);
  if (!Bootstrap)
    return makeError("its table of bootstrap methods takes no more");
  BootstrapEnd = {Pool.size(), Class.numAddedBootstrapMethods()};
  return *Bootstrap;
}
