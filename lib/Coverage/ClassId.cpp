//===- ClassId.cpp - By what JaCoCo knows a class -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/ClassId.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <array>

using namespace jopt;

/// How many bytes are taken at a time.
static constexpr size_t Step = 8;

/// The remainder of each byte, and of each with so many zeros behind it, by the
/// polynomial, bits reversed.
static constexpr auto Remainders = [] {
  std::array<std::array<uint64_t, 256>, Step> Table{};
  for (unsigned Byte = 0; Byte < 256; ++Byte) {
    uint64_t V = Byte;
    for (int Bit = 0; Bit < 8; ++Bit)
      V = V >> 1 ^ (V & 1 ? 0xd800000000000000 : 0);
    Table[0][Byte] = V;
  }
  for (size_t Zeros = 1; Zeros < Step; ++Zeros)
    for (unsigned Byte = 0; Byte < 256; ++Byte) {
      const uint64_t V = Table[Zeros - 1][Byte];
      Table[Zeros][Byte] = V >> 8 ^ Table[0][uint8_t(V)];
    }
  return Table;
}();

uint64_t coverage::classId(Bytes ClassFile) {
  constexpr size_t Version = 6;
  uint64_t Sum = 0;
  auto Add = [&](uint8_t Byte) {
    Sum = Sum >> 8 ^ Remainders[0][uint8_t(Sum) ^ Byte];
  };
  const bool IsJava9 =
      ClassFile.size() > Version + 1 && readU2(&ClassFile[Version]) == 53;
  size_t I = 0;
  for (; I < std::min(ClassFile.size(), Version + 2); ++I)
    Add(IsJava9 && I == Version + 1 ? 52 : ClassFile[I]);
  for (; ClassFile.size() - I >= Step; I += Step) {
    Sum ^= llvm::support::endian::read64le(&ClassFile[I]);
    uint64_t Next = 0;
    for (size_t Byte = 0; Byte < Step; ++Byte)
      Next ^= Remainders[Step - 1 - Byte][uint8_t(Sum >> 8 * Byte)];
    Sum = Next;
  }
  for (; I < ClassFile.size(); ++I)
    Add(ClassFile[I]);
  return Sum;
}
