//===- SlotLiveness.h - Which slots are read later --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which slots are read before they are written again.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_ANALYSIS_SLOTLIVENESS_H
#define JOPT_PASSES_ANALYSIS_SLOTLIVENESS_H

#include "jopt/Passes/Pass.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace jopt {

/// Slots that are read later, by code, a verifier or a debugger:
///  - what a handler reads is read by each instruction in its range, whether
///    that throws or not, as verifiers ask it for the slots there;
///  - `this`, and slots that are declared everywhere, are read always;
///  - where debuggers get everything (DebugTables::Keep), a slot is read
///    wherever a variable is in scope in it.
/// An increment reads nothing: it matters if its slot is read behind it.
class SlotLiveness {
public:
  static inline AnalysisKey Key;
  static SlotLiveness run(const Body &F, PassContext &C);

  /// False if the method is too large to be looked at: nothing is known.
  bool isKnown() const { return Known; }
  /// The slots that are read from the entry of \p B on.
  const llvm::BitVector &liveIn(const Block &B) const { return In[B.id()]; }
  /// A handler of \p B reads \p Slot.
  bool isReadByHandlers(const Block &B, unsigned Slot) const {
    const llvm::BitVector *Handlers = ofHandlers(B);
    return Handlers && Handlers->test(Slot);
  }
  /// Calls \p Each with the instructions of \p B, from its end, and the slots
  /// that are read behind each. Where it answers false, the instruction counts
  /// as gone.
  template <typename Fn> void walk(Block &B, Fn &&Each) const {
    llvm::BitVector Live = liveOut(B);
    const llvm::BitVector *Handlers = ofHandlers(B);
    for (auto It = B.instructions().rbegin(); It != B.instructions().rend();) {
      Instruction &I = *It++;
      if (Each(I, const_cast<const llvm::BitVector &>(Live)))
        step(I, Handlers, Live);
      else
        stepOver(I, Handlers, Live);
    }
  }

private:
  SlotLiveness() = default;
  llvm::BitVector liveOut(const Block &B) const;
  /// What the handlers of \p B read; null if it has none.
  const llvm::BitVector *ofHandlers(const Block &B) const;
  void step(const Instruction &I, const llvm::BitVector *Handlers,
            llvm::BitVector &Live) const;
  void stepOver(const Instruction &I, const llvm::BitVector *Handlers,
                llvm::BitVector &Live) const;
  bool meetHandlers();
  void solve(const Body &F);
  void solveSmall(const Body &F);
  void findNamed(const Body &F, PassContext &C);

  bool Known = false;
  std::vector<llvm::BitVector> In; ///< by Block::id()
  llvm::BitVector Always;
  llvm::DenseMap<const ThrowEdge *, llvm::BitVector> Thrown;
  /// The slots with variables from a bytecode index on to the next, ascending.
  std::vector<std::pair<uint32_t, llvm::BitVector>> Named;
};

} // namespace jopt

#endif
