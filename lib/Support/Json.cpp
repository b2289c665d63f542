//===- Json.cpp - JSON of others ------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/Json.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;

llvm::Expected<llvm::json::Value> jopt::parseJson(llvm::StringRef Text,
                                                  unsigned MaxDepth) {
  unsigned Depth = 0;
  bool InString = false;
  for (size_t I = 0; I < Text.size(); ++I) {
    const char C = Text[I];
    if (C == '"')
      InString = !InString;
    else if (InString)
      I += C == '\\';
    else if ((C == '[' || C == '{') && ++Depth > MaxDepth)
      return makeError("JSON with more than " + llvm::Twine(MaxDepth) +
                       " levels");
    else if ((C == ']' || C == '}') && Depth)
      --Depth;
  }
  return llvm::json::parse(Text);
}
