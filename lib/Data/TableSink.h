//===- TableSink.h - Where exported rows go ---------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the formats have in common: a walk over all tables and their rows.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DATA_TABLESINK_H
#define JOPT_LIB_DATA_TABLESINK_H

#include "jopt/Data/Recording.h"
#include "jopt/Support/StagedFile.h"

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

/// Makes \p Folder, if it is not there.
llvm::Error makeFolder(llvm::StringRef Folder);

} // namespace jopt::data

#endif
