//===- TextNumbers.h - Numbers in the texts of classes ----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rules.h says how a number is written.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_COVERAGE_TEXTNUMBERS_H
#define JOPT_LIB_COVERAGE_TEXTNUMBERS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace jopt::coverage {

void putNumber(std::string &Text, uint64_t N);

/// How far it is from one place to another: forwards 2d, backwards 2d - 1.
constexpr uint64_t toDistance(uint32_t From, uint32_t To) {
  return To >= From ? 2 * uint64_t(To - From) : 2 * uint64_t(From - To) - 1;
}
/// The place; negative if it is before the first one.
constexpr int64_t fromDistance(uint32_t From, uint32_t D) {
  return int64_t(From) + (D % 2 ? -int64_t(D / 2) - 1 : int64_t(D / 2));
}

/// Reads what putNumber wrote.
class NumberReader {
public:
  explicit NumberReader(llvm::StringRef Text) : Text(Text) {}

  /// The next number; 0 where there is none, and it has failed.
  uint32_t number();
  /// Marks the text as malformed.
  void fail() { Fine = false; }
  bool failed() const { return !Fine; }
  /// Characters that were read, and that are left.
  size_t offset() const { return At; }
  size_t remaining() const { return Text.size() - At; }

private:
  const llvm::StringRef Text;
  size_t At = 0;
  bool Fine = true;
};

} // namespace jopt::coverage

#endif
