//===- DapServerTest.cpp - Tests of logpoints of an editor ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Protocol/DapServer.h"
#include "gtest/gtest.h"

using jopt::protocol::classOfSource;

namespace {
TEST(DapServer, ClassesOfSources) {
  EXPECT_EQ(classOfSource("/x/Cart.java", "// shop\npackage com.shop;\nclass "
                                          "Cart {}"),
            "com.shop.Cart");
  EXPECT_EQ(classOfSource("Cart.java", "class Cart {}"), "Cart");
  EXPECT_EQ(classOfSource("Cart.java", "package a . b ; // p"), "a.b.Cart");
  EXPECT_EQ(classOfSource("Cart.kt", "package a\nclass Cart(val n: Int)"),
            "a.Cart");
  EXPECT_EQ(classOfSource("Cart.kt", "package a\nfun add() {}\nclass Cartoon"),
            "a.CartKt");
}
} // namespace
