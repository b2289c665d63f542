//===- Servers.cpp - jopt mcp, jopt dap -----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Servers.h"
#include "VerbTable.h"
#include "jopt/Probes/OneLiner.h"
#include "jopt/Protocol/DapServer.h"
#include "jopt/Protocol/McpServer.h"
#include "jopt/Support/Interrupt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace jopt;
using namespace jopt::protocol;
using llvm::StringRef;

static McpArgument processArgument() {
  return {"pid", "the number of the JVM's process, as ps lists it",
          McpArgument::Process, /*IsPositional=*/true};
}

static McpArgument methodsArgument() {
  return {"methods",
          "CLASS#METHOD(TYPES), such as com.shop.Cart#add(int, ..) or "
          "com.shop.*#*",
          McpArgument::Text, /*IsPositional=*/true};
}

static McpArgument lineArgument() {
  return {"place", "CLASS:LINE or CLASS:LINE-LINE, such as com.shop.Cart:42",
          McpArgument::Text, /*IsPositional=*/true};
}

/// The number of rows of a list.
static McpArgument limitArgument() {
  return {"limit",
          "so many rows",
          McpArgument::Number,
          /*IsPositional=*/false,
          /*Default=*/100,
          /*Most=*/1000};
}

static McpArgument::Type typeOf(StringRef Value) {
  return Value.empty()                        ? McpArgument::Flag
         : Value == "N" || Value == "SECONDS" ? McpArgument::Number
         : Value == "JAVA"                    ? McpArgument::Expression
         : Value == "TEMPLATE"                ? McpArgument::Template
         : Value == "TEMPLATE"                ? McpArgument::Template
                                              : McpArgument::Text;
}

/// The options of the one-liner \p Verb.
static void addOptions(StringRef Verb, std::vector<McpArgument> &To) {
  constexpr int64_t DefaultEvents = 20, MostEvents = 1000;
  auto Add = [&](StringRef Name, StringRef Value, StringRef Of,
                 StringRef What) {
    // With samples these verbs take other arguments.
    if (Name == "sample" || !llvm::is_contained(llvm::split(Of, ' '), Verb))
      return;
    McpArgument A{Name.str(), What.str(), typeOf(Value)};
    if (Name == "limit") {
      A.Default = DefaultEvents;
      A.Most = MostEvents;
    }
    // Objects as parts: their toString() is code of the program.
    if (Name == "expand") {
      A.Default = 1;
      A.Most = 5;
    }
    To.push_back(std::move(A));
  };
#define ONE_LINER_OPTION(NAME, VALUE, OF, WHAT) Add(#NAME, VALUE, OF, WHAT);
#include "jopt/Probes/OneLiners.def"
}

/// The verbs that are tools. Not `tt`, which keeps calls in the program, nor
/// `record`, which has it write files.
static std::vector<McpTool> makeTools() {
  const McpArgument Pid = processArgument();
  const std::pair<StringRef, std::vector<McpArgument>> Asking[] = {
      {"ps", {}},
      {"lib", {}},
      {"status", {Pid}},
      {"report", {Pid}},
      {"doctor", {Pid}},
      {"classes",
       {Pid,
        {"pattern", "names of classes, such as com.shop.*", McpArgument::Text,
         /*IsPositional=*/true},
        limitArgument()}},
      {"methods",
       {Pid,
        {"class", "its name, or a pattern", McpArgument::Text,
         /*IsPositional=*/true},
        limitArgument()}},
  };
  const std::pair<StringRef, std::vector<McpArgument>> Changing[] = {
      {"attach",
       {Pid,
        {"probes", "a probe file, or lib:NAME for one of lib",
         McpArgument::Text}}},
      {"off", {Pid}},
      {"set",
       {Pid,
        {"parameter", "NAME=VALUE", McpArgument::Text,
         /*IsPositional=*/true}}},
  };
  std::vector<McpTool> Tools;
  auto Add = [&](StringRef Verb) -> McpTool & {
    McpTool &T = Tools.emplace_back();
    T.Name = Verb.str();
    T.What = findVerb(Verbs, Verb)->What.str();
    std::replace(T.What.begin(), T.What.end(), '\n', ' ');
    return T;
  };
  for (const auto &[Verb, Arguments] : Asking)
    Add(Verb).Arguments = Arguments;
  for (const OneLinerVerb &Verb : OneLinerVerbs) {
    if (Verb.Name == "tt" || Verb.Name == "record")
      continue;
    McpTool &T = Add(Verb.Name);
    T.Follows = true;
    T.Arguments = {Pid,
                   Verb.Name == "line" ? lineArgument() : methodsArgument()};
    addOptions(Verb.Name, T.Arguments);
  }
  for (const auto &[Verb, Arguments] : Changing) {
    McpTool &T = Add(Verb);
    T.Arguments = Arguments;
    T.Changes = true;
  }
  return Tools;
}

bool jopt::isServerVerb(StringRef Word) {
  return Word == "mcp" || Word == "dap";
}

int jopt::runServer(llvm::ArrayRef<const char *> Arguments,
                    DiagnosticEngine &Diags) {
  const std::string Program =
      llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  if (StringRef(Arguments[0]) == "dap") {
    if (Arguments.size() > 1) {
      Diags.report(Severity::Error, Location(), "jopt dap takes no options");
      return 1;
    }
    return serveDap(Program);
  }
  McpOptions Options;
  Options.Version = JOPT_VERSION;
  for (StringRef Word : Arguments.drop_front()) {
    bool IsKnown = Word.consume_front("--allow=");
    for (StringRef What : llvm::split(Word, ',')) {
      Options.AllowCalls |= What == "calls";
      Options.AllowChanges |= What == "changes";
      IsKnown &= What == "calls" || What == "changes";
    }
    if (IsKnown)
      continue;
    Diags.report(Severity::Error, Location(),
                 "jopt mcp takes --allow=calls, --allow=changes or "
                 "--allow=calls,changes");
    return 1;
  }
  // Anything on the command line that may be moved stays out of it.
  Options.Program = Program;
  return serveMcp(makeTools(), Options);
}
