//===- Cache.h - Compiled probes, kept --------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Results of javac by the content they were made from. Losing the cache costs
/// time and nothing else, so every failure here is silent.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PROBES_JAVA_CACHE_H
#define JOPT_LIB_PROBES_JAVA_CACHE_H

#include "jopt/Probes/Java/Javac.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/FolderCache.h"

namespace jopt::java {

/// As FolderCache.
class Cache {
public:
  /// \p Folder is a path; "off" for no cache, empty for the user's. A folder
  /// that others can write to is not used; \p Diags gets a warning.
  Cache(llvm::StringRef Folder, DiagnosticEngine &Diags);

  /// What identifies a run of \p Compiler: its sources, its options, the
  /// compiler, and each file of the class path by path, size and time.
  static std::string makeKey(const Javac &Compiler, const JavacJob &Job);

  std::optional<JavacResult> find(llvm::StringRef Key) const;
  /// Keeps a result of status 0.
  void put(llvm::StringRef Key, const JavacResult &Result) const;

private:
  std::optional<FolderCache> Kept; ///< none: off
};

} // namespace jopt::java

#endif
