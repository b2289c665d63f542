//===- FactsTest.cpp - Facts that hold on a path --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Product.h"
#include "gtest/gtest.h"

using namespace jopt;
using namespace jopt::validate;

namespace {
struct FactsTest : testing::Test {
  Terms T;
  PathFacts F;
  TermRef X = T.symbol(), Y = T.symbol();
  TermRef is(int32_t V) {
    return T.make(TermKind::EqualInts, 0, {X, T.ofInt(V)});
  }
  TermRef less(int32_t V) { return T.make(TermKind::Less, 0, {X, T.ofInt(V)}); }
  TermRef isNull(TermRef V) {
    return T.make(TermKind::EqualRefs, 0, {V, T.null()});
  }
};
} // namespace

TEST_F(FactsTest, NumbersFollow) {
  EXPECT_EQ(F.decide(T, is(5)), std::nullopt);
  F.set(less(5), true);
  EXPECT_EQ(F.decide(T, is(5)), false);
  EXPECT_EQ(F.decide(T, less(6)), true);
  EXPECT_EQ(F.decide(T, less(4)), std::nullopt);
  F.set(less(4), false);
  EXPECT_EQ(F.decide(T, is(4)), true);
  EXPECT_EQ(F.normalise(T, T.apply(op::IADD, {X, T.ofInt(1)})), T.ofInt(5));
}

TEST_F(FactsTest, ObjectsFollow) {
  const uint32_t C = T.key("p/C");
  TermRef IsC = T.make(TermKind::InstanceOf, C, {X});
  TermRef Fails = T.make(TermKind::CastFails, C, {X});
  EXPECT_EQ(F.decide(T, IsC), std::nullopt);
  F.set(Fails, false);
  // Null passes every cast.
  EXPECT_EQ(F.decide(T, IsC), std::nullopt);
  F.set(isNull(X), false);
  EXPECT_EQ(F.decide(T, IsC), true);
  EXPECT_EQ(F.decide(T, isNull(Y)), std::nullopt);
  F.set(isNull(Y), true);
  EXPECT_EQ(F.decide(T, T.make(TermKind::InstanceOf, C, {Y})), false);
  EXPECT_EQ(F.normalise(T, Y), T.null());
}

TEST_F(FactsTest, ClassesOfExceptionsOfTheJvm) {
  TermRef E = T.make(TermKind::Exception,
                     T.key("java/lang/ArithmeticException"), {X}, 7);
  auto Is = [&](llvm::StringRef Class) {
    return F.decide(T, T.make(TermKind::InstanceOf, T.key(Class), {E}));
  };
  EXPECT_EQ(Is("java/lang/RuntimeException"), true);
  EXPECT_EQ(Is("java/lang/NullPointerException"), false);
}

TEST_F(FactsTest, OneStateForTwo) {
  // Slots 0 and 1 are equal in both, slot 2 is a sum of slot 0 in both.
  auto Make = [&](TermRef V, TermRef Sum) {
    PairState S;
    S.Memory = Y;
    for (Side &Of : S.Of) {
      Of.Slots = {V, V, Sum};
      Of.Tick = Y;
    }
    return S;
  };
  bool IsOld = true;
  auto Both = generalise(T, Make(T.ofInt(1), T.ofInt(4)),
                         Make(T.ofInt(2), T.ofInt(4)), IsOld);
  ASSERT_TRUE(Both);
  EXPECT_FALSE(IsOld);
  TermRef V = Both->Of[0].Slots[0];
  EXPECT_FALSE(V->is(TermKind::Constant));
  EXPECT_EQ(V, Both->Of[1].Slots[1]);
  EXPECT_EQ(Both->Of[0].Slots[2], T.ofInt(4));
  // Three is a case of that, nothing new.
  auto Again = generalise(T, *Both, Make(T.ofInt(3), T.ofInt(4)), IsOld);
  ASSERT_TRUE(Again);
  EXPECT_TRUE(IsOld);
  // Slots that are no longer equal are new.
  PairState Split = Make(T.ofInt(3), T.ofInt(4));
  Split.Of[1].Slots[1] = T.ofInt(5);
  ASSERT_TRUE(generalise(T, *Both, Split, IsOld));
  EXPECT_FALSE(IsOld);
}

TEST_F(FactsTest, WhatAllValuesHaveStaysKnown) {
  auto Make = [&](TermRef Number, TermRef Reference) {
    PairState S;
    S.Memory = Y;
    for (Side &Of : S.Of) {
      Of.Slots = {Number, Reference};
      Of.Tick = Y;
    }
    return S;
  };
  auto IsNegative = [&](const PairState &S) {
    return S.Known.decide(
        T, T.make(TermKind::Less, 0, {S.Of[0].Slots[0], T.ofInt(0)}));
  };
  auto IsNull = [&](const PairState &S) {
    return S.Known.decide(T, isNull(S.Of[0].Slots[1]));
  };
  TermRef Made = T.make(TermKind::Exception, T.key("p/E"), {X}, 7);
  TermRef Thrown = T.symbol();
  PairState Old = Make(T.ofInt(21), Made), New = Make(T.ofInt(2), Thrown);
  New.Known.set(isNull(Thrown), false);
  bool IsOld = true;
  auto Both = generalise(T, Old, New, IsOld);
  ASSERT_TRUE(Both);
  EXPECT_EQ(IsNegative(*Both), false);
  EXPECT_EQ(IsNull(*Both), false);
  // A third value is a case of that.
  ASSERT_TRUE(generalise(T, *Both, Make(T.ofInt(20), Made), IsOld));
  EXPECT_TRUE(IsOld);
  // Others are not: a negative number, null.
  Both = generalise(T, *Both, Make(T.ofInt(-1), T.null()), IsOld);
  ASSERT_TRUE(Both);
  EXPECT_FALSE(IsOld);
  EXPECT_EQ(IsNegative(*Both), std::nullopt);
  EXPECT_EQ(IsNull(*Both), std::nullopt);
}
