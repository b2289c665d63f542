//===- SnippetShapes.cpp - Which sites of patched code are alike ----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Sites/PatchSites.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Passes/Placement.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;
using llvm::ArrayRef;
using llvm::Error;

/// The only strings that code of \p List pushes are names.
bool Snippets::saysNamesOnly(ArrayRef<unsigned> List) const {
  return llvm::all_of(List, [&](unsigned N) {
    const Advice &A = Set.Advices[N];
    return !hasBranches(A) && llvm::all_of(A.Data, [](const DataUse &Use) {
      const DataItemInfo &Info = getInfo(Use.Item);
      return Info.IsName || !Info.PushesText;
    });
  });
}

/// Gives \p Code, which will be made of \p List, fixups for its names.
Error Snippets::addFixups(Snippet &Code, const Body &F,
                          ArrayRef<unsigned> List) const {
  Code.Fixups = std::make_unique<SnippetFixups>();
  SnippetFixups &Of = *Code.Fixups;
  bool SaysClass = false;
  for (unsigned N : List)
    for (const DataUse &Use : Set.Advices[N].Data) {
      SaysClass |= Use.Item == DataItem::ClassName;
      if (!isNameOfMethod(Use.Item))
        continue;
      const auto Name = Use.Item == DataItem::MethodName
                            ? SnippetFixups::MethodName
                            : SnippetFixups::MethodDescriptor;
      ++Of.NumUses;
      if (!llvm::is_contained(Of.Names, Name))
        Of.Names.push_back(Name);
    }
  Of.NumConstants = uint8_t(Of.Names.size());
  // Where two are the same, it cannot be told which is which.
  const ClassFile &Class = F.classFile();
  const llvm::StringRef Name = Class.name(F.method());
  if ((SaysClass && Name == Class.name()) ||
      Name == Class.descriptor(F.method()))
    return makeError("the method has the name of its class");
  return Error::success();
}

/// How the code of \p List may depend on its method.
Snippets::Plan::Differs Snippets::dependsOn(ArrayRef<unsigned> List) const {
  Plan::Differs By;
  const bool NamesOnly = saysNamesOnly(List);
  for (unsigned N : List)
    for (const DataUse &Use : Set.Advices[N].Data) {
      const DataItemInfo &Info = getInfo(Use.Item);
      if (Info.IsName && isCallKind(Set.Advices[N].Kind))
        continue; // a name of the callee
      const bool Depends = Info.DependsOnName || Info.DependsOnDescriptor;
      if (Info.IsName && NamesOnly) {
        By.HasFixups |= Depends;
        continue;
      }
      By.ByName |= Info.DependsOnName;
      By.ByDescriptor |= Info.DependsOnDescriptor;
    }
  return By;
}

Snippets::Plan::Differs Snippets::differ(const Plan &P, Kind K) const {
  std::optional<Plan::Differs> &Known = P.Differ[K];
  if (!Known) {
    const ArrayRef<unsigned> List = listOf(P, K);
    Known = dependsOn(List);
    // The number of the unit takes the fixups: methods share no code of units.
    if (K == Unit && std::exchange(Known->HasFixups, false))
      Known->ByName = Known->ByDescriptor = true;
    Known->ByThis =
        llvm::any_of(List, [&](unsigned N) { return takesThis(Set, N); });
    Known->BySlots = usesSlots(List) || (K == Entry && !P.Slots.empty());
    // Arguments are put there on entry; which are, the descriptor says.
    const bool TakesArguments =
        llvm::any_of(P.Slots, [](const ActivationSlot &Of) {
          return Of.Purpose == ArraySlot || Of.Purpose == ArgumentSlot;
        });
    Known->ByDescriptor |= K == Entry && TakesArguments;
    // A slot may be behind one of an argument, if there is that one.
    Known->ByDescriptor |=
        Known->BySlots && llvm::any_of(P.Slots, [](const ActivationSlot &Of) {
          return Of.Purpose == ArgumentSlot;
        });
  }
  return *Known;
}

Snippets::Shape Snippets::shapeOf(const Body &F, Kind K,
                                  ArrayRef<unsigned> List, const Site &At,
                                  Plan::Differs By) const {
  const Method &M = F.method();
  // Lists live as long as plans do.
  uint64_t Which = uint64_t(reinterpret_cast<uintptr_t>(List.data())) << 8;
  Which |= K;
  if (By.ByThis)
    Which |= uint64_t(F.Patch->SuperEnd != 0) << 5 | uint64_t(At.HasThis) << 6;
  if (By.ByThis || By.ByDescriptor)
    Which |= uint64_t(isStatic(F.classFile(), M)) << 4;
  uint64_t Values = At.Number;
  if (By.ByName)
    Values |= uint64_t(M.NameIndex) << 48;
  if (By.ByDescriptor)
    Values |= uint64_t(M.DescriptorIndex) << 32;
  const uint64_t Slots = By.BySlots ? AtWork.Layout : 0;
  if (!At.Return)
    return {Which, Values, Slots, At.Top.raw()};
  // Where the value is from, and what it is.
  const uint8_t *Code = F.Patch->Code.Code.data();
  uint64_t Load = 1; // as long as it is
  for (uint32_t BCI = At.Return->Load; BCI < At.Return->BCI; ++BCI)
    Load = Load << 8 | Code[BCI];
  Values ^= Load;
  const llvm::StringRef Type = returnDescriptor(F.classFile().descriptor(M));
  Which ^= uint64_t(uint8_t(Type[0])) << 56;
  return {Which, Values, Slots, At.Top.raw()};
}
