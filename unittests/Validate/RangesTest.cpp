//===- RangesTest.cpp - Exception ranges of two versions ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Mistakes that no compiler of Java can be made to make.
///
//===----------------------------------------------------------------------===//

#include "ClassMaker.h"
#include "jopt/Validate/Validator.h"
#include "gtest/gtest.h"

using namespace jopt;
using namespace jopt::test;

/// `static int m(int, int)` with a range over [From, To) of these instructions.
static std::vector<uint8_t> withRange(const Code &Of, uint16_t From,
                                      uint16_t To, uint16_t Handler) {
  ClassMaker C;
  ClassMaker::Body B;
  B.Bytes = Of;
  if (From != To)
    B.Handlers.push_back({From, To, Handler, 0});
  C.Methods.push_back({ACC_PUBLIC | ACC_STATIC, "m", "(II)I", {C.code(B)}});
  return C.make();
}

static Verdict found(const std::vector<uint8_t> &Old,
                     const std::vector<uint8_t> &New) {
  auto All = validateClass(Old, New);
  EXPECT_TRUE(bool(All));
  EXPECT_EQ(All->size(), 1u);
  return All->front().Found;
}

/// 0 iload_0, 1 iload_1, 2 idiv, 3 ireturn; 4 pop, 5 iconst_m1, 6 ireturn
static const Code Division = {op::ILOAD_0, op::ILOAD_1, op::IDIV,
                              op::IRETURN, op::POP,     op::ICONST_M1,
                              op::IRETURN};

TEST(Ranges, WhatCannotThrowNeedsNone) {
  const auto Whole = withRange(Division, 0, 4, 4);
  EXPECT_EQ(found(Whole, Whole), Verdict::Equal);
  EXPECT_EQ(found(Whole, withRange(Division, 2, 3, 4)), Verdict::Proved);
}

TEST(Ranges, EndsBeforeWhatThrows) {
  EXPECT_EQ(found(withRange(Division, 0, 4, 4), withRange(Division, 0, 2, 4)),
            Verdict::Differs);
  EXPECT_EQ(found(withRange(Division, 0, 4, 4), withRange(Division, 0, 0, 0)),
            Verdict::Differs);
}

/// The handler sees the store in front of what throws (T1, T4, T12).
TEST(Ranges, SlotsOfTheHandler) {
  // 0 iconst_1, 1 istore_2, 2 iload_0, 3 iload_1, 4 idiv, 5 ireturn;
  // 6 pop, 7 iload_2, 8 ireturn
  const Code Before = {op::ICONST_1, op::ISTORE_2, op::ILOAD_0,
                       op::ILOAD_1,  op::IDIV,     op::IRETURN,
                       op::POP,      op::ILOAD_2,  op::IRETURN};
  // 0 iload_0, 1 iload_1, 2 idiv, 3 iconst_1, 4 istore_2, 5 ireturn; ...
  const Code Behind = {op::ILOAD_0,  op::ILOAD_1,  op::IDIV,
                       op::ICONST_1, op::ISTORE_2, op::IRETURN,
                       op::POP,      op::ILOAD_2,  op::IRETURN};
  EXPECT_EQ(found(withRange(Before, 0, 6, 6), withRange(Before, 4, 5, 6)),
            Verdict::Proved);
  EXPECT_EQ(found(withRange(Before, 0, 6, 6), withRange(Behind, 0, 6, 6)),
            Verdict::NotProved);
}

/// A return gives locks back, or fails: it is in a range or not (T11).
TEST(Ranges, ReturnsOfMethodsWithLocks) {
  auto Make = [](uint16_t To) {
    ClassMaker C;
    ClassMaker::Body B;
    B.Bytes = {op::ICONST_0, op::IRETURN, op::POP, op::ICONST_1, op::IRETURN};
    B.Handlers.push_back({0, To, 2, 0});
    C.Methods.push_back({ACC_PUBLIC | ACC_STATIC | ACC_SYNCHRONIZED,
                         "m",
                         "(II)I",
                         {C.code(B)}});
    return C.make();
  };
  EXPECT_EQ(found(Make(2), Make(2)), Verdict::Equal);
  EXPECT_EQ(found(Make(2), Make(1)), Verdict::Differs);
}

TEST(Ranges, Subroutines) {
  // 0 jsr 3; 3 astore_2, 4 iload_0, 5 ireturn
  const Code Jsr = {op::JSR, 0, 3, op::ASTORE_2, op::ILOAD_0, op::IRETURN};
  const Code Other = {op::JSR, 0, 3, op::ASTORE_2, op::ILOAD_1, op::IRETURN};
  EXPECT_EQ(found(withRange(Jsr, 0, 0, 0), withRange(Other, 0, 0, 0)),
            Verdict::NotProved);
}

TEST(Ranges, NoClassFile) {
  auto All = validateClass(Bytes(), Bytes());
  EXPECT_FALSE(bool(All));
  llvm::consumeError(All.takeError());
}
