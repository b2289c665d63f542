//===- HostLink.cpp - What hosts ask of the boot library ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLink.h"
#include "Boxing.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Passes/Analysis/TracedEvents.h"
#include "llvm/ADT/StringExtras.h"

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
static Value *ownClass(Builder &B, Body &F) {
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

/// A call site that Link binds: for a call of the method \p Callee of \p Owner,
/// or for the object of that class, which \p Key tells from others.
struct LinkedSite {
  StringRef Name, Descriptor, What, Owner;
  StringRef Callee = {}, Key = {};

  /// The one constant that says so (Request.java). Names in class files have no
  /// dots in them, but for keys, which come last.
  std::string request() const {
    const std::string Format = std::to_string(LinkFormat);
    return llvm::join(
        llvm::ArrayRef<StringRef>{Format, What, Owner, Callee, Key}, ".");
  }
};

} // namespace

/// The call of \p S where class files have no sites: Link.call looks it up, and
/// everything is an object on the way.
static Value *emitBridge(Builder &B, Body &F, const LinkedSite &S,
                         llvm::ArrayRef<Value *> Arguments) {
  Value *All = boxAll(B, S.Descriptor, Arguments, /*ByNew=*/false);
  Value *Given =
      B.callStatic(Link, "call",
                   "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/String;"
                   "Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/Object;",
                   {ownClass(B, F), B.string(S.request()), B.string(S.Name),
                    B.string(S.Descriptor), All});
  return unbox(B, Given, "Ljava/lang/Object;", returnDescriptor(S.Descriptor));
}

/// The type of the site for \p Descriptor. HotSpot has code to link sites that
/// return objects; for others it makes a class, and then looks at each site of
/// a loader through all that this keeps, which takes longer the more classes it
/// has.
static std::string siteDescriptor(StringRef Descriptor) {
  const bool IsVoid = Descriptor.consume_back("V");
  return (Descriptor + (IsVoid ? "Ljava/lang/Object;" : "")).str();
}

/// A call of \p S. Fails where the JVM needs the class to link one.
static Expected<Value *> emitSite(Builder &B, Body &F, const AdviceCalls &Calls,
                                  const LinkedSite &S,
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
  return B.callSite(Link, "site", {S.request()}, S.Name,
                    siteDescriptor(S.Descriptor), Arguments);
}

/// A key for the objects of \p Probe: its class, and a number among the probes
/// of that class, as scripts may have several. It does not depend on other
/// probes.
static std::string stateKey(const AdviceSet &Set, unsigned Probe) {
  auto First = llvm::find_if(Set.Advices,
                             [&](const Advice &A) { return A.Probe == Probe; });
  unsigned Number = 0, Last = Probe;
  for (const Advice &A : llvm::make_range(Set.Advices.begin(), First)) {
    Number += A.Body.Owner == First->Body.Owner && A.Probe != Last;
    Last = A.Probe;
  }
  return First->Body.Owner + "." + Set.Probes[Probe].FieldPrefix +
         std::to_string(Number);
}

/// A call of Link.\p Method for the class of \p F. The same request for each of
/// them, and for sites: it is what the object is found by.
static Instruction *askForState(Builder &B, Body &F, AdviceCalls &Calls,
                                unsigned Probe, StringRef Method,
                                StringRef Result) {
  std::string Key = stateKey(Calls.set(), Probe);
  LinkedSite S{{}, {}, "state", Calls.set().Probes[Probe].StaticField, {}, Key};
  return B.callStatic(Link, Method,
                      ("(Ljava/lang/Class;Ljava/lang/String;)" + Result).str(),
                      {ownClass(B, F), B.string(S.request())});
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
  std::string Key = stateKey(Calls.set(), Probe);
  // As callDescriptor has it where an advice is given the object.
  const bool Seen =
      !Calls.callsBySites() || StringRef(Type).starts_with("java/");
  std::string Descriptor = "()L" + (Seen ? Type : "java/lang/Object") + ";";
  return emitSite(B, F, Calls, {"state", Descriptor, "state", Type, {}, Key},
                  {});
}

llvm::Error jopt::emitOnce(Builder &B, Body &F, AdviceCalls &Calls, unsigned N,
                           llvm::ArrayRef<Value *> Arguments) {
  const AdviceBody &A = Calls.set().Advices[N].Body;
  const auto Before = llvm::ArrayRef(Calls.set().Advices).take_front(N);
  std::string Key = A.Owner + "." + A.Name + "#" +
                    std::to_string(llvm::count_if(Before, [&](const Advice &B) {
                      return B.Body.Owner == A.Owner && B.Body.Name == A.Name;
                    }));
  StringRef Parameters = Calls.callDescriptor(N);
  Parameters = Parameters.take_front(Parameters.rfind(')') + 1);
  std::string Descriptor = (Parameters + "V").str();
  return emitSite(B, F, Calls,
                  {A.Name, Descriptor, "once", A.Owner, A.Descriptor, Key},
                  Arguments)
      .takeError();
}

Expected<Value *> jopt::emitCall(Builder &B, Body &F, AdviceCalls &Calls,
                                 unsigned N,
                                 llvm::ArrayRef<Value *> Arguments) {
  const AdviceBody &A = Calls.set().Advices[N].Body;
  return emitSite(
      B, F, Calls,
      {A.Name, Calls.callDescriptor(N), "call", A.Owner, A.Descriptor},
      Arguments);
}

Expected<Value *> jopt::emitIsThere(Builder &B, Body &F, AdviceCalls &Calls,
                                    unsigned N) {
  const AdviceBody &A = Calls.set().Advices[N].Body;
  return emitSite(B, F, Calls, {A.Name, "()Z", "found", A.Owner, A.Descriptor},
                  {});
}

Expected<Value *> jopt::emitSwitch(Builder &B, Body &F,
                                   const AdviceCalls &Calls, StringRef Owner,
                                   StringRef Name) {
  return emitSite(B, F, Calls, {Name, "()Z", "call", Owner, "()Z"}, {});
}

Value *jopt::emitInterfaceCall(Builder &B, const AdviceBody &Body,
                               llvm::ArrayRef<Value *> Arguments) {
  StringRef Descriptor = Body.Descriptor;
  MethodDescriptor D(Descriptor);
  StringRef Receiver = D.nextParameter();
  return B.callInterface(
      Body.Owner, Body.Name,
      ("(" + Descriptor.drop_front(1 + Receiver.size())).str(), Arguments);
}

Expected<Value *> jopt::emitTraceEnter(Builder &B, Body &F, PassContext &C,
                                       const Method &Host,
                                       llvm::ArrayRef<Value *> Arguments) {
  const ClassFile &Class = F.classFile();
  const auto &Events = C.analysis<TracedEvents>(Class);
  if (!canAskLink(Class.name()))
    return makeError("it cannot be traced: the JVM needs its class to link the "
                     "call of the trace");
  if (Class.Major < FirstWithSites) {
    Value *Text = nullptr;
    for (StringRef Part : trace::cutIntoConstants(Events.Text)) {
      Value *S = B.string(Part);
      Text = !Text ? S
                   : B.callVirtual("java/lang/String", "concat",
                                   "(Ljava/lang/String;)Ljava/lang/String;",
                                   {Text, S});
    }
    Value *This = isStatic(Class, Host) ? B.null() : Arguments[0];
    return B.callStatic(Link, "trace",
                        "(Ljava/lang/Class;Ljava/lang/String;"
                        "Ljava/lang/Object;I)Ljava/lang/Object;",
                        {ownClass(B, F), Text, This, Arguments[1]});
  }
  auto Site = C.get<AdviceCalls>().bootstrap(Link, "trace", Events.Text);
  if (!Site)
    return Site.takeError();
  return isStatic(Class, Host)
             ? B.callSite(*Site, "enter", "(I)Ljava/lang/Object;",
                          Arguments.drop_front())
             : B.callSite(*Site, "enter",
                          "(Ljava/lang/Object;I)Ljava/lang/Object;", Arguments);
}
