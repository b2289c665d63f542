//===- Changes.h - What a diff changes --------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Unified diffs, as git, Subversion, Mercurial and diff -u write them.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGEREPORT_CHANGES_H
#define JOPT_COVERAGEREPORT_CHANGES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace jopt::coverage {

/// A line that is added, or one that is removed.
struct ChangedLine {
  bool IsAdded = false;
  /// Nothing that compilers make anything of: blank, a comment, a brace, an
  /// import. Guessed from the line alone.
  bool IsBare = false;
  /// It may declare a type, and so concern all that is in it. Guessed, too.
  bool IsType = false;
  /// The number of the line in the old file; of one that is added, that of the
  /// line before it, or 0.
  uint32_t Old = 0;
  /// The same in the new file.
  uint32_t New = 0;
};

/// A file that is changed, added, removed or renamed.
struct ChangedFile {
  std::string Old;                ///< its path before; empty if it is added
  std::string New;                ///< its path behind; empty if it is removed
  std::vector<ChangedLine> Lines; ///< in order
};

/// The files that \p Diff changes. Prefixes like a/ and b/ are no part of their
/// paths. An error, with the line, if it is no unified diff or ends within a
/// hunk; an empty text changes nothing.
llvm::Expected<std::vector<ChangedFile>> readDiff(llvm::StringRef Diff);

/// Whether a file of that name is source that becomes classes.
bool isSource(llvm::StringRef Path);

/// The source file that \p Path, of a diff, is: the longest end of it that
/// \p Exists, from a slash on, as `p/A.java` of `src/main/java/p/A.java`.
/// Empty if there is none.
llvm::StringRef matchSource(llvm::StringRef Path,
                            llvm::function_ref<bool(llvm::StringRef)> Exists);

} // namespace jopt::coverage

#endif
