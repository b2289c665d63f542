//===- EdgesFuzzer.cpp ----------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Any text as the graphs of a class: what is read is solved for any counts,
/// and written and read again is the same.
///
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/EdgeGraph.h"

using namespace jopt::coverage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const llvm::StringRef Text(reinterpret_cast<const char *>(Data), Size);
  auto Graphs = decodeEdges(Text);
  if (!Graphs) {
    llvm::consumeError(Graphs.takeError());
    return 0;
  }
  std::vector<uint64_t> Values(1000, ~uint64_t(0) / 3);
  uint64_t Next = FirstOfEdges;
  std::vector<const EdgeGraph *> All;
  for (const EdgeGraph &G : *Graphs) {
    All.push_back(&G);
    const EdgeElements Elements(G, Next);
    Next = Elements.End;
    auto Counts = solve(G, Elements, Values);
    if (Counts)
      probesOf(G, *Counts);
    else
      llvm::consumeError(Counts.takeError());
  }
  auto Again = decodeEdges(encodeEdges(All));
  if (!Again || Again->size() != Graphs->size())
    __builtin_trap();
  for (size_t M = 0; M < Graphs->size(); ++M)
    if (!(*Again)[M].isLike((*Graphs)[M]))
      __builtin_trap();
  return 0;
}
