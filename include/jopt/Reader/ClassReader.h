//===- ClassReader.h - Class files into ClassFile ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads the structure of a class file: pool, members, attribute headers. Code
/// is lifted later, and only where asked (Lifter.h).
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_READER_CLASSREADER_H
#define JOPT_READER_CLASSREADER_H

#include "jopt/IR/Model/ClassFile.h"

namespace jopt {

/// Reads \p Input, which must outlive the result. Fails, with the offset in the
/// message, on a malformed class file: wrong magic, truncation, a version
/// outside 45.0 to 69.65535, unknown tags, bytes left over, names that are not
/// Utf8 entries. It does not verify (lib/Verify does).
llvm::Expected<std::unique_ptr<ClassFile>> readClass(Bytes Input);

/// The parts of a Code attribute's payload, into \p View, whose storage is
/// reused.
llvm::Error parseCode(const ClassFile &Class, Bytes Payload, CodeView &View);

/// An entry of a LineNumberTable (JVM specification, 4.7.12).
struct LineEntry {
  uint16_t Start; ///< start_pc
  uint16_t Line;
};

/// The entries of all LineNumberTables of \p Code, in the order of the file.
llvm::SmallVector<LineEntry, 64> lineEntries(const ClassFile &F,
                                             const CodeView &Code);

} // namespace jopt

#endif
