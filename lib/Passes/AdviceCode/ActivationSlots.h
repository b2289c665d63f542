//===- ActivationSlots.h - Slots that advices keep values in ----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Some values are kept for an activation in slots above the method's own:
/// which data items need one, of which type it is, and the code at the entry
/// that fills it. In a lifted body a pass makes a slot where it first places
/// code that reads it; in a patched body all slots are made before any code,
/// since methods share it.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_ADVICECODE_ACTIVATIONSLOTS_H
#define JOPT_LIB_PASSES_ADVICECODE_ACTIVATIONSLOTS_H

#include "jopt/Advice/Advice.h"
#include "jopt/IR/Surgery/Builder.h"
#include "jopt/Passes/AdviceCalls.h"

namespace jopt {

/// A slot by its Body::PinnedLocal::Purpose and Number.
struct ActivationSlot {
  llvm::StringRef Purpose; ///< empty: there is none
  unsigned Number = 0;
  bool operator==(const ActivationSlot &O) const {
    return Purpose == O.Purpose && Number == O.Number;
  }
  /// There may be several of the purpose.
  bool isNumbered() const;
};

/// The slot from which advice \p A is given \p Use. \p ArgumentsChange: other
/// code may have written the arguments before an entry advice runs.
ActivationSlot slotFor(const Advice &A, const DataUse &Use,
                       bool ArgumentsChange = false);

/// A parameter of a method.
struct MethodParameter {
  unsigned Slot = 0; ///< where the caller puts it
  llvm::StringRef Descriptor;
};
/// Parameter \p Number, from 0, of the method of \p F; none if it has fewer.
std::optional<MethodParameter> findParameter(const Body &F, unsigned Number);

/// The type of \p Of in \p F; void if the method has no such value.
Type typeOf(const Body &F, AdviceCalls &Calls, ActivationSlot Of);

/// Adds \p Of, of type \p Ty, to the slots of \p F that hold a value
/// everywhere. Somebody has to fill it.
unsigned addSlot(Body &F, ActivationSlot Of, Type Ty);

/// Fills \p W, which is no array of arguments, at the entry of the method of
/// \p B.
void fillSlot(Builder &B, const Body::PinnedLocal &W);

/// The slot \p W of a kept value needs a zero: code may read it before one of
/// \p Entries, the advices at the entry, writes it.
bool needsZero(const AdviceSet &Set, const Body::PinnedLocal &W,
               llvm::ArrayRef<unsigned> Entries);

} // namespace jopt

#endif
