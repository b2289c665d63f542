//===- MethodFlags.h - Flags of methods as JVMs take them -------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Member::Access is what the class file declares. A JVM ignores some of it for
/// class initialisers, and so must whoever asks what a method is.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_MODEL_METHODFLAGS_H
#define JOPT_IR_MODEL_METHODFLAGS_H

#include "jopt/IR/Model/ClassFile.h"

namespace jopt {

/// Whether \p M of \p Class has the flag \p F for a JVM. `<clinit>` is static
/// whatever it declares in class files before version 51, and has no other flag
/// in any (JVM specification 2.9.2, 4.6).
inline bool methodIs(const ClassFile &Class, const Method &M, AccessFlags F) {
  constexpr unsigned FirstWithStatic = 51;
  const bool Declares = M.is(F);
  // Most need no look at the name.
  if (F == ACC_STATIC ? Declares || Class.Major >= FirstWithStatic : !Declares)
    return Declares;
  return (Class.name(M) == "<clinit>") == (F == ACC_STATIC);
}

/// Whether \p M of \p Class has no `this`.
inline bool isStatic(const ClassFile &Class, const Method &M) {
  return methodIs(Class, M, ACC_STATIC);
}

} // namespace jopt

#endif
