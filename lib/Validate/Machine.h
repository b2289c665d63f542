//===- Machine.h - One version runs on symbols ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Executes the instructions of one version up to the next that others see, or
/// to a decision that is not made yet.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_VALIDATE_MACHINE_H
#define JOPT_LIB_VALIDATE_MACHINE_H

#include "Facts.h"
#include "MethodCode.h"

namespace jopt::validate {

/// Where one version is. The second slot of a long or double holds null.
struct Side {
  uint32_t At = 0; ///< number of the instruction
  llvm::SmallVector<TermRef, 8> Slots, Stack;
  TermRef Tick = nullptr;    ///< makes new objects distinct
  TermRef Pending = nullptr; ///< an exception whose handler is looked for
  bool Joined = false;       ///< came over a join since the last merge
  /// Where it stopped since the other version last moved.
  llvm::SmallVector<uint32_t, 4> Waits;
};

/// Why a version stops.
struct Stop {
  enum Kind : uint8_t {
    Decision, ///< of Condition
    Switch,   ///< Value decides between the targets of the instruction
    Event,    ///< others see what comes
    Return,   ///< Value, or nothing
    Throw,    ///< Value leaves the method
    Turn,     ///< it comes to a place for the second time
    Failed    ///< Why
  } K = Failed;
  TermRef Condition = nullptr;
  TermRef Value = nullptr;
  std::string Why;
  bool Moved = false; ///< instructions were executed
  /// \name Of an event
  /// @{
  Opcode Op = 0;
  uint32_t Key = 0;
  uint32_t Line = 0;
  llvm::SmallVector<TermRef, 6> Args;
  bool MayThrow = false;
  uint8_t ResultSlots = 0;
  uint32_t ResultKey = 0;
  unsigned Popped = 0;       ///< slots
  TermRef Memory = nullptr;  ///< afterwards; null: it may be anything
  TermRef Stored = nullptr;  ///< then the field Key holds this in any memory
  TermRef Settled = nullptr; ///< does not hold once it has completed
  bool IsNew = false;        ///< the result is an object
  /// @}
};

class SideMachine {
public:
  SideMachine(Terms &T, const MethodCode &C, bool UseLines, unsigned &Steps);

  Stop run(Side &S, TermRef Memory, const PathFacts &F);
  /// The event at which \p S stands is over: \p Result is on the stack.
  void complete(Side &S, const Stop &Event, TermRef Result) const;

private:
  struct Context {
    Side &S;
    TermRef Memory;
    const PathFacts &F;
    Stop Out;
  };
  /// Whether \p Condition holds; stops if that is not decided.
  std::optional<bool> need(Context &C, TermRef Condition);
  /// As need(), for the null test of \p V.
  std::optional<bool> needNull(Context &C, TermRef V) {
    return need(C, T.make(TermKind::EqualRefs, 0, {V, T.null()}));
  }
  /// False: the machine stops.
  bool step(Context &C);
  bool dispatch(Context &C);
  bool throwNew(Context &C, const Inst &I, llvm::StringRef Class);
  bool constant(Context &C, const Inst &I);
  bool branch(Context &C, const Inst &I);
  bool arithmetic(Context &C, const Inst &I);
  bool array(Context &C, const Inst &I);
  bool field(Context &C, const Inst &I);
  bool invoke(Context &C, const Inst &I);
  bool object(Context &C, const Inst &I);
  void stackMove(Side &S, const Inst &I);
  bool fail(Context &C, const llvm::Twine &Why);
  bool event(Context &C, const Inst &I, uint32_t Key, bool MayThrow,
             llvm::ArrayRef<TermRef> Args, unsigned Popped);
  void push(Side &S, TermRef V, bool Wide) const;
  bool next(Context &C, unsigned Popped, TermRef V = nullptr,
            bool Wide = false);
  void go(Side &S, uint32_t To) const;
  uint32_t lineOf(const Inst &I) const { return UseLines ? I.Line : 0; }
  bool isQuietClass(const Named &N) const;
  /// The initialisation of the method's own class, \p N's, failed. It did not
  /// once an access of this thread has completed.
  TermRef initFails(const Named &N) {
    return T.make(TermKind::LinkFails, N.ClassKey, {});
  }
  bool isInitialized(const Context &C, const Named &N) {
    return Code.IsInitialized || C.F.decide(T, initFails(N)) == false;
  }
  TermRef newObject(Side &S, uint32_t Class, TermRef Length = nullptr);

  Terms &T;
  const MethodCode &Code;
  bool UseLines;
  unsigned &Steps;
};

} // namespace jopt::validate

#endif
