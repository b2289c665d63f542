//===- ChangesTest.cpp - What a diff changes ------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/Changes.h"
#include "jopt/Support/Diagnostics.h"
#include "gtest/gtest.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::StringRef;

/// A file a line: `old>new`, then -O or +N for each line, with the number in
/// the other file, and b or t.
static std::string changes(StringRef Diff) {
  auto Files = readDiff(Diff);
  if (!Files)
    return toMessage(Files.takeError());
  std::string Text;
  for (const ChangedFile &F : *Files) {
    Text += F.Old + ">" + F.New;
    for (const ChangedLine &L : F.Lines)
      Text +=
          (L.IsAdded
               ? " +" + std::to_string(L.New) + "/" + std::to_string(L.Old)
               : " -" + std::to_string(L.Old) + "/" + std::to_string(L.New)) +
          (L.IsBare ? "b" : "") + (L.IsType ? "t" : "");
    Text += "\n";
  }
  return Text;
}

TEST(Changes, OfGit) {
  EXPECT_EQ(changes("From 1 Mon\nSubject: x\n\n---\n a | 2 +-\n\n"
                    "diff --git a/p/A.java b/p/A.java\n"
                    "index 1..2 100644\n"
                    "--- a/p/A.java\n"
                    "+++ b/p/A.java\n"
                    "@@ -3,4 +3,5 @@ class A {\n"
                    " x\n"
                    "--- y\n"
                    "+++ z\n"
                    "+  // z\n"
                    " \n"
                    "\n"
                    "@@ -20 +21 @@\n"
                    "-class B\n"
                    "\\ No newline at end of file\n"
                    "+record B() {\n"
                    "\\ No newline at end of file\n"
                    "diff --git a/old.txt b/old.txt\n"
                    "deleted file mode 100644\n"
                    "index 1..0\n"
                    "diff --git a/b c.java b/b c.java\n"
                    "new file mode 100644\n"
                    "index 0..1\n"
                    "--- /dev/null\n"
                    "+++ b/b c.java\n"
                    "@@ -0,0 +1,2 @@\n"
                    "+import x;\n"
                    "+y\n"),
            "p/A.java>p/A.java -4/3 +4/4 +5/4b -20/20t +21/20t\n"
            "old.txt>\n"
            ">b c.java +1/0b +2/0\n");
}

TEST(Changes, RenamedQuotedWithoutPrefix) {
  EXPECT_EQ(changes("diff --git a/p/A.java b/q/B.java\n"
                    "similarity index 100%\n"
                    "rename from p/A.java\n"
                    "rename to q/B.java\n"
                    "diff --git \"a/\\303\\251\\\"\\t.java\" "
                    "\"b/\\303\\251\\\"\\t.java\"\n"
                    "--- \"a/\\303\\251\\\"\\t.java\"\n"
                    "+++ \"b/\\303\\251\\\"\\t.java\"\n"
                    "@@ -1,0 +2 @@\n"
                    "+x\n"
                    "diff --git p/C.java p/C.java\n"
                    "--- p/C.java\n"
                    "+++ p/C.java\n"
                    "@@ -1 +0,0 @@\n"
                    "-x\n"),
            "p/A.java>q/B.java\n"
            "\xc3\xa9\"\t.java>\xc3\xa9\"\t.java +2/1\n"
            "p/C.java>p/C.java -1/0\n");
  // Without blanks behind context, with carriage returns.
  EXPECT_EQ(changes("--- i/A.java\t2026-01-01\r\n"
                    "+++ w/A.java\t2026-01-02\r\n"
                    "@@ -1,2 +1,3 @@\r\n"
                    "\r\n"
                    " }\r\n"
                    "+}\r\n"),
            "A.java>A.java +3/2b\n");
}

TEST(Changes, OfSubversion) {
  EXPECT_EQ(changes("Index: b/A.java\n"
                    "=======\n"
                    "--- b/A.java\t(revision 1)\n"
                    "+++ b/A.java\t(working copy)\n"
                    "@@ -2 +2 @@\n"
                    "-x\n"
                    "+y\n"
                    "\n"
                    "Property changes on: b/A.java\n"
                    "_______\n"
                    "Added: svn:eol-style\n"
                    "## -0,0 +1 ##\n"
                    "+native\n"
                    "Index: N.java\n"
                    "=======\n"
                    "--- N.java\t(nonexistent)\n"
                    "+++ N.java\t(revision 3)\n"
                    "@@ -0,0 +1 @@\n"
                    "+y\n"),
            "b/A.java>b/A.java -2/1 +2/2\n"
            ">N.java +1/0\n");
}

TEST(Changes, WhatIsNone) {
  EXPECT_EQ(changes(""), "");
  EXPECT_EQ(changes("\n \n"), "");
  EXPECT_EQ(changes("hello\n"), "it is no unified diff");
  EXPECT_EQ(changes("@@ -1 +1 @@\n"),
            "line 1: a hunk without the names of its files");
  const std::string Head = "--- a\n+++ b\n";
  EXPECT_EQ(changes(Head + "@@ -1,2 +1 @@\n x\n"),
            "line 4: the diff ends within a hunk");
  EXPECT_EQ(changes(Head + "@@ -1 +1 @@\n+x\n+y\n"),
            "line 5: the hunk has other lines than it says");
  EXPECT_EQ(changes(Head + "@@ -1 +1 @@\n?x\n"),
            "line 4: the hunk has other lines than it says");
  EXPECT_EQ(changes(Head + "@@ -x +1 @@\n"),
            "line 3: '@@ -x +1 @@' begins no hunk");
  EXPECT_EQ(changes("diff --cc a.java\n"),
            "line 1: a diff of a merge has no one old side: use one against "
            "the first parent");
}

TEST(Changes, Sources) {
  auto Match = [](StringRef Path) {
    return matchSource(Path,
                       [](StringRef P) {
                         return P == "p/A.java" || P == "a/p/A.java" ||
                                P == "B.java";
                       })
        .str();
  };
  EXPECT_EQ(Match("src/main/java/p/A.java"), "p/A.java");
  EXPECT_EQ(Match("x/a/p/A.java"), "a/p/A.java");
  EXPECT_EQ(Match("B.java"), "B.java");
  EXPECT_EQ(Match("src\\B.java"), "B.java");
  EXPECT_EQ(Match("pp/A.java"), "");
  EXPECT_EQ(Match("AB.java"), "");
  EXPECT_EQ(Match(""), "");
}
