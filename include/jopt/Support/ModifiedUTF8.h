//===- ModifiedUTF8.h - The strings of class files --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Modified UTF-8 (JVM specification, 4.4.7). jopt keeps the bytes of a
/// CONSTANT_Utf8 exactly, malformed ones included; these functions serve
/// display, text input and checks.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_MODIFIEDUTF8_H
#define JOPT_SUPPORT_MODIFIEDUTF8_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace jopt {

/// True if \p S is well-formed modified UTF-8: no zero byte, no byte of 0xf0
/// and above, every sequence complete.
bool isValidModifiedUTF8(llvm::StringRef S);

/// The text between the quotes of a `.jir` string: printable ASCII as it is,
/// `\n \t \r \" \\` as usual, well-formed characters beyond ASCII as `\uXXXX`
/// (UTF-16 units), and every other byte as `\xNN`. The mapping is injective,
/// also for malformed input.
std::string escapeModifiedUTF8(llvm::StringRef S);

/// The inverse of escapeModifiedUTF8; none if \p S has a bad escape.
std::optional<std::string> unescapeModifiedUTF8(llvm::StringRef S);

/// Standard UTF-8 to modified UTF-8 (zero bytes and supplementary characters
/// are re-encoded); none if \p S is not valid UTF-8.
std::optional<std::string> toModifiedUTF8(llvm::StringRef S);

/// For messages: modified UTF-8 to standard UTF-8; what is malformed, or a
/// lone surrogate, becomes U+FFFD.
std::string toDisplayUTF8(llvm::StringRef S);

/// The same for formats that have a line for each thing: names of class files
/// may have line ends in them. Control characters are written `\u000a`.
std::string toDisplayLine(llvm::StringRef S);

} // namespace jopt

#endif
