//===- McpTools.cpp - What a tool takes, and the command for it -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Protocol/McpServer.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::protocol;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

static constexpr StringRef Seconds = "seconds";
static constexpr size_t MaxText = 4096;

static bool isNamePart(char C) {
  return llvm::isAlnum(C) || C == '_' || C == '$';
}

bool protocol::onlyReads(StringRef Java) {
  // An escape may stand for any character.
  if (Java.contains("\\u"))
    return false;
  char Last = '\0'; // in front of what comes, but for blanks
  for (size_t I = 0; I < Java.size(); ++I) {
    const char C = Java[I], Next = I + 1 < Java.size() ? Java[I + 1] : '\0';
    if (C == '"' || C == '\'') {
      for (++I; I < Java.size() && Java[I] != C; ++I)
        I += Java[I] == '\\';
    } else if (isNamePart(C)) {
      const StringRef Word = Java.substr(I).take_while(isNamePart);
      I += Word.size() - 1;
      if (Word == "new" || Word == "switch")
        return false;
    } else if (C == '(') {
      // A call, of a type with arguments too, or a pattern that takes a record
      // apart, which calls its accessors.
      if (isNamePart(Last) || Last == ')' || Last == ']' || Last == '>' ||
          Last == '"')
        return false;
    } else if (C == '=' || C == '!' || C == '<' || C == '>') {
      // == != <= >=, and nothing else that has a =.
      if (Next == '=') {
        if ((C == '<' || C == '>') && Last == C)
          return false;
        ++I;
      } else if (C == '=') {
        return false;
      }
    } else if (C == '+' || C == '-') {
      if (Next == C || Next == '>' || Next == '=')
        return false;
    } else if (StringRef("*/%&|^~").contains(C)) {
      if (Next == '=' || (C == '/' && (Next == '/' || Next == '*')))
        return false;
    } else if (C == ':' && Next == ':') {
      return false;
    } else if (C != ' ' && !StringRef(".,[])?:").contains(C)) {
      return false; // javac knows more characters than these
    }
    if (C != ' ')
      Last = I < Java.size() ? Java[I] : C;
  }
  return true;
}

bool protocol::onlyReadsInBraces(StringRef Template) {
  while (!Template.empty()) {
    if (Template.consume_front("{{"))
      continue;
    if (!Template.consume_front("{")) {
      Template = Template.drop_front();
      continue;
    }
    const size_t End = std::min(Template.find('}'), Template.size());
    // A brace in a string would end the expression at another place.
    const StringRef Java = Template.take_front(End);
    if (Java.contains('"') || Java.contains('\'') || !onlyReads(Java))
      return false;
    Template = Template.drop_front(std::min(End + 1, Template.size()));
  }
  return true;
}

static StringRef typeOf(McpArgument::Type T) {
  switch (T) {
  case McpArgument::Process:
  case McpArgument::Number:
    return "integer";
  case McpArgument::Flag:
    return "boolean";
  case McpArgument::Text:
  case McpArgument::Expression:
  case McpArgument::Template:
    return "string";
  }
  llvm_unreachable("all are listed");
}

static McpArgument secondsArgument() {
  return {"seconds",
          "how long it follows the program; then its probes leave",
          McpArgument::Number,
          /*IsPositional=*/false,
          DefaultSeconds,
          MostSeconds};
}

/// The arguments of \p Tool; that for the time is one of them.
static std::vector<McpArgument> argumentsOf(const McpTool &Tool) {
  std::vector<McpArgument> All = Tool.Arguments;
  if (Tool.Follows)
    All.push_back(secondsArgument());
  return All;
}

json::Object protocol::describeTool(const McpTool &Tool) {
  json::Object Properties;
  json::Array Required;
  for (const McpArgument &A : argumentsOf(Tool)) {
    json::Object P{{"type", typeOf(A.Is)}, {"description", A.What}};
    if (A.Is == McpArgument::Process || A.Is == McpArgument::Number)
      P["minimum"] = 1;
    if (A.Most)
      P["maximum"] = A.Most;
    if (A.Default)
      P["default"] = A.Default;
    Properties[A.Name] = std::move(P);
    if (A.IsPositional)
      Required.push_back(A.Name);
  }
  return json::Object{
      {"name", Tool.Name},
      {"description", Tool.What},
      {"inputSchema", json::Object{{"type", "object"},
                                   {"properties", std::move(Properties)},
                                   {"required", std::move(Required)},
                                   {"additionalProperties", false}}},
      {"annotations", json::Object{{"readOnlyHint", !Tool.Changes},
                                   {"destructiveHint", Tool.Changes},
                                   {"openWorldHint", false}}}};
}

/// \p V as a word of a command, where it is what \p A wants.
static llvm::Expected<std::string> readArgument(const McpArgument &A,
                                                const json::Value &V,
                                                const McpOptions &Options) {
  auto Wrong = [&](const Twine &Why) {
    return makeError("'" + A.Name + "' " + Why);
  };
  if (A.Is == McpArgument::Flag) {
    if (!V.getAsBoolean())
      return Wrong("is true or false");
    return std::string(*V.getAsBoolean() ? "true" : "");
  }
  if (A.Is == McpArgument::Process || A.Is == McpArgument::Number) {
    const auto N = V.getAsInteger();
    const int64_t Most = A.Is == McpArgument::Process ? INT32_MAX
                         : A.Most                     ? A.Most
                                                      : 1000000;
    if (!N || *N < 1 || *N > Most)
      return Wrong("is an integer from 1 to " + Twine(Most));
    return std::to_string(*N);
  }
  const auto Text = V.getAsString();
  if (!Text || Text->trim().empty() || Text->size() > MaxText ||
      llvm::any_of(*Text, [](unsigned char C) { return C < ' ' || C == 0x7f; }))
    return Wrong("is a line of text with up to " + Twine(MaxText) + " bytes");
  if (A.IsPositional && Text->starts_with("-"))
    return Wrong("does not begin with '-'");
  const bool OnlyReads = A.Is == McpArgument::Expression ? onlyReads(*Text)
                         : A.Is == McpArgument::Template
                             ? onlyReadsInBraces(*Text)
                             : true;
  if (!OnlyReads && !Options.AllowCalls)
    return Wrong("may read arguments, results and fields; this server allows "
                 "no calls, no 'new', no assignments, and no quotes in "
                 "a template (jopt mcp --allow=calls does)");
  return Text->str();
}

llvm::Expected<std::vector<std::string>>
protocol::makeCommand(const McpTool &Tool, const json::Object &Given,
                      const McpOptions &Options) {
  const std::vector<McpArgument> Arguments = argumentsOf(Tool);
  for (const auto &[Name, Value] : Given)
    if (llvm::none_of(Arguments, [&Name = Name](const McpArgument &A) {
          return Name.str() == A.Name;
        }))
      return makeError("'" + StringRef(Name) +
                       "': the tool has no such argument");
  std::vector<std::string> Words = {Tool.Name}, Named;
  for (const McpArgument &A : Arguments) {
    const json::Value *V = Given.get(A.Name);
    std::string Word = A.Default ? std::to_string(A.Default) : "";
    if (V && V->kind() != json::Value::Null) {
      auto Read = readArgument(A, *V, Options);
      if (!Read)
        return Read.takeError();
      Word = std::move(*Read);
    } else if (A.IsPositional) {
      return makeError("'" + A.Name + "' is needed: " + A.What);
    }
    if (Word.empty())
      continue;
    if (A.IsPositional)
      Words.push_back(Word);
    else if (A.Is == McpArgument::Flag)
      Named.push_back("--" + A.Name);
    else if (A.Name == Seconds)
      Named.push_back("--for=" + Word + "s");
    else
      Named.push_back("--" + A.Name + "=" + Word);
  }
  llvm::append_range(Words, Named);
  return Words;
}
