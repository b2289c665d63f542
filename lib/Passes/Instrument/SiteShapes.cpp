//===- SiteShapes.cpp - Which sites of spliced code are alike -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpliceSites.h"
#include "jopt/Passes/Placement.h"

using namespace jopt;
using llvm::ArrayRef;

/// What the code of \p List may say of its method.
SiteCodes::Plan::Differs SiteCodes::dependsOn(ArrayRef<unsigned> List) const {
  Plan::Differs By;
  for (unsigned N : List)
    for (const DataUse &Use : Set.Advices[N].Data)
      switch (Use.Item) {
      case DataItem::ClassName:
      case DataItem::ThisObject:
      case DataItem::Receiver:
      case DataItem::ReturnedObject:
      case DataItem::ExceptionObject:
      case DataItem::IsFinally:
      case DataItem::StaticField:
      case DataItem::HostClass:
      case DataItem::UnitNumber:
      case DataItem::Args: // from a slot, like these
      case DataItem::Arguments:
      case DataItem::Kept:
      case DataItem::ElapsedNanos:
      case DataItem::ElapsedMillis:
        break;
      case DataItem::MethodName: // at calls of what is called
        By.ByName |= !isCallKind(Set.Advices[N].Kind);
        break;
      case DataItem::MethodSig:
        By.ByDescriptor |= !isCallKind(Set.Advices[N].Kind);
        break;
      case DataItem::Result: // as the method declares it
      case DataItem::Argument:
      case DataItem::Parameter:
        By.ByDescriptor = true;
        break;
      default:
        By.ByName = By.ByDescriptor = true;
        break;
      }
  return By;
}

SiteCodes::Plan::Differs SiteCodes::differ(const Plan &P, Kind K) const {
  std::optional<Plan::Differs> &Known = P.Differ[K];
  if (!Known) {
    const ArrayRef<unsigned> List = listOf(P, K);
    Known = dependsOn(List);
    Known->ByThis = llvm::any_of(List, [&](unsigned N) {
      return names(N, DataItem::ThisObject) || names(N, DataItem::Receiver);
    });
    Known->BySlots = usesSlots(List) || (K == Entry && !P.Slots.empty());
    // Arguments are put there on entry; which are, the descriptor says.
    const bool TakesArguments = llvm::any_of(P.Slots, [](const Plan::Slot &Of) {
      return Of.Purpose == ArraySlot || Of.Purpose == ArgumentSlot;
    });
    Known->ByDescriptor |= K == Entry && TakesArguments;
    // A slot may be behind one of an argument, if there is that one.
    Known->ByDescriptor |=
        Known->BySlots && llvm::any_of(P.Slots, [](const Plan::Slot &Of) {
          return Of.Purpose == ArgumentSlot;
        });
  }
  return *Known;
}

SiteCodes::Shape SiteCodes::shapeOf(const Body &F, Kind K,
                                    ArrayRef<unsigned> List, const Site &At,
                                    Plan::Differs By) const {
  const Method &M = F.method();
  // Lists live as long as plans do.
  uint64_t Which = uint64_t(reinterpret_cast<uintptr_t>(List.data())) << 8;
  Which |= K;
  if (By.ByThis)
    Which |= uint64_t(F.Spliced->SuperEnd != 0) << 5 | uint64_t(At.HasThis)
                                                           << 6;
  if (By.ByThis || By.ByDescriptor)
    Which |= uint64_t(M.is(ACC_STATIC)) << 4;
  uint64_t Values = At.Number;
  if (By.ByName)
    Values |= uint64_t(M.NameIndex) << 48;
  if (By.ByDescriptor)
    Values |= uint64_t(M.DescriptorIndex) << 32;
  const uint64_t Slots = By.BySlots ? AtWork.Layout : 0;
  if (!At.Return)
    return {Which, Values, Slots, At.Top.raw()};
  // Where the value is from, and what it is.
  const uint8_t *Code = F.Spliced->Code.Code.data();
  uint64_t Load = 1; // as long as it is
  for (uint32_t BCI = At.Return->Load; BCI < At.Return->BCI; ++BCI)
    Load = Load << 8 | Code[BCI];
  Values ^= Load;
  const llvm::StringRef Type = returnDescriptor(F.classFile().descriptor(M));
  Which ^= uint64_t(uint8_t(Type[0])) << 56;
  return {Which, Values, Slots, At.Top.raw()};
}
