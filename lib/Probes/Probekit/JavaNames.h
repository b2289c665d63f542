//===- JavaNames.h - Names in Java source -----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PROBES_PROBEKIT_JAVANAMES_H
#define JOPT_LIB_PROBES_PROBEKIT_JAVANAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace jopt::probekit {

/// Whether \p Name has the form of an identifier; keywords have it too. Beyond
/// ASCII every character passes: javac knows better, and its error is mapped.
bool isJavaIdentifier(llvm::StringRef Name);

/// Identifiers with dots between them.
bool isQualifiedName(llvm::StringRef Name);

/// A reserved word or literal of Java, which is no name.
bool isJavaKeyword(llvm::StringRef Name);

/// \p FileName without folder and extension as (the start of) an identifier:
/// each UTF-16 unit that is not an ASCII letter, digit, `_` or `$`, and a digit
/// at the start, becomes `_` and its code in upper-case hexadecimal.
std::string makeClassPrefix(llvm::StringRef FileName);

} // namespace jopt::probekit

#endif
