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

namespace jopt {

/// Scans blocks of one body. What passes ask of a body holds for raw code too:
/// `this` stays where it is, constructors of objects that cross its borders
/// are called in lifted code, and every `new` that a frame names is lifted.
class RawScanner {
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
  struct Mark {
    uint32_t BCI, Index, Depth;
    Opcode Op;
    bool MayThrow;
  };

  struct StackEffect;
  static StackEffect makeEffect(const OpcodeInfo &Info);
  static const StackEffect *stackEffects();

  bool enter();
  bool decode(uint32_t At);
  bool decodeOther(uint32_t At);
  bool isPure(const Mark &M) const;
  bool step(const StackEffect &E);
  bool stackOp();
  bool load();
  bool store();
  bool constant();
  bool member();
  bool invoke();
  bool initialize(size_t At);
  bool object();
  bool elementLoad();
  bool pop(size_t N) {
    if (Stack.size() < N)
      return false;
    Stack.truncate(Stack.size() - N);
    return true;
  }
  bool popValues(unsigned N);
  void push(Type Ty) {
    Stack.push_back(Ty);
    if (Ty.isCategory2())
      Stack.push_back(Type::High);
  }
  /// The top \p N slots are whole values.
  bool isBorder(size_t N) const {
    return Stack.size() >= N && !Stack[Stack.size() - N].is(Type::High);
  }

  Body &F;
  ClassFile &Class;
  Bytes Code;
  LiftState &State;
  const StackEffect *const Effects; ///< by opcode
  /// \name The instruction that is looked at
  /// @{
  uint32_t BCI = 0, Length = 0, Index = 0;
  Opcode Op = 0;
  /// @}
  /// Slot 0 is `this`, initialised or not.
  bool HasThis, Constructor;
  llvm::SmallVector<RawCode::Store, 8> Stores;
  /// What slots held before they were set, to undo it.
  llvm::SmallVector<RawCode::Store, 16> Undo;
  /// The classes of objects made in this block, by Type::payload() - OwnSites.
  llvm::SmallVector<Type, 8> Made;
};

} // namespace jopt

#endif
