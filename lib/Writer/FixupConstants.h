//===- FixupConstants.h - Code that is alike but for constants ---*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sites of units and calls differ in what they push: the number of a unit, the
/// names of what is called. Code of one of them serves the others.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_SITECONSTANTS_H
#define JOPT_LIB_WRITER_SITECONSTANTS_H

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

/// Finds the holes of \p Code, which was written. Fails if it pushes something
/// else too that looks like what these are filled with.
llvm::Error findFixups(const Snippet &Code);

/// The bytes of \p Code, which has holes.
size_t sizeWithFixups(const SnippetInstance &Code);

/// The bytes of \p Code.
inline size_t sizeOf(const SnippetInstance &Code) {
  return Code->Fixups ? sizeWithFixups(Code) : Code->Code.size();
}

/// Writes the bytes of \p Code, which has holes, to \p To; returns the end.
uint8_t *writeWithFixups(const SnippetInstance &Code, uint8_t *To);

/// Writes them to \p To; returns the end.
inline uint8_t *write(const SnippetInstance &Code, uint8_t *To) {
  return Code->Fixups ? writeWithFixups(Code, To)
                     : copyFew(Code->Code.begin(), Code->Code.end(), To);
}

} // namespace jopt

#endif
