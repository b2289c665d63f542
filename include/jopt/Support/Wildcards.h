//===- Wildcards.h - Patterns with stars ------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one kind of pattern that options and probe files have.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_WILDCARDS_H
#define JOPT_SUPPORT_WILDCARDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace jopt {

/// `*` matches any number of characters, everything else itself; whole string.
bool matchesWildcard(llvm::StringRef Pattern, llvm::StringRef Text);

/// One of \p Patterns matches.
bool matchesAnyWildcard(llvm::ArrayRef<std::string> Patterns,
                        llvm::StringRef Text);

} // namespace jopt

#endif
