//===- Printer.h - Classes as text ------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Prints the text form (`.jir`) that docs/LangRef.md defines. What parseIR
/// reads back prints the same again. Any IR can be printed, broken IR too,
/// where a reference to nothing prints as a word that does not parse. Nothing
/// is changed; the same class must not be used by another thread meanwhile.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_TEXT_PRINTER_H
#define JOPT_IR_TEXT_PRINTER_H

#include "jopt/IR/Model/Body.h"

namespace jopt {

struct PrintOptions {
  /// The constant pool. Without it the text does not parse back to the same
  /// pool; for people who look at code.
  bool Pool = true;
};

/// A class. Methods with a Body print it; the Code of others prints as bytes
/// and tables, so the caller lifts first what should be readable.
void printClass(const ClassFile &Class, llvm::raw_ostream &OS,
                const PrintOptions &O = {});

/// One method, as it stands in printClass.
void printMethod(const ClassFile &Class, const Method &M,
                 llvm::raw_ostream &OS);

/// The code block of one method.
void printBody(const Body &B, llvm::raw_ostream &OS);

/// One instruction, as it stands in printBody, without indentation and newline.
/// Numbers all values of the body for it: for messages.
std::string toString(const Instruction &I);

/// The label of a block, as in printBody.
std::string blockName(const Block &B);

} // namespace jopt

#endif
