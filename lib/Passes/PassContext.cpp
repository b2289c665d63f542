//===- PassContext.cpp - What a pass may ask ------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Advice/Sensitive.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/IR/Annotations.h"
#include "jopt/Passes/PassManager.h"
#include "jopt/Reader/Lifter.h"
#include "jopt/Support/ModifiedUTF8.h"

using namespace jopt;

PassContext::PassContext(ClassFile &F, const AdviceSet *Advices,
                         const Matcher *Match, const PassInstrumentation *PI,
                         const ClassBytes *Classes)
    : Class(F), Advices(Advices ? Advices : &Empty), Match(Match), PI(PI),
      Classes(Classes) {}

PassContext::~PassContext() = default;

/// The names of the annotations among \p Attributes, if a rule asks for any.
llvm::SmallVector<llvm::StringRef, 4>
PassContext::annotations(llvm::ArrayRef<Attribute> Attributes) const {
  llvm::SmallVector<llvm::StringRef, 4> Names;
  if (Match->needsAnnotations())
    findAnnotations(Class.Pool, Attributes, Names);
  return Names;
}

llvm::ArrayRef<unsigned> PassContext::advicesFor(const Method &M) {
  if (OnlyRequired)
    return {};
  if (&M != LastAsked) {
    LastMatch = match(M);
    LastAsked = &M;
  }
  return LastMatch;
}

llvm::ArrayRef<unsigned> PassContext::match(const Method &M) {
  if (!Match || Advices->empty() ||
      (Class.isInterface() && !Match->needsInterfaces()))
    return {};
  ClassMatcher &Rules = rules();
  auto [At, New] = Matched.try_emplace(&M);
  if (!New || (!M.IR && M.codeAttribute(Class.Pool) < 0))
    return At->second;
  llvm::SmallVector<unsigned, 4> Selected = Rules.match(
      Class.name(M), Class.descriptor(M), annotations(M.Attributes));
  llvm::erase_if(Selected, [&](unsigned P) { return refuses(P); });
  if (Selected.empty() || skips(M, true))
    return {};
  llvm::SmallVector<unsigned, 8> Chosen;
  for (unsigned I = 0; I < Advices->Advices.size(); ++I)
    if (llvm::is_contained(Selected, Advices->Advices[I].Probe) &&
        (I >= Withdrawn.size() || !Withdrawn.test(I)))
      Chosen.push_back(I);
  return At->second = llvm::ArrayRef(Chosen).copy(Class.allocator());
}

ClassMatcher &PassContext::rules() {
  if (!Rules) {
    llvm::SmallVector<llvm::StringRef, 4> Interfaces;
    for (uint16_t I : Class.Interfaces)
      Interfaces.push_back(Class.Pool.className(I));
    Rules.emplace(*Match, MatchClass{Class.name(), Interfaces,
                                     Class.isInterface(), Class.superName(),
                                     annotations(Class.Attributes), Ancestry});
    Matched.reserve(Class.Methods.size());
  }
  return *Rules;
}

/// The class has \p Probe already.
bool PassContext::refuses(unsigned Probe) {
  if (!Present || Probe >= Present->size() || !Present->test(Probe))
    return false;
  Refused.resize(unsigned(Advices->Probes.size()));
  Refused.set(Probe);
  return true;
}

/// No probe may go into \p M; \p Selected: one would.
bool PassContext::skips(const Method &M, bool Selected) {
  if (!SkipSensitive || !Selected ||
      !isSensitiveMethod(Class.name(), Class.name(M)))
    return false;
  std::string Name = toDisplayUTF8(Class.name(M));
  if (!llvm::is_contained(Sensitive, Name))
    Sensitive.push_back(std::move(Name));
  return true;
}

ReportRow PassContext::skipped() const {
  ReportRow Row;
  Row.What = ReportRow::Undone;
  Row.Text = "a probe would recurse, or run where the JVM allows no Java, in";
  for (const std::string &Name : Sensitive)
    Row.Text += " '" + Name + "'";
  return Row;
}

ReportRow PassContext::refusal() const {
  ReportRow Row;
  Row.What = ReportRow::Undone;
  Row.Text = "has probes already that are not put in again without "
             "-reinstrument:";
  for (unsigned P : Refused.set_bits())
    Row.Text += " '" + Advices->Probes[P].Name + "'";
  return Row;
}

llvm::BitVector PassContext::classProbes() {
  llvm::BitVector Found(unsigned(Advices->Probes.size()));
  if (!Match || Advices->empty() ||
      (Class.isInterface() && !Match->needsInterfaces()))
    return Found;
  llvm::BitVector Wanted(Found);
  for (const Advice &A : Advices->Advices)
    if (A.Kind == AdviceKind::StaticInitializer)
      Wanted.set(A.Probe);
  for (unsigned P = 0; P < Advices->Probes.size(); ++P)
    if (!Advices->Probes[P].StaticField.empty())
      Wanted.set(P);
  if (Wanted.any())
    // Methods with code are counted when they are asked for their advices.
    for (const Method &M : Class.Methods) {
      bool HasCode = M.IR || M.codeAttribute(Class.Pool) >= 0;
      // An interface that only declares has nothing that asks for its state.
      if (Class.isInterface() && !HasCode)
        continue;
      for (unsigned P : rules().match(Class.name(M), Class.descriptor(M),
                                      annotations(M.Attributes), &Wanted,
                                      /*Count=*/!HasCode))
        if (!refuses(P) && !skips(M, true))
          Found.set(P);
    }
  return Found;
}

void PassContext::withdraw(unsigned N) {
  Withdrawn.resize(unsigned(Advices->Advices.size()));
  Withdrawn.set(N);
}

uint16_t PassContext::bodyMethod(unsigned N) {
  if (N >= BodyMethods.size())
    BodyMethods.resize(Advices->Advices.size());
  if (!BodyMethods[N]) {
    const AdviceBody &B = Advices->Advices[N].Body;
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

llvm::StringRef PassContext::callDescriptor(unsigned N) {
  const std::string &Own = Advices->Advices[N].Body.Descriptor;
  if (!CallsBySites)
    return Own;
  CallDescriptors.resize(Advices->Advices.size());
  if (CallDescriptors[N].empty())
    CallDescriptors[N] = eraseDescriptor(Own);
  return CallDescriptors[N];
}

Field &PassContext::addField(uint16_t Access, llvm::StringRef Name,
                             llvm::StringRef Descriptor) {
  Field &F = Class.Fields.emplace_back();
  F.Access = Access;
  F.NameIndex = Class.Pool.addUtf8(Name);
  F.DescriptorIndex = Class.Pool.addUtf8(Descriptor);
  F.Changed = Class.Changed = true;
  return F;
}

Method &PassContext::addMethod(uint16_t Access, llvm::StringRef Name,
                               llvm::StringRef Descriptor) {
  Method &M = Class.Methods.emplace_back();
  M.Access = Access;
  M.NameIndex = Class.Pool.addUtf8(Name);
  M.DescriptorIndex = Class.Pool.addUtf8(Descriptor);
  M.Changed = Class.Changed = true;
  M.IR = std::make_unique<Body>(Class, M);
  M.IR->Inferred = !Class.hasFrames();
  Matched.try_emplace(&M); // It is nobody's target.
  return M;
}

void PassContext::dropMethods(size_t From) {
  LastAsked = nullptr; // Another method may come to live where one was.
  while (Class.Methods.size() > From) {
    const Method &M = Class.Methods.back();
    if (M.IR)
      forget(*M.IR);
    Matched.erase(&M);
    Callers.erase(&M);
    Lifted.erase(&M);
    llvm::erase_if(Rows, [&](const auto &Row) { return Row.first == &M; });
    Class.Methods.pop_back();
  }
}

const CalleeMatch &PassContext::callee(unsigned Index) {
  auto [It, New] = Callees.try_emplace(Index);
  if (New) {
    MemberRef Member = Class.callee(Index);
    It->second =
        Match->matchCallee(Member.Owner, Member.Name, Member.Descriptor,
                           Class.Pool.has(Index, CPTag::InvokeDynamic));
    const llvm::BitVector Selected = It->second.Probes;
    for (unsigned P : Selected.set_bits())
      if (refuses(P))
        It->second.Probes.reset(P);
  }
  return It->second;
}

const llvm::BitVector &PassContext::caller(const Method &M) {
  auto [It, New] = Callers.try_emplace(&M);
  if (New)
    It->second = Match->matchCaller({Class.name(),
                                     {},
                                     Class.isInterface(),
                                     {},
                                     annotations(Class.Attributes)},
                                    Class.name(M), Class.descriptor(M),
                                    annotations(M.Attributes));
  if (New && skips(M, It->second.any()))
    It->second.reset();
  return It->second;
}

bool PassContext::hasSelectedCall(const Method &M) {
  if (OnlyRequired || !Match || Match->callProbes().none() ||
      (Class.isInterface() && !Match->needsInterfaces()))
    return false;
  if (!SelectedCallees) {
    const ConstantPool &Pool = Class.Pool;
    SelectedCallees.emplace(Pool.size());
    for (unsigned I = 1; I < Pool.size(); ++I)
      if ((Pool.has(I, CPTag::Methodref) ||
           Pool.has(I, CPTag::InterfaceMethodref) ||
           (Match->needsDynamicCalls() && Pool.has(I, CPTag::InvokeDynamic))) &&
          callee(I).Probes.any())
        SelectedCallees->set(I);
  }
  if (SelectedCallees->none() || caller(M).none())
    return false;
  Bytes Code = M.code(Class.Pool);
  if (Code.empty())
    return M.IR != nullptr; // parsed from text: its Body tells
  DecodedInst I;
  for (uint32_t At = 0; At < Code.size(); At = I.end()) {
    if (!decodeInst(Code, At, I))
      return true; // whoever lifts it says what is wrong
    if (I.Op >= op::INVOKEVIRTUAL && I.Op <= op::INVOKEDYNAMIC &&
        I.Index < SelectedCallees->size() && SelectedCallees->test(I.Index) &&
        callee(I.Index).Probes.anyCommon(caller(M)))
      return true;
  }
  return false;
}

llvm::SmallVector<unsigned, 4> PassContext::advicesForCall(const Method &M,
                                                           unsigned Callee) {
  llvm::SmallVector<unsigned, 4> List;
  if (!Match || !callee(Callee).Probes.anyCommon(caller(M)))
    return List;
  llvm::BitVector Selected =
      Match->matchCall(callee(Callee), caller(M), /*Count=*/!Again);
  for (unsigned I = 0; I < Advices->Advices.size(); ++I)
    if (Selected.test(Advices->Advices[I].Probe) &&
        (I >= Withdrawn.size() || !Withdrawn.test(I)))
      List.push_back(I);
  return List;
}

llvm::Expected<Body &> PassContext::lift(Method &M, bool Raw) {
  if (M.IR && (Raw || !M.IR->HasRaw))
    return *M.IR;
  auto Phase = [&](bool Begins) {
    if (PI)
      for (const auto &Callback : PI->OnPhase)
        Callback("lift", Begins);
  };
  LiftOptions O;
  O.Anchors = Anchors;
  O.Raw = Raw;
  Phase(true);
  llvm::Error E = M.IR ? liftRaw(*M.IR) : liftMethod(Class, M, O);
  Phase(false);
  if (E)
    return E;
  Lifted.insert(&M);
  return *M.IR;
}

void PassContext::invalidate(const Body &B, const PreservedAnalyses &PA) {
  if (!PA.changed())
    return;
  llvm::erase_if(Results, [&](const Result &R) {
    return R.Unit == &B && !PA.preserved(R.Key);
  });
}

void PassContext::forget(const Body &B) {
  invalidate(B, PreservedAnalyses::none());
}

void PassContext::remark(const Method &M, const llvm::Twine &Message) {
  if (!PI || PI->OnRemark.empty())
    return;
  Diagnostic D;
  D.Level = Severity::Remark;
  D.Message = (Class.displayName(M) + ": " + Message).str();
  D.Pass = Current ? Current->Argument : "lower";
  for (const auto &Callback : PI->OnRemark)
    Callback(D);
}

void PassContext::report(ReportRow Row) {
  Rows.push_back({nullptr, std::move(Row)});
}

void PassContext::report(const Method &M, ReportRow Row) {
  Rows.push_back({&M, std::move(Row)});
}

void PassContext::reportPlaced(const Method &M, unsigned Probe,
                               unsigned Sites) {
  // Several passes may have placed advices of one probe.
  for (PlacedProbe &P : llvm::reverse(Placed)) {
    if (P.Where != &M)
      break;
    if (P.Probe == Probe) {
      P.Sites += Sites;
      return;
    }
  }
  Placed.push_back({&M, Probe, Sites});
}
