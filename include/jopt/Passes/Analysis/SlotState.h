//===- SlotState.h - Types of slots -----------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the slots hold at a place, and what becomes of `this` in a method.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_ANALYSIS_SLOTSTATE_H
#define JOPT_PASSES_ANALYSIS_SLOTSTATE_H

#include "jopt/Passes/Pass.h"
#include "llvm/ADT/BitVector.h"

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

/// What becomes of `this` in a method.
struct ThisState {
  static AnalysisKey Key;
  static ThisState run(const Body &F, PassContext &C);

  /// The method is a constructor that calls super() or this().
  bool Constructor = false;
  /// Slot 0 holds `this` wherever the method is: no store, and every frame
  /// says so. Before super() it is `this`, uninitialised.
  bool Intact = false;
  /// The uninitialised `this` leaves slot 0 before super() is called.
  bool Lost = false;
  /// By Block::id(): slot 0 holds the uninitialised `this` on entry.
  llvm::BitVector Uninitialized;
};

} // namespace jopt

#endif
