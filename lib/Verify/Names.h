//===- Names.h - Names and descriptors (4.2, 4.3) ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rules for names changed with version 49: before it they are Java
/// identifiers, since then nearly anything.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_VERIFY_NAMES_H
#define JOPT_LIB_VERIFY_NAMES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace jopt::verify {

/// Modified UTF-8 as 4.4.7 has it; over-long forms are an error since 48.
bool isLegalUtf8(llvm::StringRef S, unsigned Major);
/// The name in a CONSTANT_Class: a class, or the descriptor of an array.
bool isLegalClassName(llvm::StringRef S, unsigned Major);
bool isLegalFieldName(llvm::StringRef S, unsigned Major);
/// Also `<init>` and `<clinit>`.
bool isLegalMethodName(llvm::StringRef S, unsigned Major);
bool isLegalFieldDescriptor(llvm::StringRef S, unsigned Major);
/// \p Name decides what more is asked of special methods.
bool isLegalMethodDescriptor(llvm::StringRef Name, llvm::StringRef S,
                             unsigned Major);

} // namespace jopt::verify

#endif
