//===- Leftovers.h - Files that killed runs left ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The names of temporary files say which process made them, so that a later
/// run can remove those of processes that were killed.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_LEFTOVERS_H
#define JOPT_SUPPORT_LEFTOVERS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace jopt {

/// Another end of names of temporary files, of this process:
/// `.jopt-MACHINE-PID-RANDOM.tmp`.
std::string temporarySuffix();

/// \p Name, that of a file, with \p Suffix, cut where file systems would take
/// no longer one.
std::string temporaryName(llvm::StringRef Name, llvm::StringRef Suffix);

/// Removes what temporarySuffix() names in \p Folder if its process has ended:
/// files, and a folder of which \p Name is the rest of the name. What another
/// machine or container made is removed when it is a day old, and what another
/// user owns never.
void removeLeftovers(llvm::StringRef Folder, llvm::StringRef Name = {});

} // namespace jopt

#endif
