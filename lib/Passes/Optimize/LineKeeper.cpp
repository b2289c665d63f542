//===- LineKeeper.cpp - Lines that keep an instruction --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LineKeeper.h"
#include "jopt/Support/Bytes.h"

using namespace jopt;

LineKeeper::LineKeeper(Body &F, PassContext &C)
    : F(F), Keeps(C.debugTables() == DebugTables::Keep) {}

/// Most methods change nowhere: lines are counted when somebody asks.
void LineKeeper::count() const {
  IsCounted = true;
  if (!Keeps)
    return;
  for (const Attribute &A : F.Attributes) {
    if (F.pool().utf8(A.NameIndex) != "LineNumberTable")
      continue;
    ByteCursor Cursor(A.Data);
    for (unsigned N = Cursor.u2(); N && !Cursor.failed(); --N) {
      const uint32_t Start = Cursor.u2();
      Lines.push_back({Start, uint16_t(Cursor.u2())});
    }
  }
  if (Lines.empty())
    return;
  llvm::stable_sort(Lines, llvm::less_first());
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
  auto It = llvm::partition_point(
      Lines, [&](const auto &L) { return int64_t(L.first) <= BCI; });
  return It == Lines.begin() ? 0 : std::prev(It)->second;
}

void LineKeeper::add(const Instruction &I) {
  if (IsCounted && !Lines.empty())
    ++Count[lineOf(I)];
}

void LineKeeper::forget(const Instruction &I) {
  if (IsCounted && !Lines.empty() && !I.info().NoCode)
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
