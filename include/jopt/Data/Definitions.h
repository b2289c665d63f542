//===- Definitions.h - What a run refers to by number -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Strings, stack traces and tables of a run, each of which stands once in it.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_DATA_DEFINITIONS_H
#define JOPT_DATA_DEFINITIONS_H

#include "jopt/Data/Run.h"
#include <map>
#include <unordered_map>

namespace jopt::data {

/// The type of the values of a column.
enum class ColumnType : uint8_t {
  Int = 'I',
  Long = 'J',
  Text = 'S',
  Class = 'C', ///< a class's binary name
  Row = 'R'    ///< a row of another table
};

struct ColumnDefinition {
  std::string Title;
  ColumnType Type = ColumnType::Text;
  uint32_t Other = 0; ///< the table whose rows the values are

  bool isText() const {
    return Type == ColumnType::Text || Type == ColumnType::Class;
  }
};

/// The parts that each row of a table records.
enum TableMask : uint64_t {
  LastingEvents = 1,
  RecordsThread = 1 << 2,
  RecordsStack = 1 << 4,
  RecordsCloseStack = 1 << 8,
  RecordsThreadTime = 1 << 10
};

struct TableDefinition {
  uint32_t Parent = 0; ///< 0 for none
  uint64_t Mask = 0;
  uint32_t MinimumMs = 0; ///< shorter events are no rows
  std::string Holder;     ///< the class it belongs to; empty for none
  std::string Title;
  std::vector<ColumnDefinition> Columns;
};

/// All definitions of a run. Text is UTF-8.
class Definitions {
public:
  /// Reads the definitions of \p R; calls \p Tell for damaged ones and leaves
  /// them out.
  llvm::Error read(const Run &R, LeftOut Tell);
  /// Adds those of one chunk's events; false if some are damaged.
  bool add(Bytes Events);

  /// The string \p Id; empty if there is none.
  llvm::StringRef string(uint32_t Id) const;
  /// A stack trace, a frame a line, innermost first; empty if there is none.
  std::string stack(uint32_t Id) const;
  const std::map<uint32_t, TableDefinition> &tables() const { return Tables; }
  /// The recorder's notes on the record.
  llvm::ArrayRef<std::string> notes() const { return Notes; }

private:
  struct Frame {
    uint32_t Class, Method, File;
    int32_t Line;
  };
  bool add(const EventView &E);
  bool addTable(ByteCursor &C);
  bool addColumn(uint8_t Type, ByteCursor &C);

  std::unordered_map<uint32_t, std::string> Strings;
  std::unordered_map<uint32_t, Frame> Frames;
  std::unordered_map<uint32_t, std::vector<uint32_t>> Stacks;
  std::map<uint32_t, TableDefinition> Tables;
  std::vector<std::string> Notes;
};

} // namespace jopt::data

#endif
