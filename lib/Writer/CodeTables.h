//===- CodeTables.h - What points into code ---------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The exception table, and the attributes of Code whose offsets follow the
/// code: lines, local variables, type annotations.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_CODETABLES_H
#define JOPT_LIB_WRITER_CODETABLES_H

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
  llvm::Error run(const Body &F, const Scheduler &S, const CodeEmitter &E);

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

/// Original bytecode indices to offsets in the new code.
class OffsetMap {
public:
  /// \p TryIdentity: nothing but moved code can make tables differ.
  void run(const Body &F, const Scheduler &S, const CodeEmitter &E,
           bool TryIdentity);

  /// Every instruction stands where it stood: tables can be copied.
  bool identity() const { return Identity; }
  /// The code is in its original order, each instruction once at most.
  bool monotone() const { return Runs.size() <= 1; }
  uint32_t codeLength() const { return Length; }

  /// A stretch of new code in original order.
  struct Run {
    uint32_t Begin, End; ///< in Points
    uint32_t EndOffset;
  };
  llvm::ArrayRef<Run> runs() const { return Runs; }
  uint32_t firstIndex(const Run &R) const { return Points[R.Begin].Key; }
  uint32_t lastIndex(const Run &R) const { return Points[R.End - 1].lastKey(); }
  uint32_t startOffset(const Run &R) const { return Points[R.Begin].Offset; }
  /// The first place in \p R that came from index \p BCI or behind it.
  uint32_t border(const Run &R, uint32_t BCI) const;
  /// Calls \p Each(Start, End) for each stretch of new code that came from
  /// [\p From, \p To), in the order of the new code. Stretches that became
  /// empty are left out, unless the range was empty before.
  void ranges(uint32_t From, uint32_t To,
              llvm::function_ref<void(uint32_t, uint32_t)> Each) const;
  /// Where copies of the instruction at \p BCI stand; ascending.
  void instructions(uint32_t BCI, llvm::SmallVectorImpl<uint32_t> &Offsets);

private:
  void findKeys(const Scheduler &S);

  /// From here on \p Length bytes of code are as they were, one after the
  /// other; at least 1.
  struct Point {
    uint32_t Key, Offset, Length;
    uint32_t lastKey() const { return Key + Length - 1; }
    bool operator<(const Point &O) const {
      return Key != O.Key ? Key < O.Key : Offset < O.Offset;
    }
  };
  std::vector<Point> Points;
  std::vector<Run> Runs;
  std::vector<Point> Own; ///< instructions themselves
  bool OwnSorted = true;
  std::vector<int32_t> InstKeys; ///< by number of an instruction
  uint32_t Length = 0;
  bool Identity = false;
};

/// \name Payloads for the new code
/// Each appends the new payload to \p W. A payload that is malformed is
/// appended as it is.
/// @{
void mapLineNumbers(Bytes Data, const OffsetMap &Map, ByteWriter &W);
/// LocalVariableTable and LocalVariableTypeTable.
void mapLocalVariables(Bytes Data, const OffsetMap &Map, ByteWriter &W);
/// RuntimeVisibleTypeAnnotations and RuntimeInvisibleTypeAnnotations of Code.
void mapTypeAnnotations(Bytes Data, OffsetMap &Map, const ExceptionTable &Table,
                        ByteWriter &W);
/// @}

} // namespace jopt

#endif
