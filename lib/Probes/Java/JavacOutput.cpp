//===- JavacOutput.cpp - Messages of javac --------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Probes/Java/Javac.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::java;
using llvm::StringRef;

/// The level of a message, taken from the front of \p Line.
static std::optional<Severity> takeLevel(StringRef &Line) {
  if (Line.consume_front("error: "))
    return Severity::Error;
  if (Line.consume_front("warning: "))
    return Severity::Warning;
  if (Line.consume_front("Note: "))
    return Severity::Note;
  return std::nullopt;
}

/// "a/X.java:7: error: text", "error: text", "Note: a/X.java text".
static std::optional<JavacMessage> parseHead(StringRef Line,
                                             const JavacJob &Job) {
  JavacMessage M;
  StringRef Rest = Line;
  for (auto [Index, Source] : llvm::enumerate(Job.Sources)) {
    StringRef AtName = Line;
    if (AtName.consume_front(Source.first) && AtName.consume_front(":") &&
        !AtName.consumeInteger(10, M.Line) && AtName.consume_front(": ")) {
      M.Source = int(Index);
      Rest = AtName;
      break;
    }
  }
  std::optional<Severity> Level = takeLevel(Rest);
  if (!Level)
    return std::nullopt;
  M.Level = *Level;
  M.Text = Rest.str();
  if (M.Source < 0)
    for (auto [Index, Source] : llvm::enumerate(Job.Sources))
      if (Rest.consume_front(Source.first)) {
        M.Source = int(Index);
        M.Text = Rest.ltrim().str();
        break;
      }
  return M;
}

/// The line under a line of source that points into it.
static bool isMarker(StringRef Line) { return Line.ltrim(" \t") == "^"; }

static bool isCount(StringRef Line) {
  unsigned N;
  return Line.starts_with("only showing the first ") ||
         (!Line.consumeInteger(10, N) &&
          (Line == " error" || Line == " errors" || Line == " warning" ||
           Line == " warnings"));
}

/// javac prints such a line behind the error for a bad option.
static bool isUsage(StringRef Line) {
  return Line.starts_with("Usage: javac ") || Line.starts_with("use --help ") ||
         Line.starts_with("use -help ");
}

/// The text with runs of white space as one space.
static std::string squeeze(StringRef Line) {
  llvm::SmallVector<StringRef> Words;
  llvm::SplitString(Line, Words);
  return llvm::join(Words, " ");
}

std::vector<JavacMessage> java::parseJavacOutput(StringRef Output,
                                                 const JavacJob &Job) {
  llvm::SmallVector<StringRef> Lines;
  Output.split(Lines, '\n');
  for (StringRef &Line : Lines)
    Line = Line.rtrim('\r');

  std::vector<JavacMessage> Messages;
  bool InMessage = false;
  for (size_t I = 0; I < Lines.size(); ++I) {
    if (std::optional<JavacMessage> M = parseHead(Lines[I], Job)) {
      InMessage = !StringRef(M->Text).starts_with("Recompile with ");
      if (!InMessage)
        continue;
      Messages.push_back(std::move(*M));
      // A line of source and its marker may follow at once; the source may
      // look like anything.
      if (Messages.back().Line && I + 2 < Lines.size() &&
          isMarker(Lines[I + 2])) {
        Messages.back().Column = unsigned(Lines[I + 2].size() - 1);
        I += 2;
      }
      continue;
    }
    if (!InMessage || isCount(Lines[I]) || isUsage(Lines[I]))
      continue;
    JavacMessage &M = Messages.back();
    // Details may also stand between the message and the source.
    if (M.Line && I + 1 < Lines.size() && isMarker(Lines[I + 1])) {
      M.Column = unsigned(Lines[I + 1].size() - 1);
      ++I;
      continue;
    }
    std::string Detail = squeeze(Lines[I]);
    if (!Detail.empty())
      M.Text += (StringRef(M.Text).ends_with(";") ? " " : "; ") + Detail;
  }
  return Messages;
}
