//===- HostLink.cpp - What hosts ask of the boot library ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLink.h"

using namespace jopt;
using llvm::Expected;
using llvm::StringRef;

static constexpr llvm::StringLiteral Link = "jopt/boot/Link";

/// Packages of the JDK with what the JVM runs to link a call site.
static constexpr StringRef CorePackages[] = {"java/", "jdk/", "sun/"};

bool jopt::canHaveCallSites(StringRef Name, unsigned Major) {
  return Major >= 51 && llvm::none_of(CorePackages, [&](StringRef P) {
           return Name.starts_with(P);
         });
}

/// Why \p Class can have none, and what helps.
static llvm::Error noCallSites(const ClassFile &Class,
                               const AdviceCalls &Calls) {
  std::string Why =
      Class.Major < 51
          ? "version " + std::to_string(Class.Major) +
                " of its class file is below 51, the first that has call sites"
          : "it can have no call site: the JVM needs it to link one";
  return makeError(Why + (Calls.callsBySites()
                              ? "; with dispatch=direct it needs none"
                              : ", by which alone it would reach the classes "
                                "of the probes"));
}

/// A site with \p Descriptor that Link.\p Method binds, which is given the
/// constants \p Texts.
static Expected<Instruction *>
emitSite(Builder &B, Body &F, const AdviceCalls &Calls, StringRef Method,
         StringRef Name, StringRef Descriptor, llvm::ArrayRef<StringRef> Texts,
         llvm::ArrayRef<Value *> Arguments) {
  if (!canHaveCallSites(F.classFile()))
    return noCallSites(F.classFile(), Calls);
  return B.callSite(Link, Method, Texts, Name, Descriptor, Arguments);
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
  const ClassFile &Host = F.classFile();
  Value *Class =
      Host.Major >= 49
          ? B.classConstant(Host.name())
          : B.callVirtual(
                "java/lang/invoke/MethodHandles$Lookup", "lookupClass",
                "()Ljava/lang/Class;",
                {B.callStatic("java/lang/invoke/MethodHandles", "lookup",
                              "()Ljava/lang/invoke/MethodHandles$Lookup;",
                              {})});
  return B.callStatic(
      Link, Method,
      ("(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/String;)" + Result)
          .str(),
      {Class, B.string(stateKey(Calls.set(), Probe)),
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
  auto Site = emitSite(B, F, Calls, "state", "state", Descriptor,
                       {stateKey(Calls.set(), Probe), Type}, {});
  if (!Site)
    return Site.takeError();
  return *Site;
}

llvm::Error jopt::emitOnce(Builder &B, Body &F, AdviceCalls &Calls, unsigned N,
                           llvm::ArrayRef<Value *> Arguments) {
  const AdviceBody &A = Calls.set().Advices[N].Body;
  std::string Key = A.Owner + "." + A.Name + "#" + std::to_string(N);
  StringRef Parameters = Calls.callDescriptor(N);
  Parameters = Parameters.take_front(Parameters.rfind(')') + 1);
  return emitSite(B, F, Calls, "once", A.Name, (Parameters + "V").str(),
                  {Key, A.Owner, A.Descriptor}, Arguments)
      .takeError();
}

Expected<Value *> jopt::emitCall(Builder &B, Body &F, AdviceCalls &Calls,
                                 unsigned N,
                                 llvm::ArrayRef<Value *> Arguments) {
  const AdviceBody &A = Calls.set().Advices[N].Body;
  auto Site = emitSite(B, F, Calls, "call", A.Name, Calls.callDescriptor(N),
                       {A.Owner, A.Descriptor}, Arguments);
  if (!Site)
    return Site.takeError();
  return *Site;
}

Expected<Value *> jopt::emitIsThere(Builder &B, Body &F, AdviceCalls &Calls,
                                    unsigned N) {
  const AdviceBody &A = Calls.set().Advices[N].Body;
  auto Site = emitSite(B, F, Calls, "found", A.Name, "()Z",
                       {A.Owner, A.Descriptor}, {});
  if (!Site)
    return Site.takeError();
  return *Site;
}

Expected<Value *> jopt::emitSwitch(Builder &B, Body &F,
                                   const AdviceCalls &Calls, StringRef Owner,
                                   StringRef Name) {
  auto Site = emitSite(B, F, Calls, "call", Name, "()Z", {Owner, "()Z"}, {});
  if (!Site)
    return Site.takeError();
  return *Site;
}
