//===- Highlighter.cpp - Source text as markup ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Highlighter.h"
#include "jopt/Support/JavaNames.h"
#include "jopt/Support/SafeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::StringRef;

static bool isKeyword(StringRef Word) {
  static constexpr StringRef Others[] = {
      "var", "record", "sealed", "permits", "yield", "def",  "val",
      "fun", "when",   "object", "trait",   "match", "lazy", "override"};
  return isJavaKeyword(Word) || llvm::is_contained(Others, Word);
}

static bool isWordChar(char C) {
  return llvm::isAlnum(C) || C == '_' || C == '$' || (C & 0x80);
}

/// How long the literal at the beginning of \p Rest is, up to its quote or the
/// end of the line.
static size_t quotedLength(StringRef Rest) {
  size_t At = 1;
  for (; At < Rest.size() && Rest[At] != Rest.front(); ++At)
    At += Rest[At] == '\\';
  return std::min(At + 1, Rest.size());
}

void Highlighter::writeLine(StringRef Line, llvm::raw_ostream &OS) {
  constexpr StringRef Quotes = "\"\"\"";
  StringRef Rest = Line.rtrim('\r');
  auto Take = [&](size_t Length, const char *Tag) {
    const std::string Text = toXMLText(Rest.take_front(Length));
    if (*Tag && !Text.empty())
      OS << '<' << Tag << '>' << Text << "</" << Tag << '>';
    else
      OS << Text;
    Rest = Rest.drop_front(std::min(Length, Rest.size()));
  };
  /// Up to \p End, from \p From on, which may be on another line.
  auto TakeUpTo = [&](StringRef End, size_t From, const char *Tag) {
    const size_t At = Rest.find(End, From);
    if (At != StringRef::npos)
      Inside = Code;
    Take(At == StringRef::npos ? Rest.size() : At + End.size(), Tag);
  };
  while (!Rest.empty()) {
    if (Inside == Comment) {
      TakeUpTo("*/", 0, "i");
    } else if (Inside == TextBlock) {
      TakeUpTo(Quotes, 0, "u");
    } else if (Rest.starts_with("//")) {
      Take(Rest.size(), "i");
    } else if (Rest.starts_with("/*")) {
      Inside = Comment;
      TakeUpTo("*/", 2, "i");
    } else if (Rest.starts_with(Quotes)) {
      Inside = TextBlock;
      TakeUpTo(Quotes, Quotes.size(), "u");
    } else if (Rest.front() == '"' || Rest.front() == '\'') {
      Take(quotedLength(Rest), "u");
    } else if (isWordChar(Rest.front())) {
      const StringRef Word = Rest.take_while(isWordChar);
      Take(Word.size(), isKeyword(Word) ? "b" : "");
    } else {
      const auto Plain = Rest.take_until([](char C) {
        return isWordChar(C) || C == '"' || C == '\'' || C == '/';
      });
      Take(std::max<size_t>(Plain.size(), 1), "");
    }
  }
}
