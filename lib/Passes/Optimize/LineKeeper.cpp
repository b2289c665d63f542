//===- LineKeeper.cpp - Lines that keep an instruction --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LineKeeper.h"

using namespace jopt;

LineKeeper::LineKeeper(Body &F, PassContext &C)
    : F(F), C(C), Keeps(C.debugTables() == DebugTables::Keep) {}

/// Most methods change nowhere: lines are counted when somebody asks.
void LineKeeper::count() const {
  IsCounted = true;
  if (!Keeps)
    return;
  Lines = C.analysis<LineNumbers>(F);
  if (Lines.Entries.empty())
    return;
  for (const Block &B : F.blocks())
    for (const Instruction &I : B.instructions())
      if (!I.info().NoCode)
        ++Count[lineOf(I)];
}

unsigned LineKeeper::lineAt(int32_t BCI) const {
  if (!IsCounted)
    count();
  if (BCI < 0)
    return 0;
  return Lines.at(BCI);
}

void LineKeeper::add(const Instruction &I) {
  if (IsCounted && !Lines.Entries.empty())
    ++Count[lineOf(I)];
}

void LineKeeper::forget(const Instruction &I) {
  if (IsCounted && !Lines.Entries.empty() && !I.info().NoCode)
    --Count[lineOf(I)];
}

void LineKeeper::erase(Instruction *I) {
  const unsigned Line = I->info().NoCode ? 0 : lineOf(*I);
  if (Line && Count[Line] == 1) {
    if (I->op() == irop::Nop)
      return;
    Instruction *Nop = F.create(irop::Nop, op::NOP, Type::Void, {}, I->bci());
    Nop->setAdvice(I->advice());
    F.insert(Nop, I->block(), I->getIterator());
  } else if (Line) {
    --Count[Line];
  }
  F.erase(I);
}
