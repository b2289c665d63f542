//===- Witness.cpp - Numbers for which two versions differ ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Product.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/bit.h"

using namespace jopt;
using namespace jopt::validate;

namespace {

/// Gives numbers to what a path does not compute, and computes the rest.
class Sample {
public:
  Sample(Terms &T, const PathFacts &Known, uint64_t Seed)
      : T(T), Known(Known), Random(Seed * 0x9e3779b97f4a7c15 + 1) {}

  /// The number of \p V, of type \p Letter; null if it is none.
  TermRef number(TermRef V, char Letter);
  /// Whether the predicate \p P has its value; true for those about objects.
  bool holds(TermRef P, bool Expected);

private:
  uint64_t draw() {
    Random ^= Random << 13;
    Random ^= Random >> 7;
    Random ^= Random << 17;
    return Random;
  }
  TermRef pick(TermRef V, char Letter);

  Terms &T;
  const PathFacts &Known;
  uint64_t Random;
  llvm::DenseMap<TermRef, TermRef> Numbers;
};

} // namespace

TermRef Sample::pick(TermRef V, char Letter) {
  switch (Letter) {
  case 'J': {
    static constexpr int64_t Of[] = {0, 1, -1, 2, 1000, INT64_MIN, INT64_MAX};
    return T.constant('J', uint64_t(Of[draw() % std::size(Of)]));
  }
  case 'F': {
    static constexpr float Of[] = {0, -0.0f, 1, -1, 0.5f, 1e30f};
    return T.constant('F',
                      llvm::bit_cast<uint32_t>(Of[draw() % std::size(Of)]));
  }
  case 'D': {
    static constexpr double Of[] = {0, -0.0, 1, -1, 0.5, 1e300};
    return T.constant('D',
                      llvm::bit_cast<uint64_t>(Of[draw() % std::size(Of)]));
  }
  default:
    break;
  }
  // A number that a fact compares it with, or one beside it.
  llvm::SmallVector<int64_t, 16> Of = {0, 1, -1, 2, 100, INT32_MIN, INT32_MAX};
  for (auto [P, Holds] : Known.all()) {
    if (P->Args.size() != 2)
      continue;
    for (unsigned N : {0, 1})
      if (P->Args[N] == V && P->Args[1 - N]->isConstant('I')) {
        const int64_t C = P->Args[1 - N]->i();
        if (P->is(TermKind::EqualInts) && Holds)
          return T.ofInt(C);
        llvm::append_range(Of, std::initializer_list<int64_t>{C - 1, C, C + 1});
      }
  }
  const IntRange R = T.rangeOf(V);
  const int64_t Picked = Of[draw() % Of.size()];
  return T.ofInt(std::clamp(Picked, R.Low, R.High));
}

TermRef Sample::number(TermRef V, char Letter) {
  if (V->is(TermKind::Constant))
    return V;
  if (TermRef Is = Numbers.lookup(V))
    return Is;
  TermRef Result = nullptr;
  if (V->is(TermKind::Apply) && V->Code != op::ARRAYLENGTH) {
    const OpcodeInfo &Info = *getOpcodeInfo(Opcode(V->Code));
    llvm::SmallVector<TermRef, 2> Args;
    for (size_t N = 0; N < V->Args.size(); ++N)
      Args.push_back(number(V->Args[N], Info.operands()[N]));
    char Of;
    uint64_t Bits;
    if (llvm::is_contained(Args, nullptr) ||
        !evaluate(Opcode(V->Code), Args, Of, Bits))
      return nullptr;
    Result = T.constant(Of, Bits);
  } else if (V->is(TermKind::InstanceOf)) {
    const auto Is = Known.decide(T, V);
    Result = T.ofInt(Is ? *Is : draw() % 2);
  } else if (V->is(TermKind::Symbol) || V->is(TermKind::Read) ||
             V->is(TermKind::Apply)) {
    Result = pick(V, Letter);
  }
  Numbers[V] = Result;
  return Result;
}

bool Sample::holds(TermRef P, bool Expected) {
  if (!P->is(TermKind::EqualInts) && !P->is(TermKind::Less) &&
      !P->is(TermKind::Below))
    return true;
  TermRef V = number(P->Args[0], 'I'), W = number(P->Args[1], 'I');
  if (!V || !W)
    return false;
  TermRef Is = T.make(P->Kind, 0, {V, W});
  return Is->is(TermKind::Constant) && (Is->Bits != 0) == Expected;
}

/// What computes numbers has a type; 0: it may be an object.
static char typeLetter(TermRef V) {
  if (V->is(TermKind::Constant))
    return char(V->Code);
  if (V->is(TermKind::Apply))
    return getOpcodeInfo(Opcode(V->Code))->result();
  return V->is(TermKind::InstanceOf) ? 'I' : 0;
}

bool jopt::validate::isWitness(Terms &T, const PathFacts &Known, TermRef V,
                               TermRef W) {
  for (auto [P, Holds] : Known.all())
    // Types may forbid that, which are not looked at.
    if (Holds && (P->is(TermKind::CastFails) || P->is(TermKind::LinkFails) ||
                  P->is(TermKind::StoreFails)))
      return false;
  const bool AsksForValues = V && W;
  const char Letter = !AsksForValues  ? 0
                      : typeLetter(V) ? typeLetter(V)
                                      : typeLetter(W);
  if (AsksForValues && !Letter) {
    auto IsFree = [&](TermRef X) { return X->is(TermKind::Symbol); };
    const bool Differ =
        Known.decide(T, T.make(TermKind::EqualRefs, 0, {V, W})) == false ||
        (IsFree(V) && IsFree(W)) || (IsFree(V) && W->is(TermKind::Null)) ||
        (IsFree(W) && V->is(TermKind::Null)) ||
        (V->is(TermKind::Loaded) && W->is(TermKind::Loaded));
    if (!Differ)
      return false;
  }
  constexpr unsigned MostTries = 400;
  for (unsigned Try = 1; Try <= MostTries; ++Try) {
    Sample S(T, Known, Try);
    if (!llvm::all_of(Known.all(), [&](const PathFacts::Fact &F) {
          return S.holds(F.first, F.second);
        }))
      continue;
    if (!Letter)
      return true;
    TermRef X = S.number(V, Letter), Y = S.number(W, Letter);
    if (X && Y && X != Y)
      return true;
  }
  return false;
}
