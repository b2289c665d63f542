//===- Validate.cpp - The rules of Probekit files -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The checks of the original probe compiler, all of them and in its order.
///
//===----------------------------------------------------------------------===//

#include "JavaNames.h"
#include "jopt/Probes/Probekit/Reader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace jopt;
using namespace jopt::probekit;
using llvm::StringRef;
using llvm::Twine;

namespace {
class Validator {
public:
  Validator(const Document &Doc, DiagnosticEngine &Diags)
      : Doc(Doc), Diags(Diags), Errors(llvm::Error::success()) {}

  llvm::Error run() {
    checkLabels();
    if (Doc.Probes.empty())
      error(Doc.Where, "the file has no 'probe'");
    for (const ProbeElement &P : Doc.Probes)
      checkProbe(P);
    return std::move(Errors);
  }

private:
  void checkLabels();
  void checkProbe(const ProbeElement &P);
  void checkStaticField(const ProbeElement &P);
  void checkFragment(const ProbeElement &P, const Fragment &F);
  void checkData(const ProbeElement &P, const Fragment &F, const Data &D);
  void checkTargets(const ProbeElement &P);

  void error(Position P, const Twine &Message) {
    Errors =
        llvm::joinErrors(std::move(Errors), makeError(Doc.locate(P), Message));
  }

  const Document &Doc;
  DiagnosticEngine &Diags;
  llvm::Error Errors;
};
} // namespace

/// "; did you mean 'x'?", or nothing.
static std::string didYouMean(StringRef Written,
                              llvm::ArrayRef<StringRef> Known) {
  StringRef Near = suggest(Written, Known);
  return Near.empty() ? "" : ("; did you mean '" + Near + "'?").str();
}

void Validator::checkLabels() {
  const Label *Default = nullptr, *Localized = nullptr;
  unsigned NumLocalized = 0;
  for (const Label &L : Doc.Labels) {
    if (L.Lang) {
      if (++NumLocalized == 2)
        Localized = &L;
    } else if (!Default) {
      Default = &L;
    } else {
      error(L.Where, "more than one 'label' without xml:lang");
    }
  }
  if (Localized && !Default)
    error(Localized->Where,
          "more than one 'label' with xml:lang, and none without");
  for (const Label &L : Doc.Labels)
    if (!L.Name || L.Name->empty())
      error(L.Where, "'label' has no name");
}

void Validator::checkStaticField(const ProbeElement &P) {
  static constexpr StringRef Primitives[] = {
      "boolean", "byte", "char", "short", "int", "long", "float", "double"};
  const StaticField &F = *P.Static;
  if (F.Type.empty())
    error(F.Where, "'staticField' has no type");
  else if (!isQualifiedName(F.Type))
    error(F.Where, "the type '" + F.Type +
                       "' of 'staticField' is not the name of a class");
  else if (llvm::is_contained(Primitives, F.Type))
    error(F.Where, "the type of 'staticField' is the primitive type '" +
                       F.Type + "'; it must be a class");
}

void Validator::checkData(const ProbeElement &P, const Fragment &F,
                          const Data &D) {
  if (D.Type && F.Type) {
    if (!isAllowedAt(*F.Type, *D.Type))
      error(D.Where, "data item '" + D.TypeName +
                         "' is not available in a fragment of type '" +
                         F.TypeName + "'");
    else if (*D.Type == DataItem::StaticField && !P.Static)
      error(D.Where, "data item 'staticField' in a probe without a "
                     "'staticField' element");
    else if (*F.Type == AdviceKind::StaticInitializer &&
             (*D.Type == DataItem::MethodName ||
              *D.Type == DataItem::MethodSig ||
              *D.Type == DataItem::MethodNumber))
      Diags.report(Severity::Warning, Doc.locate(D.Where),
                   "data item '" + D.TypeName +
                       "' always is that of <clinit> in a fragment of type '" +
                       F.TypeName + "'");
  }
  if (D.Name.empty())
    error(D.Where, "data item '" + D.TypeName + "' has no name");
  else if (!isJavaIdentifier(D.Name))
    error(D.Where, "the name '" + D.Name + "' of data item '" + D.TypeName +
                       "' is not a Java identifier");
  else if (isJavaKeyword(D.Name))
    error(D.Where, "the name '" + D.Name + "' of data item '" + D.TypeName +
                       "' is a word of the Java language");
  if (!D.Type)
    error(D.Where, "unknown data item '" + D.TypeName + "'" +
                       didYouMean(D.TypeName, getDataTypeNames()));
}

void Validator::checkFragment(const ProbeElement &P, const Fragment &F) {
  if (!F.Type)
    error(F.Where, "unknown type '" + F.TypeName + "' of 'fragment'" +
                       didYouMean(F.TypeName, getFragmentTypeNames()));

  uint32_t Seen = 0; // bit T: an item of type T
  llvm::StringSet<> Names;
  for (const Data &D : F.Items) {
    uint32_t Bit = D.Type ? 1u << unsigned(*D.Type) : 0;
    bool NewName = D.Name.empty() || Names.insert(D.Name).second;
    if (Seen & Bit)
      error(D.Where,
            "two data items of type '" + D.TypeName + "' in one fragment");
    else if (!NewName)
      error(D.Where,
            "two data items of the name '" + D.Name + "' in one fragment");
    Seen |= Bit;
    checkData(P, F, D);
  }
  if (!F.Code)
    error(F.Where, "'fragment' has no 'code'");
  else if (F.Code->Text.empty())
    error(F.Code->Where, "'code' is empty");
}

void Validator::checkTargets(const ProbeElement &P) {
  auto MatchesAll = [](const std::optional<std::string> &Pattern) {
    return !Pattern || Pattern->empty() || *Pattern == "*";
  };
  bool SeenAll = false, ReportedAll = false, BadType = false;
  bool AnyExclude = false;
  for (const Target &T : P.Targets) {
    if (SeenAll && !ReportedAll) {
      error(T.Where, "'target' after one that matches everything; it can "
                     "never decide");
      ReportedAll = true;
    }
    SeenAll |= MatchesAll(T.Package) && MatchesAll(T.ClassName) &&
               MatchesAll(T.Method) && MatchesAll(T.Signature);

    if (!T.Type || T.Type->empty()) {
      error(T.Where, "'target' has no type");
      BadType = true;
    } else if (*T.Type != "include" && *T.Type != "exclude") {
      error(T.Where, "type '" + *T.Type +
                         "' of 'target' is neither 'include' nor 'exclude'" +
                         didYouMean(*T.Type, {"include", "exclude"}));
      BadType = true;
    } else {
      AnyExclude |= *T.Type == "exclude";
    }

    std::pair<StringRef, const std::optional<std::string> &> Patterns[] = {
        {"package", T.Package},
        {"className", T.ClassName},
        {"method", T.Method},
        {"signature", T.Signature}};
    for (auto &[Name, Pattern] : Patterns)
      if (Pattern && llvm::any_of(*Pattern, llvm::isSpace))
        error(T.Where, "white space in the pattern '" + *Pattern + "' of '" +
                           Name + "'");
  }
  if (P.Targets.empty() || BadType)
    return;
  const Target &Last = P.Targets.back();
  if (!AnyExclude)
    error(Last.Where, "all targets are 'include', and what no target matches "
                      "is included too; end with <target type=\"exclude\"/>");
  else if (*Last.Type == "include")
    error(Last.Where,
          "the last target is an 'include', and what no target matches is "
          "included too; end with <target type=\"exclude\"/>");
}

void Validator::checkProbe(const ProbeElement &P) {
  for (const Import &I : P.Imports)
    if (I.Text.empty())
      error(I.Where, "'import' has no text");
  if (P.Static)
    checkStaticField(P);
  if (P.Fragments.empty() && !P.Static)
    error(P.Where, "'probe' has no 'fragment'");

  uint32_t Seen = 0; // bit T: a fragment of type T
  for (const Fragment &F : P.Fragments) {
    uint32_t Bit = F.Type ? 1u << unsigned(*F.Type) : 0;
    if (Seen & Bit)
      error(F.Where, "two fragments of type '" + F.TypeName + "' in one probe");
    Seen |= Bit;
  }
  for (const Fragment &F : P.Fragments)
    checkFragment(P, F);

  const Fragment *Callsite = nullptr, *Method = nullptr;
  for (const Fragment &F : P.Fragments)
    if (F.Type) {
      const Fragment *&Kind = isCallKind(*F.Type) ? Callsite : Method;
      if (!Kind)
        Kind = &F;
    }
  if (Callsite && Method)
    error(P.Where, "the probe mixes '" + Method->TypeName + "' with '" +
                       Callsite->TypeName +
                       "': fragments in methods and at calls exclude each "
                       "other");
  if (Callsite && P.Static)
    error(P.Static->Where, "'staticField' in a probe of calls");

  checkTargets(P);

  if (P.ControlKey)
    error(*P.ControlKey, "'controlKey' is not supported");
  if (P.InvocationObject)
    error(*P.InvocationObject, "'invocationObject' is not supported");
}

llvm::Error probekit::validate(const Document &Doc, DiagnosticEngine &Diags) {
  return Validator(Doc, Diags).run();
}
