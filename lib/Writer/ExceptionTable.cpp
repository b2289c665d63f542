//===- ExceptionTable.cpp - Throw edges as rows ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExceptionTable.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;

llvm::Error ExceptionTable::run(const Body &F, const Schedule &S,
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
  // Many entries that many blocks end would fill the memory.
  for (size_t N = 0; N < S.Blocks.size() && Rows.size() <= MaxRows; ++N) {
    const ScheduledBlock &B = S.Blocks[N];
    // Items may have no code: raw code that only pins values.
    const uint32_t End = N + 1 < S.Blocks.size() ? S.Blocks[N + 1].Offset
                                                 : uint32_t(E.code().size());
    if (B.Offset != End)
      Change(B.B->throwEdges(), B.Offset);
  }
  if (Rows.size() <= MaxRows)
    Change(nullptr, uint32_t(E.code().size()));
  if (Rows.size() > MaxRows)
    return makeError("the exception table has more than 65,535 rows");

  auto Earlier = [](const Row &A, const Row &B) {
    return A.Entry->Priority < B.Entry->Priority;
  };
  if (!llvm::is_sorted(Rows, Earlier))
    llvm::stable_sort(Rows, Earlier);
  for (size_t R = Rows.size(); R-- > 0;)
    if (Rows[R].Entry->Id < FirstRow.size())
      FirstRow[Rows[R].Entry->Id] = int(R);
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
