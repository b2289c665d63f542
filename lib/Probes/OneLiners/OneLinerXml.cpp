//===- OneLinerXml.cpp - A one-liner as a probe file ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OneLinerText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::oneliner;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// What expressions and verbs may name, and what it takes.
struct Name {
  llvm::StringLiteral Text;
  llvm::StringLiteral Items;  ///< data items by their types and names
  llvm::StringLiteral Before; ///< Java that defines it
  bool AtExit;                ///< it is known when the call is over
};

} // namespace

/// In the order in which they may be defined.
static constexpr Name Names[] = {
    {"internalName", "className:internalName", "", false},
    {"methodName", "methodName:methodName", "", false},
    {"className", "className:internalName",
     "String className = internalName.replace('/', '.');", false},
    {"method", "className:internalName methodName:methodName",
     "String method = internalName.replace('/', '.') + '.' + methodName;",
     false},
    {"signature", "methodSig:signature", "", false},
    {"args", "args:args", "", false},
    {"self", "thisObject:self", "", false},
    {"thread", "", "String thread = Thread.currentThread().getName();", false},
    {"caller", "", "String caller = Stacks.caller();", false},
    {"result", "returnedObject:result", "", true},
    {"thrown", "exceptionObject:thrown", "", true},
    {"durationNs", "invocationObject:begun",
     "long durationNs = System.nanoTime() - begun;", true},
    {"durationMs", "invocationObject:begun",
     "double durationMs = durationNs / 1e6;", true},
};

static bool isIdentifierPart(char C) {
  return llvm::isAlnum(C) || C == '_' || C == '$';
}

/// \p Code has the identifier \p Word, not behind a dot.
static bool names(StringRef Code, StringRef Word) {
  for (size_t At = 0; (At = Code.find(Word, At)) != StringRef::npos; ++At)
    if ((!At || (!isIdentifierPart(Code[At - 1]) && Code[At - 1] != '.')) &&
        (At + Word.size() == Code.size() ||
         !isIdentifierPart(Code[At + Word.size()])))
      return true;
  return false;
}

static std::string escaped(StringRef Text) {
  std::string Xml;
  llvm::raw_string_ostream OS(Xml);
  llvm::printHTMLEscaped(Text, OS);
  return Xml;
}

/// \p Java in a CDATA section, whatever is in it.
static std::string section(std::string Java) {
  for (size_t At = 0; (At = Java.find("]]>", At)) != std::string::npos;
       At += 12)
    Java.replace(At, 3, "]]]]><![CDATA[>");
  return "<![CDATA[" + Java + "]]>";
}

namespace {

/// Writes the file of a one-liner.
class Writer {
public:
  explicit Writer(const OneLiner &L) : L(L), OS(Text) {}
  std::string write();

private:
  void writeTargets();
  void writeFragment(StringRef Type, StringRef Code);
  /// Of the class of the probe; empty if it needs none.
  std::string members() const;
  /// What is done when the probe comes; empty if nothing is.
  std::string beginning() const;
  /// What is done with a call.
  std::string action() const;
  std::string event() const;

  const OneLiner &L;
  std::string Text;
  llvm::raw_string_ostream OS;
};

} // namespace

void Writer::writeTargets() {
  for (const Target &T : L.Targets) {
    OS << "    <target type=\"include\" package=\"" << escaped(T.Package)
       << "\" className=\"" << escaped(T.Class) << "\" method=\""
       << escaped(T.Method) << "\"";
    if (T.Signature != "*")
      OS << " signature=\"" << escaped(T.Signature) << "\"";
    OS << "/>\n";
  }
  OS << "    <target type=\"exclude\"/>\n";
}

std::string Writer::beginning() const {
  if (L.Verb != "count" && L.Verb != "monitor" && L.Verb != "top")
    return "";
  return "Output.to(json ? \"json\" : \"text\", " + std::to_string(L.Interval) +
         ");" + (L.Rows ? " Output.top(" + std::to_string(L.Rows) + ");" : "");
}

std::string Writer::members() const {
  if (L.Verb == "count")
    return "static final Keyed<Counter> CALLS = Keyed.counters(\"calls\");";
  if (L.Verb == "monitor")
    return "static final Monitor CALLS = Monitor.named(\"calls\");";
  if (L.Verb == "top")
    return "static final Times CALLS = Times.named(\"calls\");";
  std::string Members;
  if (L.Limit)
    Members = "static final RateLimit LIMIT = RateLimit.first(" +
              std::to_string(L.Limit) + "L);";
  if (L.Verb == "throws")
    Members += (Members.empty() ? "" : "\n      ") +
               std::string("static final Once SEEN = new Once();");
  return Members;
}

/// The event that a call is.
std::string Writer::event() const {
  std::string Code = "Event.of(internalName, methodName)";
  if (L.Self)
    Code += ".self(self)";
  if (L.Args)
    Code += ".args(args)";
  if (L.Result)
    Code += ".result(result, signature).thrown(thrown)";
  if (L.Verb == "throws")
    Code += ".thrown(thrown).stackOf(thrown, " + std::to_string(L.Stack) + ")";
  else if (L.Stack)
    Code += ".stack(Stacks.trace(" + std::to_string(L.Stack) + "))";
  if (L.Verb == "watch")
    Code += ".took(durationNs)";
  return Code + ".print(json);";
}

std::string Writer::action() const {
  std::string Code;
  // What comes before the client is there would be neither seen nor counted.
  if (L.Verb == "watch" || L.Verb == "stack" || L.Verb == "throws")
    Code += "if (followed && !jopt.boot.Client.isFollowed()) return;\n";
  if (L.Verb == "throws")
    Code += "if (thrown == null || !SEEN.isNew(thrown)) return;\n";
  if (!L.When.empty() && L.Verb != "top")
    Code += "if (!(" + L.When + ")) return;\n";
  if (L.Limit)
    Code += "if (!LIMIT.take()) return;\n";
  if (L.Verb == "count")
    return Code + "CALLS.of(" +
           (L.By == "stack" ? std::string("Stacks.folded(50)") : L.By) +
           ").add();";
  if (L.Verb == "monitor")
    return Code + "CALLS.record(method, durationNs, thrown != null);";
  return Code + event();
}

/// A fragment with the data items that \p Code names, which are defined first.
void Writer::writeFragment(StringRef Type, StringRef Code) {
  llvm::SmallVector<StringRef, 8> Items;
  std::string Java;
  for (const Name &N : Names) {
    if (!names(Code, N.Text) &&
        !(N.Text == "durationNs" && names(Code, "durationMs")))
      continue;
    llvm::SmallVector<StringRef, 2> Own;
    N.Items.split(Own, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef Item : Own)
      if (!llvm::is_contained(Items, Item))
        Items.push_back(Item);
    if (!N.Before.empty())
      Java += (N.Before + "\n").str();
  }
  Java += Code;
  OS << "    <fragment type=\"" << Type << "\">\n";
  for (StringRef Item : Items)
    OS << "      <data type=\"" << Item.split(':').first << "\" name=\""
       << Item.split(':').second << "\"/>\n";
  OS << "      <code>" << section("\n" + Java + "\n      ") << "</code>\n"
     << "    </fragment>\n";
}

std::string Writer::write() {
  const bool Ancestors = llvm::none_of(L.Targets, [](const Target &T) {
    return StringRef(T.Class).contains('*') ||
           (T.Package != "*" && StringRef(T.Package).contains('*'));
  });
  OS << "<probekit>\n  <probe" << (Ancestors ? " targetHierarchy=\"true\"" : "")
     << " interfaces=\"true\">\n    <name text=\""
     << escaped(L.Verb + " " + llvm::join(L.Patterns, " ")) << "\"/>\n"
     << "    <param name=\"json\" type=\"boolean\" default=\"false\"/>\n"
     << "    <param name=\"followed\" type=\"boolean\" default=\"false\"/>\n";
  writeTargets();
  OS << "    <import text=\"jopt.probe.*\"/>\n";
  const bool Times = L.Verb == "top";
  const std::string Code = Times ? "" : action();
  const bool AtExit = llvm::any_of(
      Names, [&](const Name &N) { return N.AtExit && names(Code, N.Text); });
  const bool Takes = names(Code, "durationNs") || names(Code, "durationMs");
  if (Takes || Times)
    OS << "    <invocationObject name=\"begun\" type=\""
       << (Times ? "Object" : "long") << "\"/>\n";
  if (std::string Members = members(); !Members.empty())
    OS << "    <fragmentAtClassScope>"
       << section("\n      " + Members + "\n    ")
       << "</fragmentAtClassScope>\n";
  if (std::string Java = beginning(); !Java.empty())
    OS << "    <fragment type=\"onAttach\">\n      <code>" << section(Java)
       << "</code>\n    </fragment>\n";
  if (Times) {
    writeFragment(
        "entry",
        (L.When.empty() ? "" : "if (!(" + L.When + ")) return null;\n") +
            std::string("return CALLS.begin(method);"));
    OS << "    <fragment type=\"exit\">\n      <data type=\"invocationObject\" "
          "name=\"begun\"/>\n      <code>CALLS.end(begun);</code>\n"
          "    </fragment>\n";
  } else {
    if (Takes)
      OS << "    <fragment type=\"entry\">\n      <code>return "
            "System.nanoTime();</code>\n    </fragment>\n";
    writeFragment(AtExit ? "exit" : "entry", Code);
  }
  OS << "  </probe>\n</probekit>\n";
  return Text;
}

Expected<std::string> jopt::makeOneLiner(StringRef Place) {
  auto L = oneliner::read(Place);
  if (!L)
    return L.takeError();
  return Writer(*L).write();
}
