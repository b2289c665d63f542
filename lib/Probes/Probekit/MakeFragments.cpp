//===- MakeFragments.cpp - What Probekit documents mean -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../FrontEnds.h"
#include "jopt/Advice/Unmatched.h"
#include "jopt/Probes/Probekit/Model.h"
#include "jopt/Probes/Script/Script.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using namespace jopt::probekit;
using llvm::StringRef;

/// What may be meant by \p Name, which javac does not know as a variable.
static std::string variableRemedy(StringRef Name, const java::Fragment *In) {
  auto Declaration = [&](StringRef Type) {
    return ("<data type=\"" + Type + "\" name=\"" + Name + "\"/>").str();
  };
  if (findDataType(Name))
    return "; a fragment is given it by " + Declaration(Name);
  if (llvm::isUpper(Name.front()))
    return "; is an <import text=\"...\"/> missing? A class without a package "
           "is seen only by probes without one: -probe-package= "
           "(probe-package= of the agent)";
  if (!In)
    return "";
  std::vector<StringRef> Names;
  std::vector<std::string> Shown;
  for (const java::FragmentParameter &P : In->Parameters) {
    Names.push_back(P.Name);
    Shown.push_back((getDataTypeName(P.Item) + " '" + P.Name + "'").str());
  }
  // Of the shortest names any two are near.
  StringRef Near = Name.size() < 3 ? "" : suggest(Name, Names);
  if (!Near.empty())
    return ("; did you mean '" + Near + "'?").str();
  return "; the data of this fragment: " +
         (Shown.empty() ? "none" : llvm::join(Shown, ", ")) + "; " +
         Declaration("...") + " declares more";
}

/// What an author of probes should know about a message of javac; or nothing.
static std::string remedy(StringRef Message, const java::Fragment *In) {
  if (std::string Common = java::commonRemedy(Message); !Common.empty())
    return Common;
  StringRef Symbol = Message;
  if (Symbol.consume_front("cannot find symbol; symbol: ")) {
    if (Symbol.starts_with("class ") && Message.contains("location: class "))
      return "; is an <import text=\"...\"/> missing? A class without a "
             "package "
             "is seen only by probes without one: -probe-package= "
             "(probe-package= of the agent)";
    Symbol = Symbol.take_until([](char C) { return C == ';'; });
    return Symbol.consume_front("variable ") ? variableRemedy(Symbol, In) : "";
  }
  // The keyword is followed by a name without a dot.
  if (Message == "'.' expected")
    return "; a class without a package cannot be imported, and is seen only "
           "by probes without one: -probe-package= (probe-package= of the "
           "agent)";
  if (Message.contains("unexpected return value"))
    return "; a fragment returns a value only for result=\"replace\", for "
           "result=\"return\" with its javaType, or as its probe's "
           "invocationObject";
  if (Message == "missing return statement" ||
      Message == "incompatible types: missing return value")
    return "; fragments with result=\"replace\", with result=\"return\" and a "
           "javaType, and those that make an invocationObject, return a value "
           "on every path";
  return "";
}

const java::Format jopt::ProbekitFormat = {"Probekit XML", "probekit$", remedy};

static TargetRule makeRule(const Document &Doc, const TargetElement &T) {
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
  R.Optional = T.Optional == "true";
  if (T.QualifiedName) {
    R.Type = *T.QualifiedName;
    std::replace(R.Type.begin(), R.Type.end(), '.', '/');
    R.Text = ruleText(R);
  }
  R.Where = Doc.locate(T.Where);
  return R;
}

/// The type of the parameter for \p D, as written in Java.
static StringRef getJavaType(const ProbeElement &P, const Data &D) {
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

static java::Fragment makeFragment(const ProbeElement &P,
                                   const FragmentElement &F) {
  java::Fragment New;
  New.Kind = *F.Type;
  for (const Data &D : F.Items) {
    StringRef Name = D.Name.empty() ? P.Invocation->Name : D.Name;
    New.Parameters.push_back({{*D.Type, D.findKey(getInfo(*D.Type).Key)},
                              getJavaType(P, D).str(),
                              Name.str(),
                              D.Where,
                              isCast(*D.Type) ? D.JavaType.value_or("") : ""});
    New.WritesArgs |= D.Type == DataItem::Args &&
                      (F.Type == AdviceKind::BeforeCall || D.Write == "true");
  }
  // Several items of one type stay as they are.
  llvm::stable_sort(New.Parameters,
                    [](auto &A, auto &B) { return A.Item.Item < B.Item.Item; });
  if (F.Result == "return") {
    New.Result = ResultUse::Return;
    New.ResultType = F.JavaType.value_or("void");
  } else if (F.Result) {
    New.Result = ResultUse::ReplaceValue;
    New.ResultType = "java.lang.Object";
  } else if (P.Invocation && isKeeper(*F.Type)) {
    New.Result = ResultUse::Keep;
    New.ResultType = P.Invocation->Type;
  }
  for (const auto &[Key, Value] : F.Selectors)
    llvm::cantFail(New.Site.set(Key, Value));
  New.Code = *F.Code;
  New.Condition = F.Condition;
  New.Adapts = F.Every == "auto";
  if (F.Every && !New.Adapts)
    StringRef(*F.Every).getAsInteger(10, New.Every);
  if (F.PerSecond)
    StringRef(*F.PerSecond).getAsInteger(10, New.PerSecond);
  New.Where = F.Where;
  return New;
}

static java::GeneratedClass makeProbe(const Document &Doc,
                                      const ProbeElement &P) {
  java::GeneratedClass New;
  New.Info.Name = P.getName().str();
  New.Info.FieldPrefix = EngineFieldPrefix;
  New.Info.Where = Doc.locate(P.Where);
  if (P.TargetHierarchy == "true")
    New.Info.Reach = TargetReach::Ancestors;
  New.Info.Interfaces = P.Interfaces == "true";
  New.Info.DynamicCalls = P.DynamicCalls == "true";
  for (const TargetElement &T : P.Targets)
    New.Info.Rules.push_back(makeRule(Doc, T));
  for (const TargetElement &T : P.Callers)
    New.Info.Callers.push_back(makeRule(Doc, T));
  if (P.Order)
    StringRef(*P.Order).getAsInteger(10, New.Order);
  for (const ImportElement &I : P.Imports)
    New.Imports.push_back({I.Text, I.Where});
  New.Scope = P.ClassScope;
  if (P.Static)
    New.Static = {P.Static->Type, P.Static->Where};
  if (P.Control)
    New.Control = {P.Control->Name, P.Control->Value != "false",
                   P.Control->Where};
  for (const ParamElement &Q : P.Params)
    New.Params.push_back({Q.Name, Q.Type, *Q.Default, Q.Where});
  for (const FragmentElement &F : P.Fragments) {
    java::Fragment Made = makeFragment(P, F);
    Made.Number =
        unsigned(llvm::count_if(New.Fragments, [&](const java::Fragment &B) {
          return B.Kind == Made.Kind;
        }));
    New.Fragments.push_back(std::move(Made));
  }
  for (const FragmentElement &F : P.Moments)
    New.Moments.push_back({F.TypeName == OnAttach, *F.Code, F.Where});
  New.Where = P.Where;
  return New;
}

java::SourceFile probekit::makeFragments(const Document &Doc) {
  java::SourceFile S;
  S.Kind = &ProbekitFormat;
  S.File = Doc.File;
  S.Remarks = {"id: " + Doc.Id.value_or(""),
               "version: " + Doc.Version.value_or("")};
  for (const Label &L : Doc.Labels)
    S.Remarks.push_back("label: " + L.Name.value_or(""));
  S.Scope = Doc.SharedScope;
  unsigned Unnamed = 0;
  for (const ProbeElement &P : Doc.Probes) {
    java::GeneratedClass &New = S.Probes.emplace_back(makeProbe(Doc, P));
    // By the file's name, and a number where there are several.
    if (New.Info.Name.empty())
      New.Info.Name = llvm::sys::path::stem(Doc.File).str() +
                      (++Unnamed == 1 ? "" : " " + std::to_string(Unnamed));
  }
  S.Where = Doc.Where;
  return S;
}
