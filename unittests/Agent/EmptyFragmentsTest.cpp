//===- EmptyFragmentsTest.cpp ---------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Hook/EmptyFragments.h"
#include "jopt/IR/Text/Parser.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Writer/ClassWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace jopt;

static llvm::SmallVector<uint8_t, 0> makeClass(llvm::StringRef Methods) {
  auto Classes =
      parseIR(("class P version 61.0 {\n" + Methods + "}\n").str(), "t.jir");
  EXPECT_TRUE(bool(Classes)) << llvm::toString(Classes.takeError());
  for (Method &M : Classes->front()->Methods)
    EXPECT_FALSE(bool(lowerMethod(*Classes->front(), M)));
  auto Out = writeClass(*Classes->front());
  EXPECT_TRUE(bool(Out)) << llvm::toString(Out.takeError());
  return std::move(*Out);
}

/// The code of each method in \p Data, "m 04ac, n b1".
static std::string codeOf(Bytes Data) {
  auto Class = readClass(Data);
  EXPECT_TRUE(bool(Class)) << llvm::toString(Class.takeError());
  std::string Text;
  for (const Method &M : (*Class)->Methods)
    Text += (Text.empty() ? "" : ", ") + (*Class)->name(M).str() + " " +
            llvm::toHex(M.code((*Class)->Pool), /*LowerCase=*/true);
  return Text;
}

static std::string emptied(llvm::StringRef Methods, llvm::StringRef Advices) {
  std::string Text = ("probe #0 \"p\" {\n}\n" + Advices).str();
  llvm::StringRef Rest = Text;
  unsigned Line = 1;
  auto A = parseAdviceSet(Rest, "a.jir", Line);
  EXPECT_TRUE(bool(A)) << llvm::toString(A.takeError());
  EXPECT_EQ(Rest, "");
  llvm::SmallVector<uint8_t, 0> Before = makeClass(Methods);
  auto After = agent::emptyFragments(Before, *A);
  EXPECT_TRUE(bool(After)) << llvm::toString(After.takeError());
  return After->empty() ? "unchanged" : codeOf(*After);
}

static std::string method(llvm::StringRef Name, llvm::StringRef Descriptor) {
  return ("method public static " + Name + ":" + Descriptor +
          " {\ncode slots 3 {\nb0:\n  goto b0\n}\n}\n")
      .str();
}

TEST(EmptyFragments, ReturnAtOnce) {
  EXPECT_EQ(emptied(method("v", "()V") + method("w", "()V"),
                    "advice #0 probe #0 entry call P.v:()V ()\n"),
            "v b1, w a70000");
  EXPECT_EQ(emptied(method("v", "()J"),
                    "advice #0 probe #0 entry call P.v:()J () result=keep\n"),
            "v 09ad");
  EXPECT_EQ(emptied(method("v", "()Z"),
                    "advice #0 probe #0 entry call P.v:()Z () result=keep\n"),
            "v 03ac");
  EXPECT_EQ(emptied(method("v", "()F"),
                    "advice #0 probe #0 entry call P.v:()F () result=keep\n"),
            "v 0bae");
  EXPECT_EQ(emptied(method("v", "()D"),
                    "advice #0 probe #0 entry call P.v:()D () result=keep\n"),
            "v 0eaf");
  EXPECT_EQ(emptied(method("v", "()[I"),
                    "advice #0 probe #0 entry call P.v:()[I () result=keep\n"),
            "v 01b0");
}

TEST(EmptyFragments, KeepTheValueThatTheyMayReplace) {
  EXPECT_EQ(emptied(method("v", "(JLjava/lang/Object;)Ljava/lang/Object;"),
                    "advice #0 probe #0 entry call P.k:()J () result=keep\n"
                    "advice #1 probe #0 exit call "
                    "P.v:(JLjava/lang/Object;)Ljava/lang/Object; (kept, "
                    "returnedObject) result=replace\n"),
            "v 1902b0");
  // It cannot tell.
  EXPECT_EQ(emptied(method("v", "()Ljava/lang/Object;"),
                    "advice #0 probe #0 exit call P.v:()Ljava/lang/Object; () "
                    "result=replace\n"),
            "unchanged");
}

TEST(EmptyFragments, LeaveTheRest) {
  // Another class, another method, another descriptor.
  EXPECT_EQ(emptied(method("v", "()V"),
                    "advice #0 probe #0 entry call Q.v:()V ()\n"
                    "advice #1 probe #0 entry call P.w:()V ()\n"
                    "advice #2 probe #0 entry call P.v:(Ljava/lang/String;)V "
                    "(className)\n"),
            "unchanged");
  EXPECT_EQ(emptied(method("v", "()V"),
                    "advice #0 probe #0 staticInitializer call P.v:()V ()\n"),
            "unchanged");
}
