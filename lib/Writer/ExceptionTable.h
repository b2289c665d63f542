//===- ExceptionTable.h - Throw edges as rows -------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The exception table of new code.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_EXCEPTIONTABLE_H
#define JOPT_LIB_WRITER_EXCEPTIONTABLE_H

#include "CodeEmitter.h"

namespace jopt {

/// The exception table of a body (JVM specification, 4.7.3).
class ExceptionTable {
public:
  struct Row {
    uint32_t Start, End, Target;
    const TryEntry *Entry;
  };

  /// Forms the table from the throw edges of the blocks. Fails if it has more
  /// than 65,535 rows.
  llvm::Error run(const Body &F, const Schedule &S, const CodeEmitter &E);

  static constexpr size_t MaxRows = 65535;

  std::vector<Row> Rows;
  /// The rows are the original's, and in its order.
  bool sameRows(const Body &F) const;
  /// The first row of the try entry that was row \p Original of the original
  /// table (entries are made in its order); -1 if nothing is left of it.
  int rowOf(unsigned Original) const {
    return Original < FirstRow.size() ? FirstRow[Original] : -1;
  }

private:
  std::vector<int> FirstRow;  ///< by TryEntry::Id
  std::vector<uint32_t> Open; ///< by priority: where its run began
};

} // namespace jopt

#endif
