//===- TextPlaces.cpp - Where in a text something stands ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Text/TextPlaces.h"
#include <algorithm>

using namespace jopt;

void TextPlaces::reset(llvm::StringRef Text, unsigned First) {
  Offsets.clear();
  FirstLine = First;
  LineStarts = {0};
  for (size_t I = 0; I < Text.size(); ++I)
    if (Text[I] == '\n')
      LineStarts.push_back(I + 1);
}

TextPlaces::Place TextPlaces::find(const void *Unit) const {
  auto Found = Offsets.find(Unit);
  if (Found == Offsets.end())
    return {};
  auto Next =
      std::upper_bound(LineStarts.begin(), LineStarts.end(), Found->second);
  return {FirstLine + unsigned(Next - LineStarts.begin()) - 1,
          unsigned(Found->second - Next[-1]) + 1};
}
