//===- Decoder.h - Instructions out of code bytes ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Decodes one instruction at a time from the code array of a Code attribute
/// (JVM specification, 4.7.3 and chapter 6).
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_BYTECODE_DECODER_H
#define JOPT_BYTECODE_DECODER_H

#include "jopt/Bytecode/Opcodes.h"
#include "jopt/Support/Bytes.h"

namespace jopt {

/// One decoded instruction. Refers to the code bytes for switch tables.
struct DecodedInst {
  uint32_t BCI = 0;    ///< offset of the opcode (of `wide`, if prefixed)
  uint32_t Length = 0; ///< bytes, prefix, padding and tables included
  Opcode Op = 0;       ///< the opcode, after a `wide` prefix
  bool Wide = false;   ///< had a `wide` prefix
  /// Constant-pool index, local slot (implied ones too: 1 for iload_1), or the
  /// type code of newarray.
  uint32_t Index = 0;
  /// bipush/sipush value, iinc increment, absolute branch target (the default
  /// target of a switch), count of invokeinterface, dimensions of
  /// multianewarray.
  int32_t Value = 0;
  /// Switches: low (tableswitch), number of explicit targets, and the table.
  int32_t Low = 0;
  uint32_t NumCases = 0;
  const uint8_t *Table = nullptr;

  const OpcodeInfo &info() const { return detail::OpcodeRows[Op]; }
  uint32_t end() const { return BCI + Length; }
  /// Key and absolute target of explicit case \p I of a switch.
  int32_t caseKey(uint32_t I) const {
    return Op == op::TABLESWITCH ? int32_t(uint32_t(Low) + I)
                                 : int32_t(readU4(Table + 8 * I));
  }
  int32_t caseTarget(uint32_t I) const {
    const uint8_t *P =
        Op == op::TABLESWITCH ? Table + 4 * I : Table + 8 * I + 4;
    return int32_t(BCI + readU4(P));
  }
  /// Calls \p Use with each absolute target of a branch or switch, the default
  /// first and then the cases in their order; as often as they are there.
  template <typename Fn> void forEachTarget(Fn Use) const {
    if (!info().Branches)
      return;
    Use(Value);
    for (uint32_t I = 0; I < NumCases; ++I)
      Use(caseTarget(I));
  }
};

/// Decodes the instruction at \p BCI of \p Code. False if the opcode is not
/// defined, the instruction runs past the end, `wide` prefixes one that has no
/// wide form, or a switch has high < low or a negative count. Branch targets,
/// padding bytes and pool indices are not checked.
inline bool decodeInst(Bytes Code, uint32_t BCI, DecodedInst &I);

/// The length of the instruction at \p BCI, as its opcode says; 0: it has to be
/// decoded, or is cut short. \p BCI must be in \p Code.
inline uint32_t lengthAt(Bytes Code, uint32_t BCI);

namespace detail {
/// Formats with more than two operand bytes. \p I has BCI and Op.
bool decodeLongInst(Bytes Code, DecodedInst &I);
} // namespace detail

uint32_t lengthAt(Bytes Code, uint32_t BCI) {
  const uint32_t Length = detail::OpcodeRows[Code[BCI]].Length;
  return Length <= Code.size() - BCI ? Length : 0;
}

bool decodeInst(Bytes Code, uint32_t BCI, DecodedInst &I) {
  if (BCI >= Code.size())
    return false;
  const uint8_t *P = Code.data() + BCI;
  I = DecodedInst();
  I.BCI = BCI;
  I.Op = P[0];
  const OpcodeInfo &Info = I.info();
  auto Need = [&](uint32_t N) {
    I.Length = N;
    return Code.size() - BCI >= N;
  };
  switch (Info.Fmt) {
  case op::FmtNone:
    I.Index = Info.Slot;
    I.Length = 1;
    return true;
  case op::FmtS1:
    if (!Need(2))
      return false;
    I.Value = int8_t(P[1]);
    return true;
  case op::FmtCP1:
  case op::FmtLocal:
  case op::FmtNewArray:
    if (!Need(2))
      return false;
    I.Index = P[1];
    return true;
  case op::FmtS2:
    if (!Need(3))
      return false;
    I.Value = int16_t(readU2(P + 1));
    return true;
  case op::FmtCP2:
    if (!Need(3))
      return false;
    I.Index = readU2(P + 1);
    return true;
  case op::FmtIinc:
    if (!Need(3))
      return false;
    I.Index = P[1];
    I.Value = int8_t(P[2]);
    return true;
  case op::FmtBranch2:
    if (!Need(3))
      return false;
    I.Value = int32_t(BCI) + int16_t(readU2(P + 1));
    return true;
  default:
    return detail::decodeLongInst(Code, I);
  }
}

} // namespace jopt

#endif
