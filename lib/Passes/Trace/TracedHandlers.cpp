//===- TracedHandlers.cpp - Handlers that no event tells of ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TracedHandlers.h"
#include "TracedSegments.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;

namespace {

class HandlerFinder {
public:
  HandlerFinder(const ClassFile &F, const CodeView &Code,
                const llvm::BitVector &Before,
                llvm::ArrayRef<TracedEvents::Site> Sites, LetterSet Letters)
      : F(F), Code(Code), Before(Before), Sites(Sites), Letters(Letters) {}

  bool counts(uint32_t BCI) const {
    return BCI < Code.Code.size() && (Before.empty() || !Before[BCI]);
  }
  bool callsUntold() const;
  bool tells(uint32_t Handler) const;

private:
  bool isTold(const DecodedInst &I) const;

  const ClassFile &F;
  const CodeView &Code;
  const llvm::BitVector &Before;
  llvm::ArrayRef<TracedEvents::Site> Sites;
  LetterSet Letters;
};

} // namespace

/// An event stands in front of \p I. A return has one in any case.
bool HandlerFinder::isTold(const DecodedInst &I) const {
  if (I.Op >= op::IRETURN && I.Op <= op::RETURN)
    return true;
  const auto *S = llvm::partition_point(
      Sites, [&](const TracedEvents::Site &At) { return At.BCI < I.BCI; });
  for (; S != Sites.end() && S->BCI == I.BCI; ++S)
    if (!S->Info->Behind && S->isRecorded(Letters))
      return true;
  return false;
}

/// Another activation may begin without an event in front of it.
bool HandlerFinder::callsUntold() const {
  DecodedInst I;
  for (uint32_t At = 0; decodeInst(Code.Code, At, I); At = I.end())
    if (counts(At) && runsOtherCode(F, I) && !isTold(I))
      return true;
  return false;
}

/// Whether an event behind \p Handler shows its activation, before another one
/// can begin.
bool HandlerFinder::tells(uint32_t Handler) const {
  DecodedInst I;
  for (uint32_t At = Handler; decodeInst(Code.Code, At, I); At = I.end()) {
    if (isTold(I))
      return true;
    if (I.Op == op::ATHROW)
      return true; // at another handler, or an activation below
    if (I.info().Branches || I.info().EndsBlock || runsOtherCode(F, I))
      return false;
  }
  return true;
}

std::vector<uint32_t> jopt::findHandlers(
    const ClassFile &F, const CodeView &Code, const llvm::BitVector &Before,
    llvm::ArrayRef<TracedEvents::Site> Sites, LetterSet Letters) {
  std::vector<uint32_t> Found;
  if (Code.Handlers.empty())
    return Found;
  const HandlerFinder Finder(F, Code, Before, Sites, Letters);
  if (!Finder.callsUntold())
    return Found;
  for (const CodeView::Handler &H : Code.Handlers)
    if (Finder.counts(H.Target))
      Found.push_back(H.Target);
  llvm::sort(Found);
  Found.erase(llvm::unique(Found), Found.end());
  llvm::erase_if(Found, [&](uint32_t H) { return Finder.tells(H); });
  return Found;
}
