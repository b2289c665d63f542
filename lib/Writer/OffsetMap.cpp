//===- OffsetMap.cpp - Where the code went --------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OffsetMap.h"
#include "jopt/Bytecode/Decoder.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <functional>
#include <utility>

using namespace jopt;

/// How much of \p Original was where \p I, which stands for itself, is now;
/// 0: that is not known.
static uint32_t originalLength(const Instruction &I, Bytes Original) {
  const uint32_t BCI = uint32_t(I.bci());
  if (I.op() == irop::Raw)
    return I.raw().Code.size();
  if (BCI >= Original.size() || I.op() == irop::Drop) // that has its value's
    return 0;
  if (const uint32_t Length = lengthAt(Original, BCI))
    return Length;
  DecodedInst D;
  return decodeInst(Original, BCI, D) ? D.Length : 0;
}

/// How many bytes of \p I, which stands for itself in \p Size bytes, keep their
/// distances; tables may refer to places inside it. It had \p Room bytes; 0:
/// that is not known.
static uint32_t lengthOf(const Instruction &I, uint32_t Size, uint32_t Room) {
  switch (I.op()) {
  case irop::TableSwitch:
  case irop::LookupSwitch:
    return 1;
  default:
    if (Room) // it may name another slot now, or be another instruction
      return std::min(Room, Size);
  }
  switch (I.op()) {
  case irop::LocalGet:
  case irop::LocalSet:
  case irop::LocalInc:
    return 1;
  case irop::Goto:
  case irop::If:
    return I.longForm() ? 5 : 3; // it may reach farther now
  default:
    return Size;
  }
}

void OffsetMap::begin(uint32_t CodeLength) {
  Length = CodeLength;
  Identity = false;
  Points.clear();
  Runs.clear();
  Own.clear();
}

void OffsetMap::end(uint32_t EndOffset) {
  Runs.push_back({0, uint32_t(Points.size()), EndOffset});
}

void OffsetMap::run(const Body &F, const Schedule &S, const CodeEmitter &E,
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
  Bytes Original = F.method().code(F.pool());
  if (Original.size() != F.OriginalCodeLength)
    Original = {};
  // Where the last instruction ended that stands for itself, as long as it was.
  uint32_t OwnEnd = ~0u;
  // The last point begins with original code, maybe in another order, and not
  // with code that a pass put in.
  bool IsOriginal = false;
  // The key of the item that the last point is for; its own may be behind that.
  uint32_t LastKey = 0;
  for (size_t N = 0; N < S.Items.size(); ++N) {
    const CodeItem &It = S.Items[N];
    if (InstKeys[It.Pos] < 0)
      continue;
    if (It.Kind == CodeItem::StackOp && OwnEnd != ~0u && IsOriginal)
      if (size_t Next = endOfMoves(S, E, N)) {
        N = Next - 1;
        OwnEnd = E.Offsets[Next];
        continue;
      }
    uint32_t Key = uint32_t(InstKeys[It.Pos]), At = E.Offsets[N];
    const Instruction &I = *S.Insts[It.Pos].I;
    bool IsOwn = It.Kind == CodeItem::Inst && It.Arg == It.Pos &&
                 I.bci() == int64_t(Key) && I.advice() < 0;
    const uint32_t Size = E.Offsets[N + 1] - At;
    const uint32_t Room = IsOwn ? originalLength(I, Original) : 0;
    uint32_t Length = IsOwn ? lengthOf(I, Size, Room) : 1;
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
    bool First = Points.empty() || Key < LastKey;
    if (First)
      Runs.push_back({uint32_t(Points.size()), 0, 0});
    if (First || !IsOriginal || !Continues(Points.back())) {
      // Where something was inserted in front, the first key is taken.
      uint32_t Taken =
          First ? 0 : std::max(Points.back().lastKey() + 1, Key) - Key;
      if (Taken < Length) {
        Points.push_back({Key + Taken, At + Taken, Length - Taken});
        LastKey = Key;
        IsOriginal = IsOwn || (I.bci() >= 0 && Size == 1);
      }
    }
    Runs.back().End = uint32_t(Points.size());
    Runs.back().EndOffset = E.Offsets[N + 1];
    OwnEnd = IsOwn && (!Room || Room == Size) ? At + Size : ~0u;
  }
}

/// The scheduler makes a copy of a value, and the like, anew, often for the
/// instruction behind it. From item \p N on there is nothing else, and they
/// stand where such code stood before, between two instructions that stand for
/// themselves: returns the second. 0: it is not so.
size_t OffsetMap::endOfMoves(const Schedule &S, const CodeEmitter &E,
                             size_t N) const {
  while (N < S.Items.size() && S.Items[N].Kind == CodeItem::StackOp)
    ++N;
  if (N == S.Items.size() || Points.empty())
    return 0;
  const CodeItem &It = S.Items[N];
  const Instruction &I = *S.Insts[It.Pos].I;
  const Point &P = Points.back();
  bool Stands = It.Kind == CodeItem::Inst && It.Arg == It.Pos &&
                I.advice() < 0 && I.bci() > int64_t(P.lastKey()) &&
                uint32_t(I.bci()) - P.Key == E.Offsets[N] - P.Offset;
  return Stands ? N : 0;
}

/// Inserted instructions have the key of the next original instruction of their
/// block, else of the one before, else none. Anchors and fallthroughs may have
/// one as well, and are not scheduled.
void OffsetMap::findKeys(const Schedule &S) {
  InstKeys.resize(S.Insts.size());
  for (size_t B = S.Blocks.size(), End = S.Insts.size(); B-- > 0;) {
    size_t Begin = S.Blocks[B].FirstInst;
    auto It = S.Blocks[B].B->end(), First = S.Blocks[B].B->begin();
    int32_t Next = -1, Last = -1;
    bool LooksForLast = true; // few blocks end with what was inserted
    for (size_t N = End; It != First;) {
      const Instruction &I = *--It;
      if (I.bci() >= 0)
        Next = I.bci();
      if (N == Begin || S.Insts[N - 1].I != &I)
        continue;
      if (Next < 0 && std::exchange(LooksForLast, false))
        for (auto Of = It; Of != First && Last < 0;)
          Last = (--Of)->bci();
      InstKeys[--N] = Next >= 0 ? Next : Last;
    }
    End = Begin;
  }
}

uint32_t OffsetMap::border(const Run &R, uint32_t BCI) const {
  // The first point behind BCI: the keys of a run ascend.
  const Point *First = &Points[R.Begin], *It = First;
  for (size_t N = R.End - R.Begin; N;) {
    size_t Half = N / 2;
    bool Right = It[Half].Key <= BCI;
    It = Right ? It + Half + 1 : It;
    N = Right ? N - Half - 1 : Half;
  }
  if (It != First && It[-1].lastKey() >= BCI)
    return It[-1].Offset + BCI - It[-1].Key;
  return It == First + (R.End - R.Begin) ? R.EndOffset : It->Offset;
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
