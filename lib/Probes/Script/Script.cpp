//===- Script.cpp - Engine scripts ----------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Probes/Script/Script.h"
#include "../Java/JavaNames.h"
#include "jopt/Bytecode/Descriptor.h"
#include "jopt/Probes/ProbeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

/// A word of a line.
struct Token {
  StringRef Text;
  unsigned Column;
};

class ScriptReader {
public:
  explicit ScriptReader(StringRef File)
      : File(File), Errors(llvm::Error::success()) {}

  llvm::Expected<AdviceSet> read(StringRef Text);

private:
  void readLine(StringRef Line);
  void readRule(llvm::ArrayRef<Token> Words, bool OfProbe = false);
  void readReference(llvm::ArrayRef<Token> Words);
  void readStaticField(llvm::ArrayRef<Token> Words);
  void readSwitch(Advice &A, const Token &T);
  void readSite(Advice &A, const Token &T);
  bool readKey(Advice &A, const Token &Item, const Token &Key);
  void readExtension(llvm::ArrayRef<Token> Words);
  bool readData(const Token &List, Advice &A);
  void finishProbe();

  Location at(const Token &T) const { return Location(File, Line, T.Column); }
  void error(const Location &Where, const Twine &Message) {
    Errors = llvm::joinErrors(std::move(Errors), makeError(Where, Message));
  }
  /// The last word with what is missing behind it.
  void tooFew(llvm::ArrayRef<Token> Words, const Twine &Form) {
    error(at(Words.front()),
          "too few words; the line has the form '" + Form + "'");
  }
  void tooMany(const Token &First, const Twine &Form) {
    error(at(First), "unexpected '" + First.Text +
                         "'; the line has the form '" + Form + "'");
  }

  StringRef File;
  unsigned Line = 0;
  llvm::Error Errors;
  AdviceSet Set;
  std::string Remark; ///< the last REM, the next probe's name
  /// Where the advices of this probe stand.
  std::vector<Location> References;
  int Order = 0;
  TargetRule *LastRule = nullptr; ///< of this probe; no other is added yet
  /// Of the whole script.
  std::vector<TargetRule> Filters, CallerFilters;
};

} // namespace

static std::vector<Token> split(StringRef Line) {
  std::vector<Token> Words;
  size_t At = 0;
  while ((At = Line.find_first_not_of(" \t", At)) != StringRef::npos) {
    size_t End = std::min(Line.find_first_of(" \t", At), Line.size());
    Words.push_back(
        {Line.slice(At, End), countCharacters(Line.take_front(At)) + 1});
    At = End;
  }
  return Words;
}

/// \p OfProbe: a filter is for the current probe alone.
void ScriptReader::readRule(llvm::ArrayRef<Token> Words, bool OfProbe) {
  StringRef Keyword = Words[0].Text;
  bool Filter = Keyword.starts_with_insensitive("FILTER");
  bool Within = Keyword.ends_with_insensitive("WITHIN");
  std::string Form = Keyword.upper() +
                     " <package> <class> <method> <signature> "
                     "include|exclude";
  if (Words.size() < 6)
    return tooFew(Words, Form);
  if (Words.size() > 6)
    return tooMany(Words[6], Form);
  bool Include = Words[5].Text.equals_insensitive("include");
  if (!Include && !Words[5].Text.equals_insensitive("exclude")) {
    StringRef Near = suggest(Words[5].Text, {"include", "exclude"});
    return error(
        at(Words[5]),
        "'" + Words[5].Text + "' is neither 'include' nor 'exclude'" +
            (Near.empty() ? Twine() : "; did you mean '" + Near + "'?"));
  }
  if (!Filter && Set.Probes.empty())
    return error(at(Words[0]),
                 Keyword + " before the first PROBE, to which it belongs");
  TargetRule R;
  R.Package = Words[1].Text.str();
  R.Class = Words[2].Text.str();
  R.Method = Words[3].Text.str();
  R.Signature = Words[4].Text.str();
  R.Include = Include;
  R.Where = at(Words[0]);
  auto *Rules = Within ? &CallerFilters : &Filters;
  if (OfProbe)
    Rules =
        Within ? &Set.Probes.back().CallerFilters : &Set.Probes.back().Filters;
  else if (!Filter)
    Rules = Within ? &Set.Probes.back().Callers : &Set.Probes.back().Rules;
  LastRule = &Rules->emplace_back(std::move(R));
}

bool ScriptReader::readData(const Token &List, Advice &A) {
  llvm::SmallVector<StringRef> Names;
  List.Text.split(Names, ',');
  for (StringRef Name : Names) {
    Token Word = {Name, List.Column + countCharacters(List.Text.take_front(
                                          Name.data() - List.Text.data()))};
    std::optional<DataItem> Item = findDataType(Name);
    if (!Item) {
      StringRef Near = suggest(Name, getDataTypeNames());
      error(at(Word),
            "unknown data item '" + Name + "'" +
                (Near.empty() ? Twine() : "; did you mean '" + Near + "'?"));
      return false;
    }
    if (!getInfo(*Item).hasKey() && llvm::is_contained(A.Data, *Item)) {
      error(at(Word), "data item '" + Name + "' is listed twice");
      return false;
    }
    A.Data.push_back(*Item);
  }
  llvm::stable_sort(A.Data);
  return true;
}

/// The kind of that keyword in REF lines.
static std::optional<AdviceKind> findKind(StringRef Keyword) {
  for (unsigned K = 0; K < NumAdviceKinds; ++K)
    if (getInfo(AdviceKind(K)).InFiles &&
        Keyword.equals_insensitive(getInfo(AdviceKind(K)).Keyword))
      return AdviceKind(K);
  return std::nullopt;
}

static std::string unknownKind(StringRef Keyword) {
  llvm::SmallVector<StringRef> Names;
  for (unsigned K = 0; K < NumAdviceKinds; ++K)
    if (getInfo(AdviceKind(K)).InFiles)
      Names.push_back(getInfo(AdviceKind(K)).Keyword);
  StringRef Near = suggest(Keyword, Names);
  return ("unknown kind '" + Keyword + "'; ").str() +
         (Near.empty() ? "there are " + llvm::join(Names, ", ")
                       : ("did you mean '" + Near + "'?").str());
}

void ScriptReader::readReference(llvm::ArrayRef<Token> Words) {
  const char *Form = "REF <kind> <class> <method> <descriptor> [data,...]";
  if (Words.size() < 5)
    return tooFew(Words, Form);
  if (Words.size() > 6)
    return tooMany(Words[6], Form);
  std::optional<AdviceKind> Kind = findKind(Words[1].Text);
  if (!Kind)
    return error(at(Words[1]), unknownKind(Words[1].Text));
  if (!java::isInternalName(Words[2].Text))
    return error(at(Words[2]), "'" + Words[2].Text +
                                   "' is not the internal name of a class, as "
                                   "a/b/C");
  if (!isMethodDescriptor(Words[4].Text))
    return error(at(Words[4]), "'" + Words[4].Text +
                                   "' is not the descriptor of a method, as "
                                   "(Ljava/lang/String;)V");
  Advice A;
  A.Kind = *Kind;
  A.Body = {Words[2].Text.str(), Words[3].Text.str(), Words[4].Text.str()};
  A.Probe = unsigned(Set.Probes.size() - 1);
  if (Words.size() == 6 && !readData(Words[5], A))
    return;
  A.WritesArgs = A.Kind == AdviceKind::BeforeCall &&
                 llvm::is_contained(A.Data, DataItem::Args);
  Set.Advices.push_back(std::move(A));
  References.push_back(at(Words[0]));
}

void ScriptReader::readStaticField(llvm::ArrayRef<Token> Words) {
  // Like the original, ignore words behind the class.
  if (Words.size() < 2)
    return tooFew(Words, "STATICFIELD <class>");
  if (!java::isInternalName(Words[1].Text))
    return error(at(Words[1]), "'" + Words[1].Text +
                                   "' is not the internal name of a class, as "
                                   "a/b/C");
  Set.Probes.back().StaticField = Words[1].Text.str();
}

void ScriptReader::readSwitch(Advice &A, const Token &T) {
  auto [Owner, Name] = T.Text.split('.');
  if (Owner.empty() || Name.empty() || Name.contains('.'))
    return error(at(T), "'" + T.Text + "' is not of the form class.method");
  A.Switch = T.Text.str();
}

/// `KEY=VALUE` of a SiteFilter.
void ScriptReader::readSite(Advice &A, const Token &T) {
  auto [Key, Value] = T.Text.split('=');
  if (!llvm::is_contained(getSelectorNames(), Key))
    return error(at(T), "'" + T.Text + "' is not one of " +
                            llvm::join(getSelectorNames(), ", ") +
                            ", with '=' and a value");
  if (llvm::Error E = A.Site.set(Key, Value))
    error(at(T), "'" + Key + "' is '" + Value + "', which is " +
                     toMessage(std::move(E)));
}

/// A line `JOPT <name of an item> <key>` is for the first item of that name
/// that has none.
bool ScriptReader::readKey(Advice &A, const Token &Item, const Token &Key) {
  for (DataUse &Use : A.Data)
    if (getInfo(Use).hasKey() && Use.Key.empty() &&
        Item.Text.equals_insensitive(getDataTypeName(Use))) {
      Use.Key = Key.Text.str();
      return true;
    }
  return false;
}

void ScriptReader::readExtension(llvm::ArrayRef<Token> Words) {
  std::string Form = "JOPT ORDER|HIERARCHY|INTERFACES|DYNAMICCALLS|ANNOTATION|"
                     "RESULT|ARGS|";
  for (unsigned I = 0; I < NumDataItems; ++I)
    if (getInfo(DataItem(I)).hasKey())
      Form += getDataTypeName(DataItem(I)).upper() + "|";
  Form += "SITE|SWITCH <value>";
  if (Words.size() > 1 && (Words[1].Text.equals_insensitive("FILTER") ||
                           Words[1].Text.equals_insensitive("FILTERWITHIN")))
    return readRule(Words.drop_front(), /*OfProbe=*/true);
  if (Words.size() < 3)
    return tooFew(Words, Form);
  if (Words.size() > 3)
    return tooMany(Words[3], Form);
  StringRef Key = Words[1].Text, Value = Words[2].Text;
  if (Key.equals_insensitive("ORDER")) {
    if (Value.getAsInteger(10, Order))
      error(at(Words[2]), "order '" + Value + "' is not a number");
    return;
  }
  constexpr std::pair<StringRef, void (*)(Probe &)> Flags[] = {
      {"HIERARCHY", [](Probe &P) { P.Reach = TargetReach::Ancestors; }},
      {"INTERFACES", [](Probe &P) { P.Interfaces = true; }},
      {"DYNAMICCALLS", [](Probe &P) { P.DynamicCalls = true; }}};
  for (auto &[Name, SetFlag] : Flags)
    if (Key.equals_insensitive(Name)) {
      if (!Value.equals_insensitive("true"))
        return error(at(Words[2]), "'" + Value + "' is not 'true'");
      return SetFlag(Set.Probes.back());
    }
  if (Key.equals_insensitive("ANNOTATION")) {
    if (!LastRule)
      return error(at(Words[0]), Key + " without the RULE to which it belongs");
    LastRule->Annotation = Value.str();
    return;
  }
  if (References.empty())
    return error(at(Words[0]), Key + " before the REF to which it belongs");
  Advice &A = Set.Advices.back();
  bool Result = Key.equals_insensitive("RESULT");
  if (Result && Value.equals_insensitive("replace"))
    A.Result = ResultUse::ReplaceValue;
  else if (Result && Value.equals_insensitive("keep"))
    A.Result = ResultUse::Keep;
  else if (Result && Value.equals_insensitive("decide"))
    A.Result = ResultUse::Decide;
  else if (Result && Value.equals_insensitive("return"))
    A.Result = ResultUse::Return;
  else if (Key.equals_insensitive("EXIT") &&
           Value.equals_insensitive("exception"))
    A.Way = ExitWay::Exception;
  else if (Key.equals_insensitive("EXCEPTIONS") &&
           Value.equals_insensitive("isolate"))
    A.Exceptions = AdviceExceptions::Isolate;
  else if (Key.equals_insensitive("ARGS") && Value.equals_insensitive("write"))
    A.WritesArgs = true;
  else if (Key.equals_insensitive("SWITCH"))
    readSwitch(A, Words[2]);
  else if (Key.equals_insensitive("SITE"))
    readSite(A, Words[2]);
  else if (!readKey(A, Words[1], Words[2]))
    error(at(Words[1]), "unknown setting '" + Key + " " + Value + "'");
}

void ScriptReader::readLine(StringRef Text) {
  std::vector<Token> Words = split(Text);
  if (Words.empty())
    return;
  StringRef Keyword = Words[0].Text;
  auto Is = [&](StringRef K) { return Keyword.equals_insensitive(K); };
  if (Is("REM")) {
    Remark = Text.ltrim(" \t").drop_front(3).trim(" \t").str();
  } else if (Is("PROBE")) {
    finishProbe();
    if (Words.size() > 1)
      tooMany(Words[1], "PROBE");
    LastRule = nullptr;
    Probe &P = Set.Probes.emplace_back();
    P.Name = Remark.empty() ? "unnamed_probe" : Remark;
    P.FieldPrefix = EngineFieldPrefix;
    P.Where = at(Words[0]);
    Remark.clear();
  } else if (Is("RULE") || Is("FILTER") || Is("RULEWITHIN") ||
             Is("FILTERWITHIN")) {
    readRule(Words);
  } else if (LastRule && Is("JOPT") && Words.size() > 1 &&
             Words[1].Text.equals_insensitive("ANNOTATION")) {
    readExtension(Words);
  } else if (Set.Probes.empty()) {
    // The original's engine passes over what is before the first probe.
  } else if (Is("REF")) {
    readReference(Words);
  } else if (Is("STATICFIELD")) {
    readStaticField(Words);
  } else if (Is("JOPT")) {
    readExtension(Words);
  }
}

void ScriptReader::finishProbe() {
  size_t First = Set.Advices.size() - References.size();
  for (auto [Index, Where] : llvm::enumerate(References)) {
    Advice &A = Set.Advices[First + Index];
    A.Order = Order;
    if (std::string Problem = findDataProblem(Set, A); !Problem.empty())
      error(Where, Problem);
    if (A.Result == ResultUse::Ignore &&
        returnDescriptor(A.Body.Descriptor) != "V")
      error(Where,
            "the method returns a value; only void methods can be called");
    if (isCallKind(A.Kind) != isCallKind(Set.Advices[First].Kind))
      error(Where, "a probe cannot be of methods and of calls, and the first "
                   "REF of this one is of " +
                       Twine(isCallKind(A.Kind) ? "methods" : "calls"));
  }
  References.clear();
  Order = 0;
}

llvm::Expected<AdviceSet> ScriptReader::read(StringRef Text) {
  while (!Text.empty()) {
    ++Line;
    size_t End = Text.find_first_of(StringRef("\n\r\0", 3));
    readLine(Text.take_front(End));
    if (End == StringRef::npos)
      break;
    // CR LF ends one line; it would count as two otherwise.
    Text = Text.drop_front(End + (Text.substr(End, 2) == "\r\n" ? 2 : 1));
  }
  finishProbe();
  if (Errors)
    return std::move(Errors);
  for (Probe &P : Set.Probes) {
    P.Filters.insert(P.Filters.begin(), Filters.begin(), Filters.end());
    P.CallerFilters.insert(P.CallerFilters.begin(), CallerFilters.begin(),
                           CallerFilters.end());
  }
  if (llvm::Error E = checkAdviceSet(Set))
    return E;
  return std::move(Set);
}

llvm::Expected<AdviceSet> jopt::readScript(StringRef Text, StringRef File) {
  return ScriptReader(File).read(Text);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void writeRules(StringRef Keyword, llvm::ArrayRef<TargetRule> Rules,
                       llvm::raw_ostream &OS) {
  for (const TargetRule &R : Rules) {
    OS << Keyword << ' ' << R.Package << ' ' << R.Class << ' ' << R.Method
       << ' ' << R.Signature << (R.Include ? " include\n" : " exclude\n");
    if (!R.Annotation.empty())
      OS << "JOPT ANNOTATION " << R.Annotation << '\n';
  }
}

static std::string ruleText(llvm::ArrayRef<TargetRule> Rules) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeRules("", Rules, OS);
  return Text;
}

static void writeReference(const Advice &A, llvm::raw_ostream &OS) {
  OS << "REF " << getInfo(A.Kind).Keyword << ' ' << A.Body.Owner << ' '
     << A.Body.Name << ' ' << A.Body.Descriptor;
  StringRef Separator = " ";
  for (DataItem Item : A.Data) {
    OS << Separator << getDataTypeName(Item);
    Separator = ",";
  }
  OS << '\n';
  if (A.Result == ResultUse::Keep)
    OS << "JOPT RESULT keep\n";
  if (A.Result == ResultUse::ReplaceValue)
    OS << "JOPT RESULT replace\n";
  if (A.Result == ResultUse::Decide)
    OS << "JOPT RESULT decide\n";
  if (A.Result == ResultUse::Return)
    OS << "JOPT RESULT return\n";
  if (A.Way == ExitWay::Exception)
    OS << "JOPT EXIT exception\n";
  if (A.Exceptions == AdviceExceptions::Isolate)
    OS << "JOPT EXCEPTIONS isolate\n";
  if (A.WritesArgs && A.Kind != AdviceKind::BeforeCall)
    OS << "JOPT ARGS write\n";
  A.Site.forEach([&](StringRef Key, const std::string &Value) {
    OS << "JOPT SITE " << Key << '=' << Value << '\n';
  });
  if (!A.Switch.empty())
    OS << "JOPT SWITCH " << A.Switch << '\n';
  for (const DataUse &Use : A.Data)
    if (getInfo(Use).hasKey())
      OS << "JOPT " << getDataTypeName(Use).upper() << ' ' << Use.Key << '\n';
}

std::string jopt::writeScript(const AdviceSet &Set) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  // FILTER lines concern the whole script.
  const bool Same = llvm::all_of(Set.Probes, [&](const Probe &P) {
    return ruleText(P.Filters) == ruleText(Set.Probes.front().Filters) &&
           ruleText(P.CallerFilters) ==
               ruleText(Set.Probes.front().CallerFilters);
  });
  StringRef OfProbe = Same ? "" : "JOPT ";
  auto WriteFilters = [&](const Probe &P) {
    writeRules((OfProbe + "FILTER").str(), P.Filters, OS);
    writeRules((OfProbe + "FILTERWITHIN").str(), P.CallerFilters, OS);
  };
  if (Same && !Set.Probes.empty())
    WriteFilters(Set.Probes.front());
  for (auto [Index, P] : llvm::enumerate(Set.Probes)) {
    std::string Name = P.Name;
    for (char &C : Name)
      if (uint8_t(C) < 0x20)
        C = ' ';
    OS << "REM " << Name << "\nPROBE\n";
    if (!Same)
      WriteFilters(P);
    writeRules("RULE", P.Rules, OS);
    writeRules("RULEWITHIN", P.Callers, OS);
    int Order = 0;
    for (const Advice &A : Set.Advices)
      if (A.Probe == Index) {
        writeReference(A, OS);
        Order = A.Order;
      }
    if (P.Reach == TargetReach::Ancestors)
      OS << "JOPT HIERARCHY true\n";
    if (P.Interfaces)
      OS << "JOPT INTERFACES true\n";
    if (P.DynamicCalls)
      OS << "JOPT DYNAMICCALLS true\n";
    if (!P.StaticField.empty())
      OS << "STATICFIELD " << P.StaticField << '\n';
    if (Order)
      OS << "JOPT ORDER " << Order << '\n';
  }
  return Text;
}
