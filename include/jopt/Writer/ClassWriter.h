//===- ClassWriter.h - ClassFile into bytes ---------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes a class file. Two paths everywhere: copy what did not change, encode
/// what did; both agree on what did not change.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_WRITER_CLASSWRITER_H
#define JOPT_WRITER_CLASSWRITER_H

#include "jopt/IR/Model/Body.h"
#include "jopt/IR/Model/ClassFile.h"

namespace jopt {

struct WriteOptions {
  /// Copy nothing: encode every part from the model (`relower`, parsed text).
  bool EncodeAll = false;
};

/// Lowers \p M's Body (stack scheduling, encoding, frames, tables) into its
/// Code attribute and releases the Body. On failure (code over 65,535 bytes,
/// IR that cannot be expressed) \p M keeps the Body and its old attribute.
llvm::Error lowerMethod(ClassFile &Class, Method &M);

/// The class file. Every method with a Body must have been lowered. Fails if
/// the pool or a table is too large for the format.
llvm::Expected<llvm::SmallVector<uint8_t, 0>>
writeClass(const ClassFile &Class, const WriteOptions &O = {});

} // namespace jopt

#endif
