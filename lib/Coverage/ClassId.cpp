//===- ClassId.cpp - By what JaCoCo knows a class -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/ClassId.h"
#include <array>

using namespace jopt;

/// The remainder of each byte by the polynomial, bits reversed.
static constexpr std::array<uint64_t, 256> Remainders = [] {
  std::array<uint64_t, 256> Table{};
  for (unsigned Byte = 0; Byte < 256; ++Byte) {
    uint64_t V = Byte;
    for (int Bit = 0; Bit < 8; ++Bit)
      V = V >> 1 ^ (V & 1 ? 0xd800000000000000 : 0);
    Table[Byte] = V;
  }
  return Table;
}();

uint64_t coverage::classId(Bytes ClassFile) {
  constexpr size_t Version = 6;
  uint64_t Sum = 0;
  auto Add = [&](uint8_t Byte) {
    Sum = Sum >> 8 ^ Remainders[uint8_t(Sum) ^ Byte];
  };
  const bool IsJava9 =
      ClassFile.size() > Version + 1 && readU2(&ClassFile[Version]) == 53;
  for (size_t I = 0; I < ClassFile.size(); ++I)
    Add(IsJava9 && I == Version + 1 ? 52 : ClassFile[I]);
  return Sum;
}
