//===- ConstantPoolTest.cpp - Finding entries -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/ConstantPool.h"
#include "gtest/gtest.h"

using namespace jopt;

static CPEntry text(llvm::StringRef S) {
  CPEntry E;
  E.Tag = CPTag::Utf8;
  E.Text = S.data();
  E.Length = uint16_t(S.size());
  return E;
}

/// As the reader leaves it: "a" twice, and a Class that names the second.
static void fill(ConstantPool &Pool) {
  llvm::MutableArrayRef<CPEntry> Entries = Pool.appendEmpty(5);
  Entries[0] = text("b");
  Entries[1] = text("a");
  Entries[2] = text("a");
  Entries[3].Tag = CPTag::Class;
  Entries[3].A = 3;
  Entries[4] = text("long enough to be looked for");
  Pool.setOriginal({});
}

TEST(ConstantPool, FindsTheSameWhateverWasExpected) {
  const std::vector<llvm::StringRef> Lists[] = {
      {}, {"a", "new"}, {"new", "b", "a"}};
  for (const auto &Texts : Lists) {
    ConstantPool Pool;
    fill(Pool);
    Pool.expectQuestions(Texts);
    EXPECT_EQ(Pool.addUtf8("a"), 2);
    EXPECT_EQ(Pool.addUtf8("b"), 1);
    EXPECT_EQ(Pool.addUtf8("new"), 6);
    EXPECT_EQ(Pool.addUtf8("new"), 6);
    EXPECT_EQ(Pool.addUtf8("other"), 7);
    EXPECT_EQ(Pool.addClass("a"), 8); // that at 4 names another text
    EXPECT_EQ(Pool.addClass("new"), 9);
    EXPECT_EQ(Pool.addClass("new"), 9);
    // More than are looked at one by one.
    for (int I = 0; I < 20; ++I)
      EXPECT_EQ(Pool.addUtf8("a" + std::to_string(I)), 10 + I);
    for (int I = 0; I < 20; ++I)
      EXPECT_EQ(Pool.addUtf8("a" + std::to_string(I)), 10 + I);
    EXPECT_EQ(Pool.addUtf8("long enough to be looked for"), 5);
    EXPECT_EQ(Pool.addUtf8("new"), 6);
  }
}

TEST(ConstantPool, WhatWasExpectedIsForgottenWithItsEntry) {
  ConstantPool Pool;
  fill(Pool);
  const ConstantPool::Mark Mark = Pool.mark();
  EXPECT_EQ(Pool.addUtf8("new"), 6);
  Pool.expectQuestions({"new", "a"});
  EXPECT_EQ(Pool.addUtf8("new"), 6);
  Pool.rollback(Mark);
  EXPECT_EQ(Pool.addUtf8("other"), 6);
  EXPECT_EQ(Pool.addUtf8("new"), 7);
  EXPECT_EQ(Pool.addUtf8("a"), 2);
}

TEST(ConstantPool, RollsBackAnIndex) {
  ConstantPool Pool;
  for (unsigned N = 0; N < 300; ++N)
    Pool.addUtf8("text " + std::to_string(N));
  // Many times, as for methods that fail one after the other.
  for (unsigned Round = 0; Round < 3; ++Round) {
    const ConstantPool::Mark Mark = Pool.mark();
    for (unsigned N = 0; N < 400; ++N)
      Pool.addUtf8("more " + std::to_string(N));
    Pool.addLong(int64_t(Round));
    EXPECT_EQ(Pool.addUtf8("text 7"), 8);
    EXPECT_EQ(Pool.addUtf8("more 7"), 308);
    Pool.rollback(Mark);
    EXPECT_EQ(Pool.size(), 301u);
    EXPECT_EQ(Pool.addUtf8("text 299"), 300);
  }
  EXPECT_EQ(Pool.addUtf8("more 399"), 301);
  EXPECT_EQ(Pool.addUtf8("more 7"), 302);
}
