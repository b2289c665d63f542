//===- SnippetSlots.cpp - Slots that patched code keeps values in ---------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The slots that advices keep values in (ActivationSlots.h), given to a
/// patched body before any code is made: a snippet is made once for all sites
/// that are alike. The order is that in which the passes of a lifted body make
/// them.
///
//===----------------------------------------------------------------------===//

#include "../Sites/PatchSites.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Passes/Placement.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;
using llvm::ArrayRef;

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
      const ActivationSlot Of = slotFor(Set.Advices[N], Use);
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
  P.SlotsAt = {noteSlots(P, P.at(AdviceKind::Handler)),
               noteSlots(P, P.at(AdviceKind::Unit)), noteSlots(P, P.Returns),
               noteSlots(P, P.Throws), noteSlots(P, P.at(AdviceKind::Entry))};
  P.Fits &= P.Slots.size() <= MostSlots;
}

std::optional<bool> Snippets::placesThrows(const CodePatch &S,
                                           const Plan &P) const {
  if (P.Throws.empty())
    return false;
  if (S.MayThrow || S.ThrowsBeforeSuper.To || S.Loops ||
      (!P.at(AdviceKind::Handler).empty() && !S.Code.Handlers.empty()))
    return true;
  // There may be sites of these, which count.
  if (!P.at(AdviceKind::Unit).empty() || HasCalls)
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
    const Type Ty = typeOf(F, C.get<AdviceCalls>(), P.Slots[N]);
    if (Ty.isVoid())
      return; // The method has no such value.
    addSlot(F, P.Slots[N], Ty);
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

void Snippets::makeFront(Builder &B, Snippet &Code,
                         ArrayRef<unsigned> Entries) const {
  for (const Body::PinnedLocal &W : B.block()->body().PinnedLocals)
    if (W.Purpose == ArraySlot)
      Code.MakesArray = true; // lower-advice does
    else if (W.Purpose != KeptSlot || needsZero(Set, W, Entries))
      fillSlot(B, W);
}

llvm::Error Snippets::makeFront(Body &F, const Plan &P) {
  if (F.PinnedLocals.empty() || !P.at(AdviceKind::Entry).empty())
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
  Snippet &Code = Made.OfFamilies.emplace_back();
  Code.NumAdvices = unsigned(Entries.size());
  Code.Continues = true;
  if (llvm::Error E = make(Code, F, Entry, Entries, Site()))
    return E;
  Front = &Code;
  return Put(*Code.IR, Code.IR->entry().instructions().front());
}
