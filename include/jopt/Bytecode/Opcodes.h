//===- Opcodes.h - The opcode table -----------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The instruction set of the JVM (specification, chapter 6), generated from
/// Opcodes.td.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_BYTECODE_OPCODES_H
#define JOPT_BYTECODE_OPCODES_H

#include "jopt/Bytecode/PoolTags.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jopt {

/// `op::IADD`, the formats `op::FmtLocal`, the categories `op::CatArray`, and
/// the bits of OpcodeInfo::Failures, `op::OfNull`.
namespace op {
#define GET_FailureEnum_DECL
#define GET_OpcodeEnum_DECL
#define GET_FormatEnum_DECL
#define GET_CategoryEnum_DECL
#include "jopt/Bytecode/Opcodes.inc"
} // namespace op

using Opcode = uint8_t;
constexpr unsigned NumEncodings = 256;

/// pop and pop2.
constexpr bool drops(Opcode Op) { return Op == op::POP || Op == op::POP2; }
/// dup, swap and their like: what moves values that are on the stack.
constexpr bool copiesOrSwaps(Opcode Op) {
  return Op >= op::DUP && Op <= op::SWAP;
}

/// A row of Opcodes.td, whose comments define the fields. Most encodings that
/// are no instruction have one too: of FmtUndefined, with length 0.
struct OpcodeInfo {
  Opcode Encoding = 0;
  const char *Mnemonic = "?";
  op::FormatEnum Fmt = op::FmtUndefined;
  uint8_t Length = 0;
  uint8_t IndexBytes = 0;
  const char *Effect = ">";
  op::CategoryEnum Cat = op::CatExtended;
  Opcode Canonical = 0;
  uint8_t Slot = 0;
  uint32_t PoolTags = 0;
  const char *Elements = "";
  bool TakesUninitialised = false;
  uint8_t Since = 255;
  uint8_t Until = 0;
  uint16_t Failures = 0;
  bool MayThrow = false;
  bool Branches = false;
  bool EndsBlock = false;

  constexpr bool isDefined() const { return Fmt != op::FmtUndefined; }
  /// The letters of Effect in front of the '>', and those behind.
  constexpr llvm::StringRef operands() const {
    const std::string_view All = Effect;
    return All.substr(0, All.find('>'));
  }
  constexpr llvm::StringRef results() const {
    const std::string_view All = Effect;
    const size_t At = All.find('>') + 1;
    return {Effect + At, All.size() - At};
  }
  /// The letter of the result, 0 if there is none. The instruction copies no
  /// slots.
  constexpr char result() const {
    return Effect[std::string_view(Effect).find('>') + 1];
  }
  /// Whether Effect has \p Letter among the operands.
  bool takes(char Letter) const { return operands().contains(Letter); }
  /// The first operand is an object of the class that the pool entry names, or
  /// whose member it names.
  constexpr bool hasReceiver() const { return *Effect == 'c'; }
  /// Names an entry of the pool that may be of kind \p Tag.
  constexpr bool mayName(CPTag Tag) const {
    return PoolTags >> unsigned(Tag) & 1;
  }
};

namespace detail {
extern const std::array<OpcodeInfo, NumEncodings> OpcodeRows;
}

/// The row of \p Op, or null if no instruction has that encoding.
inline const OpcodeInfo *getOpcodeInfo(Opcode Op) {
  const OpcodeInfo &I = detail::OpcodeRows[Op];
  return I.isDefined() ? &I : nullptr;
}
/// All instructions, by encoding.
llvm::ArrayRef<OpcodeInfo> getOpcodeTable();
/// The mnemonic of \p Op, "?" if no instruction has that encoding.
llvm::StringRef getMnemonic(Opcode Op);
std::optional<Opcode> findOpcode(llvm::StringRef Mnemonic);

/// \name The types that newarray names by codes (JVM specification, 6.5)
/// @{
constexpr unsigned FirstArrayType = 4, LastArrayType = 11;
/// "boolean" ... "long" for a code, empty for any other number.
llvm::StringRef arrayTypeName(unsigned Code);
/// The descriptor of the array ("[I"), empty if \p Code is no code.
llvm::StringRef arrayTypeDescriptor(unsigned Code);
/// The code of a type that is narrower than int by its descriptor ("Z"); 0 for
/// all others.
unsigned narrowTypeCode(llvm::StringRef Descriptor);
/// As arrayTypeName, but of types narrower than int only.
llvm::StringRef narrowTypeName(unsigned Code);
/// @}

} // namespace jopt

#endif
