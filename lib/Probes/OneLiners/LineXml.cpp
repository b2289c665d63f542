//===- LineXml.cpp - jopt line as a probe file ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LineSites.h"
#include "OneLinerText.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/JavaNames.h"
#include "jopt/Support/SafeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::oneliner;
using llvm::StringRef;

/// The identifiers in the Java expression \p Code that may be variables: not
/// behind a dot, not in quotes, not called, no literals and no types.
static std::vector<std::string> variablesIn(StringRef Code) {
  std::vector<std::string> Names;
  for (size_t At = 0; At < Code.size();) {
    const char C = Code[At];
    if (C == '"' || C == '\'') {
      for (++At; At < Code.size() && Code[At] != C; ++At)
        At += Code[At] == '\\';
      ++At;
      continue;
    }
    if (!isIdentifierPart(C)) {
      ++At;
      continue;
    }
    const size_t From = At;
    while (At < Code.size() && isIdentifierPart(Code[At]))
      ++At;
    const StringRef Word = Code.slice(From, At);
    const bool IsMember = Code.take_front(From).rtrim().ends_with(".");
    const bool IsCall = Code.drop_front(At).ltrim().starts_with("(");
    if (llvm::isDigit(C) || IsMember ||
        llvm::is_contained({"true", "false", "null"}, Word) ||
        llvm::is_contained({"Math", "Integer", "Long", "Double", "Character",
                            "String", "Boolean"},
                           Word))
      continue;
    Names.push_back(IsCall ? "this" : Word.str());
  }
  return Names;
}

/// The type as which the code of a condition takes a variable of \p Descriptor;
/// empty if it has none that javac sees in any case.
static StringRef conditionType(StringRef Descriptor) {
  return llvm::StringSwitch<StringRef>(Descriptor)
      .Case("Z", "boolean")
      .Case("B", "byte")
      .Case("C", "char")
      .Case("S", "short")
      .Case("I", "int")
      .Case("J", "long")
      .Case("F", "float")
      .Case("D", "double")
      .Case("Ljava/lang/String;", "String")
      .Default("");
}

namespace {

/// Writes the file.
class LineWriter {
public:
  LineWriter(const OneLiner &L, llvm::ArrayRef<LineMethod> Methods)
      : L(L), Methods(Methods), OS(Text), Variables(variablesIn(L.When)),
        Compiles(!L.When.empty() && compilesCondition()) {}
  std::string write();

private:
  /// By which name code takes \p V.
  static std::string itemName(const LineVariable &V) {
    const bool IsName =
        V.HasRow && isJavaIdentifier(V.Name) && !isJavaKeyword(V.Name) &&
        !StringRef(V.Name).starts_with("jopt$") &&
        llvm::all_of(V.Name, [](char C) { return isIdentifierPart(C); });
    return IsName ? V.Name : "slot" + std::to_string(V.Slot);
  }
  bool compilesCondition() const;
  void writeMethod(const LineMethod &M, bool IsFirst);
  void writeScope(const LineMethod &M);
  void writeSite(const LineMethod &M, const LineSite &S, size_t Number);
  std::string helper(const LineSite &S, size_t Number) const;
  bool isNamed(const LineVariable &V) const {
    return Compiles && llvm::is_contained(Variables, V.Name);
  }

  const OneLiner &L;
  llvm::ArrayRef<LineMethod> Methods;
  std::string Text;
  llvm::raw_string_ostream OS;
  /// Those that the condition names.
  const std::vector<std::string> Variables;
  /// javac compiles the condition, which is then asked before anything is made
  /// for the event. Other conditions are read in the program, where types of
  /// objects are known, and fields that nobody else may see.
  const bool Compiles;
};

} // namespace

bool LineWriter::compilesCondition() const {
  return llvm::all_of(Variables, [&](const std::string &Name) {
    return llvm::all_of(Methods, [&](const LineMethod &M) {
      return llvm::all_of(M.Sites, [&](const LineSite &S) {
        return llvm::any_of(S.Variables, [&](const LineVariable &V) {
          return V.Name == Name && itemName(V) == Name &&
                 !conditionType(V.Descriptor).empty();
        });
      });
    });
  });
}

/// A method that says whether the condition holds, whatever it throws.
std::string LineWriter::helper(const LineSite &S, size_t Number) const {
  std::string Java = "static boolean when" + std::to_string(Number) + "(";
  llvm::ListSeparator Comma;
  for (const LineVariable &V : S.Variables)
    if (isNamed(V))
      Java +=
          (StringRef(Comma) + conditionType(V.Descriptor) + " " + V.Name).str();
  return Java + ") {\n        try { return " + L.When +
         "; } catch (Throwable e) { Failures.add(\"--when\", e); return false; "
         "}\n      }\n";
}

void LineWriter::writeScope(const LineMethod &M) {
  std::string Java =
      "\n      static void at(int line, Object self, String names, Object... "
      "values) {\n"
      "        if (followed && !jopt.boot.Client.isFollowed()) return;\n"
      "        LINES.at(json, " +
      javaString(M.Class) + ", " + javaString(M.Name) +
      ", line, self, names, values);\n      }\n";
  for (auto [N, S] : llvm::enumerate(M.Sites))
    if (Compiles)
      Java += "      " + helper(S, N);
  OS << "    <fragmentAtClassScope>" << section(Java + "    ")
     << "</fragmentAtClassScope>\n";
}

void LineWriter::writeSite(const LineMethod &M, const LineSite &S,
                           size_t Number) {
  OS << "    <fragment type=\"line\" lines=\"" << S.Line << "\"";
  if (S.Ordinal)
    OS << " ordinal=\"" << S.Ordinal << "\"";
  OS << ">\n      <data type=\"thisObject\" name=\"jopt$this\"/>\n";
  std::string Names, Values, Asked;
  for (const LineVariable &V : S.Variables) {
    const std::string Item = itemName(V);
    OS << "      <data type=\"local\" name=\"" << Item << "\"";
    if (isNamed(V)) {
      OS << " javaType=\"" << conditionType(V.Descriptor) << "\"";
      Asked += (Asked.empty() ? "" : ", ") + Item;
    }
    OS << "/>\n";
    std::string Shown = V.Name;
    std::replace(Shown.begin(), Shown.end(), ' ', '_');
    Names += (Names.empty() ? "" : " ") + Shown + " " + V.Descriptor;
    Values += ", " + Item;
  }
  if (Compiles)
    OS << "      <condition>when" << Number << "(" << Asked
       << ")</condition>\n";
  OS << "      <code>"
     << section("at(" + std::to_string(S.Line) + ", jopt$this, " +
                javaString(Names) + ", new Object[] {" +
                StringRef(Values).drop_front(Values.empty() ? 0 : 2).str() +
                "});")
     << "</code>\n    </fragment>\n";
}

void LineWriter::writeMethod(const LineMethod &M, bool IsFirst) {
  auto [Package, Class] = StringRef(M.Class).rsplit('/');
  if (!StringRef(M.Class).contains('/')) {
    Class = M.Class;
    Package = ".";
  }
  OS << "  <probe interfaces=\"true\">\n    <name text=\""
     << toXMLText("line " + L.Patterns.front() + " in " + M.Name)
     << "\"/>\n"
        "    <param name=\"json\" type=\"boolean\" default=\"false\"/>\n"
        "    <param name=\"followed\" type=\"boolean\" default=\"false\"/>\n"
     << "    <target type=\"include\" package=\"" << toXMLText(Package)
     << "\" className=\"" << toXMLText(Class) << "\" method=\""
     << toXMLText(M.Name) << "\" signature=\"" << toXMLText(M.Descriptor)
     << "\"/>\n    <target type=\"exclude\"/>\n"
     << "    <import text=\"jopt.probe.*\"/>\n";
  writeScope(M);
  if (IsFirst)
    OS << "    <fragment type=\"onAttach\">\n      <code>"
       << section("LINES.rehearse(json);")
       << "</code>\n    </fragment>\n"
          "    <fragment type=\"onDetach\">\n      <code>"
       << section("Failures.tell(followed);") << "</code>\n    </fragment>\n";
  for (auto [N, S] : llvm::enumerate(M.Sites))
    writeSite(M, S, N);
  OS << "  </probe>\n";
}

std::string LineWriter::write() {
  std::string Java =
      "static final jopt.probe.LineEvents LINES = new jopt.probe.LineEvents()";
  if (!L.When.empty() && !Compiles)
    Java += ".when(" + javaString(L.When) + ")";
  if (!L.Text.empty())
    Java += ".text(" + javaString(L.Text) + ")";
  if (L.Locals)
    Java += ".locals()";
  if (L.Expand)
    Java += ".expand(" + std::to_string(*L.Expand) + ")";
  if (L.Limit)
    Java += ".limit(" + std::to_string(L.Limit) + "L)";
  OS << "<probekit>\n  <fragmentAtSharedScope>" << section(Java + ";")
     << "</fragmentAtSharedScope>\n";
  bool IsFirst = true;
  for (const LineMethod &M : Methods)
    writeMethod(M, std::exchange(IsFirst, false));
  OS << "</probekit>\n";
  return Text;
}

/// Leaves out the sites where a variable that \p When names is not in scope,
/// which is in scope at others: the condition is not for them.
static void dropSites(std::vector<LineMethod> &Methods, StringRef When) {
  auto Has = [](const LineSite &S, StringRef Name) {
    return llvm::any_of(S.Variables,
                        [&](const LineVariable &V) { return V.Name == Name; });
  };
  for (const std::string &Name : variablesIn(When)) {
    if (llvm::none_of(Methods, [&](const LineMethod &M) {
          return llvm::any_of(M.Sites,
                              [&](const LineSite &S) { return Has(S, Name); });
        }))
      continue;
    for (LineMethod &M : Methods)
      llvm::erase_if(M.Sites, [&](const LineSite &S) { return !Has(S, Name); });
    llvm::erase_if(Methods,
                   [](const LineMethod &M) { return M.Sites.empty(); });
  }
}

llvm::Expected<std::string> jopt::lineClass(StringRef Place) {
  auto L = oneliner::read(Place);
  if (!L)
    return L.takeError();
  return L->Lines.Class;
}

llvm::Expected<std::string>
jopt::makeLineProbe(StringRef Place, llvm::ArrayRef<Bytes> ClassFiles) {
  auto L = oneliner::read(Place);
  if (!L)
    return L.takeError();
  std::vector<LineMethod> Methods;
  std::pair<unsigned, unsigned> Near = {0, 0};
  size_t Sites = 0;
  for (Bytes Data : ClassFiles) {
    auto Class = readClass(Data);
    if (!Class)
      return Class.takeError();
    // Another loader has one of that name, too.
    if (llvm::any_of(Methods, [&](const LineMethod &M) {
          return M.Class == (*Class)->name();
        }))
      continue;
    for (LineMethod &M :
         findLineSites(**Class, L->Lines.From, L->Lines.To, Near)) {
      Sites += M.Sites.size();
      Methods.push_back(std::move(M));
    }
  }
  if (Sites > MaxLineSites)
    return makeError("there are " + llvm::Twine(Sites) +
                     " places in these lines; at most " +
                     llvm::Twine(MaxLineSites) + " are probed at once");
  if (Methods.empty()) {
    if (!Near.first && !Near.second)
      return makeError("'" + L->Lines.Class +
                       "' has no line numbers: it was compiled without them");
    std::string Text = "no code of '" + L->Lines.Class + "' begins in line " +
                       std::to_string(L->Lines.From);
    if (L->Lines.To != L->Lines.From)
      Text += "-" + std::to_string(L->Lines.To);
    Text += "; the nearest line that has code is ";
    if (Near.first)
      Text += std::to_string(Near.first);
    if (Near.first && Near.second)
      Text += ", behind it ";
    if (Near.second)
      Text += std::to_string(Near.second);
    return makeError(Text);
  }
  dropSites(Methods, L->When);
  if (Methods.empty())
    return makeError("--when names variables that are never in scope together "
                     "in these lines");
  return LineWriter(*L, Methods).write();
}
