//===- Columns.h - Rows as exports have them --------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The columns of an exported table: the user's, and those that every table
/// has.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DATA_COLUMNS_H
#define JOPT_LIB_DATA_COLUMNS_H

#include "jopt/Data/Recording.h"
#include "llvm/ADT/StringSet.h"

namespace jopt::data {

/// An exported column.
struct OutColumn {
  std::string Title;
  bool IsNumber = false;
};

/// The columns of \p Table: `row of T`, the parent's row, the user's, times,
/// the exception, and what else is recorded of threads.
std::vector<OutColumn> columnsOf(const Recording &All, size_t Table);

/// The values of \p R in these columns.
std::vector<Cell> valuesOf(const Recording &All, size_t Table, const Row &R);

/// Names that no other has, whatever their case.
class UniqueNames {
public:
  /// \p Name, or with \p Before, a number and \p After if it is there already.
  std::string add(llvm::StringRef Name, llvm::StringRef Before = " (",
                  llvm::StringRef After = ")");

private:
  llvm::StringSet<> Used;
};

/// A time in UTC, as `2024-05-01T12:00:00.123456Z`.
std::string timeText(int64_t Nanoseconds);

} // namespace jopt::data

#endif
