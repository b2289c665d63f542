//===- RangeFronts.cpp - Code inserted where a range begins ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RangeFronts.h"
#include "jopt/Bytecode/Decoder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;

void RangeFronts::collect(const CodePatch &S) {
  // In nearly all methods no site is where a range begins.
  if (llvm::none_of(S.Sites, [&](const InsertionPoint &Of) {
        return Of.BCI < S.Marks.size() && S.Marks[Of.BCI] & CodePatch::Border;
      }))
    return;
  llvm::SmallVector<uint32_t, 4> Rows; // with sites where they begin
  const auto &Handlers = S.Code.Handlers;
  for (uint32_t N = 0; N < Handlers.size(); ++N) {
    const uint32_t Start = Handlers[N].Start;
    auto Site = llvm::partition_point(
        S.Sites, [&](const InsertionPoint &Of) { return Of.BCI < Start; });
    if (Start && Site != S.Sites.end() && Site->BCI == Start)
      Rows.push_back(N);
  }
  if (Rows.empty())
    return;
  // Where the first range of a handler and type begins.
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> First;
  for (const CodeView::Handler &H : Handlers) {
    auto [At, IsNew] = First.try_emplace({H.Target, H.CatchType}, H.Start);
    At->second = std::min<uint32_t>(At->second, H.Start);
  }
  llvm::sort(Rows, [&](uint32_t A, uint32_t B) {
    return Handlers[A].Start < Handlers[B].Start;
  });
  Included.resize(unsigned(Handlers.size()));
  DecodedInst I;
  auto *Row = Rows.begin();
  for (uint32_t At = 0; Row != Rows.end() && decodeInst(S.Code.Code, At, I);
       At = I.end())
    for (; Row != Rows.end() && Handlers[*Row].Start <= I.end(); ++Row) {
      const CodeView::Handler &H = Handlers[*Row];
      // A handler that covers itself: control comes to it by exceptions.
      const bool CoversItself = H.Target == H.Start;
      const bool IsSecondPart =
          !CoversItself && First.lookup({H.Target, H.CatchType}) < H.Start;
      if (I.Op == op::MONITORENTER || (I.info().EndsBlock && IsSecondPart))
        Included.set(*Row);
    }
}
