//===- SafeTextTest.cpp - Text of programs in outputs for people ----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/SafeText.h"
#include "gtest/gtest.h"

using namespace jopt;

namespace {

TEST(SafeText, OrdinaryTextStays) {
  for (llvm::StringRef Text :
       {"", "a.b.C#m(int) -> 'x' \\n", "größer 日本 😀"}) {
    EXPECT_EQ(toSafeLine(Text), Text);
    EXPECT_EQ(toSafeLines(Text), Text);
  }
}

TEST(SafeText, NothingActsOnATerminal) {
  EXPECT_EQ(toSafeLine("\x1b[31mRED\x1b]0;T\x07"),
            "\\x1b[31mRED\\x1b]0;T\\x07");
  EXPECT_EQ(toSafeLine("\x7f"), "\\u007f");     // valid in JSON
  EXPECT_EQ(toSafeLine("\xc2\x9b"), "\\u009b"); // the one-byte CSI
  EXPECT_EQ(toSafeLine("\x9b"), "\\x9b");
  EXPECT_EQ(toSafeLine("a\xe2\x80\xae"
                       "b"),
            "a\\u202eb");
  EXPECT_EQ(toSafeLine(llvm::StringRef("\0", 1)), "\\x00");
}

TEST(SafeText, WhatIsNoUTF8IsSpelled) {
  EXPECT_EQ(toSafeLine("\xff"), "\\xff");
  EXPECT_EQ(toSafeLine("\xc3"), "\\xc3");
  EXPECT_EQ(toSafeLine("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(toSafeLine("\xc0\x8a"), "\\xc0\\x8a");
}

TEST(SafeText, LineEnds) {
  EXPECT_EQ(toSafeLine("a\nb\tc\r"), "a\\nb\\tc\\x0d");
  EXPECT_EQ(toSafeLines("a\nb\tc\r"), "a\nb\tc\\x0d");
  EXPECT_EQ(toSafeLine("a\xe2\x80\xa8"
                       "b"),
            "a\\u2028b");
  EXPECT_EQ(toUnicodeLine("a\nb\x1b"), "a\\u000ab\\u001b");
}

TEST(SafeText, XML) {
  EXPECT_EQ(toXMLText("<a b='c' d=\"e\">&amp;"),
            "&lt;a b='c' d=&quot;e&quot;&gt;&amp;amp;");
  EXPECT_EQ(toXMLText("a\nb\tc\r"), "a&#10;b&#9;c&#13;");
  EXPECT_EQ(toXMLText("\x1b\xef\xbf\xbe\xffö"), "???ö");
}

TEST(SafeText, CSV) {
  EXPECT_EQ(toCSVCell("a b"), "a b");
  EXPECT_EQ(toCSVCell("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
  EXPECT_EQ(toCSVCell(""), "");
}

TEST(SafeText, NoCellIsAFormula) {
  EXPECT_EQ(toCSVCell("=1+2"), "'=1+2");
  EXPECT_EQ(toCSVCell("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(toCSVCell("-1+cmd|' /C calc'!A0"), "'-1+cmd|' /C calc'!A0");
  EXPECT_EQ(toCSVCell("=HYPERLINK(\"x\",1)"), "\"'=HYPERLINK(\"\"x\"\",1)\"");
  EXPECT_EQ(toCSVCell("\t=1"), "'\t=1");
  for (llvm::StringRef Number : {"-1", "+1.5", "-2.5e-7"})
    EXPECT_EQ(toCSVCell(Number), Number);
}

TEST(SafeText, AStreamKeepsCharactersThatComeInParts) {
  std::string Out;
  llvm::raw_string_ostream To(Out);
  {
    SafeStream OS(To);
    for (char C : llvm::StringRef("ö\x1b\n😀"))
      OS << C;
    OS << "\xe2";
    OS << "\x80";
  }
  EXPECT_EQ(To.str(), "ö\\x1b\n😀\\xe2\\x80");
}

} // namespace
