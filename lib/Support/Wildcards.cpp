//===- Wildcards.cpp - Patterns with stars --------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/Wildcards.h"
#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

bool jopt::matchesWildcard(StringRef Pattern, StringRef Text) {
  if (Pattern == "*" || Text == "*")
    return true;
  // Most names differ in the first character already.
  if (!Pattern.empty() && Pattern[0] != '*' && !Text.starts_with(Pattern[0]))
    return false;
  size_t Star = Pattern.find('*');
  if (Star == StringRef::npos)
    return Pattern == Text;
  if (!Text.consume_front(Pattern.take_front(Star)))
    return false;
  Pattern = Pattern.drop_front(Star + 1);
  while ((Star = Pattern.find('*')) != StringRef::npos) {
    size_t At = Text.find(Pattern.take_front(Star));
    if (At == StringRef::npos)
      return false;
    Text = Text.drop_front(At + Star);
    Pattern = Pattern.drop_front(Star + 1);
  }
  return Text.ends_with(Pattern);
}

bool jopt::matchesAnyWildcard(llvm::ArrayRef<std::string> Patterns,
                              StringRef Text) {
  return llvm::any_of(Patterns, [&](const std::string &Pattern) {
    return matchesWildcard(Pattern, Text);
  });
}
