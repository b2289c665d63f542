//===- PlanTest.cpp -------------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The methods that docs/Placement.md counts.
///
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/Plan.h"
#include "TestMethods.h"
#include "gtest/gtest.h"

using namespace jopt::coverage;

namespace {

struct Counts {
  long Points, Min, Stores, Marks;
};

Counts count(TestMethod &M) {
  M.finish();
  const ProbeGraph G = llvm::cantFail(M.graph());
  auto Count = [&](Strategy S, MethodPlan::Action A) {
    return llvm::count(planMethod(S, G).Actions, A);
  };
  EXPECT_EQ(Count(Strategy::JaCoCo, MethodPlan::Store), long(M.Points.size()));
  return {long(M.Points.size()), Count(Strategy::Min, MethodPlan::Store),
          Count(Strategy::Pos, MethodPlan::Store),
          Count(Strategy::Pos, MethodPlan::Mark)};
}

void expect(TestMethod &M, Counts Wanted) {
  const Counts Had = count(M);
  EXPECT_EQ(Had.Points, Wanted.Points);
  EXPECT_EQ(Had.Min, Wanted.Min);
  EXPECT_EQ(Had.Stores, Wanted.Stores);
  EXPECT_EQ(Had.Marks, Wanted.Marks);
}

/// Two arms that meet.
void addIf(TestMethod &M, unsigned At) {
  M.jumpIf(At + 3).nop().jump(At + 4).nop();
}

TEST(Plan, IfElse) {
  TestMethod M;
  addIf(M, 0);
  expect(M.leave(), {3, 2, 2, 0});
}

TEST(Plan, IfElseAndCall) {
  TestMethod M;
  addIf(M, 0);
  expect(M.call().leave(), {3, 3, 3, 0});
}

TEST(Plan, LinesThatCall) {
  TestMethod M;
  expect(M.line().call().line().call().line().call().leave(), {3, 3, 1, 2});
}

TEST(Plan, CallThatIsLeftOut) {
  TestMethod M;
  expect(M.line().jumpIf(2).line().call().line().leave(), {4, 3, 2, 1});
}

// Ways part on the line in front of its call: nothing is thrown until then.
TEST(Plan, LineThatCallsLater) {
  TestMethod M;
  expect(M.line().nop().line().jumpIf(4).nop().jump(5).nop().call().leave(),
         {4, 3, 3, 0});
}

TEST(Plan, WhileLoop) {
  TestMethod M;
  expect(M.line().call().jumpIf(4).line().call().jump(0).line().leave(),
         {3, 3, 2, 1});
}

TEST(Plan, Handler) {
  TestMethod M;
  expect(M.call().jump(3).nop().leave().handler(0, 1, 2, true), {3, 2, 2, 0});
}

TEST(Plan, Switch) {
  TestMethod M;
  M.select({9, 1, 3, 5, 7});
  for (unsigned Case = 0; Case < 4; ++Case)
    M.nop().jump(10);
  expect(M.nop().leave(), {6, 5, 5, 0});
}

TEST(Plan, TwoIfs) {
  TestMethod M, Calls;
  addIf(M, 0);
  addIf(M, 4);
  expect(M.leave(), {5, 4, 4, 0});
  addIf(Calls, 0);
  Calls.call();
  addIf(Calls, 5);
  expect(Calls.call().leave(), {5, 5, 5, 0});
}

TEST(Plan, LoopWithoutEndIsStoredWhole) {
  TestMethod M;
  M.line().call().line().call().nop().jump(2);
  M.finish();
  const ProbeGraph G = llvm::cantFail(M.graph());
  EXPECT_FALSE(canAlwaysLeave(G));
  const MethodPlan P = planMethod(Strategy::Pos, G);
  EXPECT_EQ(llvm::count(P.Actions, MethodPlan::Store), long(P.Actions.size()));
  EXPECT_FALSE(P.has(MethodPlan::Mark));
}

// Each line of three, and what is in front of them, may call something.
TEST(Plan, StraightCodeNeedsNoGraph) {
  for (unsigned Calls = 0; Calls < 16; ++Calls)
    for (const bool Throws : {false, true}) {
      TestMethod M;
      for (unsigned Line = 0; Line < 4; ++Line) {
        if (Line)
          M.line();
        if (Calls >> Line & 1)
          M.call();
        M.nop();
      }
      if (Throws)
        M.raise();
      else
        M.leave();
      M.finish();
      const auto Points = M.straight();
      ASSERT_TRUE(Points);
      EXPECT_EQ(Points->Points, M.Points) << Calls;
      EXPECT_EQ(Points->NumProbes, M.NumProbes) << Calls;
      const MethodPlan Own = planStraight(M.Points.size()),
                       P = planMethod(Strategy::Pos, llvm::cantFail(M.graph()));
      EXPECT_EQ(Own.Actions, P.Actions) << Calls;
      EXPECT_EQ(Own.Told, P.Told) << Calls;
      EXPECT_EQ(Own.Handlers, P.Handlers) << Calls;
    }
}

TEST(Plan, BranchesAndHandlersNeedAGraph) {
  TestMethod If, Handler;
  addIf(If, 0);
  If.leave().finish();
  EXPECT_FALSE(If.straight());
  Handler.call().leave().leave().handler(0, 1, 2, true).finish();
  EXPECT_FALSE(Handler.straight());
}

// An exception sets the position in the handler that catches it, only there.
TEST(Plan, HandlersOfPositions) {
  TestMethod M;
  // A call in a range, one behind it; the handler takes all.
  M.line().call().line().call().jump(4).nop();
  M.line().nop().line().call().line().call().leave();
  M.handler(0, 2, 3, true).finish();
  const MethodPlan P = planMethod(Strategy::Pos, llvm::cantFail(M.graph()));
  llvm::SmallVector<Thrown, 4> Handlers = P.Handlers;
  llvm::sort(Handlers);
  EXPECT_EQ(Handlers,
            (llvm::SmallVector<Thrown, 4>{Thrown::OutOfMethod, Thrown(9)}));
}

} // namespace
