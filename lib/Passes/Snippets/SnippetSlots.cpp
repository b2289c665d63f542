//===- SnippetSlots.cpp - Slots that patched code keeps values in ---------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The values that advices keep for an activation are in slots above the
/// method's own. In a lifted body a pass makes a slot when it first places code
/// that reads it, and lower-advice makes the last, of the array of arguments.
/// In a patched body a snippet is made once for all sites that are alike, so
/// all slots are given before any code is made.
///
//===----------------------------------------------------------------------===//

#include "../Sites/PatchSites.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Passes/Placement.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;
using llvm::ArrayRef;

/// Slot \p Use of advice \p A is read from; the Purpose is empty if none is.
static Snippets::Plan::Slot slotFor(const Advice &A, const DataUse &Use) {
  switch (getInfo(Use.Item).Slot) {
  case ItemSlot::None:
    return {};
  case ItemSlot::Array:
    return {ArraySlot, 0};
  case ItemSlot::Kept:
    return {KeptSlot, A.Probe};
  case ItemSlot::Argument:
    // On entry it is where the caller put it.
    if (A.Kind == AdviceKind::Entry)
      return {};
    return {ArgumentSlot, *Use.number()};
  case ItemSlot::Begin:
    return {BeginSlot, 0};
  }
  llvm_unreachable("all slots are listed");
}

bool Snippets::usesSlots(ArrayRef<unsigned> List) const {
  return llvm::any_of(List, [&](unsigned N) {
    const Advice &A = Set.Advices[N];
    // Where an exception is caught values wait above all other slots.
    return hasBranches(A) || llvm::any_of(A.Data, [&](const DataUse &Use) {
             return !slotFor(A, Use).Purpose.empty();
           });
  });
}

Snippets::Plan::SlotNumbers Snippets::noteSlots(Plan &P,
                                                ArrayRef<unsigned> List) const {
  Plan::SlotNumbers Numbers;
  for (unsigned N : List)
    for (const DataUse &Use : Set.Advices[N].Data) {
      const Plan::Slot Of = slotFor(Set.Advices[N], Use);
      if (Of.Purpose.empty())
        continue;
      const size_t At = size_t(llvm::find(P.Slots, Of) - P.Slots.begin());
      if (At == P.Slots.size())
        P.Slots.push_back(Of);
      Numbers.push_back(uint8_t(std::min<size_t>(At, MostSlots)));
    }
  return Numbers;
}

void Snippets::noteSlots(Plan &P) const {
  P.SlotsAt = {noteSlots(P, P.Handlers), noteSlots(P, P.Units),
               noteSlots(P, P.Returns), noteSlots(P, P.Throws),
               noteSlots(P, P.Entries)};
  P.Fits &= P.Slots.size() <= MostSlots;
}

/// The type of parameter \p Number of the method of \p F, and its \p Slot; void
/// if it has fewer.
static Type parameter(const Body &F, unsigned Number, unsigned &Slot) {
  MethodDescriptor D(F.classFile().descriptor(F.method()));
  Slot = isStatic(F.classFile(), F.method()) ? 0 : 1;
  llvm::StringRef Descriptor = D.nextParameter();
  for (; Number && !Descriptor.empty(); --Number) {
    Slot += slotsOf(Descriptor);
    Descriptor = D.nextParameter();
  }
  return Descriptor.empty() ? Type(Type::Void)
                            : F.types().fromDescriptor(Descriptor);
}

/// The type of a slot of \p F for \p Of; void if it needs none.
static Type typeOf(const Body &F, PassContext &C,
                   const Snippets::Plan::Slot &Of) {
  TypeTable &Types = F.types();
  if (Of.Purpose == ArraySlot)
    return Types.ref("[Ljava/lang/Object;");
  if (Of.Purpose == BeginSlot)
    return Type::Long;
  if (Of.Purpose == KeptSlot) {
    auto &Calls = C.get<AdviceCalls>();
    const unsigned Keeper = unsigned(findKeeper(Calls.set(), Of.Number) -
                                     Calls.set().Advices.data());
    return Types.fromDescriptor(returnDescriptor(Calls.callDescriptor(Keeper)));
  }
  unsigned Slot;
  return parameter(F, Of.Number, Slot);
}

std::optional<bool> Snippets::placesThrows(const CodePatch &S,
                                           const Plan &P) const {
  if (P.Throws.empty())
    return false;
  if (S.MayThrow || S.ThrowsBeforeSuper.To || S.Loops ||
      (!P.Handlers.empty() && !S.Code.Handlers.empty()))
    return true;
  // There may be sites of these, which count.
  if (!P.Units.empty() || HasCalls)
    return std::nullopt;
  return mayLeave(S, P, /*InCode=*/false);
}

bool Snippets::giveSlots(Body &F, const Plan &P) {
  AtWork.Layout = F.numSlots();
  if (P.Slots.empty())
    return true;
  CodePatch &S = *F.Patch;
  uint32_t Has = 0; // by number
  unsigned NumSlots = 0;
  uint64_t Layout = F.numSlots();
  auto Add = [&](unsigned N) {
    const Type Ty = typeOf(F, C, P.Slots[N]);
    if (Ty.isVoid())
      return;
    const Plan::Slot &Of = P.Slots[N];
    const bool OfSeveral = Of.Purpose == KeptSlot || Of.Purpose == ArgumentSlot;
    F.addPinnedLocal(Ty, Of.Purpose,
                     OfSeveral ? std::optional<unsigned>(Of.Number)
                               : std::nullopt);
    S.Slots.push_back(Ty);
    Layout = Layout << 4 | (N + 1);
    ++NumSlots;
  };
  auto AddAll = [&](const Plan::SlotNumbers &Numbers) {
    for (const uint8_t N : Numbers)
      if (!(Has >> N & 1)) {
        Has |= 1u << N;
        if (P.Slots[N].Purpose != ArraySlot)
          Add(N);
      }
  };
  auto IsNew = [&](uint8_t N) { return !(Has >> N & 1); };
  if (!S.Code.Handlers.empty())
    AddAll(P.SlotsAt.Handlers);
  AddAll(P.SlotsAt.Units);
  if (!S.Returns.empty())
    AddAll(P.SlotsAt.Returns);
  if (llvm::any_of(P.SlotsAt.Throws, IsNew)) {
    const std::optional<bool> Are = placesThrows(S, P);
    if (!Are)
      return false;
    if (*Are)
      AddAll(P.SlotsAt.Throws);
  }
  AddAll(P.SlotsAt.Entries);
  for (unsigned N = 0; N < P.Slots.size(); ++N)
    if (Has >> N & 1 && P.Slots[N].Purpose == ArraySlot)
      Add(N);
  AtWork.Layout = Layout;
  return F.numSlots() <= 65535;
}

/// Whether the slot \p W of a kept value needs a zero: code may run before the
/// value is written, and read it.
bool Snippets::needsZero(const Body::PinnedLocal &W,
                         ArrayRef<unsigned> Entries) const {
  return llvm::none_of(Entries,
                       [&](unsigned N) {
                         return findKeeper(Set, *W.Number) == &Set.Advices[N];
                       }) ||
         llvm::any_of(Entries, [&](unsigned N) {
           return names(N, DataItem::Kept) || hasBranches(Set.Advices[N]);
         });
}

void Snippets::makeFront(Builder &B, Snippet &Code,
                         ArrayRef<unsigned> Entries) const {
  Body &F = B.block()->body();
  for (const Body::PinnedLocal &W : F.PinnedLocals) {
    if (W.Purpose == ArraySlot)
      Code.MakesArray = true; // lower-advice does
    else if (W.Purpose == BeginSlot)
      B.set(W.Slot, B.callStatic("java/lang/System", "nanoTime", "()J", {}));
    else if (W.Purpose == ArgumentSlot) {
      unsigned From;
      parameter(F, *W.Number, From);
      B.set(W.Slot, B.get(From, W.Ty));
    } else if (needsZero(W, Entries))
      B.set(W.Slot, B.zero(W.Ty));
  }
}

llvm::Error Snippets::makeFront(Body &F, const Plan &P) {
  if (F.PinnedLocals.empty() || !P.Entries.empty())
    return llvm::Error::success(); // place-entries makes it
  auto Code = get(F, P, Entry, Site());
  if (!Code)
    return Code.takeError();
  F.Patch->Entry = *Code;
  return llvm::Error::success();
}

llvm::Error Snippets::putInFront(
    Body &F, ArrayRef<unsigned> Advices,
    llvm::function_ref<llvm::Error(Body &, Instruction &)> Put) {
  if (!F.PinnedLocals.empty())
    return makeError("what defines slots is in front of all else");
  if (llvm::any_of(Advices, [&](unsigned N) {
        return !isPlain(N) || hasBranches(Set.Advices[N]);
      }))
    return makeError("an advice is no call alone");
  // No other method has this, so it is not shared.
  SnippetInstance &Front = F.Patch->Entry;
  const ArrayRef<unsigned> Entries =
      Front ? listOf(plan(F.method()), Entry) : ArrayRef<unsigned>();
  Snippet &Code = OfFamilies.emplace_back();
  Code.NumAdvices = unsigned(Entries.size());
  Code.Continues = true;
  if (llvm::Error E = make(Code, F, Entry, Entries, Site()))
    return E;
  Front = &Code;
  return Put(*Code.IR, Code.IR->entry().instructions().front());
}
