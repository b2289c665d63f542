//===- LineNumbers.cpp - Elements that hold up to the next ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
///
/// \file
/// An element with a field `from` holds from its offset on, up to that of
/// another: the source line of LineNumberTable. So what counts is the order:
///
///   - Code that is inserted in front of an instruction belongs to the line of
///     that instruction; what is inserted at the end of a block, to the line in
///     front of it.
///   - Code inserted in front of all code belongs to the method's first line,
///     even if branches to that line and ranges at it leave the code out.
///   - Where all code of a line is gone, the next line takes its place.
///   - Where blocks have moved, each stretch of code in original order begins
///     with the line in force there.
///
//===----------------------------------------------------------------------===//

#include "Relocation.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cstring>

using namespace jopt;

namespace {
struct LineElement {
  uint32_t BCI, Offset;
  const uint8_t *Element;
};
} // namespace

/// In original order every entry keeps its place; one whose code is gone gives
/// way to the one behind it.
static void mapLinesInOrder(llvm::SmallVectorImpl<LineElement> &Lines,
                            const OffsetMap &Map) {
  for (LineElement &L : Lines)
    L.Offset = Map.runs().empty() ? Map.codeLength()
                                  : Map.border(Map.runs().front(), L.BCI);
  size_t Kept = 0;
  for (size_t I = 0; I < Lines.size(); ++I) {
    bool Gone = Lines[I].Offset >= Map.codeLength() ||
                (I + 1 < Lines.size() && Lines[I + 1].BCI > Lines[I].BCI &&
                 Lines[I + 1].Offset == Lines[I].Offset);
    if (!Gone)
      Lines[Kept++] = Lines[I];
  }
  Lines.truncate(Kept);
}

/// Otherwise each run of code gets the line that is in force where it begins,
/// and those that begin inside it.
static void mapLinesByRuns(llvm::SmallVectorImpl<LineElement> &Lines,
                           const OffsetMap &Map) {
  llvm::stable_sort(Lines, [](const LineElement &A, const LineElement &B) {
    return A.BCI < B.BCI;
  });
  llvm::SmallVector<LineElement, 32> Result;
  for (const OffsetMap::Run &R : Map.runs()) {
    uint32_t First = Map.firstIndex(R), Last = Map.lastIndex(R);
    const auto *It = std::upper_bound(
        Lines.begin(), Lines.end(), First,
        [](uint32_t BCI, const LineElement &L) { return BCI < L.BCI; });
    if (It != Lines.begin())
      Result.push_back({First, Map.startOffset(R), std::prev(It)->Element});
    for (; It != Lines.end() && It->BCI <= Last; ++It)
      Result.push_back({It->BCI, Map.border(R, It->BCI), It->Element});
  }
  Lines.assign(Result.begin(), Result.end());
}

/// The size of an element of LineNumberTable; a constant of the compiler.
using LineSize = std::integral_constant<size_t, 4>;

template <typename SizeT>
static void writeLines(llvm::ArrayRef<LineElement> Lines,
                       const CodeReferences &Refs, SizeT Size, ByteWriter &W) {
  size_t At = W.size();
  W.buffer().resize_for_overwrite(At + Lines.size() * Size);
  uint8_t *P = W.buffer().data() + At;
  for (const LineElement &L : Lines) {
    std::memcpy(P, L.Element, Size);
    writeU2(P + Refs.FieldOffset, uint16_t(L.Offset));
    P += Size;
  }
}

void jopt::relocateLines(const CodeReferences &Refs, Bytes Data,
                         const OffsetMap &Map, ByteWriter &W) {
  const size_t Size = Refs.ElementSize;
  llvm::SmallVector<LineElement, 32> Lines;
  for (const uint8_t *P = Data.begin() + 2; P != Data.end(); P += Size)
    Lines.push_back({readU2(P + Refs.FieldOffset), 0, P});
  if (Map.monotone())
    mapLinesInOrder(Lines, Map);
  else
    mapLinesByRuns(Lines, Map);
  for (LineElement &L : Lines) {
    if (L.BCI != 0)
      break;
    L.Offset = 0;
  }
  if (Lines.size() > 65535)
    Lines.truncate(65535);
  W.u2(uint16_t(Lines.size()));
  if (Refs.ElementSize == LineSize())
    writeLines(Lines, Refs, LineSize(), W);
  else
    writeLines(Lines, Refs, size_t(Refs.ElementSize), W);
}
