//===- Recording.h - The rows of all runs -----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The tables of one run or several, added up, and their rows in order. Rows
/// are put together from events of any thread in bounded memory: events are
/// sorted by row, in a temporary file if they are many.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_DATA_RECORDING_H
#define JOPT_DATA_RECORDING_H

#include "jopt/Data/Definitions.h"
#include <memory>

namespace jopt::data {

/// A table of all runs that have one of this title at this place.
struct Table {
  std::string Title;
  std::string Holder;              ///< the class it belongs to; empty for none
  int Parent = -1;                 ///< index of the table above; -1 for none
  uint64_t Mask = 0;               ///< what some run has
  std::vector<uint32_t> MinimumMs; ///< for runs, up to the last that has it
  std::vector<ColumnDefinition> Columns;
  std::vector<int> Others; ///< for each column: index of the other table, or -1
};

/// The value of a column in a row.
struct Cell {
  enum { None, Number, Text } Kind = None;
  int64_t Value = 0;
  std::string String;
};

/// A row, as long as it is being looked at.
struct Row {
  uint32_t Run = 0;                ///< index of the run
  uint32_t Number = 0;             ///< from 1 on
  uint32_t Parent = 0;             ///< 0 for none
  int64_t Start = 0;               ///< nanoseconds since 1970
  std::optional<int64_t> Duration; ///< nanoseconds; none for an open row
  /// Nanoseconds of the processor, if one thread created and closed it.
  std::optional<int64_t> ThreadTime;
  std::string Exception; ///< empty for none
  std::string Thread;
  std::string Stack;
  std::string CloseStack;
  std::vector<Cell> Cells; ///< one for each column of the table
};

/// Counts taken while rows were read.
struct RowCounts {
  uint64_t Rows = 0;
  uint64_t Open = 0;    ///< of lasting events that have not ended
  uint64_t Lost = 0;    ///< whose beginning is not there
  uint64_t Deleted = 0; ///< taken out by the program, or too short
};

/// Everything in a folder. Not thread-safe.
class Recording {
public:
  /// Opens \p Runs; calls \p Tell for what it leaves out.
  static llvm::Expected<Recording> open(std::vector<Run> Runs, LeftOut Tell);

  llvm::ArrayRef<Run> runs() const { return Runs; }
  const Definitions &definitions(size_t Run) const { return *Defined[Run]; }
  llvm::ArrayRef<Table> tables() const { return Tables; }

  /// Calls \p Use with the rows of all tables, in the order of tables() and of
  /// their numbers. The rows of a later run follow those of an earlier one.
  llvm::Error
  forEachRow(LeftOut Tell,
             llvm::function_ref<llvm::Error(size_t Table, const Row &)> Use,
             std::vector<RowCounts> *Counts = nullptr) const;

  /// Counts the rows of each table.
  llvm::Error countRows(LeftOut Tell, std::vector<RowCounts> &Counts) const {
    return forEachRow(
        Tell, [](size_t, const Row &) { return llvm::Error::success(); },
        &Counts);
  }

private:
  Recording() = default;
  void addTables(size_t Run);

  std::vector<Run> Runs;
  std::vector<std::unique_ptr<Definitions>> Defined;
  std::vector<Table> Tables;
  /// For each run: the number of a table in it to the index.
  std::vector<std::map<uint32_t, size_t>> Indices;
  /// The index of a table, by a key that no other table has.
  std::map<std::string, size_t> Known;
};

} // namespace jopt::data

#endif
