//===- HostLink.cpp - What hosts ask of the boot library ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLink.h"
#include "Boxing.h"
#include "jopt/Bytecode/Descriptor.h"

using namespace jopt;
using llvm::Expected;
using llvm::StringRef;

static constexpr llvm::StringLiteral Link = "jopt/boot/Link";

/// The first version of class files that have them (section 4.1).
static constexpr unsigned FirstWithSites = 51;

bool jopt::canAskLink(StringRef Name) {
  return llvm::none_of(CorePackages,
                       [&](StringRef P) { return Name.starts_with(P); });
}

bool jopt::canHaveCallSites(StringRef Name, unsigned Major) {
  return Major >= FirstWithSites && canAskLink(Name);
}

/// The class of \p F.
static Value *hostClass(Builder &B, Body &F) {
  const ClassFile &Host = F.classFile();
  if (Host.Major >= 49)
    return B.classConstant(Host.name());
  return B.callVirtual(
      "java/lang/invoke/MethodHandles$Lookup", "lookupClass",
      "()Ljava/lang/Class;",
      {B.callStatic("java/lang/invoke/MethodHandles", "lookup",
                    "()Ljava/lang/invoke/MethodHandles$Lookup;", {})});
}

namespace {

/// A call site that Link binds. Each method there takes some of the texts, in
/// this order.
struct Site {
  StringRef Method, Name, Descriptor;
  StringRef Key = {}, Owner = {}, Callee = {};
};

} // namespace

/// The call of \p S where class files have no sites: Link.call looks it up, and
/// everything is an object on the way.
static Value *emitBridge(Builder &B, Body &F, const Site &S,
                         llvm::ArrayRef<Value *> Arguments) {
  auto Text = [&](StringRef T) -> Value * {
    return T.empty() ? static_cast<Value *>(B.null()) : B.string(T);
  };
  Value *All = boxAll(B, S.Descriptor, Arguments, /*ByNew=*/false);
  Value *Given = B.callStatic(
      Link, "call",
      "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/String;"
      "Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;"
      "Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/Object;",
      {hostClass(B, F), Text(S.Method), Text(S.Name), Text(S.Descriptor),
       Text(S.Owner), Text(S.Callee), Text(S.Key), All});
  return unbox(B, Given, "Ljava/lang/Object;", returnDescriptor(S.Descriptor));
}

/// A call of \p S. Fails where the JVM needs the class to link one.
static Expected<Value *> emitSite(Builder &B, Body &F, const AdviceCalls &Calls,
                                  const Site &S,
                                  llvm::ArrayRef<Value *> Arguments) {
  const ClassFile &Host = F.classFile();
  if (!canAskLink(Host.name()))
    return makeError("it can have no call site: the JVM needs it to link one" +
                     StringRef(Calls.callsBySites()
                                   ? "; with dispatch=direct it needs none"
                                   : ", by which alone it would reach the "
                                     "classes of the probes"));
  if (Host.Major < FirstWithSites)
    return emitBridge(B, F, S, Arguments);
  llvm::SmallVector<StringRef, 3> Texts;
  for (StringRef T : {S.Key, S.Owner, S.Callee})
    if (!T.empty())
      Texts.push_back(T);
  return B.callSite(Link, S.Method, Texts, S.Name, S.Descriptor, Arguments);
}

/// What tells the objects of \p Probe from those of others: the classes of a
/// set of probes have names of their own; in a set the probe has its number.
static std::string stateKey(const AdviceSet &Set, unsigned Probe) {
  auto First = llvm::find_if(Set.Advices,
                             [&](const Advice &A) { return A.Probe == Probe; });
  return First->Body.Owner + "." + Set.Probes[Probe].FieldPrefix +
         std::to_string(Probe);
}

/// A call of Link.\p Method for the class of \p F.
static Instruction *askForState(Builder &B, Body &F, AdviceCalls &Calls,
                                unsigned Probe, StringRef Method,
                                StringRef Result) {
  return B.callStatic(
      Link, Method,
      ("(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/String;)" + Result)
          .str(),
      {hostClass(B, F), B.string(stateKey(Calls.set(), Probe)),
       B.string(Calls.set().Probes[Probe].StaticField)});
}

Value *jopt::emitHasState(Builder &B, Body &F, AdviceCalls &Calls,
                          unsigned Probe) {
  return askForState(B, F, Calls, Probe, "hasState", "Z");
}

Expected<Value *> jopt::emitState(Builder &B, Body &F, AdviceCalls &Calls,
                                  unsigned Probe) {
  const std::string &Type = Calls.set().Probes[Probe].StaticField;
  if (!canHaveCallSites(F.classFile()) && !Calls.callsBySites())
    return B.cast(
        askForState(B, F, Calls, Probe, "state", "Ljava/lang/Object;"), Type);
  // As callDescriptor has it where an advice is given the object.
  const bool Seen =
      !Calls.callsBySites() || StringRef(Type).starts_with("java/");
  std::string Descriptor = "()L" + (Seen ? Type : "java/lang/Object") + ";";
  std::string Key = stateKey(Calls.set(), Probe);
  return emitSite(B, F, Calls, {"state", "state", Descriptor, Key, Type}, {});
}

llvm::Error jopt::emitOnce(Builder &B, Body &F, AdviceCalls &Calls, unsigned N,
                           llvm::ArrayRef<Value *> Arguments) {
  const AdviceBody &A = Calls.set().Advices[N].Body;
  std::string Key = A.Owner + "." + A.Name + "#" + std::to_string(N);
  StringRef Parameters = Calls.callDescriptor(N);
  Parameters = Parameters.take_front(Parameters.rfind(')') + 1);
  std::string Descriptor = (Parameters + "V").str();
  return emitSite(B, F, Calls,
                  {"once", A.Name, Descriptor, Key, A.Owner, A.Descriptor},
                  Arguments)
      .takeError();
}

Expected<Value *> jopt::emitCall(Builder &B, Body &F, AdviceCalls &Calls,
                                 unsigned N,
                                 llvm::ArrayRef<Value *> Arguments) {
  const AdviceBody &A = Calls.set().Advices[N].Body;
  return emitSite(
      B, F, Calls,
      {"call", A.Name, Calls.callDescriptor(N), {}, A.Owner, A.Descriptor},
      Arguments);
}

Expected<Value *> jopt::emitIsThere(Builder &B, Body &F, AdviceCalls &Calls,
                                    unsigned N) {
  const AdviceBody &A = Calls.set().Advices[N].Body;
  return emitSite(B, F, Calls,
                  {"found", A.Name, "()Z", {}, A.Owner, A.Descriptor}, {});
}

Expected<Value *> jopt::emitSwitch(Builder &B, Body &F,
                                   const AdviceCalls &Calls, StringRef Owner,
                                   StringRef Name) {
  return emitSite(B, F, Calls, {"call", Name, "()Z", {}, Owner, "()Z"}, {});
}
