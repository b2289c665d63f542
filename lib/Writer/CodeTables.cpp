//===- CodeTables.cpp - What points into code -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeTables.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

using namespace jopt;

//===----------------------------------------------------------------------===//
// Exception table
//===----------------------------------------------------------------------===//

llvm::Error ExceptionTable::run(const Body &F, const Scheduler &S,
                                const CodeEmitter &E) {
  Rows.clear();
  size_t NumTries = F.tries().size();
  FirstRow.assign(NumTries, -1);
  if (NumTries == 0)
    return llvm::Error::success();
  Open.assign(NumTries, 0);

  auto Close = [&](const TryEntry *T, uint32_t End) {
    uint32_t Handler = S.OrdinalOf[T->Handler->id()];
    Rows.push_back({Open[T->Priority], End, S.Blocks[Handler].Offset, T});
  };
  const ThrowEdge *Last = nullptr;
  auto Change = [&](const ThrowEdge *Next, uint32_t At) {
    if (Next == Last)
      return;
    forEachChange(Last, Next, [&](const TryEntry *T, bool Added) {
      if (Added)
        Open[T->Priority] = At;
      else
        Close(T, At);
    });
    Last = Next;
  };
  for (size_t N = 0; N < S.Blocks.size(); ++N) {
    const ScheduledBlock &B = S.Blocks[N];
    uint32_t Stop = N + 1 < S.Blocks.size() ? S.Blocks[N + 1].FirstItem
                                            : uint32_t(S.Items.size());
    if (B.FirstItem != Stop)
      Change(B.B->throwEdges(), B.Offset);
  }
  Change(nullptr, uint32_t(E.code().size()));

  auto Earlier = [](const Row &A, const Row &B) {
    return A.Entry->Priority < B.Entry->Priority;
  };
  if (!llvm::is_sorted(Rows, Earlier))
    llvm::stable_sort(Rows, Earlier);
  for (size_t R = Rows.size(); R-- > 0;)
    if (Rows[R].Entry->Id < FirstRow.size())
      FirstRow[Rows[R].Entry->Id] = int(R);
  if (Rows.size() > 65535)
    return makeError("the exception table has more than 65,535 rows");
  return llvm::Error::success();
}

bool ExceptionTable::sameRows(const Body &F) const {
  if (Rows.size() != F.tries().size())
    return false;
  for (size_t R = 0; R < Rows.size(); ++R)
    if (Rows[R].Entry->Id != R)
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

void OffsetMap::run(const Body &F, const Scheduler &S, const CodeEmitter &E,
                    bool TryIdentity) {
  Length = uint32_t(E.code().size());
  Points.clear();
  Runs.clear();
  Own.clear();
  Identity = TryIdentity && Length == F.OriginalCodeLength;
  for (size_t N = 0; N < S.Items.size() && Identity; ++N) {
    const CodeItem &It = S.Items[N];
    if (It.Kind == CodeItem::Inst && It.Arg == It.Pos)
      Identity = S.Insts[It.Arg].I->bci() == int64_t(E.Offsets[N]);
  }
  if (Identity)
    return;

  findKeys(S);
  OwnSorted = true;
  // Where the last instruction ended that stands for itself.
  uint32_t OwnEnd = ~0u;
  for (size_t N = 0; N < S.Items.size(); ++N) {
    const CodeItem &It = S.Items[N];
    if (InstKeys[It.Pos] < 0)
      continue;
    uint32_t Key = uint32_t(InstKeys[It.Pos]), At = E.Offsets[N];
    const Instruction &I = *S.Insts[It.Pos].I;
    bool IsOwn = It.Kind == CodeItem::Inst && It.Arg == It.Pos &&
                 I.bci() == int64_t(Key) && I.advice() < 0;
    uint32_t Length =
        IsOwn && I.op() == irop::Raw ? uint32_t(I.raw().Code.size()) : 1;
    // It follows as it did in the original.
    auto Continues = [&](Point &P) {
      if (!IsOwn || At != OwnEnd || Key - P.Key != At - P.Offset)
        return false;
      P.Length = Key - P.Key + Length;
      return true;
    };
    if (IsOwn && (Own.empty() || !Continues(Own.back()))) {
      OwnSorted &= Own.empty() || Own.back().Key < Key;
      Own.push_back({Key, At, Length});
    }
    bool First = Points.empty() || Key < Points.back().Key;
    if (First)
      Runs.push_back({uint32_t(Points.size()), 0, 0});
    if (First || !Continues(Points.back())) {
      // Where something was inserted in front, the first key is taken.
      uint32_t Taken =
          First ? 0 : std::max(Points.back().lastKey() + 1, Key) - Key;
      if (Taken < Length)
        Points.push_back({Key + Taken, At + Taken, Length - Taken});
    }
    Runs.back().End = uint32_t(Points.size());
    Runs.back().EndOffset = E.Offsets[N + 1];
    OwnEnd = IsOwn ? E.Offsets[N + 1] : ~0u;
  }
}

/// What a pass inserted has the key of the next original instruction of its
/// block, else of the one before, else none. Anchors and fallthroughs may have
/// one as well, and are not scheduled.
void OffsetMap::findKeys(const Scheduler &S) {
  InstKeys.resize(S.Insts.size());
  for (size_t B = S.Blocks.size(), End = S.Insts.size(); B-- > 0;) {
    size_t Begin = S.Blocks[B].FirstInst;
    int32_t Last = -1;
    for (size_t N = End; N > Begin && Last < 0;)
      Last = S.Insts[--N].I->bci();
    int32_t Next = -1;
    auto It = S.Blocks[B].B->end(), First = S.Blocks[B].B->begin();
    for (size_t N = End; It != First;) {
      const Instruction &I = *--It;
      if (I.bci() >= 0)
        Next = I.bci();
      if (N > Begin && S.Insts[N - 1].I == &I)
        InstKeys[--N] = Next >= 0 ? Next : Last;
    }
    End = Begin;
  }
}

uint32_t OffsetMap::border(const Run &R, uint32_t BCI) const {
  auto Begin = Points.begin() + R.Begin, End = Points.begin() + R.End;
  auto It = std::lower_bound(Begin, End, Point{BCI, 0, 1});
  if (It != Begin && (It == End || It->Key != BCI) &&
      std::prev(It)->lastKey() >= BCI)
    return std::prev(It)->Offset + BCI - std::prev(It)->Key;
  return It == End ? R.EndOffset : It->Offset;
}

void OffsetMap::ranges(
    uint32_t From, uint32_t To,
    llvm::function_ref<void(uint32_t, uint32_t)> Each) const {
  for (const Run &R : Runs) {
    if (From > lastIndex(R) || To < firstIndex(R))
      continue;
    uint32_t Start = border(R, From), End = border(R, To);
    if (Start < End || (From == To && Start < Length))
      Each(Start, End);
  }
}

void OffsetMap::instructions(uint32_t BCI,
                             llvm::SmallVectorImpl<uint32_t> &Offsets) {
  // Few methods have anything that asks.
  if (!std::exchange(OwnSorted, true))
    llvm::sort(Own, std::less<>());
  Offsets.clear();
  auto It = std::lower_bound(Own.begin(), Own.end(), Point{BCI, 0, 1});
  if (It != Own.begin() && (It == Own.end() || It->Key != BCI) &&
      std::prev(It)->lastKey() >= BCI)
    Offsets.push_back(std::prev(It)->Offset + BCI - std::prev(It)->Key);
  for (; It != Own.end() && It->Key == BCI; ++It)
    Offsets.push_back(It->Offset);
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

namespace {
struct Line {
  uint32_t BCI, Offset;
  uint16_t Number;
};
} // namespace

/// In original order every entry keeps its place; one whose code is gone gives
/// way to the one behind it.
static void mapLinesInOrder(llvm::SmallVectorImpl<Line> &Lines,
                            const OffsetMap &Map) {
  for (Line &L : Lines)
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
static void mapLinesByRuns(llvm::SmallVectorImpl<Line> &Lines,
                           const OffsetMap &Map) {
  llvm::stable_sort(Lines,
                    [](const Line &A, const Line &B) { return A.BCI < B.BCI; });
  llvm::SmallVector<Line, 32> Result;
  for (const OffsetMap::Run &R : Map.runs()) {
    uint32_t First = Map.firstIndex(R), Last = Map.lastIndex(R);
    auto It = std::upper_bound(
        Lines.begin(), Lines.end(), First,
        [](uint32_t BCI, const Line &L) { return BCI < L.BCI; });
    if (It != Lines.begin())
      Result.push_back({First, Map.startOffset(R), std::prev(It)->Number});
    for (; It != Lines.end() && It->BCI <= Last; ++It)
      Result.push_back({It->BCI, Map.border(R, It->BCI), It->Number});
  }
  Lines.assign(Result.begin(), Result.end());
}

void jopt::mapLineNumbers(Bytes Data, const OffsetMap &Map, ByteWriter &W) {
  ByteCursor C(Data);
  unsigned Count = C.u2();
  if (C.failed() || C.remaining() != size_t(Count) * 4)
    return W.bytes(Data);
  llvm::SmallVector<Line, 32> Lines;
  for (unsigned I = 0; I < Count; ++I) {
    uint16_t BCI = C.u2();
    Lines.push_back({BCI, 0, C.u2()});
  }
  if (Map.monotone())
    mapLinesInOrder(Lines, Map);
  else
    mapLinesByRuns(Lines, Map);
  if (Lines.size() > 65535)
    Lines.truncate(65535);
  W.u2(uint16_t(Lines.size()));
  for (const Line &L : Lines) {
    W.u2(uint16_t(L.Offset));
    W.u2(L.Number);
  }
}

//===----------------------------------------------------------------------===//
// Local variables
//===----------------------------------------------------------------------===//

void jopt::mapLocalVariables(Bytes Data, const OffsetMap &Map, ByteWriter &W) {
  ByteCursor C(Data);
  unsigned Count = C.u2();
  if (C.failed() || C.remaining() != size_t(Count) * 10)
    return W.bytes(Data);
  // Ranges of one variable may become equal, and the JVM refuses duplicates.
  llvm::SmallSet<std::pair<uint64_t, uint64_t>, 16> Seen;
  size_t CountAt = W.size();
  unsigned Written = 0;
  W.u2(0);
  while (Count--) {
    uint32_t Start = C.u2(), End = Start + C.u2();
    uint64_t Name = C.u2(), Descriptor = C.u2(), Index = C.u2();
    uint64_t Variable = Name << 32 | Descriptor << 16 | Index;
    Map.ranges(Start, End, [&](uint32_t From, uint32_t To) {
      if (Written == 65535 ||
          !Seen.insert({uint64_t(From) << 32 | To, Variable}).second)
        return;
      ++Written;
      W.u2(uint16_t(From));
      W.u2(uint16_t(To - From));
      W.u2(uint16_t(Name));
      W.u2(uint16_t(Descriptor));
      W.u2(uint16_t(Index));
    });
  }
  W.patchU2(CountAt, uint16_t(Written));
}
