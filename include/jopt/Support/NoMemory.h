//===- NoMemory.h - The message for failed allocations ----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_NOMEMORY_H
#define JOPT_SUPPORT_NOMEMORY_H

#include "llvm/ADT/StringRef.h"

namespace jopt {

/// The message where an allocation failed.
inline constexpr llvm::StringLiteral NoMemory = "there is not enough memory";

} // namespace jopt

#endif
