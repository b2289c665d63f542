//===- OffsetMap.h - Where the code went ------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From original bytecode indices to offsets in the new code.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_WRITER_OFFSETMAP_H
#define JOPT_LIB_WRITER_OFFSETMAP_H

#include "CodeEmitter.h"

namespace jopt {

/// Original bytecode indices to offsets in the new code.
class OffsetMap {
public:
  /// \p TryIdentity: nothing but moved code can make tables differ.
  void run(const Body &F, const Schedule &S, const CodeEmitter &E,
           bool TryIdentity);

  /// \name For code of which the order is as it was: begin, add, end
  /// @{
  void begin(uint32_t CodeLength);
  /// From index \p Key on \p Length bytes are as they were, at \p Offset; what
  /// was put in front of \p Key may stand there instead. Keys ascend.
  void add(uint32_t Key, uint32_t Offset, uint32_t Length) {
    Points.push_back({Key, Offset, Length});
  }
  /// The last of it ends at \p EndOffset.
  void end(uint32_t EndOffset);
  /// @}

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
  template <typename Fn>
  void ranges(uint32_t From, uint32_t To, Fn Each) const {
    for (const Run &R : Runs) {
      if (From > lastIndex(R) || To < firstIndex(R))
        continue;
      uint32_t Start = border(R, From), End = border(R, To);
      if (Start < End || (From == To && Start < Length))
        Each(Start, End);
    }
  }
  /// Where copies of the instruction at \p BCI stand; ascending.
  void instructions(uint32_t BCI, llvm::SmallVectorImpl<uint32_t> &Offsets);

private:
  void findKeys(const Schedule &S);
  size_t endOfMoves(const Schedule &S, const CodeEmitter &E, size_t N) const;

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

} // namespace jopt

#endif
