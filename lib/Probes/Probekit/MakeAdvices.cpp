//===- MakeAdvices.cpp - Advices of Probekit documents --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JavaNames.h"
#include "jopt/Probes/Probekit/JavaSource.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace jopt;
using namespace jopt::probekit;
using llvm::StringRef;

std::string JavaOptions::folder() const {
  std::string Folder = Package;
  std::replace(Folder.begin(), Folder.end(), '.', '/');
  return Folder.empty() ? Folder : Folder + '/';
}

std::vector<const Data *> probekit::getParameters(const Fragment &F) {
  std::vector<const Data *> Items;
  for (const Data &D : F.Items)
    Items.push_back(&D);
  // Several local variables stay as they are.
  llvm::stable_sort(
      Items, [](const Data *A, const Data *B) { return *A->Type < *B->Type; });
  return Items;
}

ResultUse probekit::getResultUse(const ProbeElement &P, const Fragment &F) {
  if (F.Result)
    return ResultUse::ReplaceValue;
  return P.Invocation && isKeeper(*F.Type) ? ResultUse::Keep
                                           : ResultUse::Ignore;
}

StringRef probekit::getResultType(const ProbeElement &P, const Fragment &F) {
  switch (getResultUse(P, F)) {
  case ResultUse::Ignore:
    return "void";
  case ResultUse::ReplaceValue:
    return "java.lang.Object";
  case ResultUse::Keep:
    return P.Invocation->Type;
  }
  llvm_unreachable("all uses are listed");
}

StringRef probekit::getJavaType(const ProbeElement &P, const Data &D) {
  switch (getInfo(*D.Type).TypeRule) {
  case DataTypeRule::Fixed:
    break;
  case DataTypeRule::Field:
    return P.Static->Type;
  case DataTypeRule::Kept:
    return P.Invocation->Type;
  case DataTypeRule::Declared:
    if (D.JavaType)
      return *D.JavaType;
    break;
  }
  return getInfo(*D.Type).JavaType;
}

static bool writesArgs(const Fragment &F) {
  return llvm::any_of(F.Items, [&](const Data &D) {
    return D.Type == DataItem::Args &&
           (F.Type == AdviceKind::BeforeCall || D.Write == "true");
  });
}

bool probekit::asksSwitch(const ProbeElement &P, const Fragment &F) {
  // What the code may replace would be boxed and unboxed.
  return P.Control && getResultUse(P, F) != ResultUse::ReplaceValue &&
         !writesArgs(F) && llvm::none_of(F.Items, [](const Data &D) {
           return getInfo(*D.Type).Costly;
         });
}

bool probekit::wrapperAddsValue(const ProbeElement &P, const Fragment &F) {
  return getResultUse(P, F) == ResultUse::ReplaceValue &&
         llvm::none_of(F.Items, [](const Data &D) {
           return D.Type == DataItem::ReturnedObject;
         });
}

static TargetRule makeRule(const Document &Doc, const Target &T) {
  auto Pattern = [](const std::optional<std::string> &P) {
    return P && !P->empty() ? *P : std::string("*");
  };
  TargetRule R;
  R.Package = Pattern(T.Package);
  // The pattern "." is the unnamed package.
  if (R.Package != ".")
    std::replace(R.Package.begin(), R.Package.end(), '.', '/');
  R.Class = Pattern(T.ClassName);
  R.Method = Pattern(T.Method);
  R.Signature = Pattern(T.Signature);
  if (T.Annotation) {
    R.Annotation = *T.Annotation;
    std::replace(R.Annotation.begin(), R.Annotation.end(), '.', '/');
  }
  R.Include = T.Type == "include";
  R.Where = Doc.locate(T.Where);
  return R;
}

std::vector<std::string>
probekit::getProbeClasses(llvm::ArrayRef<Document> Docs,
                          const JavaOptions &Options) {
  std::vector<std::string> Names;
  // The number of the next probe in each outer class.
  llvm::StringMap<unsigned> NextNumber;
  for (const Document &Doc : Docs) {
    std::string Outer = makeClassPrefix(Doc.File) + "_probe";
    for (size_t I = 0; I < Doc.Probes.size(); ++I)
      Names.push_back(Options.folder() + Outer + "$Probe_" +
                      std::to_string(NextNumber[Outer]++));
  }
  return Names;
}

static Advice makeAdvice(const ProbeElement &P, const Fragment &F,
                         StringRef Class, const JavaOptions &Options) {
  Advice A;
  A.Kind = *F.Type;
  A.Body.Owner = Class.str();
  if (Options.wraps())
    A.Body.Owner += ("$" + WrapperClass).str();
  A.Body.Name = ("_" + getAdviceKindName(A.Kind)).str();
  A.Body.Descriptor = "(";
  if (Options.wraps() && wrapperAddsValue(P, F)) {
    A.Data.push_back(DataItem::ReturnedObject);
    A.Body.Descriptor += getInfo(DataItem::ReturnedObject).Descriptor;
  }
  for (const Data *D : getParameters(F)) {
    A.Data.push_back({*D->Type, D->findKey(getInfo(*D->Type).Key)});
    A.Body.Descriptor += guessDescriptor(getJavaType(P, *D));
  }
  A.WritesArgs = writesArgs(F);
  A.Result = getResultUse(P, F);
  A.Body.Descriptor += ")";
  if (A.Result == ResultUse::Ignore)
    A.Body.Descriptor += "V";
  else
    A.Body.Descriptor += guessDescriptor(getResultType(P, F));
  if (P.Control && !asksSwitch(P, F))
    A.Switch = (Class + "." + SwitchGetter).str();
  if (P.Order)
    StringRef(*P.Order).getAsInteger(10, A.Order);
  return A;
}

void probekit::appendAdvices(AdviceSet &Set, const Document &Doc,
                             llvm::ArrayRef<std::string> Classes,
                             const JavaOptions &Options) {
  for (auto [P, Class] : llvm::zip_equal(Doc.Probes, Classes)) {
    unsigned Index = Set.Probes.size();
    Probe &New = Set.Probes.emplace_back();
    New.Name = P.getCommentName().str();
    New.FieldPrefix = StaticFieldPrefix;
    New.Where = Doc.locate(P.Where);
    New.TargetHierarchy = P.TargetHierarchy == "true";
    New.Interfaces = P.Interfaces == "true";
    New.DynamicCalls = P.DynamicCalls == "true";
    for (const Target &T : P.Targets)
      New.Rules.push_back(makeRule(Doc, T));
    for (const Target &T : P.Callers)
      New.Callers.push_back(makeRule(Doc, T));
    if (P.Static)
      New.StaticField = StringRef(guessDescriptor(P.Static->Type))
                            .drop_front()
                            .drop_back()
                            .str();
    for (const Fragment &F : P.Fragments) {
      Set.Advices.push_back(makeAdvice(P, F, Class, Options));
      Set.Advices.back().Probe = Index;
    }
  }
}

AdviceSet probekit::makeAdvices(llvm::ArrayRef<Document> Docs,
                                const JavaOptions &Options) {
  std::vector<std::string> Classes = getProbeClasses(Docs, Options);
  llvm::ArrayRef<std::string> Rest = Classes;
  AdviceSet Set;
  for (const Document &Doc : Docs) {
    appendAdvices(Set, Doc, Rest.take_front(Doc.Probes.size()), Options);
    Rest = Rest.drop_front(Doc.Probes.size());
  }
  return Set;
}
