//===- Opcodes.cpp - The opcode table -------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Bytecode/Opcodes.h"
#include "llvm/ADT/StringMap.h"
#include <cassert>

using namespace jopt;

namespace {
using namespace jopt::op;
#define GET_OpcodeTable_IMPL
#include "jopt/Bytecode/Opcodes.inc"
} // namespace

/// The table by encoding, so that looking a row up is an addition.
static constexpr std::array<OpcodeInfo, NumEncodings> byEncoding() {
  std::array<OpcodeInfo, NumEncodings> Rows;
  for (const OpcodeInfo &I : OpcodeTable)
    Rows[I.Encoding] = I;
  return Rows;
}
constexpr std::array<OpcodeInfo, NumEncodings> jopt::detail::OpcodeRows =
    byEncoding();

llvm::ArrayRef<OpcodeInfo> jopt::getOpcodeTable() { return OpcodeTable; }

llvm::StringRef jopt::getMnemonic(Opcode Op) {
  return detail::OpcodeRows[Op].Mnemonic;
}

std::optional<Opcode> jopt::findOpcode(llvm::StringRef Mnemonic) {
  static const llvm::StringMap<Opcode> *Map = [] {
    auto *M = new llvm::StringMap<Opcode>;
    for (const OpcodeInfo &I : OpcodeTable)
      (*M)[I.Mnemonic] = I.Encoding;
    return M;
  }();
  auto It = Map->find(Mnemonic);
  if (It == Map->end())
    return std::nullopt;
  return It->second;
}

static constexpr struct {
  llvm::StringLiteral Name, Descriptor;
} ArrayTypes[] = {{"boolean", "[Z"}, {"char", "[C"}, {"float", "[F"},
                  {"double", "[D"},  {"byte", "[B"}, {"short", "[S"},
                  {"int", "[I"},     {"long", "[J"}};
static_assert(std::size(ArrayTypes) == LastArrayType - FirstArrayType + 1);

static bool isArrayType(unsigned Code) {
  return Code >= FirstArrayType && Code <= LastArrayType;
}

llvm::StringRef jopt::arrayTypeName(unsigned Code) {
  return isArrayType(Code) ? ArrayTypes[Code - FirstArrayType].Name : "";
}

llvm::StringRef jopt::arrayTypeDescriptor(unsigned Code) {
  return isArrayType(Code) ? ArrayTypes[Code - FirstArrayType].Descriptor : "";
}

unsigned jopt::narrowTypeCode(llvm::StringRef Descriptor) {
  if (Descriptor.size() != 1 || !llvm::StringRef("ZCBS").contains(Descriptor))
    return 0;
  unsigned Code = FirstArrayType;
  while (arrayTypeDescriptor(Code).back() != Descriptor[0])
    ++Code;
  return Code;
}

llvm::StringRef jopt::narrowTypeName(unsigned Code) {
  llvm::StringRef Element =
      arrayTypeDescriptor(Code).drop_front(isArrayType(Code));
  return narrowTypeCode(Element) ? arrayTypeName(Code) : "";
}
