//===- TightenRanges.cpp - Take out of ranges what cannot throw -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Passes/Analysis/Effects.h"
#include "jopt/Passes/BuiltinPasses.h"
#include "jopt/Support/Statistics.h"
#include "llvm/ADT/BitVector.h"

using namespace jopt;

#define GET_STATISTICS_TightenRanges
#include "jopt/Passes/Passes.inc"

namespace {
/// Blocks one behind the other that \p Entry covers: a row of the table.
struct Range {
  TryEntry *Entry;
  size_t Begin, End; ///< in the order of the layout
};
} // namespace

static std::vector<Range> findRanges(const Body &F,
                                     llvm::ArrayRef<Block *> Blocks) {
  std::vector<Range> Ranges;
  std::vector<size_t> Begun(F.tries().size());
  const ThrowEdge *Before = nullptr;
  auto Step = [&](const ThrowEdge *Now, size_t At) {
    forEachChange(Before, Now, [&](TryEntry *E, bool Added) {
      if (Added)
        Begun[E->Priority] = At;
      else
        Ranges.push_back({E, Begun[E->Priority], At});
    });
    Before = Now;
  };
  for (size_t N = 0; N < Blocks.size(); ++N)
    Step(Blocks[N]->throwEdges(), N);
  Step(nullptr, Blocks.size());
  return Ranges;
}

llvm::Expected<PreservedAnalyses> TightenRangesPass::run(Body &F,
                                                         PassContext &C) const {
  if (F.Inferred || F.Inlined || F.tries().empty())
    return PreservedAnalyses::all();
  const auto &What = C.analysis<Effects>(F);
  std::vector<Block *> Blocks;
  llvm::BitVector Throws;
  for (Block &B : F.blocks()) {
    Blocks.push_back(&B);
    Throws.push_back(llvm::any_of(
        B, [&](const Instruction &I) { return What.mayThrow(I); }));
  }
  unsigned Taken = 0, Gone = 0;
  std::vector<unsigned> NumLeft(F.tries().size());
  for (const Range &R : findRanges(F, Blocks)) {
    if (!R.Entry->CatchType && What.locks()) {
      ++NumLeft[R.Entry->Priority];
      continue;
    }
    auto Take = [&](size_t N) {
      Blocks[N]->setThrowEdges(F.withoutTry(Blocks[N]->throwEdges(), R.Entry));
      ++Taken;
    };
    size_t First = R.Begin, Last = R.End;
    while (First < Last && !Throws[First])
      Take(First++);
    while (Last > First && !Throws[Last - 1])
      Take(--Last);
    NumLeft[R.Entry->Priority] += First != Last;
  }
  const llvm::SmallVector<TryEntry *, 8> Tries(F.tries());
  for (size_t N = 0; N < Tries.size(); ++N)
    if (!NumLeft[N]) {
      F.eraseTry(Tries[N]);
      ++Gone;
    }
  NumBlocks += Taken;
  NumRanges += Gone;
  if (Gone)
    C.remark(F.method(), "removed " + llvm::Twine(Gone) +
                             " exception ranges over code that cannot throw");
  return PreservedAnalyses::changedIf(Taken || Gone).preserve<Effects>();
}
