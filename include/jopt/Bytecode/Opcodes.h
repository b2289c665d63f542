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

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace jopt {

/// `op::IADD`, the formats `op::FmtLocal` and the categories `op::CatArray`.
namespace op {
#define GET_OpcodeEnum_DECL
#define GET_FormatEnum_DECL
#define GET_CategoryEnum_DECL
#include "jopt/Bytecode/Opcodes.inc"
} // namespace op

using Opcode = uint8_t;

/// A row of Opcodes.td, whose comments define the fields.
struct OpcodeInfo {
  Opcode Encoding;
  const char *Mnemonic;
  op::FormatEnum Fmt;
  uint8_t Length;
  const char *Effect;
  op::CategoryEnum Cat;
  Opcode Canonical;
  uint8_t Slot;
  uint8_t Since;
  uint8_t Until;
  bool MayThrow;
  bool Branches;
  bool EndsBlock;
};

constexpr unsigned NumOpcodes = op::JSR_W + 1;

namespace detail {
extern const OpcodeInfo *const OpcodeRows; // NumOpcodes of them
}

/// The row of \p Op, or null if no instruction has that encoding.
inline const OpcodeInfo *getOpcodeInfo(Opcode Op) {
  return Op < NumOpcodes ? &detail::OpcodeRows[Op] : nullptr;
}
/// The mnemonic of \p Op, which must be defined.
llvm::StringRef getMnemonic(Opcode Op);
std::optional<Opcode> findOpcode(llvm::StringRef Mnemonic);

} // namespace jopt

#endif
