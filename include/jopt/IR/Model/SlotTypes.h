//===- SlotTypes.h - Types of slots, followed through code ------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One type per slot of a method. Every write is noted, so that going on to
/// the next frame costs what changed, not what there is: a method may have
/// thousands of slots, and as many frames that all declare them.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_IR_MODEL_SLOTTYPES_H
#define JOPT_IR_MODEL_SLOTTYPES_H

#include "jopt/IR/Model/Type.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <vector>

namespace jopt {

class SlotTypes {
public:
  size_t size() const { return Types.size(); }
  Type operator[](size_t Slot) const { return Types[Slot]; }
  std::vector<Type>::const_iterator begin() const { return Types.begin(); }
  std::vector<Type>::const_iterator end() const { return Types.end(); }

  /// \p Count slots, which hold \p Initial and nothing behind. Nothing is
  /// known of the array.
  void reset(size_t Count, llvm::ArrayRef<Type> Initial) {
    Types.assign(Count, Type::Top);
    Used = 0;
    Frame = {};
    enter(Initial);
    Frame = {};
  }

  void set(size_t Slot, Type T) {
    put(Slot, T);
    Written.push_back(uint32_t(Slot));
  }

  /// Calls \p Change(slot, type) for each slot that changes when a value of
  /// type
  /// \p Ty is written to \p Slot: a long or double of which a half is
  /// overwritten is gone. \p Change sets the slot.
  template <typename Fn> void store(size_t Slot, Type Ty, Fn &&Change) {
    size_t Last = Slot + Ty.slots() - 1;
    if (Types[Slot].is(Type::High))
      Change(Slot - 1, Type(Type::Top));
    if (Types[Last].isCategory2())
      Change(Last + 1, Type(Type::Top));
    Change(Slot, Ty);
    if (Last != Slot)
      Change(Last, Type(Type::High));
  }

  /// All slots as \p To has them, Top behind. Arrays that begin at one place
  /// are equal as far as both go, as those of StackMapFrames are.
  void enter(llvm::ArrayRef<Type> To) {
    if (Frame.data() && To.data() == Frame.data()) {
      auto Restore = [&](size_t Slot) {
        put(Slot, Slot < To.size() ? To[Slot] : Type(Type::Top));
      };
      for (uint32_t Slot : Written)
        Restore(Slot);
      for (size_t Slot = std::min(To.size(), Frame.size());
           Slot < std::max(To.size(), Frame.size()); ++Slot)
        Restore(Slot);
    } else {
      std::copy(To.begin(), To.end(), Types.begin());
      if (To.size() < Used)
        std::fill(Types.begin() + To.size(), Types.begin() + Used, Type::Top);
      Used = To.size();
      Uninitialised.clear();
      for (size_t Slot = 0; Slot < To.size(); ++Slot)
        if (isUninitialised(To[Slot]))
          Uninitialised.push_back(uint32_t(Slot));
    }
    Written.clear();
    Frame = To;
  }

  /// Calls \p Each with the slots that hold \p T, a kind of uninitialised
  /// object. It may set the slot.
  template <typename Fn> void forEachHolding(Type T, Fn &&Each) {
    llvm::erase_if(Uninitialised, [&](uint32_t Slot) {
      return !isUninitialised(Types[Slot]);
    });
    for (size_t I = 0; I < Uninitialised.size(); ++I)
      if (Types[Uninitialised[I]] == T)
        Each(Uninitialised[I]);
  }

  /// True if a slot holds \p T, a kind of uninitialised object.
  bool holds(Type T) const {
    return llvm::any_of(Uninitialised,
                        [&](uint32_t Slot) { return Types[Slot] == T; });
  }

private:
  static bool isUninitialised(Type T) {
    return T.is(Type::Uninit) || T.is(Type::UninitThis);
  }
  void put(size_t Slot, Type T) {
    Types[Slot] = T;
    Used = std::max(Used, Slot + 1);
    if (isUninitialised(T))
      Uninitialised.push_back(uint32_t(Slot));
  }

  std::vector<Type> Types;
  llvm::ArrayRef<Type> Frame;    ///< what was entered last
  std::vector<uint32_t> Written; ///< since then
  /// Has every slot with an uninitialised object, and some that had one.
  llvm::SmallVector<uint32_t, 4> Uninitialised;
  size_t Used = 0; ///< all behind are Top
};

} // namespace jopt

#endif
