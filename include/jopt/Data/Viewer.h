//===- Viewer.h - A page for all that is recorded ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One page that shows tables, traces, coverage and lines of live output. Each
/// is a table to the page: columns, whose roles say what can be drawn of them.
/// lib/Data/Viewer/main.js reads what this writes.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_DATA_VIEWER_H
#define JOPT_DATA_VIEWER_H

#include "jopt/Data/Recording.h"
#include "jopt/Data/Traces.h"
#include "jopt/Support/StagedFile.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

namespace jopt::data {

/// A column while its table is filled.
class ViewerColumn {
public:
  enum ValueKind : bool { Number, Text };
  /// \p Role is one of those of main.js, \p Unit one of columns.js's.
  ViewerColumn(std::string Title, ValueKind Kind, llvm::StringRef Role = {},
               llvm::StringRef Unit = {})
      : Title(std::move(Title)), Role(Role), Unit(Unit), Kind(Kind) {}

  void add(std::optional<int64_t> Value);
  /// Empty: none.
  void add(llvm::StringRef Value);

private:
  friend class ViewerPage;
  std::string text(size_t Row) const;

  std::string Title;
  llvm::StringRef Role, Unit;
  ValueKind Kind;
  std::vector<std::optional<int64_t>> Values; ///< of texts: places in Words
  llvm::StringMap<uint32_t> Numbers;
  std::vector<llvm::StringRef> Words{""};
};

struct ViewerTable {
  std::string Title;
  llvm::StringRef Group; ///< a heading
  int Parent = -1;       ///< the number of the table above
  std::vector<ViewerColumn> Columns;
};

/// Writes the page: tables one after the other, so that one at a time is in
/// memory.
class ViewerPage {
public:
  /// \p Inputs are the names of the folders that are compared.
  static llvm::Expected<ViewerPage> create(llvm::StringRef Folder,
                                           std::vector<std::string> Inputs);

  /// The number of the next table.
  int next() const { return int(Tables.size()); }
  /// Says what the page is about; the first time counts.
  void about(const Run &R);
  void add(ViewerTable T, size_t Input);
  /// Adds JSON lines of live output.
  void addLines(llvm::StringRef Title, llvm::StringRef Lines, size_t Input);
  llvm::Error finish();

private:
  explicit ViewerPage(StagedFile File) : File(std::move(File)) {}
  int64_t block(llvm::StringRef Content);
  llvm::json::Value column(const ViewerColumn &C);
  void describe(const ViewerTable &T, size_t Input);

  StagedFile File;
  std::vector<std::string> Inputs;
  llvm::StringRef After; ///< the page, behind its data
  int64_t NumBlocks = 0, Start = 0;
  std::string About;
  llvm::json::Array Tables, Lines;
  std::string Plain; ///< what is shown without scripts
};

/// Adds the tables of \p All, and no more than \p MaxRows rows; calls \p Tell
/// if others are left out.
llvm::Error addTables(const Recording &All, size_t Input, uint64_t MaxRows,
                      ViewerPage &To, LeftOut Tell);
/// Adds calls by the calls that they are in, and as spans of time.
llvm::Error addTrace(const Traces &T, size_t Input, uint64_t MaxRows,
                     ViewerPage &To, LeftOut Tell);

} // namespace jopt::data

#endif
