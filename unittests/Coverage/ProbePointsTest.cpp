//===- ProbePointsTest.cpp ------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/ProbePoints.h"
#include "jopt/Bytecode/Opcodes.h"
#include "jopt/Coverage/ClassId.h"
#include "jopt/Support/Diagnostics.h"
#include "gtest/gtest.h"

using namespace jopt;
using namespace jopt::coverage;
using namespace jopt::op;
using llvm::StringRef;

namespace {
/// A method's code, with lines by offset and ranges of handlers.
struct Code {
  std::vector<uint8_t> Bytes;
  std::vector<std::pair<uint16_t, uint16_t>> Lines = {};
  std::vector<CodeView::Handler> Handlers = {};

  /// The probes as `fall 3>5`, with an L behind those for calls alone.
  std::string points() const {
    ClassFile F;
    ByteWriter Table;
    Table.u2(uint16_t(Lines.size()));
    for (auto [At, Line] : Lines) {
      Table.u2(At);
      Table.u2(Line);
    }
    CodeView View;
    View.Code = Bytes;
    View.Handlers.assign(Handlers.begin(), Handlers.end());
    View.Attributes.push_back(
        {F.Pool.addUtf8("LineNumberTable"), Table.data()});
    auto Points = findPoints(PointSet::Probes, F, Method(), View);
    if (!Points)
      return toMessage(Points.takeError());
    std::string Text;
    for (const ProbePoint &P : Points->Points) {
      static constexpr StringRef Kinds[] = {"fall", "jump", "switch", "leave"};
      Text += (Text.empty() ? "" : ", ") + Kinds[P.Kind].str() + " " +
              std::to_string(P.From);
      if (P.Kind != ProbePoint::Leave)
        Text += ">" + std::to_string(P.To);
      Text += P.IsLine ? "L" : "";
    }
    return Text;
  }
};
} // namespace

TEST(ProbePointsTest, Straight) {
  EXPECT_EQ((Code{{NOP, RETURN}}.points()), "leave 1");
  EXPECT_EQ((Code{{ICONST_0, IFEQ, 0, 4, RETURN, RETURN}}.points()),
            "leave 4, leave 5");
  // goto M; A: return; M: goto A
  EXPECT_EQ((Code{{GOTO, 0, 4, RETURN, GOTO, 0xff, 0xff}}.points()), "leave 3");
}

TEST(ProbePointsTest, LoopToTheFirstInstruction) {
  // 0 iconst_0; 1 ifeq 0; 4 return
  EXPECT_EQ((Code{{ICONST_0, IFEQ, 0xff, 0xff, RETURN}, {{0, 1}}}.points()),
            "jump 1>0, leave 4");
  // Dead code behind a return has a way in of its own.
  EXPECT_EQ((Code{{RETURN, NOP, RETURN}}.points()), "leave 0, leave 2");
}

// The methods that docs/Placement.md counts.
TEST(ProbePointsTest, IfElse) {
  // 0 iload_0; 1 ifeq 8; 4 nop; 5 goto 9; 8 nop; 9 return
  EXPECT_EQ(
      (Code{{ILOAD_0, IFEQ, 0, 7, NOP, GOTO, 0, 4, NOP, RETURN}}.points()),
      "jump 5>9, fall 8>9, leave 9");
  // A call behind the join, on the join's line: no probe for the line.
  EXPECT_EQ((Code{{ILOAD_0, IFEQ, 0, 7, NOP, GOTO, 0, 4, NOP, INVOKESTATIC, 0,
                   0, RETURN},
                  {{0, 1}, {9, 2}}}
                 .points()),
            "jump 5>9, fall 8>9, leave 12");
}

TEST(ProbePointsTest, LinesThatCall) {
  const std::vector<uint8_t> Calls = {INVOKESTATIC,
                                      0,
                                      0,
                                      INVOKESTATIC,
                                      0,
                                      0, //
                                      INVOKESTATIC,
                                      0,
                                      0,
                                      RETURN};
  EXPECT_EQ((Code{Calls, {{0, 1}, {3, 2}, {6, 3}}}.points()),
            "fall 0>3L, fall 3>6L, leave 9");
  // Line 0 is none; without lines there is one probe.
  EXPECT_EQ((Code{Calls, {{0, 1}, {3, 0}, {6, 3}}}.points()),
            "fall 3>6L, leave 9");
  EXPECT_EQ((Code{Calls}.points()), "leave 9");
}

TEST(ProbePointsTest, CallThatIsLeftOut) {
  // 0 iload_0; 1 ifne 7; 4 [line] call; 7 M: [line] call; 10 return
  EXPECT_EQ((Code{{ILOAD_0, IFNE, 0, 6, INVOKESTATIC, 0, 0, INVOKESTATIC, 0, 0,
                   RETURN},
                  {{0, 1}, {4, 2}, {7, 3}}}
                 .points()),
            "jump 1>7, fall 1>4L, fall 4>7, leave 10");
}

TEST(ProbePointsTest, WhileLoop) {
  // while (c()) b(); return: 0 goto 6; 3 b; 6 c; 9 ifne 3; 12 return
  EXPECT_EQ((Code{{GOTO, 0, 6, INVOKESTATIC, 0, 0, INVOKESTATIC, 0, 0, IFNE,
                   0xff, 0xfa, RETURN},
                  {{0, 1}, {3, 2}, {6, 1}, {12, 3}}}
                 .points()),
            "jump 0>6, fall 3>6, leave 12");
  // As javac has it: 0 c; 3 ifeq 12; 6 b; 9 goto 0; 12 return
  EXPECT_EQ((Code{{INVOKESTATIC, 0, 0, IFEQ, 0, 9, INVOKESTATIC, 0, 0, GOTO,
                   0xff, 0xf7, RETURN},
                  {{0, 1}, {6, 2}, {12, 3}}}
                 .points()),
            "fall 3>6L, jump 9>0, leave 12");
}

TEST(ProbePointsTest, Handler) {
  // try { 0 call; 3 goto 7 } catch { 6 astore_0 } 7 return
  EXPECT_EQ((Code{{INVOKESTATIC, 0, 0, GOTO, 0, 4, ASTORE_0, RETURN},
                  {},
                  {{0, 3, 6, 0}}}
                 .points()),
            "jump 3>7, fall 6>7, leave 7");
  // A range that begins behind other code has a probe at its beginning; two
  // handlers of one range make no more of it.
  EXPECT_EQ(
      (Code{{NOP, NOP, RETURN, POP, RETURN}, {}, {{1, 2, 3, 0}, {1, 2, 3, 0}}}
           .points()),
      "fall 0>1, leave 2, leave 4");
}

TEST(ProbePointsTest, Switch) {
  // 0 iload_0; 1 tableswitch 0..3 to 32, 36, 40, 44, default 48; each case is
  // nop; goto 49, the default a nop; 49 return
  Code C{{ILOAD_0, TABLESWITCH, 0, 0}};
  auto Add4 = [&](uint32_t V) {
    C.Bytes.insert(C.Bytes.end(), {uint8_t(V >> 24), uint8_t(V >> 16),
                                   uint8_t(V >> 8), uint8_t(V)});
  };
  for (uint32_t V : {47, 0, 3, 31, 35, 39, 43})
    Add4(V);
  for (uint8_t At : {32, 36, 40, 44})
    C.Bytes.insert(C.Bytes.end(), {NOP, GOTO, 0, uint8_t(48 - At)});
  C.Bytes.insert(C.Bytes.end(), {NOP, RETURN});
  EXPECT_EQ(C.points(), "jump 33>49, jump 37>49, jump 41>49, jump 45>49, "
                        "fall 48>49, leave 49");
  // Two cases lead to one place: one probe for the switch.
  Code D{{ILOAD_0, TABLESWITCH, 0, 0}};
  for (uint32_t V : {24, 0, 1, 23, 24})
    Add4(V), D.Bytes.insert(D.Bytes.end(), C.Bytes.end() - 4, C.Bytes.end());
  D.Bytes.insert(D.Bytes.end(), {NOP, RETURN});
  EXPECT_EQ(D.points(), "switch 1>25, fall 24>25, leave 25");
}

TEST(ProbePointsTest, BranchesInARow) {
  // 0 iload_0; 1 ifeq 8; 4 nop; 5 goto 9; 8 nop;
  // 9 iload_0; 10 ifeq 17; 13 nop; 14 goto 18; 17 nop; 18 return
  EXPECT_EQ((Code{{ILOAD_0, IFEQ, 0, 7, NOP, GOTO, 0, 4, NOP, ILOAD_0, IFEQ, 0,
                   7, NOP, GOTO, 0, 4, NOP, RETURN}}
                 .points()),
            "jump 5>9, fall 8>9, jump 14>18, fall 17>18, leave 18");
}

TEST(ProbePointsTest, Mistakes) {
  EXPECT_EQ((Code{{GOTO, 0, 2, RETURN}}.points()),
            "the jump at 0 leads to no instruction");
  EXPECT_EQ((Code{{GOTO, 0, 3}}.points()),
            "the jump at 0 leads to no instruction");
  EXPECT_EQ((Code{{NOP, SIPUSH, 0}}.points()),
            "no instruction can be decoded at 1");
  EXPECT_EQ((Code{{NOP, JSR, 0, 3, POP, RETURN}}.points()),
            "there are subroutines (jsr at 1)");
  EXPECT_EQ((Code{{RETURN}, {}, {{0, 1, 1, 0}}}.points()),
            "an exception handler starts, ends or continues at no instruction");
}

TEST(ClassIdTest, Vectors) {
  auto Id = [](StringRef S) { return classId(toBytes(S)); };
  EXPECT_EQ(Id(""), 0u);
  EXPECT_EQ(Id("IHATEMATH"), 0xE3DCADD69B01ADD1u);
  EXPECT_EQ(Id("JACOCO_JACOCO_JACOCO_JACOCO"), 0xD8016B38AAD48308u);
  EXPECT_EQ(Id("\xff\xff\xff\xff\xff\xff\xff\xff"), 0x5300000000000000u);
  // Version 53 counts as 52, and no other does.
  auto Version = [&](uint8_t V) {
    const uint8_t Head[] = {0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, V, 7};
    return classId(Head);
  };
  EXPECT_EQ(Version(53), Version(52));
  EXPECT_NE(Version(54), Version(52));
}

// Where methods, lines and segments begin, in as much code as takes memory.
TEST(ProbePointsTest, Others) {
  std::vector<uint8_t> Bytes(5000, NOP);
  Bytes[2000] = ICONST_0;
  Bytes[2001] = ARRAYLENGTH; // throws
  Bytes.back() = RETURN;
  ClassFile F;
  CodeView View;
  View.Code = Bytes;
  auto Offsets = [&](PointSet Which) {
    auto All = llvm::cantFail(findPoints(Which, F, Method(), View));
    std::vector<unsigned> Found;
    for (size_t N = All.NumProbes; N < All.Points.size(); ++N) {
      EXPECT_EQ(All.Points[N].Kind, ProbePoint::Arrive);
      Found.push_back(All.Points[N].From);
    }
    return Found;
  };
  for (int Round = 0; Round < 20; ++Round) {
    EXPECT_EQ(Offsets(PointSet::Probes), std::vector<unsigned>());
    EXPECT_EQ(Offsets(PointSet::Entries), std::vector<unsigned>{0});
    EXPECT_EQ(Offsets(PointSet::Segments), (std::vector<unsigned>{0, 2002}));
  }
}
