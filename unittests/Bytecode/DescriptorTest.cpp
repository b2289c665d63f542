//===- DescriptorTest.cpp -------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Bytecode/Descriptor.h"
#include "gtest/gtest.h"

using namespace jopt;

TEST(Descriptor, Fields) {
  EXPECT_EQ(fieldDescriptorLength("Ljava/lang/Object;I"), 18u);
  EXPECT_EQ(fieldDescriptorLength("[[J"), 3u);
  EXPECT_EQ(fieldDescriptorLength("["), 0u);
  EXPECT_EQ(fieldDescriptorLength("L;"), 0u);
  EXPECT_EQ(fieldDescriptorLength("Lx"), 0u);
  EXPECT_EQ(fieldDescriptorLength("V"), 0u);
  EXPECT_TRUE(isFieldDescriptor(std::string(255, '[') + "I"));
  EXPECT_FALSE(isFieldDescriptor(std::string(256, '[') + "I"));
}

TEST(Descriptor, Methods) {
  EXPECT_TRUE(isMethodDescriptor("(IJ[Ljava/lang/String;)V"));
  EXPECT_FALSE(isMethodDescriptor("(I"));
  EXPECT_FALSE(isMethodDescriptor("()"));
  EXPECT_FALSE(isMethodDescriptor("()VI"));
  EXPECT_FALSE(isMethodDescriptor("(V)V"));
  for (const char *Wrong : {"", "(", "I)V", "(I", "()", "()VI", "()L;", "(V)V",
                            "(L;)V", "(Lx)V", "(I[)V", "(e)V", "([)V"})
    EXPECT_FALSE(countParameters(Wrong)) << Wrong;
  const auto Counted = countParameters("(IJ[DLx;D)[[Lx;");
  ASSERT_TRUE(Counted);
  EXPECT_EQ(Counted->Count, 5u);
  EXPECT_EQ(Counted->Slots, 7u);
  EXPECT_EQ(parameterSlots("(IJ[DLx;D)V"), 7u);
  EXPECT_EQ(returnDescriptor("(I)[J"), "[J");
  EXPECT_EQ(returnDescriptor("(La)b;I)La)c;"), "La)c;");
}
