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
  const char *Java =
      "/** a class of a shop */\npackage com.shop;\n/** class of */\npublic "
      "final class Cart {\n  class Row {}\n}\nrecord "
      "Price(int n) {\n}\n";
  EXPECT_EQ(classOfSource("/x/Cart.java", Java, 5), "com.shop.Cart");
  EXPECT_EQ(classOfSource("/x/Cart.java", Java, 8), "com.shop.Price");
  EXPECT_EQ(classOfSource("Cart.java", "class Cart {}", 1), "Cart");
  EXPECT_EQ(classOfSource("Cart.java", "package a . b ; // p", 1), "a.b.Cart");
  const char *Kotlin = "package a\nfun add() {}\nclass Cart(val n: Int)";
  EXPECT_EQ(classOfSource("Cart.kt", Kotlin, 2), "a.CartKt");
  EXPECT_EQ(classOfSource("Cart.kt", Kotlin, 3), "a.Cart");
}
} // namespace
