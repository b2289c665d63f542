//===- ExecFileTest.cpp ---------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/ExecFile.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace jopt;
using namespace jopt::coverage;
using llvm::StringRef;

static ClassCoverage classOf(uint64_t Id, StringRef Name, unsigned Count,
                             std::initializer_list<unsigned> Passed) {
  ClassCoverage C{Id, Name.str(), llvm::BitVector(Count)};
  for (unsigned P : Passed)
    C.Probes.set(P);
  return C;
}

static std::string hex(const CoverageData &D) {
  return llvm::toHex(writeExec(D), /*LowerCase=*/true);
}

/// The error of reading a file with these bytes; empty if there is none.
static std::string read(StringRef Hex, CoverageData &To) {
  std::string File = llvm::fromHex(Hex);
  llvm::Error E = readExec(toBytes(File), To);
  return E ? toMessage(std::move(E)) : "";
}

static std::string mistake(StringRef Hex) {
  CoverageData D;
  return read(Hex, D);
}

static const StringRef Vector = "01c0c01007"
                                "100001730000000000000001"
                                "0000000000000002"
                                "11e3dcadd69b01add10003702f410a0502";

TEST(ExecFileTest, Vector) {
  CoverageData D;
  D.add(SessionInfo{"s", 1, 2});
  llvm::cantFail(D.add(classOf(0xE3DCADD69B01ADD1, "p/A", 10, {0, 2, 9})));
  EXPECT_EQ(hex(D), Vector);
  CoverageData Again;
  EXPECT_EQ(read(Vector, Again), "");
  EXPECT_EQ(hex(Again), Vector);
  EXPECT_EQ(Again.sessions(), D.sessions());
  ASSERT_NE(Again.find(0xE3DCADD69B01ADD1), nullptr);
  EXPECT_TRUE(Again.find(0xE3DCADD69B01ADD1)->Probes.test(9));
  EXPECT_EQ(Again.find(1), nullptr);
  EXPECT_TRUE(Again.hasName("p/A"));
  EXPECT_FALSE(Again.hasName("p/B"));
}

TEST(ExecFileTest, NumbersOfProbes) {
  for (unsigned N : {1u, 8u, 127u, 128u, 300u, 16384u, 70000u}) {
    CoverageData D, Again;
    llvm::cantFail(D.add(classOf(7, "A", N, {0, N - 1})));
    EXPECT_EQ(read(hex(D), Again), "");
    EXPECT_EQ(Again.find(7)->Probes, D.find(7)->Probes);
  }
  CoverageData D;
  llvm::cantFail(D.add(classOf(7, "A", 300, {0})));
  EXPECT_NE(hex(D).find("000141ac02"), std::string::npos);
}

TEST(ExecFileTest, ClassesWithoutHitsAreLeftOut) {
  CoverageData D;
  llvm::cantFail(D.add(classOf(7, "A", 3, {})));
  EXPECT_EQ(hex(D), "01c0c01007");
}

TEST(ExecFileTest, OneBehindTheOther) {
  CoverageData D;
  EXPECT_EQ(
      read((Vector + Vector + "01c0c0100711e3dcadd69b01add10003702f410a0200")
               .str(),
           D),
      "");
  EXPECT_EQ(hex(D), StringRef(Vector).drop_back(4).str() + "0702");
  EXPECT_EQ(mistake(""), "");
}

TEST(ExecFileTest, Mistakes) {
  EXPECT_EQ(mistake("10"),
            "at byte 0: the file does not begin as an exec file does");
  EXPECT_EQ(mistake("01c0c11007"),
            "at byte 0: the file does not begin as an exec file does");
  EXPECT_EQ(mistake("01c0c01006"), "at byte 0: the format is 1006, and only "
                                   "1007 (JaCoCo 0.7.5 and later) can be read");
  EXPECT_EQ(mistake("01c0c0100712"), "at byte 5: there is no block of kind 18");
  EXPECT_EQ(mistake("01c0c010071100000000000000010001418080808008"),
            "at byte 5: the file ends within the block that begins here");
  const StringRef A = "01c0c010071100000000000000010001410a0502";
  EXPECT_EQ(mistake((A + "1100000000000000010001420a0502").str()),
            "at byte 20: the id 0000000000000001 is that of A and of B");
  EXPECT_EQ(mistake((A + "1100000000000000010001410b0502").str()),
            "at byte 20: class A with the id 0000000000000001 has 10 probes "
            "and 11");
}

TEST(ExecFileTest, Truncated) {
  const std::string File = llvm::fromHex(Vector);
  for (size_t N = 1; N < File.size(); ++N) {
    CoverageData D;
    llvm::Error E = readExec(toBytes(StringRef(File).take_front(N)), D);
    // A file may end between two blocks.
    EXPECT_EQ(bool(E), N != 5 && N != 25) << N;
    llvm::consumeError(std::move(E));
  }
}

/// 1,000 runs merged in any order and tree give the same bytes, as do runs that
/// were merged before.
TEST(ExecFileTest, MergedInAnyOrder) {
  std::mt19937 Random(1);
  std::vector<std::string> Runs;
  for (int R = 0; R < 1000; ++R) {
    CoverageData D;
    D.add(SessionInfo{"run" + std::to_string(R), R % 7, R % 3});
    for (unsigned C = 0; C < 20; ++C)
      if (Random() % 2)
        llvm::cantFail(D.add(classOf(C * 0x9e3779b97f4a7c15, // spread
                                     "p/C" + std::to_string(C % 15), 40 + C,
                                     {unsigned(Random() % 40)})));
    Runs.push_back(jopt::toStringRef(writeExec(D)).str());
  }
  auto Merge = [](llvm::ArrayRef<std::string> Files) {
    CoverageData D;
    for (StringRef F : Files)
      llvm::cantFail(readExec(toBytes(F), D));
    return jopt::toStringRef(writeExec(D)).str();
  };
  const std::string All = Merge(Runs);
  for (int Round = 0; Round < 5; ++Round) {
    std::shuffle(Runs.begin(), Runs.end(), Random);
    std::vector<std::string> Level = Runs;
    while (Level.size() > 1) {
      std::vector<std::string> Above;
      for (size_t I = 0; I < Level.size();) {
        const size_t N = std::min<size_t>(1 + Random() % 9, Level.size() - I);
        Above.push_back(Merge(llvm::ArrayRef(Level).slice(I, N)));
        I += N;
      }
      Level = std::move(Above);
    }
    EXPECT_EQ(Level.front(), All);
  }
  EXPECT_EQ(Merge({All, Runs[0], All}), All);
}
