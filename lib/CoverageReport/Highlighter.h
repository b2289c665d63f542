//===- Highlighter.h - Source text as markup --------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_COVERAGEREPORT_HIGHLIGHTER_H
#define JOPT_LIB_COVERAGEREPORT_HIGHLIGHTER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace jopt::coverage {

/// Marks words of Java and languages like it as `<b>`, comments as `<i>`, and
/// literal texts as `<u>`. Takes the lines of a file one after the other.
class Highlighter {
public:
  void writeLine(llvm::StringRef Line, llvm::raw_ostream &OS);

private:
  /// What the next line begins in.
  enum { Code, Comment, TextBlock } Inside = Code;
};

} // namespace jopt::coverage

#endif
