//===- ClassFileMagic.h - Which files are class files -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DRIVER_CLASSFILEMAGIC_H
#define JOPT_LIB_DRIVER_CLASSFILEMAGIC_H

#include "jopt/Support/Bytes.h"

namespace jopt {

/// \p Data begins as a class file does (JVM specification, 4.1).
inline bool isClassFile(Bytes Data) {
  return Data.size() >= 4 && readU4(Data.data()) == 0xcafebabe;
}

} // namespace jopt

#endif
