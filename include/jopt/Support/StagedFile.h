//===- StagedFile.h - An output that appears when complete ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_STAGEDFILE_H
#define JOPT_SUPPORT_STAGEDFILE_H

#include "jopt/Support/Temporary.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <string>

namespace jopt {

/// A file that has its name only once it is complete; until then it has another
/// beside it, and is removed if nobody keeps it. A link stays, and what it
/// leads to is replaced. What is no file (/dev/null, /dev/stdout, a pipe) stays
/// too: it gets the content at the end. Not for several threads.
class StagedFile {
public:
  /// Begins what is to be \p Path.
  static llvm::Expected<StagedFile> create(llvm::StringRef Path);
  StagedFile(StagedFile &&) = default;
  ~StagedFile();

  llvm::raw_ostream &os() { return *OS; }
  llvm::raw_pwrite_stream &file() { return *OS; }
  /// The name for now.
  llvm::StringRef temporary() const { return Staged.path(); }
  /// Gives the file its name.
  llvm::Error keep();

private:
  StagedFile() = default;
  llvm::Error writeThrough();

  std::string Path;  ///< as it was asked for
  std::string Final; ///< what is replaced; empty: Path is written through
  Temporary Staged;
  std::unique_ptr<llvm::raw_fd_ostream> OS;
};

/// Makes \p Path a staged file that \p Write writes.
llvm::Error writeStaged(llvm::StringRef Path,
                        llvm::function_ref<void(llvm::raw_ostream &)> Write);

} // namespace jopt

#endif
