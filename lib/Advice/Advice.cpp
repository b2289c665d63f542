//===- Advice.cpp - The advice model --------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Advice/Advice.h"
#include "jopt/Bytecode/Descriptor.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using llvm::StringRef;

namespace {
struct ItemInfo {
  const char *Name, *Descriptor;
};
} // namespace

/// In the order of the enumerators.
static constexpr ItemInfo Items[] = {
    {"returnedObject", "Ljava/lang/Object;"},
    {"exceptionObject", "Ljava/lang/Throwable;"},
    {"className", "Ljava/lang/String;"},
    {"methodName", "Ljava/lang/String;"},
    {"methodSig", "Ljava/lang/String;"},
    {"thisObject", "Ljava/lang/Object;"},
    {"args", "[Ljava/lang/Object;"},
    {"kept", "Ljava/lang/Object;"},
};
static_assert(std::size(Items) == unsigned(DataItem::Kept) + 1);

StringRef jopt::getDataItemName(DataItem D) { return Items[unsigned(D)].Name; }

StringRef jopt::getDataItemDescriptor(DataItem D) {
  return Items[unsigned(D)].Descriptor;
}

std::optional<DataItem> jopt::findDataItem(StringRef Name) {
  for (unsigned I = 0; I < std::size(Items); ++I)
    if (Name == Items[I].Name)
      return DataItem(I);
  return std::nullopt;
}

StringRef jopt::getAdviceKindName(AdviceKind K) {
  return K == AdviceKind::Entry ? "entry" : "exit";
}

const Advice *jopt::findKeeper(const AdviceSet &Set, unsigned Probe) {
  for (const Advice &A : Set.Advices)
    if (A.Probe == Probe && A.Result == ResultUse::Keep)
      return &A;
  return nullptr;
}

/// What is wrong with the \p I th advice; empty if nothing.
static std::string problem(const AdviceSet &Set, unsigned I) {
  const Advice &A = Set.Advices[I];
  bool Entry = A.Kind == AdviceKind::Entry;
  if (A.Body.Owner.empty() ||
      StringRef(A.Body.Owner).find_first_of(".;[") != StringRef::npos)
    return "'" + A.Body.Owner + "' is not the name of a class";
  if (A.Body.Name.empty() ||
      StringRef(A.Body.Name).find_first_of(".;[/<>:(") != StringRef::npos)
    return "'" + A.Body.Name + "' is not the name of a static method";
  if (!isMethodDescriptor(A.Body.Descriptor))
    return "'" + A.Body.Descriptor + "' is not a method descriptor";

  const Advice *Keeper = findKeeper(Set, A.Probe);
  MethodDescriptor D(A.Body.Descriptor);
  for (DataItem Item : A.Data) {
    std::string Name = getDataItemName(Item).str();
    StringRef Type = D.nextParameter();
    if (Type.empty())
      return "the method has fewer parameters than there are data items";
    if (Entry &&
        (Item == DataItem::ReturnedObject || Item == DataItem::ExceptionObject))
      return Name + " is not known at the entry of a method";
    StringRef Given = getDataItemDescriptor(Item);
    if (Item == DataItem::Kept) {
      if (!Keeper || Keeper >= &A)
        return "no advice of the probe before this one keeps a value";
      Given = returnDescriptor(Keeper->Body.Descriptor);
    }
    bool ToObject =
        Type == "Ljava/lang/Object;" && (Given[0] == 'L' || Given[0] == '[');
    if (Type != Given && !ToObject)
      return (Name + " is of type " + Given + ", the parameter of type " + Type)
          .str();
  }
  if (!D.nextParameter().empty())
    return "the method has more parameters than there are data items";

  bool HasResult = returnDescriptor(A.Body.Descriptor) != "V";
  if (A.Result != ResultUse::Ignore && !HasResult)
    return "a result is asked for, and the method returns none";
  if (A.Result == ResultUse::ReplaceValue && Entry)
    return "at the entry there is no value that the result could replace";
  if (A.Result == ResultUse::Keep) {
    if (!Entry)
      return "only an entry advice can keep its result";
    if (Keeper != &A)
      return "another advice of the probe keeps its result already";
  }
  if (A.Constructor == ConstructorPlace::AfterSuper && !Entry)
    return "only an entry advice can be placed after super()";
  if (!A.Switch.empty()) {
    auto [Owner, Field] = StringRef(A.Switch).split('.');
    if (Owner.empty() || Field.empty() || Field.contains('.'))
      return "the switch '" + A.Switch + "' is not of the form owner.field";
  }
  return {};
}

llvm::Error jopt::checkAdviceSet(const AdviceSet &Set) {
  for (unsigned I = 0; I < Set.Advices.size(); ++I) {
    unsigned P = Set.Advices[I].Probe;
    if (P >= Set.Probes.size())
      return makeError("advice #" + llvm::Twine(I) + " belongs to probe #" +
                       llvm::Twine(P) + ", which does not exist");
    std::string Message = problem(Set, I);
    if (!Message.empty())
      return makeError(Set.Probes[P].Where,
                       "advice #" + llvm::Twine(I) + ": " + Message);
  }
  return llvm::Error::success();
}
