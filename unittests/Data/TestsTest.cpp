//===- TestsTest.cpp - What tests reached ---------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Data/Tests.h"
#include "Records.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::data;
using llvm::StringRef;

namespace {
/// Events of tests.
class TestEvents : public Events {
public:
  TestEvents &test(uint32_t Number, StringRef Name) {
    add(20, 0, [&](ByteWriter &W) {
      W.u4(Number);
      W.bytes(Name);
    });
    return *this;
  }
  struct Piece {
    uint32_t Class, First;
    StringRef Bits;
  };
  TestEvents &reached(uint32_t Test, llvm::ArrayRef<Piece> Pieces) {
    add(1, 0, [&](ByteWriter &W) {
      W.u4(Test);
      for (const Piece &P : Pieces) {
        W.u4(P.Class);
        W.u4(P.First);
        W.u2(uint16_t(P.Bits.size()));
        W.bytes(P.Bits);
      }
    });
    return *this;
  }
  TestEvents &end(uint32_t Test, uint32_t Pieces, bool IsShared = false,
                  int64_t Begin = 5, int64_t End = 7) {
    add(2, IsShared, [&](ByteWriter &W) {
      W.u4(Test);
      W.u8(uint64_t(Begin));
      W.u8(uint64_t(End));
      W.u4(Pieces);
    });
    return *this;
  }
};

class TestsTest : public RecordTest {
protected:
  /// The tests of a run with these chunks of tests, a text each.
  Texts tests(const Events &Defined,
              std::initializer_list<const Events *> Chunks) {
    std::string All = Defined.chunk(ChunkKind::Definitions, 1);
    uint32_t Sequence = 2;
    for (const Events *E : Chunks)
      All += E->chunk(ChunkKind::Tests, Sequence++);
    run("r", All);
    LeftOutParts.clear();
    auto Tell = [&](const llvm::Twine &W) { LeftOutParts.push_back(W.str()); };
    const data::Run R = llvm::cantFail(data::Run::open(path("r")));
    Texts Found;
    llvm::cantFail(forEachTest(R, Tell, [&](const RecordedTest &T) {
      std::string Text = T.Name + (T.HasEnded ? "" : " open") +
                         (T.IsShared ? " shared" : "") +
                         (T.Nanoseconds == 2 ? "" : " other time");
      for (const RecordedTest::Piece &P : T.Reached)
        Text += " " + std::to_string(P.Class) + "/" + std::to_string(P.First) +
                ":" + llvm::toHex(P.Bits);
      Found.push_back(std::move(Text));
      return llvm::Error::success();
    }));
    return Found;
  }
};
} // namespace

TEST_F(TestsTest, InSeveralEventsAndChunks) {
  TestEvents Defined, One, Two;
  Defined.test(1, "a").test(2, "b").test(3, "a").test(4, "c");
  One.end(2, 0, true).reached(1, {{7, 0, "\x01"}, {8, 16, "\x02\x03"}});
  Two.reached(1, {{9, 8, "\x80"}}).end(1, 3).end(3, 0);
  EXPECT_EQ(tests(Defined, {&One, &Two}),
            (Texts{"b shared", "a 7/0:01 8/16:0203 9/8:80", "a",
                   "c open other time"}));
  EXPECT_EQ(LeftOutParts, Texts());
  EXPECT_EQ(tests(Events(), {}), Texts());
}

TEST_F(TestsTest, WhatIsDamagedIsLeftOut) {
  auto Of = [&](auto Break) {
    TestEvents Defined, Reached;
    Defined.test(1, "a").test(2, "b");
    Break(Defined, Reached);
    Reached.end(2, 0);
    return tests(Defined, {&Reached});
  };
  const Texts OnlyB{"b"}, AIsOpen{"b", "a open other time"};
  // Fewer pieces than are said, of another test, none; one that is cut.
  EXPECT_EQ(Of([](auto &, auto &R) { R.reached(1, {{7, 0, "x"}}).end(1, 2); }),
            OnlyB);
  EXPECT_EQ(LeftOutParts.size(), 1u);
  EXPECT_EQ(Of([](auto &, auto &R) { R.reached(2, {{7, 0, "x"}}).end(1, 1); }),
            Texts());
  EXPECT_EQ(Of([](auto &, auto &R) { R.end(1, 1); }), OnlyB);
  EXPECT_EQ(Of([](auto &, auto &R) { R.reached(1, {{7, 1, "x"}}).end(1, 1); }),
            OnlyB);
  EXPECT_EQ(Of([](auto &, auto &R) {
              R.add(1, 0, [](ByteWriter &W) {
                W.u4(1);
                W.u8(0);
                W.u2(9);
              });
              R.end(1, 1);
            }),
            OnlyB);
  ASSERT_EQ(LeftOutParts.size(), 1u);
  EXPECT_NE(LeftOutParts[0].find("test a: 0 of 1 parts"), std::string::npos);
  // No such test, twice, an end before the begin, an event that is cut.
  EXPECT_EQ(Of([](auto &, auto &R) { R.end(9, 0); }), AIsOpen);
  EXPECT_EQ(LeftOutParts.size(), 1u);
  EXPECT_EQ(Of([](auto &D, auto &) { D.test(1, "z"); }), AIsOpen);
  EXPECT_EQ(LeftOutParts.size(), 1u);
  EXPECT_EQ(Of([](auto &, auto &R) { R.end(1, 0, false, 7, 5); }), AIsOpen);
  EXPECT_EQ(LeftOutParts.size(), 1u);
  EXPECT_EQ(
      Of([](auto &, auto &R) { R.add(2, 0, [](ByteWriter &W) { W.u4(1); }); }),
      AIsOpen);
  EXPECT_EQ(LeftOutParts.size(), 1u);
}
