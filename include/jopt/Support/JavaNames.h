//===- JavaNames.h - Identifiers of Java ------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The names that Java source allows.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_JAVANAMES_H
#define JOPT_SUPPORT_JAVANAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace jopt {

/// Whether \p Name has the form of an identifier; keywords have it too. Beyond
/// ASCII every character passes: only javac knows better.
bool isJavaIdentifier(llvm::StringRef Name);

/// A reserved word or literal of Java, which is no name.
bool isJavaKeyword(llvm::StringRef Name);

/// Identifiers with dots between them.
bool isQualifiedName(llvm::StringRef Name);

/// `int`, `boolean` and so on; not `void`.
bool isPrimitiveType(llvm::StringRef Name);

/// The descriptor (JVMS 4.3.2) of a type as Java has it, without type
/// arguments: `int`, `a.b.C`, `long[][]`. Classes are taken to be top-level
/// ones that are named in full.
std::string guessDescriptor(llvm::StringRef JavaType);

/// The reverse, of a field descriptor; `$` stays.
std::string javaTypeName(llvm::StringRef Descriptor);

} // namespace jopt

#endif
