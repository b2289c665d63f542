//===- ClassId.cpp - By what JaCoCo knows a class -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/ClassId.h"
#include "llvm/Support/Endian.h"
#include <array>

using namespace jopt;

// The polynomial is x^64 + x^4 + x^3 + x + 1, so what 64 bits leave is a few
// sums of them. Bits are reversed: a shift to the right multiplies by x.

/// What four bits leave that were shifted out of a word.
static constexpr auto Remainders = [] {
  std::array<uint64_t, 16> Table{};
  for (uint64_t Bits = 0; Bits < Table.size(); ++Bits) {
    const uint64_t Out = Bits << 63 ^ Bits << 61 ^ Bits << 60;
    Table[Bits] = Out ^ Out >> 1 ^ Out >> 3 ^ Out >> 4;
  }
  return Table;
}();

/// The remainder of \p Word with 64 zeros behind it.
static uint64_t remainder(uint64_t Word) {
  return Word ^ Word >> 1 ^ Word >> 3 ^ Word >> 4 ^ Remainders[Word & 15];
}

uint64_t coverage::classId(Bytes ClassFile) {
  constexpr size_t Version = 6, Word = 8;
  const bool IsJava9 =
      ClassFile.size() >= Word && readU2(&ClassFile[Version]) == 53;
  // Zeros in front say nothing, so all words but the first are whole.
  const size_t Front = ClassFile.size() % Word;
  uint64_t Sum = 0;
  for (size_t I = 0; I < Front; ++I)
    Sum |= uint64_t(ClassFile[I]) << 8 * (Word - Front + I);
  Sum = remainder(Sum);
  // It counts as version 52, which differs in the eighth byte.
  if (IsJava9)
    Sum ^= uint64_t(53 ^ 52) << 8 * (Word - 1 - Front);
  for (size_t I = Front; I < ClassFile.size(); I += Word)
    Sum = remainder(Sum ^ llvm::support::endian::read64le(&ClassFile[I]));
  return Sum;
}
