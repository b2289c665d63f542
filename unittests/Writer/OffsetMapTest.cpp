//===- OffsetMapTest.cpp - Where code went that others came before --------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PatchWriter.h"
#include "Scheduler.h"
#include "TestCode.h"
#include <gtest/gtest.h>

using namespace jopt;
using namespace jopt::test;

static std::vector<uint32_t> borders(const OffsetMap &M, uint32_t End) {
  std::vector<uint32_t> Offsets;
  for (uint32_t BCI = 0; BCI <= End; ++BCI)
    Offsets.push_back(M.border(M.runs().front(), BCI));
  return Offsets;
}

static void insertNops(Body &F, Instruction *Before, unsigned N) {
  while (N--)
    F.insert(F.create(irop::Nop, op::NOP, Type::Void, {}), Before->block(),
             Before->getIterator());
}

/// Inserted code has the index of the instruction behind it; own() finds the
/// instruction itself.
TEST(OffsetMap, InsertedCodeIsOfTheInstructionBehind) {
  TestCode T("()I");
  T.code("nop; iconst_1; nop; ireturn");
  Body &B = T.lift();
  Instruction *Second = nullptr;
  for (Instruction &I : B.entry())
    if (I.bci() == 2)
      Second = &I;
  ASSERT_TRUE(Second);
  insertNops(B, Second, 3);
  Scheduler S;
  ASSERT_FALSE(bool(S.run(B)));
  CodeEmitter E;
  ASSERT_FALSE(bool(E.run(S.result(), B)));
  OffsetMap M;
  M.run(B, S.result(), E, /*TryIdentity=*/true);
  ASSERT_TRUE(M.monotone());
  EXPECT_FALSE(M.identity());
  EXPECT_EQ((std::vector<uint32_t>{0, 1, 2, 6, 7}), borders(M, 4));
  llvm::SmallVector<uint32_t> At;
  M.instructions(2, At);
  EXPECT_EQ((llvm::SmallVector<uint32_t>{5}), At);
}

/// The same table is made of pieces.
TEST(OffsetMap, IsMadeOfPieces) {
  OffsetMap M;
  M.begin(/*CodeLength=*/10);
  M.add(0, 0, 2);
  M.add(2, 2, 1);
  M.add(3, 6, 1);
  M.end(7);
  ASSERT_TRUE(M.monotone());
  EXPECT_FALSE(M.identity());
  EXPECT_EQ((std::vector<uint32_t>{0, 1, 2, 6, 7}), borders(M, 4));
  EXPECT_EQ(10u, M.codeLength());
}

TEST(OffsetShifts, TellPlacesFromInstructions) {
  OffsetShifts E;
  E.clear(/*InFront=*/3);
  E.add(4, 6);
  E.addSwitch(8, 10, /*Next=*/20);
  E.add(30, 12, /*Through=*/32, /*Inside=*/40);
  // What branches to 4 comes to what was put there.
  EXPECT_EQ(3u, E.place(0));
  EXPECT_EQ(7u, E.place(4));
  EXPECT_EQ(10u, E.own(4));
  EXPECT_EQ(11u, E.place(5));
  // A switch is mapped as a whole; offsets inside its table are not.
  EXPECT_EQ(14u, E.place(8));
  EXPECT_EQ(14u, E.own(8));
  EXPECT_EQ(30u, E.place(9));
  EXPECT_EQ(30u, E.place(20));
  EXPECT_EQ(31u, E.own(21));
  EXPECT_EQ(20u, E.next(8));
  EXPECT_EQ(40u, E.place(30));
  EXPECT_EQ(42u, E.own(30));
  EXPECT_EQ(40u, E.place(32));
  EXPECT_EQ(44u, E.own(32));
  EXPECT_EQ(45u, E.place(33));
  EXPECT_EQ(4u, E.first());
}

/// Where there are many they are searched.
TEST(OffsetShifts, AreFoundAmongMany) {
  OffsetShifts E;
  E.clear(1);
  for (int32_t N = 1; N <= 40; ++N)
    if (N % 4 == 0)
      E.addSwitch(uint32_t(10 * N), 1 + N, uint32_t(10 * N + 1));
    else
      E.add(uint32_t(10 * N), 1 + N);
  for (uint32_t N = 1; N <= 40; ++N) {
    EXPECT_EQ(10 * N + N, E.place(10 * N)) << N;
    EXPECT_EQ(10 * N + N + (N % 4 != 0), E.own(10 * N)) << N;
    EXPECT_EQ(10 * N + 1 + N + 1, E.place(10 * N + 1)) << N;
    EXPECT_EQ(10 * N + 5 + N + 1, E.own(10 * N + 5)) << N;
  }
}
