//===- ThrowEdges.cpp - Sets of exception handlers ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Treaps: trees ordered by priority from left to right and, from the root
// down, by a hash of the entries' numbers. So equal sets have equal trees,
// however they came about, and are balanced as a random tree is.
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/Body.h"

using namespace jopt;

/// Different for different numbers (each step can be undone), and in no order.
static uint32_t height(const ThrowEdge *E) {
  uint32_t H = E->Entry->Id;
  H = (H ^ H >> 16) * 0x7feb352du;
  H = (H ^ H >> 15) * 0x846ca68bu;
  return H ^ H >> 16;
}

static unsigned priority(const ThrowEdge *E) { return E->Entry->Priority; }

const ThrowEdge *Body::makeEdge(TryEntry *E, const ThrowEdge *Left,
                                const ThrowEdge *Right) {
  return new (Alloc.Allocate<ThrowEdge>()) ThrowEdge{E, Left, Right};
}

const ThrowEdge *Body::withTry(const ThrowEdge *Set, TryEntry *E) {
  ThrowEdge New{E, nullptr, nullptr};
  if (!Set)
    return makeEdge(E, nullptr, nullptr);
  if (Set->Entry == E)
    return Set;
  if (height(&New) > height(Set)) {
    auto [Before, Behind] = splitEdges(Set, E->Priority);
    return makeEdge(E, Before, Behind);
  }
  if (E->Priority < priority(Set)) {
    const ThrowEdge *Left = withTry(Set->Left, E);
    return Left == Set->Left ? Set : makeEdge(Set->Entry, Left, Set->Right);
  }
  const ThrowEdge *Right = withTry(Set->Right, E);
  return Right == Set->Right ? Set : makeEdge(Set->Entry, Set->Left, Right);
}

/// The edges of \p Set in front of \p Priority, and the others.
std::pair<const ThrowEdge *, const ThrowEdge *>
Body::splitEdges(const ThrowEdge *Set, unsigned Priority) {
  if (!Set)
    return {nullptr, nullptr};
  if (priority(Set) < Priority) {
    auto [Before, Behind] = splitEdges(Set->Right, Priority);
    return {Before == Set->Right ? Set
                                 : makeEdge(Set->Entry, Set->Left, Before),
            Behind};
  }
  auto [Before, Behind] = splitEdges(Set->Left, Priority);
  return {Before,
          Behind == Set->Left ? Set : makeEdge(Set->Entry, Behind, Set->Right)};
}

const ThrowEdge *Body::withoutTry(const ThrowEdge *Set, TryEntry *E) {
  if (!Set)
    return nullptr;
  if (Set->Entry == E)
    return joinEdges(Set->Left, Set->Right);
  if (E->Priority < priority(Set)) {
    const ThrowEdge *Left = withoutTry(Set->Left, E);
    return Left == Set->Left ? Set : makeEdge(Set->Entry, Left, Set->Right);
  }
  const ThrowEdge *Right = withoutTry(Set->Right, E);
  return Right == Set->Right ? Set : makeEdge(Set->Entry, Set->Left, Right);
}

/// All of \p Before is in front of all of \p Behind.
const ThrowEdge *Body::joinEdges(const ThrowEdge *Before,
                                 const ThrowEdge *Behind) {
  if (!Before || !Behind)
    return Before ? Before : Behind;
  if (height(Before) > height(Behind))
    return makeEdge(Before->Entry, Before->Left,
                    joinEdges(Before->Right, Behind));
  return makeEdge(Behind->Entry, joinEdges(Before, Behind->Left),
                  Behind->Right);
}

/// As forEachChange, for priorities of [\p Begin, \p End) only. Where only one
/// set has an entry, the other is cut in two there, by these bounds.
static void changes(const ThrowEdge *From, const ThrowEdge *To, unsigned Begin,
                    unsigned End,
                    llvm::function_ref<void(TryEntry *, bool Added)> Each) {
  auto Within = [&](const ThrowEdge *E) {
    while (E && (priority(E) < Begin || priority(E) >= End))
      E = priority(E) < Begin ? E->Right : E->Left;
    return E;
  };
  From = Within(From);
  To = Within(To);
  if (From == To)
    return;
  const ThrowEdge *Top = !To || (From && height(From) > height(To)) ? From : To;
  TryEntry *E = Top->Entry;
  bool InFrom = From && From->Entry == E, InTo = To && To->Entry == E;
  changes(InFrom ? From->Left : From, InTo ? To->Left : To, Begin, E->Priority,
          Each);
  if (InFrom != InTo)
    Each(E, InTo);
  changes(InFrom ? From->Right : From, InTo ? To->Right : To, E->Priority + 1,
          End, Each);
}

void jopt::forEachChange(
    const ThrowEdge *From, const ThrowEdge *To,
    llvm::function_ref<void(TryEntry *, bool Added)> Each) {
  changes(From, To, 0, ~0u, Each);
}
