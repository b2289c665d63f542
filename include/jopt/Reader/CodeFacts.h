//===- CodeFacts.h - What bytes of code say without a body ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Facts about original code, for who counts its instructions and does not lift
/// it. Nothing here fails; from any thread.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_READER_CODEFACTS_H
#define JOPT_READER_CODEFACTS_H

#include "jopt/Bytecode/Decoder.h"
#include "jopt/IR/Model/ClassFile.h"
#include "llvm/ADT/BitVector.h"

namespace jopt {

/// \p I, which is about a field, means one that this class declares: to find it
/// throws nothing, and initialises nothing (JVM specification, 5.4.3.2, 5.5).
bool isOwnField(const ClassFile &F, const DecodedInst &I);

/// The specification names an exception for \p I that is none of the machine's
/// own (JVM specification, 2.10, 6.5). That of a return, about monitors, is not
/// meant. \p OfThis: the object whose field it is about is `this`.
bool mayThrow(const ClassFile &F, const DecodedInst &I, bool OfThis);

/// The instructions of a constructor that run before super() or this() has
/// returned, the call included, by offset; and how many such calls there are.
struct CodeBeforeSuper {
  llvm::BitVector Code;
  unsigned Calls = 0;
};
CodeBeforeSuper findCodeBeforeSuper(const ClassFile &F, const CodeView &Code);

} // namespace jopt

#endif
