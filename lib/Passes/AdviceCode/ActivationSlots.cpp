//===- ActivationSlots.cpp - Slots that advices keep values in ------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ActivationSlots.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Passes/Placement.h"

using namespace jopt;

bool ActivationSlot::isNumbered() const {
  return Purpose == KeptSlot || Purpose == ArgumentSlot;
}

ActivationSlot jopt::slotFor(const Advice &A, const DataUse &Use,
                             bool ArgumentsChange) {
  switch (getInfo(Use.Item).Slot) {
  case ItemSlot::None:
    return {};
  case ItemSlot::Array:
    return {ArraySlot, 0};
  case ItemSlot::Kept:
    return {KeptSlot, A.Probe};
  case ItemSlot::Argument:
    // On entry it is where the caller put it.
    if (A.Kind == AdviceKind::Entry && !ArgumentsChange)
      return {};
    return {ArgumentSlot, *Use.number()};
  case ItemSlot::Begin:
    return {isCallKind(A.Kind) ? llvm::StringRef(CallBeginSlot)
                               : llvm::StringRef(BeginSlot),
            0};
  }
  llvm_unreachable("all slots are listed");
}

std::optional<MethodParameter> jopt::findParameter(const Body &F,
                                                   unsigned Number) {
  MethodDescriptor D(F.classFile().descriptor(F.method()));
  MethodParameter P;
  P.Slot = isStatic(F.classFile(), F.method()) ? 0 : 1;
  P.Descriptor = D.nextParameter();
  for (; Number && !P.Descriptor.empty(); --Number) {
    P.Slot += slotsOf(P.Descriptor);
    P.Descriptor = D.nextParameter();
  }
  if (P.Descriptor.empty())
    return std::nullopt;
  return P;
}

Type jopt::typeOf(const Body &F, AdviceCalls &Calls, ActivationSlot Of) {
  TypeTable &Types = F.types();
  if (Of.Purpose == ArraySlot)
    return Types.ref("[Ljava/lang/Object;");
  if (Of.Purpose == BeginSlot || Of.Purpose == CallBeginSlot)
    return Type::Long;
  if (Of.Purpose == KeptSlot) {
    const unsigned Keeper = unsigned(findKeeper(Calls.set(), Of.Number) -
                                     Calls.set().Advices.data());
    return Types.fromDescriptor(returnDescriptor(Calls.callDescriptor(Keeper)));
  }
  const auto P = findParameter(F, Of.Number);
  return P ? Types.fromDescriptor(P->Descriptor) : Type(Type::Void);
}

unsigned jopt::addSlot(Body &F, ActivationSlot Of, Type Ty) {
  return F.addPinnedLocal(Ty, Of.Purpose,
                          Of.isNumbered() ? std::optional<unsigned>(Of.Number)
                                          : std::nullopt);
}

void jopt::fillSlot(Builder &B, const Body::PinnedLocal &W) {
  const Body &F = B.block()->body();
  if (W.Purpose == BeginSlot)
    B.set(W.Slot, B.callStatic("java/lang/System", "nanoTime", "()J", {}));
  else if (W.Purpose == ArgumentSlot)
    B.set(W.Slot, B.get(findParameter(F, *W.Number)->Slot, W.Ty));
  else
    B.set(W.Slot, B.zero(W.Ty));
}

bool jopt::needsZero(const AdviceSet &Set, const Body::PinnedLocal &W,
                     llvm::ArrayRef<unsigned> Entries) {
  const Advice *Keeper = findKeeper(Set, *W.Number);
  return llvm::none_of(Entries,
                       [&](unsigned N) { return Keeper == &Set.Advices[N]; }) ||
         llvm::any_of(Entries, [&](unsigned N) {
           // A frame or handler in the code of the entry wants the slot
           // defined, and so does an advice that reads it there.
           const Advice &A = Set.Advices[N];
           return hasBranches(A) || endsMethod(A) ||
                  llvm::is_contained(A.Data, DataItem::Kept);
         });
}
