//===- CoverageTest.cpp - What covered classes recorded -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Data/Coverage.h"
#include "Records.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::data;
using llvm::StringRef;

namespace {
/// Events of coverage.
class CoverageEvents : public Events {
public:
  CoverageEvents &rules(uint32_t Class, StringRef Text) {
    add(19, 0, [&](ByteWriter &W) {
      W.u4(Class);
      W.bytes(Text);
    });
    return *this;
  }
  CoverageEvents &type(uint32_t Class, uint64_t Id, uint32_t Elements,
                       StringRef Strategy, StringRef Name, bool IsCounts) {
    add(18, IsCounts, [&](ByteWriter &W) {
      W.u4(Class);
      W.u8(Id);
      W.u4(Elements);
      W.u4(uint32_t(Strategy.size()));
      W.bytes(Strategy);
      W.bytes(Name);
    });
    return *this;
  }
  CoverageEvents &bits(uint32_t Class, uint32_t First, uint32_t Length,
                       StringRef Bits) {
    add(1, 0, [&](ByteWriter &W) {
      W.u4(Class);
      W.u4(First);
      W.u4(Length);
      W.bytes(Bits);
    });
    return *this;
  }
  CoverageEvents &counts(uint32_t Class, uint32_t First,
                         llvm::ArrayRef<uint64_t> Counts) {
    add(2, 0, [&](ByteWriter &W) {
      W.u4(Class);
      W.u4(First);
      W.u4(uint32_t(Counts.size()));
      for (uint64_t C : Counts)
        W.u8(C);
    });
    return *this;
  }
};

class CoverageTest : public RecordTest {
protected:
  /// The classes in the folder, a text each.
  Texts classes(const Events &Defined, const Events &Values) {
    run("r", Defined.chunk(ChunkKind::Definitions, 1) +
                 Values.chunk(ChunkKind::Coverage, 2));
    LeftOutParts.clear();
    auto Tell = [&](const llvm::Twine &W) { LeftOutParts.push_back(W.str()); };
    const data::Run R = llvm::cantFail(data::Run::open(path("r")));
    Texts All;
    for (const CoveredClass &C : llvm::cantFail(readCoverage(R, Tell))) {
      std::string Text = C.Strategy + " " + C.Name + " " +
                         std::to_string(C.Id) + " '" + C.Rules + "'" +
                         (C.IsCounts ? " counts" : "");
      for (uint64_t V : C.Values)
        Text += " " + std::to_string(V);
      All.push_back(std::move(Text));
    }
    return All;
  }
};
} // namespace

TEST_F(CoverageTest, BitsAndCounts) {
  CoverageEvents Defined, Values;
  Defined.rules(1, "ab").rules(1, "c").type(1, 7, 10, "pos", "p/A", false);
  Defined.type(2, 8, 3, "edges", "B", true);
  Values.bits(1, 0, 8, StringRef("\x05", 1)).counts(2, 0, {1, 1ull << 40});
  Values.bits(1, 8, 2, StringRef("\x02", 1)).counts(2, 2, {0});
  EXPECT_EQ(classes(Defined, Values),
            (Texts{"pos p/A 7 'abc' 1 0 1 0 0 0 0 0 0 1",
                   "edges B 8 '' counts 1 1099511627776 0"}));
  EXPECT_EQ(LeftOutParts, Texts());
}

TEST_F(CoverageTest, Sums) {
  CoveredClass A, B, C;
  A.Strategy = B.Strategy = "min";
  A.Values = {0, 1, 1};
  B.Values = {1};
  C.Strategy = "edges";
  C.Values = {0, 700};
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  showCoverage({A, B, C}, OS);
  EXPECT_EQ(Text, "coverage min: 2 classes, 3 of 4 elements reached\n"
                  "coverage edges: 1 classes, 1 of 2 elements reached\n");
}

TEST_F(CoverageTest, WhatIsDamagedIsLeftOut) {
  auto Of = [&](auto Break) {
    CoverageEvents Defined, Values;
    Defined.type(1, 1, 2, "min", "A", false).type(2, 2, 1, "min", "B", false);
    Break(Defined, Values);
    Values.bits(2, 0, 1, StringRef("\x01", 1));
    return classes(Defined, Values);
  };
  const Texts OnlyB{"min B 2 '' 1"};
  // Another kind of value, a gap, too many, fewer than is said, none.
  EXPECT_EQ(Of([](auto &, auto &V) { V.counts(1, 0, {1, 1}); }), OnlyB);
  EXPECT_EQ(LeftOutParts.size(), 2u);
  EXPECT_EQ(Of([](auto &, auto &V) { V.bits(1, 1, 1, "x"); }), OnlyB);
  EXPECT_EQ(Of([](auto &, auto &V) { V.bits(1, 0, 3, "x"); }), OnlyB);
  EXPECT_EQ(Of([](auto &, auto &V) { V.bits(1, 0, 2, ""); }), OnlyB);
  EXPECT_EQ(LeftOutParts.size(), 2u);
  EXPECT_EQ(Of([](auto &, auto &) {}), OnlyB);
  ASSERT_EQ(LeftOutParts.size(), 1u);
  EXPECT_NE(LeftOutParts[0].find("class A: 0 of 2 elements are there"),
            std::string::npos);
  // No such class.
  EXPECT_EQ(Of([](auto &, auto &V) {
              V.bits(1, 0, 2, StringRef("\x03", 1)).bits(9, 0, 1, "x");
            }).size(),
            2u);
  EXPECT_EQ(LeftOutParts.size(), 1u);
  // A name longer than the event; a number that was given before.
  EXPECT_EQ(Of([](auto &D, auto &V) {
              V.bits(1, 0, 2, StringRef("\x03", 1));
              D.type(1, 1, 2, "min", "A", false);
              D.add(18, 0, [](ByteWriter &W) { W.u8(0); });
            }).size(),
            2u);
}
