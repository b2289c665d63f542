//===- Advice.cpp - The advice model --------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Advice/Advice.h"
#include "jopt/Bytecode/Descriptor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using llvm::StringRef;

void jopt::sortAdvices(const AdviceSet &A, AdviceKind K,
                       llvm::SmallVectorImpl<unsigned> &List) {
  if (List.size() < 2)
    return;
  const bool Backwards = getInfo(K).Backwards;
  auto Place = [&](unsigned N) {
    const Advice &V = A.Advices[N];
    bool Nests = Backwards && A.Probes[V.Probe].Nests;
    return std::pair(V.Order, Nests ? V.Probe + 1 : 0);
  };
  llvm::stable_sort(List, [&](unsigned L, unsigned R) {
    return Backwards ? Place(R) < Place(L) : Place(L) < Place(R);
  });
}

bool jopt::needsWholeBody(const Advice &A) {
  return A.WritesArgs || llvm::any_of(A.Data, [](const DataUse &Use) {
           return getInfo(Use.Item).OfWholeBody;
         });
}

bool jopt::takesArguments(const Advice &A) {
  return !isCallKind(A.Kind) && llvm::any_of(A.Data, [](DataItem D) {
    return getInfo(D).Slot == ItemSlot::Array;
  });
}

const Advice *jopt::findDecider(const AdviceSet &Set, unsigned N) {
  return N && Set.Advices[N - 1].Result == ResultUse::Decide
             ? &Set.Advices[N - 1]
             : nullptr;
}

const Advice *jopt::findKeeper(const AdviceSet &Set, unsigned Probe) {
  for (const Advice &A : Set.Advices)
    if (A.Probe == Probe && A.Result == ResultUse::Keep)
      return &A;
  return nullptr;
}

bool jopt::hasTrace(const AdviceSet &Set) {
  return llvm::any_of(Set.Probes,
                      [](const Probe &P) { return !P.Trace.empty(); });
}

llvm::BitVector jopt::findCallProbes(const AdviceSet &Set) {
  llvm::BitVector Calls(unsigned(Set.Probes.size()));
  for (const Advice &A : Set.Advices)
    if (isCallKind(A.Kind))
      Calls.set(A.Probe);
  return Calls;
}

/// The descriptor of data item \p D of a probe; empty if the probe does not
/// have it.
static std::string givenType(const AdviceSet &Set, const Advice &A,
                             DataItem D) {
  const DataItemInfo &Info = getInfo(D);
  const std::string &Field = Set.Probes[A.Probe].StaticField;
  const Advice *Keeper = findKeeper(Set, A.Probe);
  switch (Info.TypeRule) {
  case DataTypeRule::Fixed:
  case DataTypeRule::Declared:
    return Info.Descriptor.str();
  case DataTypeRule::Field:
    return Field.empty() ? "" : "L" + Field + ";";
  case DataTypeRule::Kept:
    return Keeper && Keeper != &A
               ? returnDescriptor(Keeper->Body.Descriptor).str()
               : "";
  }
  llvm_unreachable("all rules are listed");
}

/// Describes what is wrong with item \p Use of \p A for a parameter of type
/// \p Wanted; empty if nothing is.
static std::string itemProblem(const AdviceSet &Set, const Advice &A,
                               const DataUse &Use, StringRef Wanted) {
  const DataItemInfo &Info = getInfo(Use.Item);
  std::string Item = ("data item '" +
                      (Info.FileName.empty() ? Info.Name : Info.FileName) + "'")
                         .str();
  if (!isAllowedAt(A.Kind, Use.Item))
    return (Item + " is not available at " + getAdviceKindName(A.Kind)).str();
  if (Info.hasKey() && Use.Key.empty())
    return (Item + " without its " + Info.Key).str();
  if (Info.NumericKey && !Use.number())
    return (Item + ": the " + Info.Key + " '" + Use.Key + "' is not a number")
        .str();
  std::string Given = givenType(Set, A, Use.Item);
  if (Given.empty())
    return Info.TypeRule == DataTypeRule::Kept
               ? "no other advice of the probe keeps a value"
               : "the probe has no static field";
  // It depends on the host what type there is.
  if (Info.TypeRule == DataTypeRule::Declared)
    return {};
  bool ToObject =
      Wanted == "Ljava/lang/Object;" && (Given[0] == 'L' || Given[0] == '[');
  if (Wanted == Given || ToObject)
    return {};
  return (Item + " is of type " + Given + ", its parameter is of type " +
          Wanted)
      .str();
}

std::string jopt::findDataProblem(const AdviceSet &Set, const Advice &A) {
  unsigned Parameters = 0;
  MethodDescriptor Counted(A.Body.Descriptor);
  while (!Counted.nextParameter().empty())
    ++Parameters;
  if (Parameters != A.Data.size())
    return ("the method has " + llvm::Twine(Parameters) + " parameters, and " +
            llvm::Twine(A.Data.size()) + " data items are listed")
        .str();
  MethodDescriptor D(A.Body.Descriptor);
  for (const DataUse &Use : A.Data)
    if (std::string P = itemProblem(Set, A, Use, D.nextParameter()); !P.empty())
      return P;
  return {};
}

/// The kinds whose info has \p Bit, for a message: "entry or beforeCall".
static std::string kindsWith(bool AdviceKindInfo::*Bit) {
  std::vector<StringRef> Names;
  for (unsigned K = 0; K < NumAdviceKinds; ++K)
    if (getInfo(AdviceKind(K)).*Bit && getInfo(AdviceKind(K)).InFiles)
      Names.push_back(getAdviceKindName(AdviceKind(K)));
  return llvm::join(Names, " or ");
}

/// Describes what is wrong with the kinds of exit that \p A is for; empty if
/// nothing is.
static std::string exitProblem(const Advice &A) {
  if (A.Way != ExitWay::Any && A.Kind != AdviceKind::Exit)
    return "only an exit advice is for some ways out of a method";
  if (A.Result == ResultUse::Return && A.Kind == AdviceKind::Exit &&
      A.Way != ExitWay::Exception)
    return "an exit advice that has the method return is one for exceptions";
  return {};
}

/// Describes what is wrong with advice \p I, which decides about the next one;
/// empty if nothing is.
static std::string deciderProblem(const AdviceSet &Set, unsigned I) {
  const Advice &A = Set.Advices[I];
  if (returnDescriptor(A.Body.Descriptor) != "Z")
    return "what decides returns a boolean";
  if (I + 1 == Set.Advices.size())
    return "there is no advice behind it that it could decide about";
  const Advice &Next = Set.Advices[I + 1];
  if (Next.Probe != A.Probe || Next.Kind != A.Kind ||
      Next.Result == ResultUse::Decide)
    return "it decides about the next advice, which is none of its kind";
  if (endsMethod(Next)) // It is placed by itself.
    return {};
  MethodDescriptor D(A.Body.Descriptor);
  for (const DataUse &Use : A.Data) {
    StringRef Type = D.nextParameter();
    MethodDescriptor Other(Next.Body.Descriptor);
    if (llvm::none_of(Next.Data, [&](const DataUse &O) {
          return Other.nextParameter() == Type && O.Item == Use.Item &&
                 O.Key == Use.Key;
        }))
      return "what decides has an item that the next advice has not";
  }
  return {};
}

/// Describes what is wrong with advice \p I by itself; empty if nothing is.
static std::string problem(const AdviceSet &Set, unsigned I) {
  const Advice &A = Set.Advices[I];
  const AdviceKindInfo &Kind = getInfo(A.Kind);
  if (A.Body.Owner.empty() ||
      StringRef(A.Body.Owner).find_first_of(".;[") != StringRef::npos)
    return "'" + A.Body.Owner + "' is not the name of a class";
  if (A.Body.Name.empty() ||
      StringRef(A.Body.Name).find_first_of(".;[/<>:(") != StringRef::npos)
    return "'" + A.Body.Name + "' is not the name of a static method";
  if (!isMethodDescriptor(A.Body.Descriptor))
    return "'" + A.Body.Descriptor + "' is not a method descriptor";
  if (std::string P = findDataProblem(Set, A); !P.empty())
    return P;

  if (A.Body.OfInterface && A.Data.empty())
    return "a method of an interface is called on the first data item";
  if (std::string P = exitProblem(A); !P.empty())
    return P;
  if (A.Result == ResultUse::Decide)
    if (std::string P = deciderProblem(Set, I); !P.empty())
      return P;
  bool HasResult = returnDescriptor(A.Body.Descriptor) != "V";
  if (A.Result != ResultUse::Ignore && A.Result != ResultUse::Return &&
      !HasResult)
    return "a result is asked for, and the method returns none";
  if (A.Result == ResultUse::ReplaceValue && !Kind.ReplacesValue)
    return "there is no value that the result could replace";
  if (A.Result == ResultUse::Return && !Kind.EndsMethod)
    return "only an " + kindsWith(&AdviceKindInfo::EndsMethod) +
           " advice can have the method return";
  if (endsMethod(A) && !findDecider(Set, I))
    return "there is no advice in front of it that decides whether the method "
           "returns";
  if (A.Result == ResultUse::Keep) {
    if (!Kind.Begins)
      return "only an " + kindsWith(&AdviceKindInfo::Begins) +
             " advice can keep its result";
    if (findKeeper(Set, A.Probe) != &A)
      return "another advice of the probe keeps its result already";
  }
  if (A.WritesArgs &&
      (!Kind.Begins || !llvm::is_contained(A.Data, DataItem::Args)))
    return "only an " + kindsWith(&AdviceKindInfo::Begins) +
           " advice that has the arguments can write them";
  if (A.Constructor == ConstructorPlace::AfterSuper &&
      A.Kind != AdviceKind::Entry && A.Kind != AdviceKind::Exit)
    return "only an entry or exit advice can be placed after super()";
  if (!A.Switch.empty()) {
    auto [Owner, Name] = StringRef(A.Switch).split('.');
    if (Owner.empty() || Name.empty() || Name.contains('.'))
      return "the switch '" + A.Switch + "' is not of the form owner.method";
  }
  for (auto [Bit, Key] : llvm::enumerate(getSelectorNames()))
    if (A.Site.says(Selector(1u << Bit)) && !(Kind.Selectors >> Bit & 1))
      return ("'" + Key + "' is for " + kindsThatSay(Selector(1u << Bit)))
          .str();
  auto First = llvm::find_if(
      Set.Advices, [&](const Advice &O) { return O.Probe == A.Probe; });
  if (isCallKind(First->Kind) != isCallKind(A.Kind))
    return "a probe cannot have advices at calls and others";
  const Probe &P = Set.Probes[A.Probe];
  if (isCallKind(A.Kind) && P.Reach == TargetReach::Ancestors)
    return "calls are selected by the class that they name, not its ancestors";
  if (isCallKind(A.Kind) && llvm::any_of(P.Rules, [](const TargetRule &R) {
        return !R.Annotation.empty();
      }))
    return "of a method that is called the annotations are not known";
  return {};
}

llvm::Error jopt::checkAdviceSet(const AdviceSet &Set) {
  if (llvm::count_if(Set.Probes,
                     [](const Probe &P) { return !P.Trace.empty(); }) > 1)
    return makeError("there are two traces: a run has one");
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
