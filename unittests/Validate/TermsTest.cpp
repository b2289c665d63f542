//===- TermsTest.cpp - Symbolic values ------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Terms.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace jopt;
using namespace jopt::validate;

TEST(Terms, EqualOnesAreOne) {
  Terms T;
  TermRef X = T.symbol(), Y = T.symbol();
  EXPECT_NE(X, Y);
  EXPECT_EQ(T.apply(op::IADD, {X, Y}), T.apply(op::IADD, {Y, X}));
  EXPECT_NE(T.apply(op::ISUB, {X, Y}), T.apply(op::ISUB, {Y, X}));
  // Sums are sums, wherever their constants stand.
  TermRef Sum = T.apply(op::IADD, {T.apply(op::IADD, {X, T.ofInt(2)}), Y});
  EXPECT_EQ(Sum, T.apply(op::IADD, {X, T.apply(op::IADD, {Y, T.ofInt(2)})}));
  EXPECT_EQ(T.apply(op::ISUB, {X, T.ofInt(3)}),
            T.apply(op::IADD, {X, T.ofInt(-3)}));
}

TEST(Terms, IntegersWrap) {
  Terms T;
  auto Int = [&](Opcode Op, int32_t A, int32_t B) {
    return T.apply(Op, {T.ofInt(A), T.ofInt(B)})->i();
  };
  EXPECT_EQ(Int(op::IADD, INT32_MAX, 1), INT32_MIN);
  EXPECT_EQ(Int(op::ISHL, 1, 31), INT32_MIN);
  EXPECT_EQ(Int(op::ISHR, INT32_MIN, 31), -1);
  EXPECT_EQ(Int(op::IUSHR, -1, 28), 15);
  EXPECT_EQ(Int(op::ISHL, 7, 32), 7);
  EXPECT_EQ(Int(op::IDIV, INT32_MIN, -1), INT32_MIN);
  EXPECT_EQ(Int(op::IREM, INT32_MIN, -1), 0);
  EXPECT_EQ(Int(op::IREM, -7, 3), -1);
  // No number.
  EXPECT_FALSE(
      T.apply(op::IDIV, {T.ofInt(1), T.ofInt(0)})->is(TermKind::Constant));
}

TEST(Terms, FloatingPointIsExact) {
  Terms T;
  auto D = [&](double V) {
    return T.constant('D', llvm::bit_cast<uint64_t>(V));
  };
  TermRef X = T.symbol();
  EXPECT_EQ(T.apply(op::DADD, {D(0.5), D(0.25)}), D(0.75));
  EXPECT_NE(D(0.0), D(-0.0));
  EXPECT_EQ(T.apply(op::DNEG, {D(0.0)}), D(-0.0));
  // -0.0 + 0.0 is 0.0, -0.0 - 0.0 is -0.0.
  EXPECT_NE(T.apply(op::DADD, {X, D(0.0)}), X);
  EXPECT_EQ(T.apply(op::DSUB, {X, D(0.0)}), X);
  EXPECT_NE(T.apply(op::DMUL, {X, D(0.0)}), D(0.0));
  // The bits of NaN depend on the processor.
  EXPECT_FALSE(T.apply(op::DDIV, {D(0.0), D(0.0)})->is(TermKind::Constant));
  EXPECT_EQ(T.apply(op::DCMPL, {D(NAN), D(1)}), T.ofInt(-1));
  EXPECT_EQ(T.apply(op::DCMPG, {D(NAN), D(1)}), T.ofInt(1));
  EXPECT_EQ(T.apply(op::D2I, {D(1e300)}), T.ofInt(INT32_MAX));
  EXPECT_EQ(T.apply(op::D2I, {D(NAN)}), T.ofInt(0));
}

TEST(Terms, ReadsFindWhatWasStored) {
  Terms T;
  const uint32_t F = T.key("field A.f:I"), G = T.key("field A.g:I");
  TermRef M = T.symbol(), A = T.symbol(), B = T.symbol();
  TermRef Stored = T.make(TermKind::Store, F, {M, A, T.ofInt(1)});
  EXPECT_EQ(T.make(TermKind::Read, F, {Stored, A}), T.ofInt(1));
  EXPECT_EQ(T.make(TermKind::Read, G, {Stored, A}),
            T.make(TermKind::Read, G, {M, A}));
  // B may be A.
  EXPECT_NE(T.make(TermKind::Read, F, {Stored, B}),
            T.make(TermKind::Read, F, {M, B}));
  const uint32_t E = T.key("elements:I");
  TermRef At = T.make(TermKind::Store, E, {M, A, T.ofInt(0), T.ofInt(7)});
  EXPECT_EQ(T.make(TermKind::Read, E, {At, A, T.ofInt(1)}),
            T.make(TermKind::Read, E, {M, A, T.ofInt(1)}));
  EXPECT_NE(T.make(TermKind::Read, E, {At, A, B}),
            T.make(TermKind::Read, E, {M, A, B}));
}

TEST(Terms, NarrowingOfWhatIsNarrow) {
  Terms T;
  TermRef X = T.symbol();
  TermRef Byte = T.apply(op::I2B, {X});
  EXPECT_EQ(T.apply(op::I2S, {Byte}), Byte);
  EXPECT_NE(T.apply(op::I2C, {Byte}), Byte);
  EXPECT_EQ(T.apply(op::I2C, {T.apply(op::IAND, {X, T.ofInt(255)})}),
            T.apply(op::IAND, {X, T.ofInt(255)}));
}
