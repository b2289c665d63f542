//===- OpcodeFacts.h - Code that is only looked over ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The facts that a patched body has about an instruction that is not lifted.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_READER_OPCODEFACTS_H
#define JOPT_LIB_READER_OPCODEFACTS_H

#include "jopt/IR/Model/Body.h"

namespace jopt {

/// The facts about an opcode.
struct OpcodeFacts {
  enum : uint8_t {
    Throws = 1,
    Monitor = 2,
    Loads = 4,       ///< a local or a constant, and does nothing else
    OfPool = 8,      ///< the latter if the pool entry is a plain constant
    StoresThis = 16, ///< to slot 0
    Stores = 32,     ///< to the slot that the next byte names
    Other = 64,      ///< a branch, an end, a prefix, or nop
    NotPlain = OfPool | StoresThis | Stores | Other,
  };
  uint16_t Packed = Other << 8; ///< so that one load gets both

  uint8_t length() const { return uint8_t(Packed); } ///< 0 with Other
  uint8_t flags() const { return uint8_t(Packed >> 8); }
};

/// By the byte that encodes the opcode.
const OpcodeFacts *opcodeFacts();

/// \p M is a constructor, and not that of Object, which calls no other.
bool isConstructor(const ClassFile &Class, const Method &M);

} // namespace jopt

#endif
