//===- CopiedLines.cpp - Lines of inline functions and their copies -------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/Counters.h"

using namespace jopt;
using namespace jopt::coverage;

/// addCopies, for the counters and lines of a method or class. \returns whether
/// it has any of the lines.
static bool replaceLines(CounterSet &Counted, LineTable &Lines,
                         const LineTable &Copies) {
  bool HasAny = false;
  int32_t Line = Copies.first() - 1;
  for (const LineCounters &Copy : Copies.lines()) {
    LineCounters *L = Lines.find(++Line);
    if (!L || !Copy.Instructions.total())
      continue;
    HasAny = true;
    const bool Covered = L->Instructions.Covered || Copy.Instructions.Covered;
    if (L->Instructions.total()) {
      Counter &OfLines = Counted[coverage::Lines];
      --(L->Instructions.Covered ? OfLines.Covered : OfLines.Missed);
    }
    for (auto [Kind, Old] : {std::pair(Instructions, L->Instructions),
                             std::pair(Branches, L->Branches)}) {
      Counted[Kind].Missed -= Old.Missed;
      Counted[Kind].Covered -= Old.Covered;
    }
    L->Instructions = L->Branches = {};
    for (Counter *C :
         {&L->Instructions, &Counted[Instructions], &Counted[coverage::Lines]})
      C->add(Covered);
  }
  return HasAny;
}

void coverage::addCopies(ClassCounters &C, const LineTable &Copies) {
  if (!replaceLines(C.Counted, C.Lines, Copies))
    return;
  for (MethodCounters &M : C.Methods) {
    const Counter Ways = M.Counted[Complexity], Before = M.Counted[Methods];
    if (!replaceLines(M.Counted, M.Lines, Copies))
      continue;
    Counter Now;
    Now.add(M.Counted[Instructions].Covered);
    M.Counted[Methods] = M.Counted[Complexity] = Now;
    for (auto [Kind, Old] :
         {std::pair(Methods, Before), std::pair(Complexity, Ways)}) {
      C.Counted[Kind].Missed += Now.Missed - Old.Missed;
      C.Counted[Kind].Covered += Now.Covered - Old.Covered;
    }
  }
  C.Counted[Classes] = {};
  C.Counted[Classes].add(C.Counted[Methods].Covered);
}
