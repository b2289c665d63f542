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
/// One bit per AdviceKind.
enum KindSet : unsigned {
  AtEntry = 1 << unsigned(AdviceKind::Entry),
  AtExit = 1 << unsigned(AdviceKind::Exit),
  AtHandler = 1 << unsigned(AdviceKind::Handler),
  AtUnit = 1 << unsigned(AdviceKind::Unit),
  AtStaticInit = 1 << unsigned(AdviceKind::StaticInitializer),
  AtBeforeCall = 1 << unsigned(AdviceKind::BeforeCall),
  AtAfterCall = 1 << unsigned(AdviceKind::AfterCall),
  AtCalls = AtBeforeCall | AtAfterCall,
  Anywhere = (1 << NumAdviceKinds) - 1,
};

struct ItemInfo {
  const char *Name, *Descriptor;
  unsigned AllowedAt; ///< of KindSet
};
} // namespace

/// In the order of the enumerators.
static constexpr ItemInfo Items[] = {
    {"returnedObject", "Ljava/lang/Object;", AtExit | AtAfterCall},
    {"exceptionObject", "Ljava/lang/Throwable;",
     AtExit | AtHandler | AtAfterCall},
    {"className", "Ljava/lang/String;", Anywhere},
    {"methodName", "Ljava/lang/String;", Anywhere},
    {"methodSig", "Ljava/lang/String;", Anywhere},
    {"thisObject", "Ljava/lang/Object;", Anywhere & ~AtStaticInit},
    {"args", "[Ljava/lang/Object;", Anywhere & ~AtStaticInit},
    {"isFinally", "Z", AtHandler},
    {"staticField", "Ljava/lang/Object;", Anywhere & ~AtCalls},
    {"classSourceFile", "Ljava/lang/String;", Anywhere & ~AtCalls},
    {"methodNames", "Ljava/lang/String;", Anywhere & ~AtCalls},
    {"methodLineTables", "Ljava/lang/String;", Anywhere & ~AtCalls},
    {"methodNumber", "I", Anywhere & ~AtCalls},
    {"executableUnitNumber", "I", AtHandler | AtUnit},
    {"numPreviousUnits", "I", AtUnit},
    {"kept", "Ljava/lang/Object;", Anywhere & ~AtStaticInit & ~AtBeforeCall},
    {"local", "Ljava/lang/Object;", Anywhere & ~AtStaticInit},
};
static_assert(std::size(Items) == NumDataItems);

static constexpr const char *KindNames[] = {
    "entry",      "exit",     "catch", "executableUnit", "staticInitializer",
    "beforeCall", "afterCall"};
static_assert(std::size(KindNames) == NumAdviceKinds);

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
  return KindNames[unsigned(K)];
}

std::optional<AdviceKind> jopt::findAdviceKind(StringRef Name) {
  for (unsigned I = 0; I < NumAdviceKinds; ++I)
    if (Name == KindNames[I])
      return AdviceKind(I);
  return std::nullopt;
}

bool jopt::isAllowedAt(AdviceKind K, DataItem D) {
  return Items[unsigned(D)].AllowedAt >> unsigned(K) & 1;
}

bool jopt::isSiteItem(AdviceKind K, DataItem D) {
  switch (D) {
  case DataItem::ClassName:
  case DataItem::MethodName:
  case DataItem::MethodSig:
  case DataItem::Args:
    return isCallKind(K);
  case DataItem::ReturnedObject:
  case DataItem::ExceptionObject:
  case DataItem::ThisObject:
  case DataItem::IsFinally:
  case DataItem::UnitNumber:
  case DataItem::Kept:
  case DataItem::Local:
    return true;
  default:
    return false;
  }
}

void jopt::sortAdvices(const AdviceSet &A, AdviceKind K,
                       llvm::SmallVectorImpl<unsigned> &List) {
  if (List.size() < 2)
    return;
  bool Backwards = K == AdviceKind::Exit || K == AdviceKind::AfterCall;
  llvm::stable_sort(List, [&](unsigned L, unsigned R) {
    int OfL = A.Advices[L].Order, OfR = A.Advices[R].Order;
    return Backwards ? OfR < OfL : OfL < OfR;
  });
}

std::string jopt::getStaticFieldName(unsigned Probe) {
  return "probekit$staticField_" + std::to_string(Probe);
}

const Advice *jopt::findKeeper(const AdviceSet &Set, unsigned Probe) {
  for (const Advice &A : Set.Advices)
    if (A.Probe == Probe && A.Result == ResultUse::Keep)
      return &A;
  return nullptr;
}

llvm::BitVector jopt::findCallProbes(const AdviceSet &Set) {
  llvm::BitVector Calls(unsigned(Set.Probes.size()));
  for (const Advice &A : Set.Advices)
    if (isCallKind(A.Kind))
      Calls.set(A.Probe);
  return Calls;
}

/// What is wrong with the data items of \p A; empty if nothing is.
static std::string dataProblem(const AdviceSet &Set, const Advice &A) {
  const Advice *Keeper = findKeeper(Set, A.Probe);
  const std::string &Field = Set.Probes[A.Probe].StaticField;
  MethodDescriptor D(A.Body.Descriptor);
  for (DataItem Item : A.Data) {
    std::string Name = getDataItemName(Item).str();
    StringRef Type = D.nextParameter();
    if (Type.empty())
      return "the method has fewer parameters than there are data items";
    if (!isAllowedAt(A.Kind, Item))
      return (Name + " is not known at " + getAdviceKindName(A.Kind)).str();
    std::string Given = getDataItemDescriptor(Item).str();
    if (Item == DataItem::Local)
      continue; // It depends on the host what type there is.
    if (Item == DataItem::Kept) {
      if (!Keeper || Keeper == &A)
        return "no other advice of the probe keeps a value";
      Given = returnDescriptor(Keeper->Body.Descriptor).str();
    } else if (Item == DataItem::StaticField) {
      if (Field.empty())
        return "the probe has no static field";
      Given = "L" + Field + ";";
    }
    bool ToObject =
        Type == "Ljava/lang/Object;" && (Given[0] == 'L' || Given[0] == '[');
    if (Type != Given && !ToObject)
      return (Name + " is of type " + Given + ", the parameter of type " + Type)
          .str();
  }
  if (!D.nextParameter().empty())
    return "the method has more parameters than there are data items";
  if (llvm::count(A.Data, DataItem::Local) != ptrdiff_t(A.Locals.size()))
    return "a local variable without name";
  return {};
}

/// What is wrong with advice \p I by itself; empty if nothing is.
static std::string problem(const AdviceSet &Set, unsigned I) {
  const Advice &A = Set.Advices[I];
  bool Entry = A.Kind == AdviceKind::Entry;
  bool Before = Entry || A.Kind == AdviceKind::BeforeCall;
  if (A.Body.Owner.empty() ||
      StringRef(A.Body.Owner).find_first_of(".;[") != StringRef::npos)
    return "'" + A.Body.Owner + "' is not the name of a class";
  if (A.Body.Name.empty() ||
      StringRef(A.Body.Name).find_first_of(".;[/<>:(") != StringRef::npos)
    return "'" + A.Body.Name + "' is not the name of a static method";
  if (!isMethodDescriptor(A.Body.Descriptor))
    return "'" + A.Body.Descriptor + "' is not a method descriptor";
  if (std::string P = dataProblem(Set, A); !P.empty())
    return P;

  bool HasResult = returnDescriptor(A.Body.Descriptor) != "V";
  if (A.Result != ResultUse::Ignore && !HasResult)
    return "a result is asked for, and the method returns none";
  if (A.Result == ResultUse::ReplaceValue && A.Kind != AdviceKind::Exit &&
      A.Kind != AdviceKind::AfterCall)
    return "there is no value that the result could replace";
  if (A.Result == ResultUse::Keep) {
    if (!Before)
      return "only an entry or beforeCall advice can keep its result";
    if (findKeeper(Set, A.Probe) != &A)
      return "another advice of the probe keeps its result already";
  }
  if (A.WritesArgs && (!Before || !llvm::is_contained(A.Data, DataItem::Args)))
    return "only an entry or beforeCall advice that has the arguments can "
           "write them";
  if (A.Constructor == ConstructorPlace::AfterSuper && !Entry)
    return "only an entry advice can be placed after super()";
  if (!A.Switch.empty()) {
    auto [Owner, Name] = StringRef(A.Switch).split('.');
    if (Owner.empty() || Name.empty() || Name.contains('.'))
      return "the switch '" + A.Switch + "' is not of the form owner.method";
  }
  auto First = llvm::find_if(
      Set.Advices, [&](const Advice &O) { return O.Probe == A.Probe; });
  if (isCallKind(First->Kind) != isCallKind(A.Kind))
    return "a probe cannot have advices at calls and others";
  const Probe &P = Set.Probes[A.Probe];
  if (isCallKind(A.Kind) && P.TargetHierarchy)
    return "calls are selected by the class that they name, not its ancestors";
  if (isCallKind(A.Kind) && llvm::any_of(P.Rules, [](const TargetRule &R) {
        return !R.Annotation.empty();
      }))
    return "of a method that is called the annotations are not known";
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
