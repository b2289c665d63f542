//===- LineDiffTest.cpp ---------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/LineDiff.h"
#include "llvm/ADT/SmallVector.h"
#include "gtest/gtest.h"
#include <random>

using namespace jopt;

static std::string diff(llvm::StringRef A, llvm::StringRef B,
                        unsigned Context = 3) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printLineDiff(A, B, OS, Context);
  return Text;
}

TEST(LineDiff, HunksAsDiffWritesThem) {
  EXPECT_EQ(diff("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(diff("", "a\n"), "@@ -1,0 +1,1 @@\n+a\n");
  EXPECT_EQ(diff("a\n", ""), "@@ -1,1 +1,0 @@\n-a\n");
  EXPECT_EQ(diff("a\nb\nc\n", "a\nx\nc\n"),
            "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n");
}

TEST(LineDiff, FewestLinesChange) {
  // The example of Myers' paper: five edits.
  EXPECT_EQ(diff("a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n"),
            "@@ -1,7 +1,6 @@\n-a\n-b\n c\n+b\n a\n b\n-b\n a\n+c\n");
}

TEST(LineDiff, FarChangesAreHunksOfTheirOwn) {
  EXPECT_EQ(diff("1\n2\n3\n4\n5\n6\n", "0\n1\n2\n3\n4\n5\n", 1),
            "@@ -1,1 +1,2 @@\n+0\n 1\n@@ -5,2 +6,1 @@\n 5\n-6\n");
  EXPECT_EQ(diff("1\n2\n3\n", "0\n1\n2\n", 1),
            "@@ -1,3 +1,3 @@\n+0\n 1\n 2\n-3\n");
}

/// The lines of a diff that has the whole texts, but those with \p Sign.
static std::string sideWithout(llvm::StringRef Diff, char Sign) {
  std::string Side;
  llvm::SmallVector<llvm::StringRef, 0> Lines;
  Diff.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef L : Lines)
    if (L[0] != Sign && L[0] != '@')
      Side += L.drop_front().str() + "\n";
  return Side;
}

TEST(LineDiff, BothTextsCanBeReadOffTheDiff) {
  std::mt19937 Random(1);
  auto Text = [&](unsigned Lines, unsigned Letters) {
    std::string T;
    for (unsigned I = 0; I < Lines; ++I) {
      T += char('a' + Random() % Letters);
      T += '\n';
    }
    return T;
  };
  for (unsigned Round = 0; Round < 2000; ++Round) {
    std::string A = Text(Random() % 12, 1 + Random() % 6);
    std::string B = Text(Random() % 12, 1 + Random() % 6);
    if (A == B)
      continue;
    std::string D = diff(A, B, 100);
    EXPECT_EQ(sideWithout(D, '+'), A);
    EXPECT_EQ(sideWithout(D, '-'), B);
  }
  // So many that they are not told apart.
  std::string A = Text(5000, 26), B = Text(5000, 26);
  std::string D = diff(A, B, 10000);
  EXPECT_EQ(sideWithout(D, '+'), A);
  EXPECT_EQ(sideWithout(D, '-'), B);
}
