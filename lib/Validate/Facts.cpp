//===- Facts.cpp - Facts that hold on a path ------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Facts.h"

using namespace jopt;
using namespace jopt::validate;

static bool isBefore(const PathFacts::Fact &F, TermRef T) {
  return F.first->Id < T->Id;
}

std::optional<bool> PathFacts::find(TermRef Predicate) const {
  auto It = llvm::lower_bound(All, Predicate, isBefore);
  if (It == All.end() || It->first != Predicate)
    return std::nullopt;
  return It->second;
}

void PathFacts::set(TermRef Predicate, bool Holds) {
  if (Predicate->is(TermKind::Constant))
    return;
  auto It = llvm::lower_bound(All, Predicate, isBefore);
  if (It != All.end() && It->first == Predicate)
    It->second = Holds;
  else
    All.insert(It, {Predicate, Holds});
}

bool PathFacts::isNonNull(Terms &T, TermRef V) const {
  switch (V->Kind) {
  case TermKind::Object:
  case TermKind::Exception:
  case TermKind::Loaded:
    return true;
  case TermKind::Null:
    return false;
  default:
    break;
  }
  if (find(T.make(TermKind::EqualRefs, 0, {V, T.null()})) == false)
    return true;
  return llvm::any_of(All, [&](const Fact &F) {
    return F.second && F.first->is(TermKind::InstanceOf) &&
           F.first->Args[0] == V;
  });
}

IntRange PathFacts::rangeOf(Terms &T, TermRef V) const {
  IntRange R = T.rangeOf(V);
  if (V->is(TermKind::Constant))
    return R;
  // A later fact may make a border of a number beside one.
  for (unsigned Round = 0; Round < 2; ++Round)
    for (auto [F, Holds] : All) {
      const bool IsLeft = F->Args.size() == 2 && F->Args[0] == V;
      if (!IsLeft && !(F->Args.size() == 2 && F->Args[1] == V))
        continue;
      TermRef Other = F->Args[IsLeft];
      if (!Other->isConstant('I'))
        continue;
      const int64_t C = Other->i();
      if (F->is(TermKind::EqualInts) && Holds)
        return {C, C};
      if (F->is(TermKind::EqualInts)) {
        R.Low += R.Low == C;
        R.High -= R.High == C;
      } else if (F->is(TermKind::Less)) {
        if (IsLeft && Holds)
          R.High = std::min(R.High, C - 1);
        else if (IsLeft || Holds)
          R.Low = std::max(R.Low, IsLeft ? C : C + 1);
        else
          R.High = std::min(R.High, C);
      }
    }
  return R;
}

/// Whether exceptions of class \p Of, which the JVM makes, are of \p Class.
static bool isException(llvm::StringRef Of, llvm::StringRef Class) {
  if (Class == Of || Class == "java/lang/RuntimeException" ||
      Class == "java/lang/Exception" || Class == "java/lang/Throwable" ||
      Class == "java/lang/Object" || Class == "java/io/Serializable")
    return true;
  return Of == "java/lang/ArrayIndexOutOfBoundsException" &&
         Class == "java/lang/IndexOutOfBoundsException";
}

std::optional<bool> PathFacts::decideInstance(Terms &T, TermRef P) const {
  TermRef V = P->Args[0];
  if (V->is(TermKind::Exception) && !T.text(V->Code).starts_with("?"))
    return isException(T.text(V->Code), T.text(P->Code));
  TermRef IsNull = T.make(TermKind::EqualRefs, 0, {V, T.null()});
  if (find(IsNull) == true)
    return false;
  const bool IsOf = T.classOf(V) == P->Code ||
                    T.text(P->Code) == "java/lang/Object" ||
                    find(T.make(TermKind::CastFails, P->Code, {V})) == false;
  if (IsOf && isNonNull(T, V))
    return true;
  return std::nullopt;
}

std::optional<bool> PathFacts::decideCast(Terms &T, TermRef P) const {
  TermRef V = P->Args[0];
  if (T.text(P->Code) == "java/lang/Object" || T.classOf(V) == P->Code ||
      find(T.make(TermKind::InstanceOf, P->Code, {V})) == true ||
      find(T.make(TermKind::EqualRefs, 0, {V, T.null()})) == true)
    return false;
  return std::nullopt;
}

std::optional<bool> PathFacts::decide(Terms &T, TermRef P) const {
  if (P->is(TermKind::Constant))
    return P->Bits != 0;
  if (auto Known = find(P))
    return Known;
  switch (P->Kind) {
  case TermKind::EqualInts:
  case TermKind::Less: {
    const IntRange L = rangeOf(T, P->Args[0]), R = rangeOf(T, P->Args[1]);
    if (P->is(TermKind::EqualInts)) {
      if (L.High < R.Low || R.High < L.Low)
        return false;
      if (L.Low == L.High && R.Low == R.High)
        return true;
      return std::nullopt;
    }
    if (L.High < R.Low)
      return true;
    if (L.Low >= R.High)
      return false;
    return std::nullopt;
  }
  case TermKind::EqualRefs:
    if (P->Args[1]->is(TermKind::Null) && isNonNull(T, P->Args[0]))
      return false;
    return std::nullopt;
  case TermKind::InstanceOf:
    return decideInstance(T, P);
  case TermKind::CastFails:
    return decideCast(T, P);
  case TermKind::LinkFails:
    // instanceof asks for the class of an object only.
    if (!P->Args.empty() &&
        find(T.make(TermKind::EqualRefs, 0, {P->Args[0], T.null()})) == true)
      return false;
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

TermRef PathFacts::normalise(Terms &T, TermRef V) const {
  llvm::DenseMap<TermRef, TermRef> Done;
  return normalise(T, V, Done);
}

/// Terms share parts, which are looked at once: \p Done.
TermRef PathFacts::normalise(Terms &T, TermRef V,
                             llvm::DenseMap<TermRef, TermRef> &Done) const {
  if (V->Args.empty() && !V->is(TermKind::Symbol))
    return V;
  if (TermRef Is = Done.lookup(V))
    return Is;
  Done[V] = V;
  if (V->is(TermKind::InstanceOf))
    if (auto Is = decide(T, V))
      return Done[V] = T.ofInt(*Is);
  const IntRange R = rangeOf(T, V);
  if (R.Low == R.High)
    return Done[V] = T.ofInt(R.Low);
  if (find(T.make(TermKind::EqualRefs, 0, {V, T.null()})) == true)
    return Done[V] = T.null();
  if (V->Args.empty())
    return V;
  llvm::SmallVector<TermRef, 4> Args;
  for (TermRef A : V->Args)
    Args.push_back(A->is(TermKind::Store) ? A : normalise(T, A, Done));
  return Done[V] = llvm::equal(Args, V->Args)
                       ? V
                       : T.make(V->Kind, V->Code, Args, V->Bits);
}
