//===- FrontPlaces.cpp - Places in front of original instructions ---------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Bytecode/Decoder.h"
#include "jopt/Passes/Placement.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;

/// The original code of \p B ends with a monitorenter.
static bool takesLockAtEnd(const Block &B) {
  for (const Instruction &I : llvm::reverse(B.instructions())) {
    if (!isOriginal(I))
      continue;
    if (I.op() != irop::Raw)
      return I.op() == irop::Plain && I.opcode() == op::MONITORENTER;
    DecodedInst Last;
    if (I.raw().HasMonitors)
      for (uint32_t At = 0; decodeInst(I.raw().Code, At, Last);)
        At = Last.end();
    return Last.Op == op::MONITORENTER;
  }
  return false;
}

static bool fallsThrough(const Block &B) {
  const Instruction *T = B.terminator();
  return !T || T->op() == irop::FallThrough || T->op() == irop::If;
}

/// The handler of \p T covers code in front of \p B too.
bool Placement::coversBefore(const TryEntry &T, const Block &B) {
  using Key = std::pair<const Block *, unsigned>;
  if (FirstCovered.empty())
    for (const Block &Of : F.blocks())
      forEachTry(Of.throwEdges(), [&](const TryEntry *T) {
        FirstCovered.try_emplace(Key(T->Handler, T->CatchType), &Of);
      });
  return T.Handler != &B &&
         FirstCovered.lookup(Key(T.Handler, T.CatchType)) != &B;
}

Placement::FrontPlace Placement::inFrontOf(const Instruction *I) {
  Block *B = I->block();
  const ThrowEdge *Own = B->throwEdges();
  for (const Instruction &Before : *B) {
    if (&Before == I)
      break;
    if (isFromCode(Before))
      return {false, Own};
  }
  auto At = B->getIterator();
  // Code at the start of the method has a block of its own in any case: it is
  // in no range that a pass makes later.
  if (std::none_of(F.blocks().begin(), At, [](const Block &Before) {
        return llvm::any_of(Before.instructions(), isFromCode);
      }))
    return {true, nullptr};
  // See RangeFronts, which decides the same for patched bodies.
  const Block &Before = *std::prev(At);
  if (takesLockAtEnd(Before))
    return {false, Own};
  const ThrowEdge *Common = Own;
  forEachChange(Own, Before.throwEdges(), [&](TryEntry *T, bool OnlyInOther) {
    if (!OnlyInOther && (fallsThrough(Before) || !coversBefore(*T, *B)))
      Common = F.withoutTry(Common, T);
  });
  return {Common != Own, Common};
}

Instruction *Placement::cutBefore(Instruction *I) {
  Block *B = I->block();
  const ThrowEdge *Own = B->throwEdges();
  FrontPlace Front = inFrontOf(I);
  if (!Front.Apart)
    return I;
  Block *Rest = F.split(B, I->getIterator());
  B->setThrowEdges(Front.Edges);
  Rest->setThrowEdges(Own);
  return B->terminator();
}
