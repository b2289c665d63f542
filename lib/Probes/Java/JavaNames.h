//===- JavaNames.h - Names in Java source -----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PROBES_JAVA_JAVANAMES_H
#define JOPT_LIB_PROBES_JAVA_JAVANAMES_H

#include "jopt/Support/JavaNames.h"
#include <string>

namespace jopt::java {

/// An internal name (`a/b/C$D`) each part of which may be a file's name: it can
/// lead out of no folder.
bool isInternalName(llvm::StringRef Name);

/// The name of a type as it may be written in Java, without type arguments:
/// `int`, `a.b.C.D`, `long[][]`.
bool isJavaType(llvm::StringRef Name);

/// A string literal of Java with \p Text (UTF-8) as its value.
std::string quoteJava(llvm::StringRef Text);

/// \p FileName without folder and extension as (the start of) an identifier:
/// each UTF-16 unit that is not an ASCII letter, digit, `_` or `$`, and a digit
/// at the start, becomes `_` and its code in upper-case hexadecimal.
std::string makeClassPrefix(llvm::StringRef FileName);

} // namespace jopt::java

#endif
