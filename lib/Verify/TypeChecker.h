//===- TypeChecker.h - Type checking by stack maps --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_VERIFY_TYPECHECKER_H
#define JOPT_LIB_VERIFY_TYPECHECKER_H

#include "Frames.h"
#include "Machine.h"

namespace jopt::verify {

/// Verification by type checking (JVM specification, 4.10.1) of one method
/// after the other; its memory is used again.
class TypeChecker {
public:
  explicit TypeChecker(Machine &M) : M(M) {}
  /// Checks the method that the machine has begun. False after a finding; \p
  /// Fatal is set where a JVM would not fall back to inference for it.
  bool check(bool &Fatal);

private:
  /// The handlers of one frame's locals that cover the instruction at hand.
  struct Group {
    unsigned Frame;
    uint32_t Count = 0; ///< active entries
    uint32_t Place = 0; ///< in Active
  };
  struct Event {
    uint32_t BCI;
    bool Ends;
    uint32_t Group;
  };

  DeclaredFrame *frameAt(int32_t BCI) {
    return M.isStart(uint32_t(BCI)) && FrameAt[uint32_t(BCI)]
               ? &Frames[FrameAt[uint32_t(BCI)] - 1]
               : nullptr;
  }
  bool matchSlots(SlotPool &Pool, SlotRoot From, SlotRoot To, const char *What,
                  uint32_t Where);
  bool matchLocals(DeclaredFrame &To);
  bool match(DeclaredFrame &To);
  bool matchTarget(int32_t Target);
  bool prepareHandlers();
  /// Brings Active up to the instruction at hand, and checks the handlers that
  /// are new, and all of them where locals have changed.
  bool advanceHandlers() {
    const bool Comes =
        NextEvent < Events.size() && Events[NextEvent].BCI <= M.BCI;
    if (Comes)
      changeActive();
    return Active.empty() ||
           (!Comes && !M.Locals.changed() &&
            M.Locals.stored() == CheckedLocals && M.ThisUninit == CheckedFlag &&
            M.Strict.version() == CheckedUnset) ||
           checkHandlers();
  }
  void changeActive();
  bool checkHandlers();

  Machine &M;
  std::vector<DeclaredFrame> Frames;
  std::vector<uint32_t> FrameAt; ///< by instruction: number of the frame + 1
  std::vector<Group> Groups;
  /// Frames whose locals are the same count as one.
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> GroupOf;
  std::vector<Event> Events;
  std::vector<uint32_t> Active; ///< groups
  size_t NextEvent = 0;
  /// The locals that all of Active have been checked against.
  SlotRoot CheckedLocals = ~0u;
  bool CheckedFlag = false;
  uint32_t CheckedUnset = 0; ///< StrictFields::version
};

} // namespace jopt::verify

#endif
