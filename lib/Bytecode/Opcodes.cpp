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

static_assert(std::size(OpcodeTable) == NumOpcodes);

const OpcodeInfo *const jopt::detail::OpcodeRows = OpcodeTable;

llvm::StringRef jopt::getMnemonic(Opcode Op) {
  assert(Op < NumOpcodes && "undefined opcode");
  return OpcodeTable[Op].Mnemonic;
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
