//===- CodeTablesTest.cpp -------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestCode.h"
#include <gtest/gtest.h>

using namespace jopt;
using namespace jopt::test;

using Data = std::vector<uint8_t>;

static Data data(Bytes B) { return Data(B.begin(), B.end()); }

/// Puts \p N nops without a bytecode index in front of \p Before.
static void insertNops(Body &F, Instruction *Before, unsigned N) {
  while (N--)
    F.insert(F.create(irop::Nop, op::NOP, Type::Void, {}), Before->block(),
             Before->getIterator());
}

static Instruction *at(Body &F, unsigned BCI) {
  for (Block &B : F.blocks())
    for (Instruction &I : B)
      if (I.bci() == int32_t(BCI))
        return &I;
  return nullptr;
}

static std::string ranges(TestCode &T) {
  std::string Result;
  for (const CodeView::Handler &H : T.view().Handlers)
    Result += std::to_string(H.Start) + "-" + std::to_string(H.End) + ":" +
              std::to_string(H.Target) + " ";
  return Result;
}

//===----------------------------------------------------------------------===//
// Exception table
//===----------------------------------------------------------------------===//

TEST(ExceptionTable, OrderAndOverlapsStay) {
  TestCode T("()V");
  T.code("A: nop; B: nop; C: nop; D: nop; return; H: athrow; I: athrow")
      .handler("B", "D", "I")
      .handler("A", "C", "H", "E")
      .handler("A", "D", "H")
      .lift();
  T.lower();
  EXPECT_EQ("1-3:6 0-2:5 0-3:5 ", ranges(T));
}

TEST(ExceptionTable, HandlerInItsOwnRange) {
  TestCode T("()V");
  T.code("A: nop; return; H: athrow").handler("A", "", "H").lift();
  T.lower();
  EXPECT_EQ("0-3:2 ", ranges(T));
}

TEST(ExceptionTable, EmptyRangesVanish) {
  TestCode T("()V");
  Body &F = T.code("nop; A: nop; B: nop; return; H: athrow")
                .handler("A", "B", "H")
                .lift();
  F.erase(at(F, 1));
  T.lower();
  EXPECT_EQ("", ranges(T));
}

TEST(ExceptionTable, BlocksWithoutTheEdgeSplitARange) {
  TestCode T("()V");
  Body &F = T.code("A: nop; B: nop; C: nop; D: return; H: athrow")
                .handler("A", "D", "H")
                .handler("B", "C", "H", "E")
                .lift();
  // The first entry does not cover the middle any more.
  Block *Middle = at(F, 1)->block();
  Middle->setThrowEdges(F.withTry(nullptr, F.tries()[1]));
  T.lower();
  EXPECT_EQ("0-1:4 2-3:4 1-2:4 ", ranges(T));
}

//===----------------------------------------------------------------------===//
// Lines and variables
//===----------------------------------------------------------------------===//

TEST(LineNumbers, FollowTheCode) {
  Data Lines{0, 3, 0, 0, 0, 10, 0, 2, 0, 11, 0, 3, 0, 12};
  TestCode T("()V");
  Body &F = T.code("nop; nop; nop; return")
                .attribute("LineNumberTable", Lines)
                .lift();
  // Code inserted in front of an instruction belongs to its line.
  insertNops(F, at(F, 2), 2);
  T.lower();
  EXPECT_EQ((Data{0, 3, 0, 0, 0, 10, 0, 2, 0, 11, 0, 5, 0, 12}),
            data(T.attributeData("LineNumberTable")));
}

TEST(LineNumbers, ACopyStaysInFrontOfTheLineBehindIt) {
  TestCode T("(I)V");
  Body &F = T.code("A: nop; new T; dup; new T; dup; B: iload_0; "
                   "invokespecial <init>:(I)V; invokespecial <init>:(LT;)V; "
                   "C: pop; return")
                .attribute("LineNumberTable",
                           {0, 3, 0, 0, 0, 10, 0, 9, 0, 11, 0, 16, 0, 12})
                .lift();
  EXPECT_EQ(9u, T.label("B"));
  EXPECT_EQ(16u, T.label("C"));
  insertNops(F, at(F, 0), 2);
  T.lower();
  EXPECT_EQ((Data{0, 3, 0, 0, 0, 10, 0, 11, 0, 11, 0, 18, 0, 12}),
            data(T.attributeData("LineNumberTable")));
}

TEST(LineNumbers, UnchangedCodeKeepsItsBytes) {
  // Unsorted and with duplicates, as the specification allows.
  Data Lines{0, 3, 0, 1, 0, 10, 0, 0, 0, 11, 0, 0, 0, 12};
  TestCode T("()V");
  T.code("nop; return").attribute("LineNumberTable", Lines).lift();
  T.lower();
  EXPECT_EQ(Lines, data(T.attributeData("LineNumberTable")));
}

TEST(LineNumbers, LinesWithoutCodeGiveWay) {
  Data Lines{0, 4, 0, 0, 0, 10, 0, 1, 0, 11, 0, 2, 0, 12, 0, 2, 0, 13};
  TestCode T("()V");
  Body &F =
      T.code("nop; nop; return").attribute("LineNumberTable", Lines).lift();
  F.erase(at(F, 1));
  T.lower();
  // Two entries that always stood at one place both stay.
  EXPECT_EQ((Data{0, 3, 0, 0, 0, 10, 0, 1, 0, 12, 0, 1, 0, 13}),
            data(T.attributeData("LineNumberTable")));
}

/// Puts \p L in front of all other code, behind a jump over it.
static void moveToFront(Body &F, Block *L) {
  Block *Entry = &F.entry();
  F.blocks().remove(*L);
  F.blocks().insert(F.blocks().begin(), *L);
  Block *Start = F.createBlock(L);
  Instruction *Goto = F.create(irop::Goto, op::GOTO, Type::Void, {});
  F.setSuccessors(Goto, Entry);
  F.append(Goto, Start);
}

TEST(LineNumbers, MovedBlocksGetTheirLines) {
  Data Lines{0, 3, 0, 0, 0, 10, 0, 6, 0, 11, 0, 7, 0, 12};
  TestCode T("(I)V");
  Body &F = T.code("iload_0; ifeq L; nop; return; L: nop; return")
                .attribute("LineNumberTable", Lines)
                .lift();
  moveToFront(F, at(F, 6)->block());
  EXPECT_EQ("goto; nop; return; iload_0; ifeq; nop; return", T.lower());
  EXPECT_EQ((Data{0, 3, 0, 3, 0, 11, 0, 4, 0, 12, 0, 5, 0, 10}),
            data(T.attributeData("LineNumberTable")));
}

TEST(LocalVariables, RangesFollowTheCode) {
  // 0-4 (to the end) in slot 0, 1-3 in slot 1, and one without length.
  Data Vars{0, 3, 0, 0, 0, 4, 0, 1, 0, 2, 0, 0, 0, 1, 0, 2,
            0, 1, 0, 2, 0, 1, 0, 2, 0, 0, 0, 1, 0, 2, 0, 2};
  TestCode T("()V");
  Body &F = T.code("nop; nop; nop; return")
                .attribute("LocalVariableTable", Vars)
                .attribute("LocalVariableTypeTable", Vars)
                .lift();
  insertNops(F, at(F, 2), 1);
  T.lower();
  Data Wanted{0, 3, 0, 0, 0, 5, 0, 1, 0, 2, 0, 0, 0, 1, 0, 3,
              0, 1, 0, 2, 0, 1, 0, 2, 0, 0, 0, 1, 0, 2, 0, 2};
  EXPECT_EQ(Wanted, data(T.attributeData("LocalVariableTable")));
  EXPECT_EQ(Wanted, data(T.attributeData("LocalVariableTypeTable")));
}

TEST(LocalVariables, NoDuplicatesNoEmptyRanges) {
  // One variable twice, 1-3 and 2-3; and another that is live in 1-2 only.
  Data Vars{0, 3, 0, 1, 0, 2, 0, 1, 0, 2, 0, 0, 0, 2, 0, 1,
            0, 1, 0, 2, 0, 0, 0, 1, 0, 1, 0, 5, 0, 2, 0, 1};
  TestCode T("()V");
  Body &F = T.code("nop; nop; nop; return")
                .attribute("LocalVariableTable", Vars)
                .lift();
  F.erase(at(F, 1));
  T.lower();
  EXPECT_EQ((Data{0, 1, 0, 1, 0, 1, 0, 1, 0, 2, 0, 0}),
            data(T.attributeData("LocalVariableTable")));
}

TEST(LocalVariables, EndBehindInsertedCodeAndRemovedCode) {
  // 0-3. As much goes behind 2 as was put in front: what follows is where it
  // would be if it followed what was put in.
  TestCode T("()V");
  Body &F =
      T.code("nop; nop; nop; nop; nop; nop; return")
          .attribute("LocalVariableTable", {0, 1, 0, 0, 0, 3, 0, 1, 0, 2, 0, 0})
          .lift();
  insertNops(F, at(F, 2), 2);
  F.erase(at(F, 3));
  F.erase(at(F, 4));
  T.lower();
  EXPECT_EQ((Data{0, 1, 0, 0, 0, 5, 0, 1, 0, 2, 0, 0}),
            data(T.attributeData("LocalVariableTable")));
}

TEST(LocalVariables, NoDuplicatesInLongTables) {
  // 20 variables in 1-3, and each of them in 2-3 as well.
  Data Vars{0, 40}, Wanted{0, 20};
  for (uint8_t N = 0; N < 20; ++N) {
    for (uint8_t Start : {1, 2})
      for (uint8_t B : {0, int(Start), 0, 3 - Start, 0, 1, 0, 2, 0, int(N)})
        Vars.push_back(B);
    for (uint8_t B : {0, 1, 0, 1, 0, 1, 0, 2, 0, int(N)})
      Wanted.push_back(B);
  }
  TestCode T("()V");
  Body &F = T.code("nop; nop; nop; return")
                .attribute("LocalVariableTable", Vars)
                .lift();
  F.erase(at(F, 1));
  T.lower();
  EXPECT_EQ(Wanted, data(T.attributeData("LocalVariableTable")));
}

//===----------------------------------------------------------------------===//
// Characters
//===----------------------------------------------------------------------===//

/// Rows of first and last byte; the rest of row N is N.
static Data characters(std::vector<std::pair<int, int>> Spans,
                       std::vector<int> Rest) {
  Data Table{0, uint8_t(Spans.size())};
  for (size_t N = 0; N < Spans.size(); ++N)
    for (int B : {0, Spans[N].first, 0, Spans[N].second, 0, 0, 0, Rest[N], 0, 0,
                  0, 0, 0, 1})
      Table.push_back(uint8_t(B));
  return Table;
}

TEST(CharacterRanges, FollowTheCode) {
  // Two instructions, of one and of two bytes; one; the whole.
  TestCode T("()V");
  Body &F = T.code("nop; bipush 7; istore_1; nop; return")
                .attribute("CharacterRangeTable",
                           characters({{0, 2}, {3, 3}, {0, 5}}, {1, 2, 3}))
                .lift();
  insertNops(F, at(F, 0), 1);
  insertNops(F, at(F, 4), 2);
  F.erase(at(F, 0));
  T.lower();
  // No range that ends at 4 has the code inserted in front of 4.
  EXPECT_EQ(characters({{0, 2}, {3, 3}, {0, 7}}, {1, 2, 3}),
            data(T.attributeData("CharacterRangeTable")));
}

TEST(CharacterRanges, GoWithTheirCode) {
  TestCode T("()V");
  Body &F = T.code("nop; nop; nop; return")
                .attribute("CharacterRangeTable",
                           characters({{0, 0}, {1, 1}, {1, 2}, {2, 1}, {2, 2}},
                                      {1, 2, 3, 4, 3}))
                .lift();
  F.erase(at(F, 1));
  T.lower();
  // The last is what the third has become; the fourth was no range.
  EXPECT_EQ(characters({{0, 0}, {1, 1}}, {1, 3}),
            data(T.attributeData("CharacterRangeTable")));
}

TEST(CharacterRanges, AreSplitWhereBlocksMoved) {
  TestCode T("(I)V");
  Body &F = T.code("iload_0; ifeq L; nop; return; L: nop; return")
                .attribute("CharacterRangeTable",
                           characters({{0, 7}, {5, 6}}, {1, 2}))
                .lift();
  moveToFront(F, at(F, 6)->block());
  EXPECT_EQ("goto; nop; return; iload_0; ifeq; nop; return", T.lower());
  EXPECT_EQ(characters({{3, 4}, {5, 10}, {3, 3}, {10, 10}}, {1, 1, 2, 2}),
            data(T.attributeData("CharacterRangeTable")));
}

TEST(Attributes, UnknownAndMalformedStay) {
  TestCode T("()V");
  Body &F = T.code("nop; return")
                .attribute("Foreign", {1, 2, 3})
                .attribute("LineNumberTable", {0, 9, 1})
                .attribute("LocalVariableTable", {0})
                .attribute("RuntimeVisibleTypeAnnotations", {0, 1, 0x43, 0})
                .lift();
  insertNops(F, at(F, 0), 1);
  T.lower();
  EXPECT_EQ((Data{1, 2, 3}), data(T.attributeData("Foreign")));
  EXPECT_EQ((Data{0, 9, 1}), data(T.attributeData("LineNumberTable")));
  EXPECT_EQ((Data{0}), data(T.attributeData("LocalVariableTable")));
  EXPECT_EQ((Data{0, 1, 0x43, 0}),
            data(T.attributeData("RuntimeVisibleTypeAnnotations")));
}

//===----------------------------------------------------------------------===//
// Type annotations
//===----------------------------------------------------------------------===//

TEST(TypeAnnotations, TargetsFollowTheCode) {
  // A path of one step; an annotation with a nested one and an array.
  Data Rest{1,   0, 0, 0, 7, 0,   2, 0, 8,   '@', 0, 9,   0, 1, 0, 8,
            'I', 0, 3, 0, 8, '[', 0, 2, 's', 0,   1, 'e', 0, 1, 0, 2};
  auto Table = [&](std::vector<Data> Targets) {
    Data All{0, uint8_t(Targets.size())};
    for (const Data &T : Targets) {
      All.insert(All.end(), T.begin(), T.end());
      All.insert(All.end(), Rest.begin(), Rest.end());
    }
    return All;
  };
  TestCode T("(LT;)V");
  Body &F = T.code("nop; A: new T; pop; aload_0; checkcast T; pop; B: return; "
                   "H: athrow")
                .handler("A", "B", "H")
                .attribute("RuntimeVisibleTypeAnnotations",
                           Table({{0x44, 0, 1},
                                  {0x47, 0, 6, 1},
                                  {0x40, 0, 1, 0, 1, 0, 5, 0, 3},
                                  {0x42, 0, 0}}))
                .lift();
  insertNops(F, at(F, 1), 2);
  Block *B = at(F, 1)->block();
  // A range of another entry comes first in the table.
  TryEntry *E = F.addTry(F.tries()[0]->Handler, 0, F.tries()[0]);
  B->setThrowEdges(F.withTry(B->throwEdges(), E));
  T.lower();
  EXPECT_EQ(Table({{0x44, 0, 3},
                   {0x47, 0, 8, 1},
                   {0x40, 0, 1, 0, 1, 0, 7, 0, 3},
                   {0x42, 0, 1}}),
            data(T.attributeData("RuntimeVisibleTypeAnnotations")));
}

TEST(TypeAnnotations, MovedBlocksKeepTheirs) {
  TestCode T("(LT;I)V");
  Body &F = T.code("iload_1; ifeq L; aload_0; checkcast T; pop; return; "
                   "L: aload_0; checkcast T; pop; return")
                .attribute("RuntimeVisibleTypeAnnotations",
                           {0,    2, 0x47, 0, 5, 0, 0, 0, 7, 0, 0, //
                            0x47, 0, 11,   0, 0, 0, 7, 0, 0})
                .lift();
  moveToFront(F, at(F, 10)->block());
  T.lower();
  EXPECT_EQ((Data{0,    2, 0x47, 0, 14, 0, 0, 0, 7, 0, 0, //
                  0x47, 0, 4,    0, 0,  0, 7, 0, 0}),
            data(T.attributeData("RuntimeVisibleTypeAnnotations")));
}

TEST(TypeAnnotations, GoWithTheirInstruction) {
  TestCode T("(LT;)V");
  Body &F = T.code("aload_0; checkcast T; pop; A: nop; B: return; H: athrow")
                .handler("A", "B", "H")
                .attribute("RuntimeInvisibleTypeAnnotations",
                           {0, 2, 0x47, 0, 1, 0, 0, 0, 7, 0, 0, //
                            0x42, 0, 0, 0, 0, 7, 0, 0})
                .lift();
  F.erase(at(F, 1));
  F.erase(at(F, 5));
  T.lower();
  EXPECT_EQ((Data{0, 0}),
            data(T.attributeData("RuntimeInvisibleTypeAnnotations")));
}

TEST(TypeAnnotations, NestAsDeepAsTheyLike) {
  Data Table{0, 1, 0x44, 0, 1, 0, 0, 7, 0, 1, 0, 8};
  for (int N = 0; N < 5000; ++N)
    Table.insert(Table.end(), {'[', 0, 1});
  Table.insert(Table.end(), {'s', 0, 1});
  TestCode T("()V");
  Body &F = T.code("nop; new T; pop; return")
                .attribute("RuntimeVisibleTypeAnnotations", Table)
                .lift();
  insertNops(F, at(F, 1), 2);
  T.lower();
  Table[4] = 3;
  EXPECT_EQ(Table, data(T.attributeData("RuntimeVisibleTypeAnnotations")));
}

TEST(TypeAnnotations, GoWithTheirLastRange) {
  // A variable that is live in code that goes, one in some that stays, too, and
  // one that never was live.
  Data Rest{0, 0, 7, 0, 0};
  auto Table = [&](std::vector<Data> Targets) {
    Data All{0, uint8_t(Targets.size())};
    for (const Data &T : Targets) {
      All.insert(All.end(), T.begin(), T.end());
      All.insert(All.end(), Rest.begin(), Rest.end());
    }
    return All;
  };
  TestCode T("()V");
  Body &F =
      T.code("nop; nop; nop; return")
          .attribute("RuntimeVisibleTypeAnnotations",
                     Table({{0x40, 0, 1, 0, 1, 0, 1, 0, 3},
                            {0x41, 0, 2, 0, 1, 0, 1, 0, 3, 0, 2, 0, 1, 0, 3},
                            {0x40, 0, 0}}))
          .lift();
  F.erase(at(F, 1));
  T.lower();
  EXPECT_EQ(Table({{0x41, 0, 1, 0, 1, 0, 1, 0, 3}, {0x40, 0, 0}}),
            data(T.attributeData("RuntimeVisibleTypeAnnotations")));
}
