//===- RulesTest.cpp ------------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/Rules.h"
#include "gtest/gtest.h"
#include <random>

using namespace jopt::coverage;

namespace {

bool operator==(const Rule &A, const Rule &B) {
  return A.Element == B.Element && A.Points == B.Points;
}

bool isBroken(llvm::StringRef Text, uint32_t Count) {
  auto R = decodeRules(Text, Count);
  llvm::consumeError(R.takeError());
  return !R;
}

TEST(Rules, Text) {
  // Three points: element 0, then 1 and 3; the second follows from both others.
  EXPECT_EQ(encodeRules({{{0, {}}, {std::nullopt, {0, 2}}, {3, {}}}, 3}),
            "3181223");
  EXPECT_EQ(encodeRules({}), "0");
  // The same of which the first is a probe of JaCoCo's.
  EXPECT_EQ(encodeRules({{{0, {}}, {std::nullopt, {0, 2}}, {3, {}}}, 1}),
            "!13181223");
  std::mt19937 Random(1);
  for (unsigned Round = 0; Round < 2000; ++Round) {
    const uint32_t N = Random() % 70, Count = 1 + Random() % 100;
    ClassRules All{std::vector<Rule>(N), N ? uint32_t(Random() % (N + 1)) : 0};
    for (Rule &R : All.Rules) {
      if (Random() % 2)
        R.Element = Random() % Count;
      for (unsigned I = Random() % 12; I > 8; --I)
        R.Points.push_back(Random() % N);
    }
    const std::string Text = encodeRules(All);
    auto Back = decodeRules(Text, Count);
    ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
    ASSERT_EQ(Back->Rules.size(), N);
    ASSERT_EQ(Back->NumProbes, All.NumProbes);
    for (uint32_t P = 0; P < N; ++P)
      ASSERT_TRUE(Back->Rules[P] == All.Rules[P]);
    for (size_t Cut = 0; Cut < Text.size(); ++Cut)
      EXPECT_TRUE(isBroken(llvm::StringRef(Text).take_front(Cut), Count));
    EXPECT_TRUE(isBroken(Text + "0", Count));
  }
}

TEST(Rules, Broken) {
  EXPECT_FALSE(isBroken("11", 1));
  EXPECT_TRUE(isBroken("11", 0));      // no such element
  EXPECT_FALSE(isBroken("140", 1));    // it tells of itself
  EXPECT_TRUE(isBroken("141", 1));     // a point in front of the first
  EXPECT_TRUE(isBroken("142", 1));     // one behind the last
  EXPECT_TRUE(isBroken("13", 1));      // no such kind
  EXPECT_FALSE(isBroken("!011", 1));   // a point that is no probe
  EXPECT_TRUE(isBroken("!111", 1));    // it is one
  EXPECT_TRUE(isBroken("!", 1));       // how many?
  EXPECT_TRUE(isBroken("1 ", 1));      // no digit
  EXPECT_TRUE(isBroken("ooooooo", 1)); // a number without end
  EXPECT_TRUE(isBroken("oooooo0", 1)); // more points than text
}

TEST(Rules, Inflate) {
  // A circle, which one from outside tells of.
  const std::vector<Rule> Rules = {
      {0, {}}, {std::nullopt, {2}}, {std::nullopt, {1, 0}}, {1, {0}}};
  EXPECT_EQ(inflate(Rules, {0, 0}), (std::vector<uint64_t>{0, 0, 0, 0}));
  EXPECT_EQ(inflate(Rules, {1, 0}), (std::vector<uint64_t>{1, 1, 1, 1}));
  EXPECT_EQ(inflate(Rules, {0, 1}), (std::vector<uint64_t>{0, 0, 0, 1}));
}

} // namespace
