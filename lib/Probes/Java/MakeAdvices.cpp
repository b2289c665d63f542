//===- MakeAdvices.cpp - Advices of fragments
//------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JavaNames.h"
#include "jopt/Probes/Java/JavaSource.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace jopt;
using namespace jopt::java;
using llvm::StringRef;

std::string JavaOptions::folder() const {
  std::string Folder = Package;
  std::replace(Folder.begin(), Folder.end(), '.', '/');
  return Folder.empty() ? Folder : Folder + '/';
}

std::string Fragment::method() const {
  std::string Name = ("_" + getAdviceKindName(Kind)).str();
  return Number ? Name + "_" + std::to_string(Number + 1) : Name;
}

std::vector<const FragmentParameter *> Fragment::conditionParameters() const {
  std::vector<const FragmentParameter *> Named;
  if (!Condition)
    return Named;
  StringRef Text = Condition->Text;
  auto IsPart = [](char C) { return llvm::isAlnum(C) || C == '_' || C == '$'; };
  for (const FragmentParameter &P : Parameters)
    for (size_t At = Text.find(P.Name); At != StringRef::npos;
         At = Text.find(P.Name, At + 1))
      if ((!At || !IsPart(Text[At - 1])) &&
          (At + P.Name.size() == Text.size() ||
           !IsPart(Text[At + P.Name.size()]))) {
        Named.push_back(&P);
        break;
      }
  return Named;
}

/// Where the method of \p F is called there is nothing to be saved by asking
/// first.
static bool isCheaplyCalled(const Fragment &F) {
  // What the code may replace would be boxed and unboxed.
  return F.Result != ResultUse::ReplaceValue && F.Result != ResultUse::Return &&
         !F.WritesArgs &&
         llvm::none_of(F.Parameters, [](const FragmentParameter &D) {
           return getInfo(D.Item).Costly ||
                  (isBoxedAtCall(D.Item) &&
                   (D.Type == "Object" || D.Type == "java.lang.Object"));
         });
}

bool java::asksSwitch(const ProbeClass &P, const Fragment &F) {
  return P.Control && isCheaplyCalled(F);
}

bool java::asksCondition(const Fragment &F) {
  return F.isConditional() && isCheaplyCalled(F);
}

/// What says whether the fragment of advice \p Of runs.
static Advice makeDecider(const Advice &Of, const Fragment &F) {
  Advice A;
  A.Kind = Of.Kind;
  A.Probe = Of.Probe;
  A.Order = Of.Order;
  A.Way = Of.Way;
  A.Result = ResultUse::Decide;
  A.Body.Owner = Of.Body.Owner;
  A.Body.Name = F.conditionMethod();
  A.Body.Descriptor = "(";
  for (const FragmentParameter *D : F.conditionParameters()) {
    A.Data.push_back(D->Item);
    A.Body.Descriptor += guessDescriptor(D->Type);
  }
  A.Body.Descriptor += ")Z";
  return A;
}

bool java::wrapperAddsValue(const Fragment &F) {
  return F.Result == ResultUse::ReplaceValue &&
         llvm::none_of(F.Parameters, [](const FragmentParameter &D) {
           return D.Item == DataItem::ReturnedObject;
         });
}

void java::nameClasses(llvm::MutableArrayRef<SourceFile> Files,
                       const JavaOptions &Options) {
  // The number of the next probe in each outer class.
  llvm::StringMap<unsigned> NextNumber;
  for (SourceFile &F : Files) {
    std::string Outer = makeClassPrefix(F.File) + "_probe";
    for (ProbeClass &P : F.Probes)
      P.Name = Options.folder() + Outer + "$Probe_" +
               std::to_string(NextNumber[Outer]++);
  }
}

static Advice makeAdvice(const SourceFile &File, const ProbeClass &P,
                         const Fragment &F, const JavaOptions &Options) {
  Advice A;
  A.Kind = F.Kind;
  A.Probe = P.Index;
  A.Order = P.Order;
  A.Body.Owner = P.Name;
  if (Options.wraps())
    A.Body.Owner += ("$" + File.Kind->Prefix + WrapperClass).str();
  A.Body.Name = F.method();
  A.Body.Descriptor = "(";
  if (Options.wraps() && wrapperAddsValue(F)) {
    A.Data.push_back(DataItem::ReturnedObject);
    A.Body.Descriptor += getInfo(DataItem::ReturnedObject).Descriptor;
  }
  for (const FragmentParameter &D : F.Parameters) {
    A.Data.push_back(D.Item);
    A.Body.Descriptor += guessDescriptor(D.Type);
  }
  A.WritesArgs = F.WritesArgs;
  A.Site = F.Site;
  A.Result = F.Result;
  if (A.Result == ResultUse::Return && A.Kind == AdviceKind::Exit)
    A.Way = ExitWay::Exception;
  // The wrapper says so, and throws it on: no value can stand for none.
  if (A.Result == ResultUse::Return && Options.Isolate)
    A.Exceptions = AdviceExceptions::Isolate;
  A.Body.Descriptor += ")";
  if (F.ResultType == "void")
    A.Body.Descriptor += "V";
  else
    A.Body.Descriptor += guessDescriptor(F.ResultType);
  if (P.Control && !asksSwitch(P, F))
    A.Switch = (P.Name + "." + SwitchGetter).str();
  return A;
}

void java::appendAdvices(AdviceSet &Set, SourceFile &File,
                         const JavaOptions &Options) {
  for (ProbeClass &P : File.Probes) {
    P.Index = unsigned(Set.Probes.size());
    Probe &New = Set.Probes.emplace_back(P.Info);
    if (P.Static)
      New.StaticField = StringRef(guessDescriptor(P.Static->Type))
                            .drop_front()
                            .drop_back()
                            .str();
    for (const Fragment &F : P.Fragments) {
      Advice A = makeAdvice(File, P, F, Options);
      if (F.isConditional() && !asksCondition(F))
        Set.Advices.push_back(makeDecider(A, F));
      Set.Advices.push_back(std::move(A));
    }
  }
}
