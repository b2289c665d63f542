//===- RowSorter.h - Events by row, in bounded memory -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sorts what belongs to rows by table, run and row. What does not fit into
/// memory is written, sorted, to a temporary file that nobody sees, and merged.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_DATA_ROWSORTER_H
#define JOPT_LIB_DATA_ROWSORTER_H

#include "jopt/Support/Bytes.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <tuple>
#include <vector>

namespace jopt::data {

/// Whose events these are, and which of those of a row come first.
struct RowKey {
  uint32_t Table = 0;
  uint32_t Run = 0;
  uint32_t Row = 0;
  int64_t Time = 0;
  uint64_t Place = 0;

  auto tie() const { return std::tie(Table, Run, Row, Time, Place); }
  bool operator<(const RowKey &O) const { return tie() < O.tie(); }
  bool isRowOf(const RowKey &O) const {
    return Table == O.Table && Run == O.Run && Row == O.Row;
  }
};

/// add() all, then next() until it has none. Not thread-safe.
class RowSorter {
public:
  /// Keeps about \p Memory bytes.
  explicit RowSorter(size_t Memory = 96u << 20);
  ~RowSorter();

  llvm::Error add(const RowKey &Key, Bytes Payload);
  /// No more are added.
  llvm::Error finish();
  /// The next in order; false if there is none. \p Payload is valid until the
  /// next call.
  llvm::Expected<bool> next(RowKey &Key, Bytes &Payload);

private:
  struct Entry {
    RowKey Key;
    size_t Offset, Length;
  };
  class Part;

  llvm::Error spill();

  size_t Memory;
  std::vector<uint8_t> Data;
  std::vector<Entry> Entries;
  size_t At = 0;
  int File = -1;
  uint64_t FileSize = 0;
  std::vector<std::unique_ptr<Part>> Parts; ///< a heap, smallest key on top
  Part *Taken = nullptr;
};

} // namespace jopt::data

#endif
