//===- BootstrapMethodsTest.cpp - Adding bootstrap methods ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/ClassFile.h"
#include "gtest/gtest.h"

using namespace jopt;

static Bytes payload(const ClassFile &F) {
  const Attribute *A =
      ClassFile::findAttribute(F.Pool, F.Attributes, "BootstrapMethods");
  return A ? A->Data : Bytes();
}

TEST(BootstrapMethods, EqualOnesAreOne) {
  ClassFile F;
  EXPECT_EQ(F.addBootstrapMethod(7, {1, 2}), 0);
  EXPECT_EQ(F.addBootstrapMethod(7, {1, 3}), 1);
  EXPECT_EQ(F.addBootstrapMethod(7, {1, 2}), 0);
  EXPECT_EQ(F.numAddedBootstrapMethods(), 2u);
  EXPECT_TRUE(F.Changed);
  const uint8_t Expected[] = {0, 2, 0, 7, 0, 2, 0, 1, 0,
                              2, 0, 7, 0, 2, 0, 1, 0, 3};
  EXPECT_EQ(payload(F), Bytes(Expected));
}

TEST(BootstrapMethods, AreTakenAwayAgain) {
  ClassFile F;
  F.addBootstrapMethod(7, {});
  auto Mark = F.Pool.mark();
  F.addBootstrapMethod(8, {1});
  F.addBootstrapMethod(9, {});
  F.dropBootstrapMethods(1);
  F.Pool.rollback(Mark);
  const uint8_t Expected[] = {0, 1, 0, 7, 0, 0};
  EXPECT_EQ(payload(F), Bytes(Expected));
  F.dropBootstrapMethods(0);
  EXPECT_TRUE(F.Attributes.empty());
  EXPECT_EQ(F.addBootstrapMethod(9, {}), 0);
}

TEST(BootstrapMethods, MalformedOnesStay) {
  const std::vector<uint8_t> Malformed[] = {
      {0, 2, 0, 7, 0, 0}, {0}, {0, 1, 0, 7, 0, 0, 0}};
  for (const std::vector<uint8_t> &Data : Malformed) {
    ClassFile F;
    F.Attributes.push_back({F.Pool.addUtf8("BootstrapMethods"), Data});
    EXPECT_FALSE(F.addBootstrapMethod(7, {}));
    EXPECT_FALSE(F.Changed);
    EXPECT_EQ(payload(F), Bytes(Data));
  }
}

TEST(BootstrapMethods, FirstOfEqualOnesOfTheInput) {
  const std::vector<uint8_t> Twice = {0, 2, 0, 7, 0, 0, 0, 7, 0, 0};
  ClassFile F;
  F.Attributes.push_back({F.Pool.addUtf8("BootstrapMethods"), Twice});
  EXPECT_EQ(F.addBootstrapMethod(7, {}), 0);
  EXPECT_EQ(F.addBootstrapMethod(8, {}), 2);
  F.keepBootstrapMethods(1);
  EXPECT_EQ(F.addBootstrapMethod(7, {}), 0);
  EXPECT_EQ(F.addBootstrapMethod(8, {}), 1);
}

TEST(BootstrapMethods, UntilTheTableIsFull) {
  ClassFile F;
  for (unsigned I = 0; I < 65535; ++I)
    ASSERT_EQ(F.addBootstrapMethod(uint16_t(I), {7}), I);
  EXPECT_FALSE(F.addBootstrapMethod(65535, {7}));
  EXPECT_EQ(F.addBootstrapMethod(65534, {7}), 65534);
  F.dropBootstrapMethods(3);
  EXPECT_EQ(F.addBootstrapMethod(65534, {7}), 3);
}
