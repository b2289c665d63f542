//===- HotSpot.h - Limits of a JVM's compilers ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How much code a method may have before HotSpot, OpenJDK's virtual machine,
/// treats it worse. The names are those of its flags; the figures their
/// defaults, the same from JDK 8 on.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_BYTECODE_HOTSPOT_H
#define JOPT_BYTECODE_HOTSPOT_H

#include "llvm/ADT/StringRef.h"

namespace jopt {
namespace hotspot {

/// \name In bytes of code
/// @{
/// No compiler takes a longer method.
constexpr unsigned HugeMethodLimit = 8000;
/// The most that C1 inlines, and C2 where the call is not hot.
constexpr unsigned MaxInlineSize = 35;
/// The most that C2 inlines where the call is hot.
constexpr unsigned FreqInlineSize = 325;
/// @}

/// Whether it is of use to compile the method \p Name (and descriptor): a
/// static initialiser runs once.
inline bool isWorthCompiling(llvm::StringRef Name) {
  return !Name.starts_with("<clinit>");
}

} // namespace hotspot
} // namespace jopt

#endif
