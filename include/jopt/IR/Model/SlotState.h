//===- SlotState.h - Types of slots -----------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The types of the slots at a place.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_MODEL_SLOTSTATE_H
#define JOPT_IR_MODEL_SLOTSTATE_H

#include "jopt/IR/Model/Body.h"

namespace jopt {

/// The types of the slots, followed through a method. Blocks are visited in
/// the order of the layout, as one without a frame goes on with the state of
/// the block before it:
/// \code
///   SlotState S(F);
///   for (Block &B : F.blocks()) {
///     S.enter(B);
///     for (Instruction &I : B) { use(S.slots()); S.step(I); }
///   }
/// \endcode
/// Linear in instructions and declared frames; nothing is stored per block.
class SlotState {
public:
  explicit SlotState(const Body &F);
  void enter(const Block &B);
  void step(const Instruction &I);
  /// One Type per slot, High behind a long or double; trailing Tops may be
  /// missing.
  llvm::ArrayRef<Type> slots() const { return Slots; }
  Type slot(unsigned I) const {
    return I < Slots.size() ? Slots[I] : Type(Type::Top);
  }

private:
  void put(unsigned Slot, Type Ty);

  llvm::SmallVector<Type, 16> Slots;
  /// Constructors that were called in this block: values of the first type
  /// are of the second now.
  llvm::SmallVector<std::pair<Type, Type>, 4> Initialized;
  bool MayHoldUninit = true;
};

} // namespace jopt

#endif
