//===- PathsTest.cpp - The ways through a method, as numbers --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Trace/Paths.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace jopt::trace;

namespace {
Segment segment(llvm::ArrayRef<uint32_t> Next, uint32_t Events = 1) {
  Segment S;
  S.Events = Events;
  S.Next.assign(Next.begin(), Next.end());
  S.Returns = Next.empty();
  return S;
}

using Events = std::vector<uint32_t>;

Events follow(const Paths &P, uint32_t Number, Paths::End &End) {
  Events Found;
  End = P.follow(Number, [&](uint32_t First, uint32_t Count) {
    for (uint32_t I = 0; I < Count; ++I)
      Found.push_back(First + I);
  });
  return Found;
}

/// Walks all ways on from a segment, adding up as a woven class does, and holds
/// each against what its number says.
class Ways {
public:
  explicit Ways(const Paths &P) : P(P) {
    uint32_t First = 0;
    for (const Segment &S : P.segments()) {
      Firsts.push_back(First);
      First += S.Events;
    }
  }
  void walk(uint32_t At, uint32_t Number, Events So) {
    const Segment &S = P.segments()[At];
    for (uint32_t I = 0; I < S.Events; ++I)
      So.push_back(Firsts[At] + I);
    if (S.MayThrow)
      expect(Number, So, Paths::End::Throws);
    if (S.Returns)
      expect(Number + P.stepToReturn(At), So, Paths::End::Returns);
    for (uint32_t To : S.Next)
      if (P.segments()[To].Begins)
        expect(Number + P.step(At, To), So, Paths::End::Arrives);
      else
        walk(To, Number + P.step(At, To), So);
  }
  std::set<uint32_t> Numbers;

private:
  void expect(uint32_t Number, const Events &So, Paths::End Wanted) {
    Paths::End End;
    EXPECT_EQ(follow(P, Number, End), So);
    EXPECT_EQ(End, Wanted);
    EXPECT_TRUE(Numbers.insert(Number).second);
  }
  const Paths &P;
  std::vector<uint32_t> Firsts;
};
} // namespace

TEST(Paths, OfADiamond) {
  // 1 goes to 2 or 3, both to 4; 2 may throw.
  std::vector<Segment> S = {segment({1}, 0), segment({2, 3}), segment({4}, 2),
                            segment({4}), segment({})};
  S[2].MayThrow = true;
  auto P = Paths::number(S);
  ASSERT_TRUE(P);
  EXPECT_EQ(P->size(), 3u);
  EXPECT_EQ(P->step(1, 3), 2u);
  Paths::End End;
  EXPECT_EQ(follow(*P, 0, End), (Events{0, 1, 2}));
  EXPECT_EQ(End, Paths::End::Throws);
  EXPECT_EQ(follow(*P, 1, End), (Events{0, 1, 2, 4}));
  EXPECT_EQ(follow(*P, 2, End), (Events{0, 3, 4}));
  EXPECT_EQ(End, Paths::End::Returns);
}

TEST(Paths, AreRefusedWhereTheyLoopOrLeadNowhere) {
  EXPECT_FALSE(Paths::number({}));
  EXPECT_FALSE(Paths::number({segment({1}, 0), segment({1})}));
  EXPECT_FALSE(Paths::number({segment({2}, 0), segment({})}));
  // 2 to the 40.
  std::vector<Segment> Many = {segment({1}, 0)};
  for (uint32_t I = 0; I < 40; ++I) {
    const uint32_t At = uint32_t(Many.size());
    Many.push_back(segment({At + 1, At + 2}));
    Many.push_back(segment({At + 2}));
  }
  Many.push_back(segment({}));
  EXPECT_FALSE(Paths::number(Many));
  cutPaths(Many, 64);
  EXPECT_TRUE(Paths::number(Many));
}

TEST(Paths, OfGraphsByChance) {
  std::mt19937 Random(1);
  for (unsigned Graph = 0; Graph < 2000; ++Graph) {
    const uint32_t N = uint32_t(2 + Random() % 12);
    std::vector<Segment> S = {segment({1}, 0)};
    while (S.size() < N) {
      std::set<uint32_t> Next;
      for (unsigned I = Random() % 4; I; --I)
        Next.insert(uint32_t(1 + Random() % (N - 1)));
      S.push_back(segment(std::vector<uint32_t>(Next.begin(), Next.end()),
                          uint32_t(Random() % 3)));
      S.back().MayThrow = Random() % 3 == 0;
      S.back().Begins = Random() % 5 == 0;
    }
    const uint32_t Most = uint32_t(1 + Random() % 20);
    cutPaths(S, Most);
    auto P = Paths::number(S);
    ASSERT_TRUE(P);
    Ways W(*P);
    for (uint32_t I = 0; I < N; ++I)
      if (I == 0 || S[I].Begins)
        W.walk(I, P->first(I), {});
    // Each number is one.
    EXPECT_EQ(W.Numbers.size(), P->size());
    EXPECT_TRUE(W.Numbers.empty() || *W.Numbers.rbegin() == P->size() - 1);
  }
}
