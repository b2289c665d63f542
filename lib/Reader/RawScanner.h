//===- RawScanner.h - What of a block can stay bytes ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Follows types, and nothing else, through the straight code of a block, so
/// that it need not become instructions.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_READER_RAWSCANNER_H
#define JOPT_LIB_READER_RAWSCANNER_H

#include "BlockLifter.h"
#include "Lift.h"

namespace jopt {

/// Scans blocks of one body. What passes ask of a body holds for raw code too:
/// `this` stays where it is, constructors of objects that cross its borders
/// are called in lifted code, and every `new` that a frame names is lifted.
class RawScanner : Lift<RawScanner> {
public:
  /// \p S is the state of the lifter, of which Slots are kept up.
  RawScanner(Body &B, Bytes Code, LiftState &S);

  /// Where the instructions begin of the block [\p From, \p To) that are to be
  /// lifted: its terminator, and what is loaded directly before a return or the
  /// end of the block, as an advice there would rather stand in front of the
  /// load. \p From, with Slots unchanged, if none of it can or need stay raw;
  /// so for whatever is malformed, which lifting has words for. The stack on
  /// entry is that of the state.
  uint32_t scan(uint32_t From, uint32_t To);

  /// \name What the last scan, which found something, passed over
  /// @{
  RawCode Raw;
  /// The stack behind it: one per slot, High on a long or double.
  llvm::SmallVector<Type, 32> Stack;
  /// @}

private:
  friend Lift<RawScanner>;
  struct Mark {
    uint32_t BCI, Index, Depth;
    const LiftEffect *Effect;
    bool MayThrow;
  };
  /// The instruction that is looked at.
  struct Instruction {
    uint32_t BCI = 0, Length = 0, Index = 0;
    Opcode Op = 0;
  };

  bool enter();
  bool decode(uint32_t At);
  bool decodeOther(uint32_t At);
  bool isPure(const Mark &M) const;

  /// \name For Lift
  /// @{
  uint32_t index() const { return Here.Index; }
  Opcode opcode() const { return Here.Op; }
  unsigned dimensions() const { return Code[Here.BCI + 3]; }
  static bool fail(const llvm::Twine &) { return false; }
  bool has(unsigned, unsigned Slots) const { return Stack.size() >= Slots; }
  bool fits(LiftOperands O) const { return Stack.size() >= O.Slots; }
  Type typeAt(unsigned N) const { return Stack[Stack.size() - N]; }
  bool put(const LiftEffect &, unsigned, unsigned Slots, Type Result) {
    Stack.truncate(Stack.size() - Slots);
    if (!Result.isVoid())
      push(Result);
    return true;
  }
  bool top(unsigned Width, Type &Ty) const {
    if (!entries(0, Width) || (HasThis && index() == 0))
      return false;
    Ty = Stack[Stack.size() - Width];
    return true;
  }
  /// An uninitialised value crosses no border.
  static bool mayLoad(Type Ty) { return Ty.isInitialized(); }
  static bool mayStore(Type Ty) { return Ty.isInitialized(); }
  bool loaded(const LiftEffect &, Type Ty) {
    push(Ty);
    return true;
  }
  bool stored(const LiftEffect &E, Type Ty);
  static bool incremented(const LiftEffect &) { return true; }
  bool loadedConstant(const LiftEffect &, Type Ty) {
    push(Ty);
    return true;
  }
  bool made(const LiftEffect &, Type Class);
  bool initialised(const LiftEffect &, unsigned Count, unsigned Slots);
  bool moved(const LiftEffect &E) {
    return shuffleStack(E.Moves, Stack, *this);
  }
  /// @}

public:
  /// \name For shuffleStack
  /// @{
  size_t entries(size_t Above, size_t Slots) const {
    const size_t N = Above + Slots;
    return Stack.size() >= N && !Stack[Stack.size() - N].is(Type::High) ? Slots
                                                                        : 0;
  }
  static void copied(Type) {}
  static void dropped(Type) {}
  /// @}

private:
  void push(Type Ty) {
    Stack.push_back(Ty);
    if (Ty.isCategory2())
      Stack.push_back(Type::High);
  }

  Bytes Code;
  LiftState &State;
  Instruction Here;
  /// Slot 0 is `this`, initialised or not.
  bool HasThis, Constructor;
  llvm::SmallVector<RawCode::Store, 8> Stores;
  /// The old types of slots that were set, to undo it.
  llvm::SmallVector<RawCode::Store, 16> Undo;
  /// The classes of objects made in this block, by Type::payload() - OwnSites.
  llvm::SmallVector<Type, 8> Made;
};

} // namespace jopt

#endif
