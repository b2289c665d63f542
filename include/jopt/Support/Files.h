//===- Files.h - Whole files ------------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes a file and checks for all errors, which LLVM's Support leaves to its
/// users.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_FILES_H
#define JOPT_SUPPORT_FILES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace jopt {

/// The content of \p File, read no further than one byte past \p Limit: the
/// path may name a pipe or a device. An error names the file. Any thread.
llvm::Expected<std::string> readAtMost(const std::string &File, size_t Limit);

/// Writes \p Content to the file \p Path, which need not exist; devices and
/// pipes too; \p Mode is that of a new one, less what the user's mask takes
/// away. On an error, which names the file, some of it may be there. Any
/// thread.
llvm::Error writeFile(llvm::StringRef Path, llvm::StringRef Content,
                      unsigned Mode = 0666);

/// The path of the file installed as \p Path beside the executable or library
/// that this code is in, whose folder (`bin`, `lib`) lies beside `lib`; empty
/// if there is no such file. Any thread.
std::string findInstalled(llvm::StringRef Path);

/// `Class.method.HASH` and \p Suffix, in characters that every file system
/// takes. The hash, of the whole name, tells methods apart that differ in their
/// parameters, or in what some file system does not tell apart.
std::string methodFileName(llvm::StringRef Class, llvm::StringRef Method,
                           llvm::StringRef Descriptor, llvm::StringRef Suffix);

} // namespace jopt

#endif
