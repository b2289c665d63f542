//===- Export.h - Recordings for other programs -----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tables as CSV, JSON, SQLite and events of Flight Recorder.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_DATA_EXPORT_H
#define JOPT_DATA_EXPORT_H

#include "jopt/Data/Recording.h"

namespace jopt::data {

/// Writes a file `<title>.csv` for each table into \p Folder, which is made.
llvm::Error exportCSV(const Recording &All, llvm::StringRef Folder,
                      LeftOut Tell);
/// Writes the file \p Path.
llvm::Error exportJSON(const Recording &All, llvm::StringRef Path,
                       LeftOut Tell);
/// Writes the file \p Path: a table for each table.
llvm::Error exportSQLite(const Recording &All, llvm::StringRef Path,
                         LeftOut Tell);
/// Writes the file \p Path, which the JDK's tools for flight recordings read: a
/// type of events for each table. Such events cannot mark a row as open.
llvm::Error exportJFR(const Recording &All, llvm::StringRef Path, LeftOut Tell);

} // namespace jopt::data

#endif
