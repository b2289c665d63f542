//===- AdviceText.cpp - Advice sets as text -------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The declarations at the head of a `.jir` file:
/// \code
///   probe #N "name" (hierarchy | own)? (ancestor "TYPE")* instance? nests?
///     (returns "TYPE")? interfaces? dynamic? (trace "LETTERS")? (field "TYPE"
///     (named "PREFIX")?)? { RULE* } (within { RULE* })? (filter { RULE* })?
///     (filter within { RULE*
///     })?
///   advice #N probe #P KIND call interface? OWNER.NAME:DESCRIPTOR (ITEM, ...)
///   KEY=VALUE*
/// \endcode
/// where RULE is `include` or `exclude` with four strings and, perhaps,
/// `annotation`, `type`, `class-annotation`, `method-annotation`, each with
/// one, and `parameters` with a list of them, which `more` may follow; the keys
/// are result, way, args, range, constructor, exceptions, order, switch and
/// those of a SiteFilter.
///
//===----------------------------------------------------------------------===//

#include "jopt/Advice/Advice.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

namespace {
/// A text of a rule that may be missing.
struct RulePart {
  StringRef Keyword;
  std::string TargetRule::*Text;
};
/// A setting of an advice with one of several words.
struct SettingWord {
  StringRef Text;
  void (*Set)(Advice &A);
  bool (*IsSet)(const Advice &A);
};
} // namespace

static constexpr RulePart RuleParts[] = {
    {"annotation", &TargetRule::Annotation},
    {"type", &TargetRule::Type},
    {"class-annotation", &TargetRule::ClassAnnotation},
    {"method-annotation", &TargetRule::MethodAnnotation}};

#define SETTING(TEXT, MEMBER, VALUE)                                           \
  {TEXT, [](Advice &A) { A.MEMBER = VALUE; },                                  \
   [](const Advice &A) { return A.MEMBER == VALUE; }}
/// In the order in which they are printed.
static constexpr SettingWord SettingWords[] = {
    SETTING("result=replace", Result, ResultUse::ReplaceValue),
    SETTING("result=keep", Result, ResultUse::Keep),
    SETTING("result=return", Result, ResultUse::Return),
    SETTING("result=decide", Result, ResultUse::Decide),
    SETTING("way=return", Way, ExitWay::Return),
    SETTING("way=exception", Way, ExitWay::Exception),
    SETTING("args=write", WritesArgs, true),
    SETTING("range=inside", Range, RangePlace::Inside),
    SETTING("constructor=after-super", Constructor,
            ConstructorPlace::AfterSuper),
    SETTING("exceptions=isolate", Exceptions, AdviceExceptions::Isolate)};
#undef SETTING

static void printRules(llvm::ArrayRef<TargetRule> Rules,
                       llvm::raw_ostream &OS) {
  OS << "{";
  for (const TargetRule &R : Rules) {
    OS << "\n  " << (R.Include ? "include" : "exclude");
    for (StringRef S : {R.Package, R.Class, R.Method, R.Signature})
      OS << " \"" << escapeModifiedUTF8(S) << '"';
    for (const RulePart &Part : RuleParts)
      if (!(R.*Part.Text).empty())
        OS << ' ' << Part.Keyword << " \"" << escapeModifiedUTF8(R.*Part.Text)
           << '"';
    if (!R.Parameters)
      continue;
    OS << " parameters (";
    llvm::ListSeparator Blank(" ");
    for (StringRef Type : *R.Parameters)
      OS << Blank << '"' << escapeModifiedUTF8(Type) << '"';
    OS << (R.MoreParameters ? ") more" : ")");
  }
  OS << (Rules.empty() ? "}\n" : "\n}\n");
}

/// \p S as it is where it is a plain word, quoted otherwise.
static void printWord(StringRef S, llvm::raw_ostream &OS) {
  bool Plain = llvm::all_of(
      S, [](char C) { return C > ' ' && C < 0x7f && C != '"' && C != '\\'; });
  if (Plain)
    OS << S;
  else
    OS << '"' << escapeModifiedUTF8(S) << '"';
}

static void printConditions(const Probe &P, llvm::raw_ostream &OS) {
  if (P.Reach != TargetReach::Interfaces)
    OS << (P.Reach == TargetReach::Own ? "own " : "hierarchy ");
  for (StringRef A : P.Ancestors)
    OS << "ancestor \"" << escapeModifiedUTF8(A) << "\" ";
  if (P.InstanceOnly)
    OS << "instance ";
  if (P.Nests)
    OS << "nests ";
  if (!P.ReturnType.empty())
    OS << "returns \"" << escapeModifiedUTF8(P.ReturnType) << "\" ";
}

void jopt::printAdviceSet(const AdviceSet &A, llvm::raw_ostream &OS) {
  for (size_t I = 0; I < A.Probes.size(); ++I) {
    const Probe &P = A.Probes[I];
    OS << "probe #" << I << " \"" << escapeModifiedUTF8(P.Name) << "\" ";
    printConditions(P, OS);
    if (P.Interfaces)
      OS << "interfaces ";
    if (P.DynamicCalls)
      OS << "dynamic ";
    if (!P.Trace.empty())
      OS << "trace \"" << escapeModifiedUTF8(P.Trace) << "\" ";
    if (!P.StaticField.empty())
      OS << "field \"" << escapeModifiedUTF8(P.StaticField) << "\" ";
    if (!P.StaticField.empty() && P.FieldPrefix != Probe().FieldPrefix)
      OS << "named \"" << escapeModifiedUTF8(P.FieldPrefix) << "\" ";
    printRules(P.Rules, OS);
    for (auto [Rules, Keyword] :
         {std::pair(&P.Callers, "within "), std::pair(&P.Filters, "filter "),
          std::pair(&P.CallerFilters, "filter within ")})
      if (!Rules->empty()) {
        OS << Keyword;
        printRules(*Rules, OS);
      }
  }
  for (size_t I = 0; I < A.Advices.size(); ++I) {
    const Advice &V = A.Advices[I];
    OS << "advice #" << I << " probe #" << V.Probe << ' '
       << getAdviceKindName(V.Kind) << " call "
       << (V.Body.OfInterface ? "interface " : "");
    printWord(V.Body.Owner + "." + V.Body.Name + ":" + V.Body.Descriptor, OS);
    OS << " (";
    llvm::ListSeparator Comma;
    for (const DataUse &D : V.Data) {
      OS << Comma << getDataItemName(D);
      if (getInfo(D).NumericKey)
        OS << ' ' << D.Key;
      else if (getInfo(D).hasKey())
        OS << " \"" << escapeModifiedUTF8(D.Key) << '"';
    }
    OS << ')';
    for (const SettingWord &W : SettingWords)
      if (W.IsSet(V))
        OS << ' ' << W.Text;
    if (V.Order)
      OS << " order=" << V.Order;
    V.Site.forEach([&](StringRef Key, const std::string &Value) {
      OS << ' ' << Key << '=';
      printWord(Value, OS);
    });
    if (!V.Switch.empty()) {
      OS << " switch=";
      printWord(V.Switch, OS);
    }
    OS << '\n';
  }
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {

class AdviceParser {
public:
  AdviceParser(StringRef Text, StringRef File, unsigned Line)
      : Rest(Text), LineStart(Text.data()), File(File), Line(Line) {}

  llvm::Error parse();

  AdviceSet Set;
  StringRef Rest; ///< not yet read
  unsigned line() const { return Line; }

private:
  Location here() const {
    return Location(File, Line, unsigned(Rest.data() - LineStart) + 1);
  }
  llvm::Error fail(const llvm::Twine &M) const { return makeError(here(), M); }

  /// Skips blanks, line ends and comments.
  void skip();
  bool startsDeclaration() const;
  bool eat(StringRef Token);
  llvm::Error expect(StringRef Token);
  llvm::Error number(size_t Expected);
  llvm::Error anyNumber(unsigned &N);
  llvm::Error string(std::string &S);
  /// A quoted string, or everything up to a blank.
  llvm::Error word(std::string &S);
  llvm::Error rules(std::vector<TargetRule> &Rules);
  llvm::Error parameters(TargetRule &R);
  llvm::Error conditions(Probe &P);
  llvm::Error parseProbe();
  llvm::Error parseAdvice();
  llvm::Error parseData(Advice &A);
  llvm::Error parseSettings(Advice &A);
  llvm::Error siteSetting(Advice &A, StringRef Key);

  const char *LineStart;
  StringRef File;
  unsigned Line;
};

} // namespace

void AdviceParser::skip() {
  while (!Rest.empty()) {
    if (Rest[0] == '\n') {
      Rest = Rest.drop_front();
      LineStart = Rest.data();
      ++Line;
    } else if (llvm::isSpace(Rest[0])) {
      Rest = Rest.drop_front();
    } else if (Rest[0] == ';' || Rest.starts_with("//")) {
      Rest = Rest.drop_front(std::min(Rest.find('\n'), Rest.size()));
    } else {
      return;
    }
  }
}

bool AdviceParser::startsDeclaration() const {
  for (StringRef Keyword : {"probe", "advice"})
    if (Rest.starts_with(Keyword) && Rest.size() > Keyword.size() &&
        llvm::isSpace(Rest[Keyword.size()]))
      return true;
  return false;
}

bool AdviceParser::eat(StringRef Token) {
  skip();
  return Rest.consume_front(Token);
}

llvm::Error AdviceParser::expect(StringRef Token) {
  if (eat(Token))
    return llvm::Error::success();
  return fail("expected '" + Token + "'");
}

llvm::Error AdviceParser::anyNumber(unsigned &N) {
  if (llvm::Error E = expect("#"))
    return E;
  if (Rest.consumeInteger(10, N))
    return fail("expected a number");
  return llvm::Error::success();
}

llvm::Error AdviceParser::number(size_t Expected) {
  skip();
  Location Where = here();
  unsigned N = 0;
  if (llvm::Error E = anyNumber(N))
    return E;
  if (N != Expected)
    return makeError(Where, "expected #" + llvm::Twine(Expected) +
                                ": they are numbered in order");
  return llvm::Error::success();
}

llvm::Error AdviceParser::string(std::string &S) {
  skip();
  if (!Rest.starts_with("\""))
    return fail("expected a string");
  size_t End = 1;
  while (End < Rest.size() && Rest[End] != '"' && Rest[End] != '\n')
    End += Rest[End] == '\\' ? 2 : 1;
  if (End >= Rest.size() || Rest[End] != '"')
    return fail("string without end");
  std::optional<std::string> Value = unescapeModifiedUTF8(Rest.slice(1, End));
  if (!Value)
    return fail("bad escape in a string");
  S = std::move(*Value);
  Rest = Rest.drop_front(End + 1);
  return llvm::Error::success();
}

llvm::Error AdviceParser::word(std::string &S) {
  skip();
  if (Rest.starts_with("\""))
    return string(S);
  StringRef W = Rest.take_until([](char C) { return llvm::isSpace(C); });
  if (W.empty())
    return fail("unexpected end of the text");
  S = W.str();
  Rest = Rest.drop_front(W.size());
  return llvm::Error::success();
}

llvm::Error AdviceParser::parameters(TargetRule &R) {
  if (llvm::Error E = expect("("))
    return E;
  R.Parameters.emplace();
  while (!eat(")"))
    if (llvm::Error E = string(R.Parameters->emplace_back()))
      return E;
  R.MoreParameters = eat("more");
  return llvm::Error::success();
}

llvm::Error AdviceParser::rules(std::vector<TargetRule> &Rules) {
  if (llvm::Error E = expect("{"))
    return E;
  while (!eat("}")) {
    TargetRule R;
    R.Where = here();
    R.Include = eat("include");
    if (!R.Include && !eat("exclude"))
      return fail("expected 'include', 'exclude' or '}'");
    for (std::string *S : {&R.Package, &R.Class, &R.Method, &R.Signature})
      if (llvm::Error E = string(*S))
        return E;
    for (const RulePart &Part : RuleParts)
      if (eat(Part.Keyword))
        if (llvm::Error E = string(R.*Part.Text))
          return E;
    if (eat("parameters"))
      if (llvm::Error E = parameters(R))
        return E;
    Rules.push_back(std::move(R));
  }
  return llvm::Error::success();
}

/// Parses the conditions in front of the rules, about the methods that these
/// select.
llvm::Error AdviceParser::conditions(Probe &P) {
  if (eat("hierarchy"))
    P.Reach = TargetReach::Ancestors;
  else if (eat("own"))
    P.Reach = TargetReach::Own;
  while (eat("ancestor"))
    if (llvm::Error E = string(P.Ancestors.emplace_back()))
      return E;
  P.InstanceOnly = eat("instance");
  P.Nests = eat("nests");
  if (eat("returns"))
    return string(P.ReturnType);
  return llvm::Error::success();
}

llvm::Error AdviceParser::parseProbe() {
  Probe P;
  skip();
  P.Where = here();
  if (llvm::Error E = number(Set.Probes.size()))
    return E;
  if (llvm::Error E = string(P.Name))
    return E;
  if (llvm::Error E = conditions(P))
    return E;
  P.Interfaces = eat("interfaces");
  P.DynamicCalls = eat("dynamic");
  if (eat("trace"))
    if (llvm::Error E = string(P.Trace))
      return E;
  if (eat("field")) {
    if (llvm::Error E = string(P.StaticField))
      return E;
    if (eat("named"))
      if (llvm::Error E = string(P.FieldPrefix))
        return E;
  }
  if (llvm::Error E = rules(P.Rules))
    return E;
  if (eat("within"))
    if (llvm::Error E = rules(P.Callers))
      return E;
  while (eat("filter"))
    if (llvm::Error E = rules(eat("within") ? P.CallerFilters : P.Filters))
      return E;
  Set.Probes.push_back(std::move(P));
  return llvm::Error::success();
}

llvm::Error AdviceParser::parseData(Advice &A) {
  if (llvm::Error E = expect("("))
    return E;
  if (eat(")"))
    return llvm::Error::success();
  do {
    skip();
    StringRef Name = Rest.take_while([](char C) { return llvm::isAlpha(C); });
    std::optional<DataItem> D = findDataItem(Name);
    if (!D)
      return fail("expected a data item");
    DataUse &Use = A.Data.emplace_back(*D);
    Rest = Rest.drop_front(Name.size());
    if (getInfo(*D).NumericKey) {
      skip();
      Use.Key = Rest.take_while([](char C) { return llvm::isDigit(C); }).str();
      Rest = Rest.drop_front(Use.Key.size());
    } else if (getInfo(*D).hasKey()) {
      if (llvm::Error E = string(Use.Key))
        return E;
    }
  } while (eat(","));
  return expect(")");
}

llvm::Error AdviceParser::siteSetting(Advice &A, StringRef Key) {
  Location Where = here();
  Rest = Rest.drop_front(Key.size() + 1);
  std::string Value;
  if (llvm::Error E = word(Value))
    return E;
  if (llvm::Error E = A.Site.set(Key, Value))
    return makeError(Where, "'" + Key + "' is '" + Value + "', which is " +
                                toMessage(std::move(E)));
  return llvm::Error::success();
}

llvm::Error AdviceParser::parseSettings(Advice &A) {
  // Settings end with the line.
  while (true) {
    Rest = Rest.ltrim(" \t\r");
    if (Rest.empty() || Rest[0] == '\n' || Rest[0] == ';')
      return llvm::Error::success();
    if (Rest.consume_front("switch=")) {
      if (llvm::Error E = word(A.Switch))
        return E;
      continue;
    }
    if (StringRef Key = Rest.take_until([](char C) { return C == '='; });
        llvm::is_contained(getSelectorNames(), Key)) {
      if (llvm::Error E = siteSetting(A, Key))
        return E;
      continue;
    }
    StringRef Setting =
        Rest.take_until([](char C) { return llvm::isSpace(C); });
    StringRef Order = Setting;
    if (Order.consume_front("order=")) {
      if (Order.getAsInteger(10, A.Order))
        return fail("expected a number behind 'order='");
    } else {
      auto *W = llvm::find_if(SettingWords, [&](const SettingWord &W) {
        return W.Text == Setting;
      });
      if (W == std::end(SettingWords))
        return fail("an advice has no setting '" + Setting + "'");
      W->Set(A);
    }
    Rest = Rest.drop_front(Setting.size());
  }
}

llvm::Error AdviceParser::parseAdvice() {
  Advice A;
  if (llvm::Error E = number(Set.Advices.size()))
    return E;
  if (llvm::Error E = expect("probe"))
    return E;
  if (llvm::Error E = anyNumber(A.Probe))
    return E;
  skip();
  StringRef KindName = Rest.take_while([](char C) { return llvm::isAlpha(C); });
  std::optional<AdviceKind> Kind = findAdviceKind(KindName);
  if (!Kind)
    return fail("expected the kind of the advice, as entry or exit");
  A.Kind = *Kind;
  Rest = Rest.drop_front(KindName.size());
  if (llvm::Error E = expect("call"))
    return E;
  A.Body.OfInterface = eat("interface ");
  skip();
  Location Where = here();
  std::string Target;
  if (llvm::Error E = word(Target))
    return E;
  auto [Owner, Member] = StringRef(Target).split('.');
  auto [Name, Descriptor] = Member.split(':');
  if (Owner.empty() || Name.empty() || Descriptor.empty())
    return makeError(Where, "expected owner.name:descriptor");
  A.Body.Owner = Owner.str();
  A.Body.Name = Name.str();
  A.Body.Descriptor = Descriptor.str();
  if (llvm::Error E = parseData(A))
    return E;
  if (llvm::Error E = parseSettings(A))
    return E;
  Set.Advices.push_back(std::move(A));
  return llvm::Error::success();
}

llvm::Error AdviceParser::parse() {
  for (skip(); startsDeclaration(); skip()) {
    llvm::Error E =
        eat("probe") ? parseProbe() : (eat("advice"), parseAdvice());
    if (E)
      return E;
  }
  return checkAdviceSet(Set);
}

llvm::Expected<AdviceSet> jopt::parseAdviceSet(StringRef &Text, StringRef File,
                                               unsigned &Line) {
  AdviceParser P(Text, File, Line);
  if (llvm::Error E = P.parse())
    return E;
  if (P.Set.Probes.empty() && P.Set.Advices.empty())
    return AdviceSet();
  Text = P.Rest;
  Line = P.line();
  return std::move(P.Set);
}
