//===- FixupConstants.h - Snippets with fixups ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Snippets of units and calls differ in the constants that they push: the
/// number of a unit, the names of the callee. One snippet serves them all.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_MODEL_FIXUPCONSTANTS_H
#define JOPT_IR_MODEL_FIXUPCONSTANTS_H

#include "jopt/IR/Model/CodePatch.h"
#include <cstring>

namespace jopt {

/// Copies what is mostly a few bytes to \p To; returns the end.
inline uint8_t *copyFew(const uint8_t *From, const uint8_t *End, uint8_t *To) {
  const size_t Size = size_t(End - From);
  if (Size > 16) {
    std::memcpy(To, From, Size);
  } else if (Size >= 8) { // twice what is in the middle
    std::memcpy(To, From, 8);
    std::memcpy(To + Size - 8, End - 8, 8);
  } else if (Size >= 4) {
    std::memcpy(To, From, 4);
    std::memcpy(To + Size - 4, End - 4, 4);
  } else if (Size) {
    To[0] = From[0];
    To[Size / 2] = From[Size / 2];
    To[Size - 1] = End[-1];
  }
  return To + Size;
}

/// Finds the fixups of \p Code, which was written. Fails if it pushes something
/// else too that looks like their constants.
llvm::Error findFixups(const Snippet &Code);

/// The size of \p Code, which has fixups, in bytes.
size_t sizeWithFixups(const SnippetInstance &Code);

/// The size of \p Code in bytes.
inline size_t sizeOf(const SnippetInstance &Code) {
  return Code->Fixups ? sizeWithFixups(Code) : Code->Code.size();
}

/// Writes the bytes of \p Code, which has fixups, to \p To; returns the end.
uint8_t *writeWithFixups(const SnippetInstance &Code, uint8_t *To);

/// Writes them to \p To; returns the end.
inline uint8_t *write(const SnippetInstance &Code, uint8_t *To) {
  return Code->Fixups ? writeWithFixups(Code, To)
                      : copyFew(Code->Code.begin(), Code->Code.end(), To);
}

} // namespace jopt

#endif
