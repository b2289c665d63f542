//===- TableSink.h - Where exported rows go ---------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the formats have in common: a walk over all tables and their rows, and
/// files that appear when they are complete.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DATA_TABLESINK_H
#define JOPT_LIB_DATA_TABLESINK_H

#include "jopt/Data/Recording.h"
#include "llvm/Support/raw_ostream.h"

namespace jopt::data {

/// Is given each table, one after the other, with its rows.
class TableSink {
public:
  virtual ~TableSink() = default;
  virtual llvm::Error begin(size_t Table) = 0;
  virtual llvm::Error row(size_t Table, const Row &R) = 0;
  virtual llvm::Error end(size_t Table) = 0;
};

/// Gives \p Sink all of \p All, tables without rows too.
llvm::Error walkTables(const Recording &All, TableSink &Sink, LeftOut Tell);

/// A file that has its name only once it is complete; until then it has another
/// beside it, and is removed if nobody keeps it.
class StagedFile {
public:
  static llvm::Expected<StagedFile> create(llvm::StringRef Path);
  StagedFile(StagedFile &&) = default;
  ~StagedFile();

  llvm::raw_ostream &os() { return *OS; }
  llvm::raw_pwrite_stream &file() { return *OS; }
  /// The name for now.
  llvm::StringRef temporary() const { return Temporary; }
  /// Gives the file its name.
  llvm::Error keep();

private:
  StagedFile() = default;
  std::string Path, Temporary;
  std::unique_ptr<llvm::raw_fd_ostream> OS;
};

/// Makes \p Folder, if it is not there.
llvm::Error makeFolder(llvm::StringRef Folder);

} // namespace jopt::data

#endif
