//===- BoundsTest.cpp - What probes may cost ------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Bounds.h"
#include "gtest/gtest.h"

using namespace jopt;
using namespace jopt::agent;

namespace {

class BoundsTest : public ::testing::Test {
protected:
  BoundsTest() {
    for (const char *Name : {"few", "many"})
      A.Probes.emplace_back().Name = Name;
  }
  std::string judge(uint64_t Few, uint64_t Many, double Elapsed,
                    double Milliseconds = 0, double Used = 1) {
    FragmentCalls Taken[2];
    Taken[0].Number = Few;
    Taken[1].Number = Many;
    Taken[1].Nanoseconds = uint64_t(Milliseconds * 1e6);
    return B.judge(O, A, Taken, Elapsed, Used);
  }

  AdviceSet A;
  AgentOptions O;
  Bounds B;
};

/// A look that comes late has more to look at, and one that comes early less.
TEST_F(BoundsTest, TheRateIsOfASecond) {
  O.MaxRate = 2000;
  EXPECT_EQ(judge(10, 1990, 1), "");
  EXPECT_EQ(judge(500, 1600, 1),
            "max-rate=2000 is passed: 2100 events in a second, 1600 of probe "
            "'many'");
  EXPECT_EQ(judge(100, 3800, 2), "");
  EXPECT_EQ(judge(100, 4000, 2),
            "max-rate=2000 is passed: 2050 events in a second, 2000 of probe "
            "'many'");
  EXPECT_EQ(judge(0, 900, 0.5), "");
  EXPECT_EQ(judge(0, 1500, 0.5),
            "max-rate=2000 is passed: 3000 events in a second, 3000 of probe "
            "'many'");
  EXPECT_EQ(judge(0, 1, 0), "");
}

/// One look with too much is not typical; three on end are.
TEST_F(BoundsTest, TheOverheadIsOfTheTimeUsed) {
  O.MaxOverhead = "10%";
  for (int I = 0; I < 2; ++I)
    EXPECT_EQ(judge(0, 1, 1, 60, 0.5), "");
  EXPECT_EQ(judge(0, 1, 1, 40, 0.5), "");
  for (int I = 0; I < 2; ++I)
    EXPECT_EQ(judge(0, 1, 1, 60, 0.5), "");
  EXPECT_EQ(judge(0, 1, 1, 60, 0.5),
            "max-overhead=10% is passed: fragments took 12.0% of the CPU time, "
            "12.0% of probe 'many'");
}

} // namespace
