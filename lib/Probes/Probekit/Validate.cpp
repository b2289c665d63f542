//===- Validate.cpp - The rules of Probekit files -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The checks of the original probe compiler, all of them and in its order, and
/// those of what jopt adds.
///
//===----------------------------------------------------------------------===//

#include "../Java/JavaNames.h"
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
  void checkMoments(const ProbeElement &P);
  void checkProbe(const ProbeElement &P);
  void checkStaticField(const ProbeElement &P);
  void checkFragment(const ProbeElement &P, const FragmentElement &F);
  void checkData(const ProbeElement &P, const FragmentElement &F,
                 const Data &D);
  void checkKey(const Data &D);
  void checkDataOptions(const FragmentElement &F, const Data &D);
  void checkResult(const ProbeElement &P, const FragmentElement &F);
  void checkSelectors(const FragmentElement &F);
  void checkCondition(const FragmentElement &F);
  void checkTargets(llvm::ArrayRef<TargetElement> Targets, StringRef Element);
  void warnOfPatterns(const TargetElement &T);
  void checkImport(const ImportElement &I);
  void checkExtensions(const ProbeElement &P, bool Callsite);
  void checkControlKey(const ControlKey &K);
  void checkParams(const ProbeElement &P);
  void checkInvocationObject(const ProbeElement &P);

  void error(Position P, const Twine &Message) {
    Errors =
        llvm::joinErrors(std::move(Errors), makeError(Doc.locate(P), Message));
  }

  const Document &Doc;
  DiagnosticEngine &Diags;
  llvm::Error Errors;
};
} // namespace

/// The types of data items for which \p Is holds, for a message.
static std::string itemNames(llvm::function_ref<bool(DataItem)> Is) {
  std::vector<std::string> Names;
  for (unsigned I = 0; I < NumDataItems; ++I)
    if (!getDataTypeName(DataItem(I)).empty() && Is(DataItem(I)))
      Names.push_back(("'" + getDataTypeName(DataItem(I)) + "'").str());
  const std::string Last = Names.back();
  Names.pop_back();
  return Names.empty() ? Last : llvm::join(Names, ", ") + " and " + Last;
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
  const StaticFieldElement &F = *P.Static;
  if (F.Type.empty())
    error(F.Where, "'staticField' has no type");
  else if (!isQualifiedName(F.Type))
    error(F.Where, "the type '" + F.Type +
                       "' of 'staticField' is not the name of a class "
                       "(without type arguments)");
  else if (isPrimitiveType(F.Type))
    error(F.Where, "the type of 'staticField' is the primitive type '" +
                       F.Type + "'; it must be a class");
}

void Validator::checkData(const ProbeElement &P, const FragmentElement &F,
                          const Data &D) {
  if (D.Type && F.Type) {
    if (!isAllowedAt(*F.Type, *D.Type))
      error(D.Where, "data item '" + D.TypeName +
                         "' is not available in a fragment of type '" +
                         F.TypeName + "'" + whereAvailable(*D.Type));
    else if (*D.Type == DataItem::StaticField && !P.Static)
      error(D.Where, "data item 'staticField' in a probe without a "
                     "'staticField' element");
    else if (*D.Type == DataItem::Kept && !P.Invocation)
      error(D.Where, "data item 'invocationObject' in a probe without an "
                     "'invocationObject' element");
    else if (*D.Type == DataItem::Kept && *F.Type == AdviceKind::Entry)
      error(D.Where, "the 'entry' fragment makes the 'invocationObject' (it "
                     "returns it) and is not given it");
    else if (*F.Type == AdviceKind::StaticInitializer &&
             getInfo(*D.Type).Source == DataSource::Host)
      Diags.report(Severity::Warning, Doc.locate(D.Where),
                   "data item '" + D.TypeName +
                       "' always is that of <clinit> in a fragment of type '" +
                       F.TypeName + "'");
  }
  checkDataOptions(F, D);
  bool HasDefault =
      D.Type == DataItem::Kept && P.Invocation && !P.Invocation->Name.empty();
  if (D.Name.empty() && HasDefault)
    return;
  if (D.Name.empty())
    error(D.Where, "data item '" + D.TypeName +
                       "' has no name, under which the "
                       "code gets it");
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

/// The attribute that tells items of one type apart. That of a local variable
/// is its name, which is asked for anyway.
void Validator::checkKey(const Data &D) {
  const DataItemInfo *Info = D.Type ? &getInfo(*D.Type) : nullptr;
  for (const auto &[Key, Value] : D.Keys)
    if (Key != "name" && (!Info || Key != Info->Key))
      error(D.Where, "'" + Key + "' is for data items of type " +
                         itemNames([K = Key](DataItem Item) {
                           return getInfo(Item).Key == K;
                         }) +
                         " only");
  if (!Info || !Info->hasKey() || Info->Key == "name")
    return;
  std::string Value = D.findKey(Info->Key);
  if (Value.empty())
    error(D.Where, "data item '" + D.TypeName + "' has no " + Info->Key);
  else if (Info->NumericKey && !DataUse(*D.Type, Value).number())
    error(D.Where, "the " + Info->Key + " '" + Value + "' of data item '" +
                       D.TypeName + "' is not a number");
}

void Validator::checkDataOptions(const FragmentElement &F, const Data &D) {
  if (D.JavaType) {
    auto Declared = [](DataItem Item) {
      return getInfo(Item).TypeRule == DataTypeRule::Declared || isCast(Item);
    };
    if (D.Type && isCast(*D.Type) && isPrimitiveType(*D.JavaType))
      error(D.Where, "'" + D.TypeName + "' is an object, and '" + *D.JavaType +
                         "' is none" +
                         (D.Type == DataItem::ReturnedObject
                              ? "; data of type 'result' are not boxed"
                              : ""));
    else if (!D.Type || !Declared(*D.Type))
      error(D.Where, "'javaType' is for data items of type " +
                         itemNames(Declared) + " only");
    else if (!java::isJavaType(*D.JavaType))
      error(D.Where, "'" + *D.JavaType +
                         "' is not the name of a Java type (without type "
                         "arguments)");
  }
  checkKey(D);
  if (!D.Write)
    return;
  if (D.Type != DataItem::Args || F.Type != AdviceKind::Entry)
    error(D.Where,
          D.Type == DataItem::Args && F.Type == AdviceKind::BeforeCall
              ? "'write' is for 'args' at 'entry'; what a 'beforeCall' "
                "fragment stores always becomes the arguments"
              : "'write' is for data items of type 'args' in a fragment of "
                "type 'entry' only");
  else if (*D.Write != "true" && *D.Write != "false")
    error(D.Where, "'write' is '" + *D.Write +
                       "', which is neither 'true' nor 'false'" +
                       didYouMean(*D.Write, {"true", "false"}));
}

void Validator::checkResult(const ProbeElement &P, const FragmentElement &F) {
  const bool Returns = F.Result == "return";
  if (F.JavaType && !Returns)
    error(F.Where, "'javaType' of 'fragment' is for result=\"return\"");
  else if (F.JavaType && *F.JavaType != "void" &&
           !java::isJavaType(*F.JavaType))
    error(F.Where, "'" + *F.JavaType +
                       "' is not the name of a Java type (without type "
                       "arguments)");
  if (!F.Result || !F.Type)
    return;
  if (Returns && !getInfo(*F.Type).EndsMethod)
    error(F.Where, "a fragment of type '" + F.TypeName +
                       "' cannot have the method return; 'entry', 'exit' and "
                       "'catch' can");
  else if (Returns && P.Invocation && isKeeper(*F.Type))
    error(F.Where, "what the fragment returns is the 'invocationObject' of its "
                   "probe, and cannot be the result of the method");
  else if (Returns && llvm::any_of(F.Items, [](const Data &D) {
             return D.Type == DataItem::Args && D.Write == "true";
           }))
    error(F.Where, "a fragment that writes 'args' cannot have the method "
                   "return: use one of its own, in another probe");
  else if (*F.Result != "replace" && !Returns)
    error(F.Where, "unknown result '" + *F.Result +
                       "' of 'fragment'; there are 'replace' and 'return'" +
                       didYouMean(*F.Result, {"replace", "return"}));
  else if (Returns)
    return;
  else if (!getInfo(*F.Type).ReplacesValue)
    error(F.Where, "there is no result that a fragment of type '" + F.TypeName +
                       "' could replace; 'exit' and 'afterCall' can");
}

/// What says that it does not run each time.
void Validator::checkCondition(const FragmentElement &F) {
  std::pair<StringRef, const std::optional<std::string> &> Numbers[] = {
      {"every", F.Every}, {"perSecond", F.PerSecond}};
  constexpr unsigned Most = 1000000;
  for (auto &[Name, Value] : Numbers) {
    unsigned N;
    if (Name == "every" && Value == "auto") {
      if (!F.PerSecond)
        error(F.Where, "every=\"auto\" needs 'perSecond', how often the "
                       "fragment is to run");
      continue;
    }
    if (Value && (StringRef(*Value).getAsInteger(10, N) || !N || N > Most))
      error(F.Where, "'" + Name + "' of 'fragment' is '" + *Value +
                         "', which is not a number from 1 to " + Twine(Most) +
                         (Name == "every" ? ", nor 'auto'" : ""));
  }
  if (F.Condition && StringRef(F.Condition->Text).trim().empty())
    error(F.Condition->Where, "'condition' is empty");
  else if (F.Condition && StringRef(F.Condition->Text).trim().ends_with(";"))
    error(F.Condition->Where,
          "'condition' ends with ';', and is an expression of Java");
  if (F.Type == AdviceKind::StaticInitializer &&
      (F.Condition || F.Every || F.PerSecond))
    error(F.Where, "a fragment of type 'staticInitializer' runs once for each "
                   "class, and has no condition");
}

/// Checks the attributes that select the sites of the fragment.
void Validator::checkSelectors(const FragmentElement &F) {
  SiteFilter Filter;
  for (const auto &[Key, Value] : F.Selectors) {
    const auto *At = llvm::find(getSelectorNames(), Key);
    const auto S = Selector(1u << (At - getSelectorNames().begin()));
    if (F.Type && !(getInfo(*F.Type).Selectors & S))
      error(F.Where, "'" + Key + "' in a fragment of type '" + F.TypeName +
                         "'; it is for " + kindsThatSay(S));
    else if (llvm::Error E = Filter.set(Key, Value))
      error(F.Where, "'" + Key + "' of 'fragment' is '" + Value +
                         "', which is " + toMessage(std::move(E)));
  }
}

/// What a probe's targets may match beyond those of the original.
void Validator::checkExtensions(const ProbeElement &P, bool Callsite) {
  std::pair<StringRef, const std::optional<std::string> &> Switches[] = {
      {"targetHierarchy", P.TargetHierarchy},
      {"interfaces", P.Interfaces},
      {"dynamicCalls", P.DynamicCalls}};
  for (auto &[Name, Value] : Switches)
    if (Value && *Value != "true" && *Value != "false")
      error(P.Where, "'" + Name + "' of 'probe' is '" + *Value +
                         "', which is neither 'true' nor 'false'" +
                         didYouMean(*Value, {"true", "false"}));
  if (!Callsite && P.DynamicCalls == "true")
    error(P.Where, "'dynamicCalls' in a probe that is not of calls");
  if (!Callsite)
    return;
  if (P.TargetHierarchy == "true")
    error(P.Where, "'targetHierarchy' in a probe of calls: they are selected "
                   "by the class that the call names");
  for (const TargetElement &T : P.Targets)
    if (T.Annotation)
      error(T.Where, "'annotation' in a 'target' of a probe of calls, which "
                     "are selected by the name of the called method; 'caller' "
                     "can have it");
}

void Validator::checkControlKey(const ControlKey &K) {
  if (K.Name.empty())
    error(K.Where, "'controlKey' has no name; it is that of the system "
                   "property that switches the probe");
  if (K.Value && *K.Value != "true" && *K.Value != "false")
    error(K.Where, "the value '" + *K.Value +
                       "' of 'controlKey' is neither 'true' nor 'false'" +
                       didYouMean(*K.Value, {"true", "false"}));
}

void Validator::checkParams(const ProbeElement &P) {
  llvm::StringSet<> Names;
  for (const ParamElement &Q : P.Params) {
    if (!isJavaIdentifier(Q.Name) || isJavaKeyword(Q.Name))
      error(Q.Where,
            "the name '" + Q.Name + "' of 'param' is not a Java identifier");
    else if (!Names.insert(Q.Name).second)
      error(Q.Where, "two parameters '" + Q.Name + "' in one probe");
    if (!java::isParamType(Q.Type)) {
      StringRef Near = suggest(Q.Type, java::getParamTypes());
      error(Q.Where,
            "the type '" + Q.Type + "' of 'param' is not one of " +
                llvm::join(java::getParamTypes(), ", ") +
                (Near.empty() ? "" : "; did you mean '" + Near.str() + "'?"));
    } else if (!Q.Default)
      error(Q.Where, "'param' has no default");
    else if (!java::isParamValue(Q.Type, *Q.Default))
      error(Q.Where, "the default '" + *Q.Default + "' of parameter '" +
                         Q.Name + "' is no value of type " + Q.Type);
  }
}

void Validator::checkInvocationObject(const ProbeElement &P) {
  const InvocationObject &I = *P.Invocation;
  if (!I.Name.empty() && (!isJavaIdentifier(I.Name) || isJavaKeyword(I.Name)))
    error(I.Where, "the name '" + I.Name +
                       "' of 'invocationObject' is not a Java identifier");
  if (!java::isJavaType(I.Type))
    error(I.Where, "the type '" + I.Type +
                       "' of 'invocationObject' is not the name of a Java type "
                       "(without type arguments)");
  if (llvm::none_of(P.Fragments, [](const FragmentElement &F) {
        return F.Type && isKeeper(*F.Type);
      }))
    error(I.Where, "'invocationObject' in a probe without a fragment 'entry' "
                   "or 'beforeCall' that returns it");
}

void Validator::checkFragment(const ProbeElement &P, const FragmentElement &F) {
  if (!F.Type)
    error(F.Where, "unknown type '" + F.TypeName + "' of 'fragment'" +
                       didYouMean(F.TypeName, getAdviceKindNames()));

  uint64_t Seen = 0; // bit T: an item of type T
  static_assert(NumDataItems <= 64);
  llvm::StringSet<> Names;
  for (const Data &D : F.Items) {
    bool Single = D.Type && !getInfo(*D.Type).hasKey();
    uint64_t Bit = Single ? uint64_t(1) << unsigned(*D.Type) : 0;
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
  checkResult(P, F);
  checkSelectors(F);
  checkCondition(F);
  if (!F.Code)
    error(F.Where, "'fragment' has no 'code'");
  else if (F.Code->Text.empty())
    error(F.Code->Where, "'code' is empty");
}

/// Patterns that the original takes and that nothing can match.
void Validator::warnOfPatterns(const TargetElement &T) {
  auto Warn = [&](const Twine &Message) {
    Diags.report(Severity::Warning, Doc.locate(T.Where), Message);
  };
  if (T.ClassName) {
    StringRef Name = *T.ClassName;
    size_t Dot = Name.find_last_of("./");
    if (Dot != StringRef::npos)
      Warn("no class name matches '" + Name +
           "': it has no package in it; write package=\"" +
           Name.take_front(Dot) + "\" className=\"" + Name.drop_front(Dot + 1) +
           "\" (nested classes are Outer$Inner)");
  }
  if (T.Method && StringRef(*T.Method).contains('('))
    Warn("no method name matches '" + *T.Method +
         "'; its parameters belong in 'signature', as a descriptor");
  if (T.Signature && !T.Signature->empty()) {
    StringRef Signature = *T.Signature;
    if (Signature.contains('.'))
      Warn("no signature matches '" + Signature +
           "': in descriptors packages are written with '/', as "
           "(Ljava/lang/String;)V");
    else if (Signature[0] != '(' && Signature[0] != '*')
      Warn("no signature matches '" + Signature +
           "': a descriptor begins with '(', as (Ljava/lang/String;)V");
  }
}

void Validator::checkImport(const ImportElement &I) {
  if (I.Text.empty())
    return error(I.Where, "'import' has no text");
  StringRef Text = I.Text;
  if (Text.trim().starts_with("import "))
    return error(I.Where, "the text of 'import' is only what follows the word "
                          "import: \"" +
                              Text.trim().drop_front(7).trim("; ") + "\"");
  if (Text.trim().ends_with(";"))
    Diags.report(Severity::Warning, Doc.locate(I.Where),
                 "the ';' in the text of 'import' is one too many");
}

void Validator::checkTargets(llvm::ArrayRef<TargetElement> Targets,
                             StringRef Element) {
  auto MatchesAll = [](const std::optional<std::string> &Pattern) {
    return !Pattern || Pattern->empty() || *Pattern == "*";
  };
  bool SeenAll = false, ReportedAll = false, BadType = false;
  bool AnyExclude = false;
  for (const TargetElement &T : Targets) {
    if (SeenAll && !ReportedAll) {
      error(T.Where, "'" + Element +
                         "' after one that matches everything; it can "
                         "never decide");
      ReportedAll = true;
    }
    if (T.Annotation && T.Annotation->empty())
      error(T.Where, "'annotation' of '" + Element + "' is empty");
    SeenAll |= !T.Annotation && !T.QualifiedName && MatchesAll(T.Package) &&
               MatchesAll(T.ClassName) && MatchesAll(T.Method) &&
               MatchesAll(T.Signature);

    if (!T.Type || T.Type->empty()) {
      error(T.Where, "'" + Element + "' has no type");
      BadType = true;
    } else if (*T.Type != "include" && *T.Type != "exclude") {
      error(T.Where, "type '" + *T.Type + "' of '" + Element +
                         "' is neither 'include' nor 'exclude'" +
                         didYouMean(*T.Type, {"include", "exclude"}));
      BadType = true;
    } else {
      AnyExclude |= *T.Type == "exclude";
    }

    if (T.Optional && *T.Optional != "true" && *T.Optional != "false")
      error(T.Where, "optional '" + *T.Optional + "' of '" + Element +
                         "' is neither 'true' nor 'false'");

    std::pair<StringRef, const std::optional<std::string> &> Patterns[] = {
        {"package", T.Package},       {"className", T.ClassName},
        {"method", T.Method},         {"signature", T.Signature},
        {"annotation", T.Annotation}, {"qualifiedName", T.QualifiedName}};
    for (auto &[Name, Pattern] : Patterns)
      if (Pattern && llvm::any_of(*Pattern, llvm::isSpace))
        error(T.Where, "white space in the pattern '" + *Pattern + "' of '" +
                           Name + "'");
  }
  for (const TargetElement &T : Targets)
    warnOfPatterns(T);
  if (Targets.empty() || BadType)
    return;
  const TargetElement &Last = Targets.back();
  // Where the last of them matches everything, none is left over.
  if (SeenAll && !ReportedAll) {
    if (*Last.Type == "include" && !Last.Package && !Last.ClassName &&
        !Last.Method && !Last.Signature)
      error(Last.Where,
            "'" + Element +
                "' has no pattern, and includes everything; leave it out, or "
                "say so with package=\"*\"");
    return;
  }
  if (!AnyExclude)
    error(Last.Where, "every '" + Element +
                          "' is an 'include', and what none matches is "
                          "included too; end with <" +
                          Element + " type=\"exclude\"/>");
  else if (*Last.Type == "include")
    error(Last.Where, "the last '" + Element +
                          "' is an 'include', and what none matches is "
                          "included too; end with <" +
                          Element + " type=\"exclude\"/>");
}

void Validator::checkMoments(const ProbeElement &P) {
  for (const FragmentElement &F : P.Moments) {
    if (!F.Code)
      error(F.Where, "'fragment' has no 'code'");
    if (!F.Items.empty())
      error(F.Items.front().Where, "a fragment of type '" + F.TypeName +
                                       "' is in no method, and has no data");
    if (F.Result)
      error(F.Where, "there is no result that a fragment of type '" +
                         F.TypeName + "' could replace");
    if (&F != &P.Moments.front() && F.TypeName == P.Moments.front().TypeName)
      error(F.Where, "two fragments of type '" + F.TypeName + "' in one probe");
  }
}

void Validator::checkProbe(const ProbeElement &P) {
  for (const ImportElement &I : P.Imports)
    checkImport(I);
  if (P.Static)
    checkStaticField(P);
  if (P.Fragments.empty() && !P.Static)
    error(P.Where, "'probe' has no 'fragment'");

  uint32_t Seen = 0; // bit T: a fragment of type T
  for (const FragmentElement &F : P.Fragments) {
    uint32_t Bit = F.Type ? 1u << unsigned(*F.Type) : 0;
    // Those that say which sites they are for may be several.
    if (Seen & Bit && !(SiteKinds >> unsigned(*F.Type) & 1))
      error(F.Where, "two fragments of type '" + F.TypeName + "' in one probe");
    Seen |= Bit;
  }
  for (const FragmentElement &F : P.Fragments)
    checkFragment(P, F);
  checkMoments(P);

  const FragmentElement *Callsite = nullptr, *Method = nullptr;
  for (const FragmentElement &F : P.Fragments)
    if (F.Type) {
      const FragmentElement *&Kind = isCallKind(*F.Type) ? Callsite : Method;
      if (!Kind)
        Kind = &F;
    }
  if (Callsite && Method)
    error(P.Where, "the probe mixes '" + Method->TypeName + "' with '" +
                       Callsite->TypeName +
                       "': fragments in methods and at calls need two "
                       "probes");
  if (Callsite && P.Static)
    error(P.Static->Where, "'staticField' in a probe of calls");

  checkExtensions(P, Callsite);
  checkTargets(P.Targets, "target");
  checkTargets(P.Callers, "caller");
  if (!P.Callers.empty() && !Callsite)
    error(P.Callers.front().Where,
          "'caller' in a probe without a fragment at calls");

  if (P.Control)
    checkControlKey(*P.Control);
  checkParams(P);
  if (P.Invocation)
    checkInvocationObject(P);
  int Order;
  if (P.Order && StringRef(*P.Order).getAsInteger(10, Order))
    error(P.Where, "order '" + *P.Order + "' of 'probe' is not a number");
}

llvm::Error probekit::validate(const Document &Doc, DiagnosticEngine &Diags) {
  return Validator(Doc, Diags).run();
}
