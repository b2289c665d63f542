//===- Secrets.cpp - Values that are not passed on ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Protocol/Secrets.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::protocol;
using llvm::StringRef;
namespace json = llvm::json;

/// Those of jopt.probe.Secrets, which hides values where they are seen; a test
/// compares the lists.
static constexpr StringRef SecretWords[] = {
    "password",   "passwd", "passphrase", "pwd",        "secret",
    "token",      "apikey", "accesskey",  "privatekey", "authorization",
    "credential", "bearer", "cookie",     "sessionid"};
static constexpr StringRef Hidden = "***";

llvm::ArrayRef<StringRef> protocol::secretWords() { return SecretWords; }

bool protocol::namesSecret(StringRef Name) {
  // A place in a stack trace, such as TokenFilter.java:12.
  if (llvm::is_contained({"java", "kt", "scala", "groovy"},
                         Name.rsplit('.').second))
    return false;
  std::string Plain;
  for (char C : Name)
    if (C != '_' && C != '-' && C != '.')
      Plain += llvm::toLower(C);
  return llvm::any_of(SecretWords, [&](StringRef Word) {
    return StringRef(Plain).contains(Word);
  });
}

static bool isPartOfKey(char C) {
  return llvm::isAlnum(C) || C == '_' || C == '-' || C == '$' || C == '.';
}

/// The length of the value that \p Text begins with.
static size_t valueLength(StringRef Text) {
  if (!Text.empty() && (Text[0] == '"' || Text[0] == '\'')) {
    size_t End = 1;
    while (End < Text.size() && Text[End] != Text[0])
      End += Text[End] == '\\' ? 2 : 1;
    return std::min(End + 1, Text.size());
  }
  return std::min(Text.find_first_of(",;&)}]\n\r\"'"), Text.size());
}

std::string protocol::hideSecrets(StringRef Text) {
  std::string Shown;
  while (!Text.empty()) {
    const StringRef Name = Text.take_while(isPartOfKey);
    if (Name.empty()) {
      Shown += Text.front();
      Text = Text.drop_front();
      continue;
    }
    Shown += Name;
    Text = Text.drop_front(Name.size());
    if (!namesSecret(Name))
      continue;
    // The quote behind a name, and what parts it from the value.
    StringRef Left = Text;
    const size_t Gap = Text.find_first_not_of("\"' \t");
    if (Gap == StringRef::npos || (Text[Gap] != '=' && Text[Gap] != ':'))
      continue;
    Left = Text.drop_front(Gap + 1).ltrim(" \t");
    const size_t Length = valueLength(Left);
    if (Length == 0)
      continue;
    Shown += Text.drop_back(Left.size());
    Shown += Hidden;
    Text = Left.drop_front(Length);
  }
  return Shown;
}

void protocol::hideSecrets(json::Value &Value) {
  if (json::Object *O = Value.getAsObject()) {
    for (auto &[Name, Member] : *O) {
      if (namesSecret(Name) && Member.kind() != json::Value::Null)
        Member = Hidden;
      else
        hideSecrets(Member);
    }
  } else if (json::Array *A = Value.getAsArray()) {
    for (json::Value &Element : *A)
      hideSecrets(Element);
  } else if (const auto Text = Value.getAsString()) {
    Value = hideSecrets(*Text);
  }
}
