//===- unittests/Verify/FormatTest.cpp - Format checking (4.8) -*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClassMaker.h"
#include "gtest/gtest.h"

using namespace jopt;
using namespace jopt::test;

TEST(ClassVerifier, AcceptsTheSimplest) {
  ClassMaker C;
  C.method({0, 0, {op::RETURN}});
  EXPECT_EQ(verify(C.make()), "");
}

TEST(ClassVerifier, EveryPrefixIsRefused) {
  ClassMaker C;
  C.method({1, 0, {op::ICONST_0, op::IFEQ, 0, 3, op::RETURN}, {}, 1, {4}});
  std::vector<uint8_t> B = C.make();
  EXPECT_EQ(verify(B), "");
  for (size_t N = 0; N < B.size(); ++N)
    EXPECT_NE(verify(llvm::ArrayRef(B).take_front(N)), "") << N;
}
