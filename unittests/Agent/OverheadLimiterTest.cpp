//===- OverheadLimiterTest.cpp - What probes may cost
//------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Telemetry/OverheadLimiter.h"
#include "gtest/gtest.h"

using namespace jopt;
using namespace jopt::agent;

namespace {

class OverheadLimiterTest : public ::testing::Test {
protected:
  OverheadLimiterTest() {
    for (const char *Name : {"few", "many"})
      A.Probes.emplace_back().Name = Name;
  }
  /// Looks \p Elapsed seconds later, in which the process used \p Used seconds
  /// of CPU time and the probe 'many' \p Milliseconds.
  std::string look(uint64_t Few, uint64_t Many, double Elapsed,
                   double Milliseconds = 0, double Used = 1) {
    FragmentCalls Taken[2];
    Taken[0].Number = Few;
    Taken[1].Number = Many;
    Taken[1].Nanoseconds = uint64_t(Milliseconds * 1e6);
    Now.Time += std::chrono::milliseconds(int64_t(Elapsed * 1000));
    Now.CPU += Used;
    return B.look(O, A, Taken, Now);
  }

  AdviceSet A;
  AgentOptions O;
  OverheadLimiter B;
  OverheadLimiter::Moment Now;
};

/// A look that comes late has more to look at, and one that comes early less.
TEST_F(OverheadLimiterTest, TheRateIsOfASecond) {
  O.MaxRate = 2000;
  EXPECT_EQ(look(10, 1990, 1), "");
  EXPECT_EQ(look(500, 1600, 1),
            "max-rate=2000 is passed: 2100 events in a second, 1600 of probe "
            "'many'");
  EXPECT_EQ(look(100, 3800, 2), "");
  EXPECT_EQ(look(100, 4000, 2),
            "max-rate=2000 is passed: 2050 events in a second, 2000 of probe "
            "'many'");
  EXPECT_EQ(look(0, 900, 0.5), "");
  EXPECT_EQ(look(0, 1500, 0.5),
            "max-rate=2000 is passed: 3000 events in a second, 3000 of probe "
            "'many'");
  EXPECT_EQ(look(0, 1, 0), "");
}

/// Looks do not add up, however many there are.
TEST_F(OverheadLimiterTest, FewEventsAreFewForEver) {
  O.MaxRate = 2000;
  O.MaxOverhead = "10%";
  for (int I = 0; I < 1000; ++I)
    EXPECT_EQ(look(0, 2000, 1, 99), "");
  EXPECT_NE(look(0, 2001, 1), "");
}

/// The time before the start, and what was used in it, do not count.
TEST_F(OverheadLimiterTest, BeginsWithTheStart) {
  O.MaxRate = 2000;
  Now.Time += std::chrono::hours(1);
  B.start(Now);
  EXPECT_EQ(look(0, 4000, 1),
            "max-rate=2000 is passed: 4000 events in a second, 4000 of probe "
            "'many'");
  O.MaxRate.reset();
  O.MaxOverhead = "10%";
  for (int I = 0; I < 2; ++I)
    EXPECT_EQ(look(0, 1, 1, 200), "");
  Now.CPU += 3600;
  B.start(Now);
  for (int I = 0; I < 2; ++I)
    EXPECT_EQ(look(0, 1, 1, 200), "");
  EXPECT_NE(look(0, 1, 1, 200), "");
}

/// One look with too much is not typical; three on end are.
TEST_F(OverheadLimiterTest, TheOverheadIsOfTheTimeUsed) {
  O.MaxOverhead = "10%";
  for (int I = 0; I < 2; ++I)
    EXPECT_EQ(look(0, 1, 1, 60, 0.5), "");
  EXPECT_EQ(look(0, 1, 1, 40, 0.5), "");
  for (int I = 0; I < 2; ++I)
    EXPECT_EQ(look(0, 1, 1, 60, 0.5), "");
  EXPECT_EQ(look(0, 1, 1, 60, 0.5),
            "max-overhead=10% is passed: fragments took 12.0% of the CPU time, "
            "12.0% of probe 'many'");
}

/// A process that does next to nothing counts as one that uses a tenth.
TEST_F(OverheadLimiterTest, AnIdleProcessHasRoomForAFewEvents) {
  O.MaxOverhead = "10%";
  for (int I = 0; I < 10; ++I)
    EXPECT_EQ(look(0, 1, 1, 9, 0.01), "");
  for (int I = 0; I < 2; ++I)
    EXPECT_EQ(look(0, 1, 1, 11, 0.01), "");
  EXPECT_EQ(look(0, 1, 1, 11, 0.01),
            "max-overhead=10% is passed: fragments took 11.0% of the CPU time, "
            "11.0% of probe 'many'");
}

} // namespace
