//===- ExpectedDiagnostics.cpp - Messages that a test asks for ------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/ExpectedDiagnostics.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using llvm::StringRef;

static constexpr std::pair<const char *, Severity> Levels[] = {
    {"error", Severity::Error},
    {"warning", Severity::Warning},
    {"remark", Severity::Remark},
    {"note", Severity::Note}};

static StringRef getName(Severity S) {
  for (auto [Name, Level] : Levels)
    if (Level == S)
      return Name;
  return "warning"; // Undone is one
}

/// The line behind `@`, as \p Line is that of the announcement; 0 for unknown.
static bool readLine(StringRef &Rest, unsigned &Line) {
  if (!Rest.consume_front("@"))
    return true;
  if (Rest.consume_front("unknown")) {
    Line = 0;
    return true;
  }
  const bool Below = Rest.consume_front("+");
  unsigned N;
  if ((!Below && !Rest.consume_front("-")) || Rest.consumeInteger(10, N) ||
      (!Below && N >= Line))
    return false;
  Line = Below ? Line + N : Line - N;
  return true;
}

llvm::Error ExpectedDiagnostics::read(StringRef Text, StringRef File) {
  llvm::SmallVector<StringRef, 0> Lines;
  Text.split(Lines, '\n');
  for (unsigned Number = 1; Number <= Lines.size(); ++Number) {
    StringRef Line = Lines[Number - 1];
    StringRef Rest = Line.substr(Line.find(';'));
    for (size_t At; (At = Rest.find("expected-")) != StringRef::npos;) {
      Rest = Rest.drop_front(At);
      Expectation E;
      E.Announced =
          Location(File, Number, unsigned(Rest.data() - Line.data()) + 1);
      Rest = Rest.drop_front(StringRef("expected-").size());
      auto *Level = llvm::find_if(
          Levels, [&](const auto &L) { return Rest.consume_front(L.first); });
      if (Level == std::end(Levels))
        continue;
      E.Level = Level->second;
      unsigned Where = Number;
      const bool HasLine = readLine(Rest, Where);
      Rest = Rest.ltrim();
      const size_t End = Rest.find("}}");
      if (!HasLine || !Rest.consume_front("{{") || End == StringRef::npos)
        return makeError(E.Announced,
                         "expected '@+N', '@-N', '@unknown' or nothing, and "
                         "'{{part of the message}}'");
      E.Where = Location(File, Where);
      E.Part = Rest.take_front(End - 2).str();
      Rest = Rest.drop_front(End);
      Expected.push_back(std::move(E));
    }
  }
  return llvm::Error::success();
}

void ExpectedDiagnostics::handle(const Diagnostic &D) {
  for (Expectation &E : Expected) {
    const bool SamePlace =
        E.Where.Line == D.Where.Line &&
        (D.Where.File.empty() || E.Where.File == D.Where.File);
    if (E.Came || !SamePlace || getName(D.Level) != getName(E.Level) ||
        !StringRef(D.Message).contains(E.Part))
      continue;
    E.Came = true;
    return;
  }
  Unexpected.push_back(D);
}

std::vector<Diagnostic> ExpectedDiagnostics::finish() const {
  std::vector<Diagnostic> Wrong;
  for (const Diagnostic &D : Unexpected) {
    Diagnostic &W = Wrong.emplace_back(D);
    W.Level = Severity::Error;
    W.Message = ("unexpected " + getName(D.Level) + ": " + D.Message).str();
  }
  for (const Expectation &E : Expected)
    if (!E.Came) {
      Diagnostic &W = Wrong.emplace_back();
      W.Where = E.Announced;
      W.Message =
          ("expected " + getName(E.Level) + " \"" + E.Part + "\" did not come")
              .str();
    }
  return Wrong;
}
