//===- ThrowEdgesTest.cpp - Sets of exception handlers --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/Body.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace jopt;

namespace {
struct ThrowEdges : testing::Test {
  ThrowEdges() : M{}, F(Class, M), H(F.createBlock()) {}

  using Model = std::set<unsigned>; // priorities
  static Model contents(const ThrowEdge *Set) {
    Model M;
    forEachTry(Set, [&](const TryEntry *T) {
      EXPECT_TRUE(M.empty() || *M.rbegin() < T->Priority) << "not in order";
      M.insert(T->Priority);
    });
    return M;
  }
  /// The same tree, node for node.
  static bool same(const ThrowEdge *A, const ThrowEdge *B) {
    return !A || !B ? A == B
                    : A->Entry == B->Entry && same(A->Left, B->Left) &&
                          same(A->Right, B->Right);
  }

  ClassFile Class;
  Method M;
  Body F;
  Block *H;
};
} // namespace

TEST_F(ThrowEdges, AsASetDoes) {
  for (unsigned N = 0; N < 40; ++N)
    F.addTry(H, 0);
  std::mt19937 Random(1);
  const ThrowEdge *Set = nullptr, *Old = nullptr;
  Model Expected, OldExpected;
  for (unsigned Step = 0; Step < 5000; ++Step) {
    TryEntry *E = F.tries()[Random() % 40];
    bool Had = Expected.count(E->Priority);
    const ThrowEdge *Next =
        Random() % 2 ? (Expected.insert(E->Priority), F.withTry(Set, E))
                     : (Expected.erase(E->Priority), F.withoutTry(Set, E));
    EXPECT_EQ(Had == bool(Expected.count(E->Priority)), Next == Set)
        << "what does not change is not copied";
    Set = Next;
    ASSERT_EQ(Expected, contents(Set));

    Model Added, Removed, WantedAdded, WantedRemoved;
    unsigned Last = 0;
    forEachChange(Old, Set, [&](const TryEntry *T, bool IsNew) {
      EXPECT_LE(Last, T->Priority);
      Last = T->Priority;
      (IsNew ? Added : Removed).insert(T->Priority);
    });
    std::set_difference(Expected.begin(), Expected.end(), OldExpected.begin(),
                        OldExpected.end(),
                        std::inserter(WantedAdded, WantedAdded.end()));
    std::set_difference(OldExpected.begin(), OldExpected.end(),
                        Expected.begin(), Expected.end(),
                        std::inserter(WantedRemoved, WantedRemoved.end()));
    ASSERT_EQ(WantedAdded, Added);
    ASSERT_EQ(WantedRemoved, Removed);
    if (Step % 7 == 0) {
      Old = Set;
      OldExpected = Expected;
    }
  }
}

TEST_F(ThrowEdges, TheShapeIsThatOfTheContents) {
  for (unsigned N = 0; N < 100; ++N)
    F.addTry(H, 0);
  const ThrowEdge *Up = nullptr, *Down = nullptr;
  for (unsigned N = 0; N < 100; ++N)
    Up = F.withTry(Up, F.tries()[N]);
  for (unsigned N = 10; N < 90; ++N)
    Up = F.withoutTry(Up, F.tries()[N]);
  for (unsigned N = 100; N-- > 0;)
    if (N < 10 || N >= 90)
      Down = F.withTry(Down, F.tries()[N]);
  EXPECT_TRUE(same(Up, Down));
}

TEST_F(ThrowEdges, OverlappingRangesAreCheap) {
  // Each set has half of the entries, and differs from the one before by two.
  constexpr unsigned Count = 20000;
  for (unsigned N = 0; N < Count; ++N)
    F.addTry(H, 0);
  const ThrowEdge *Set = nullptr;
  size_t Before = F.allocator().getBytesAllocated(), Changes = 0;
  for (unsigned N = 0; N < Count; ++N) {
    const ThrowEdge *Next = F.withTry(Set, F.tries()[N]);
    if (N >= Count / 2)
      Next = F.withoutTry(Next, F.tries()[N - Count / 2]);
    forEachChange(Set, Next, [&](const TryEntry *, bool) { ++Changes; });
    Set = Next;
  }
  EXPECT_EQ(Count / 2 * 3u, Changes);
  EXPECT_EQ(Count / 2u, contents(Set).size());
  // 10,000 * 20,000 nodes in lists; 2 * ln(n) of them on a path of a tree.
  EXPECT_LT(F.allocator().getBytesAllocated() - Before,
            Count * 60 * sizeof(ThrowEdge));
}
