//===- ModifiedUTF8Test.cpp -----------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/ModifiedUTF8.h"
#include "gtest/gtest.h"

using namespace jopt;

TEST(ModifiedUTF8, EscapeIsInjectiveOnAnyBytes) {
  // Valid, over-long, truncated, surrogate and zero bytes all come back.
  for (std::string S :
       {std::string("plain \"quoted\" \\ \n"), std::string("\xc3\xa9"),
        std::string("\xc0\x80"), std::string("\xc1\x81"), std::string("\xe2"),
        std::string("\xed\xa0\x80"), std::string("\0\xff\x7f", 3),
        std::string("\xe0\x80\x81")}) {
    std::string Text = escapeModifiedUTF8(S);
    EXPECT_EQ(unescapeModifiedUTF8(Text), S) << Text;
  }
  EXPECT_EQ(escapeModifiedUTF8("\xc0\x80"), "\\u0000");
  EXPECT_EQ(escapeModifiedUTF8("\xc1\x81"), "\\xc1\\x81");
  EXPECT_EQ(unescapeModifiedUTF8("\\q"), std::nullopt);
  EXPECT_EQ(unescapeModifiedUTF8("\\u12"), std::nullopt);
}

TEST(ModifiedUTF8, EveryPairOfBytesRoundTrips) {
  for (unsigned A = 0; A < 256; ++A)
    for (unsigned B = 0; B < 256; ++B) {
      std::string S = {char(A), char(B)};
      ASSERT_EQ(unescapeModifiedUTF8(escapeModifiedUTF8(S)), S);
    }
}

TEST(ModifiedUTF8, Conversions) {
  EXPECT_EQ(toModifiedUTF8(llvm::StringRef("a\0b", 3)), "a\xc0\x80"
                                                        "b");
  EXPECT_EQ(toModifiedUTF8("\xf0\x9f\x98\x80"), "\xed\xa0\xbd\xed\xb8\x80");
  EXPECT_EQ(toDisplayUTF8("\xed\xa0\xbd\xed\xb8\x80"), "\xf0\x9f\x98\x80");
  EXPECT_EQ(toDisplayUTF8("\xff"), "\xef\xbf\xbd");
  EXPECT_EQ(toModifiedUTF8("\xff"), std::nullopt);
}
