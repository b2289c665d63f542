//===- Encoder.h - Instructions into code bytes -----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The reverse of Decoder.h, one instruction at a time (JVM specification,
/// chapter 6): for code that stands still. What the writer makes has its sizes
/// and branches settled as a whole, in Writer/CodeEmitter.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_BYTECODE_ENCODER_H
#define JOPT_BYTECODE_ENCODER_H

#include "jopt/Bytecode/Decoder.h"
#include "llvm/ADT/SmallVector.h"

namespace jopt {

/// Appends the bytes of \p I to \p Code; only Op, Wide, Index and Value count,
/// and bits beyond the format are cut off. False, with nothing appended, for
/// switches, branches and the prefix `wide` itself.
bool encodeInst(const DecodedInst &I, llvm::SmallVectorImpl<uint8_t> &Code);

} // namespace jopt

#endif
