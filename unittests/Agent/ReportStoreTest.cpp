//===- ReportStoreTest.cpp
//--------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Telemetry/ReportStore.h"
#include "gtest/gtest.h"

using namespace jopt;
using namespace jopt::agent;

/// A probe at two sites of each of \p Methods.
static ClassRows placed(std::vector<std::string> Methods,
                        std::vector<std::string> Probes) {
  const ReportRow::Site Sites[] = {{AdviceKind::Entry, 0, 17},
                                   {AdviceKind::Exit, -1, 0}};
  ClassRows Rows;
  unsigned Order = 0;
  for (const std::string &M : Methods) {
    Rows.Placed.beginMethod(Order++, M, "()V");
    for (const std::string &P : Probes)
      Rows.Placed.add(unsigned(&P - Probes.data()) + 3, P, 2, Sites);
  }
  return Rows;
}

TEST(ReportStore, GivesBackWhatItPacked) {
  ReportStore M;
  ReportRow Crossed;
  Crossed.What = ReportRow::CrossedOversize;
  Crossed.Method = "m()V";
  Crossed.OldSize = 7000;
  Crossed.NewSize = 9000;
  ClassRows Of = placed({"m", "n"}, {"one", "two"});
  Of.Other.push_back(Crossed);
  M.set("a/B", Of);
  M.leave("a/A", "no stack");
  const auto Rows = M.find("a/B");
  ASSERT_EQ(Rows.size(), 5u);
  EXPECT_EQ(Rows[0].Class, "a/B");
  EXPECT_EQ(Rows[1].Method, "m()V");
  EXPECT_EQ(Rows[1].ProbeName, "two");
  EXPECT_EQ(Rows[1].Probe, 4);
  ASSERT_EQ(Rows[1].Sites.size(), 2u);
  EXPECT_EQ(Rows[1].Sites[0].Line, 17);
  EXPECT_EQ(Rows[1].Sites[1].Kind, AdviceKind::Exit);
  EXPECT_EQ(Rows[1].Sites[1].BCI, -1);
  EXPECT_EQ(Rows[2].NewSize, 9000u);
  EXPECT_EQ(Rows[3].Method, "n()V");
  EXPECT_EQ(Rows[3].ProbeName, "one");
  EXPECT_EQ(Rows[4].ProbeName, "two");
  std::string Names;
  M.forEach([&](llvm::StringRef Name, std::vector<ReportRow> R) {
    Names += Name.str() + " ";
    if (Name == "a/A") {
      EXPECT_EQ(toMessage(R[0].Reasons), "no stack");
    }
  });
  EXPECT_EQ(Names, "a/A a/B ");
}

TEST(ReportStore, TheLastRowsOfAClassCount) {
  ReportStore M;
  M.set("A", placed({"m"}, {"one"}));
  M.set("A", placed({"m"}, {"two"}));
  ASSERT_EQ(M.find("A").size(), 1u);
  EXPECT_EQ(M.find("A")[0].ProbeName, "two");
  M.set("A", {});
  EXPECT_TRUE(M.find("A").empty());
  M.set("A", placed({"m"}, {"one"}));
  M.startOver();
  EXPECT_TRUE(M.find("A").empty());
}

TEST(ReportStore, IsBounded) {
  ReportStore M;
  const std::string Long(1 << 20, 'x');
  for (int N = 0; N < 20; ++N)
    M.set("C" + std::to_string(N), placed({Long}, {"one"}));
  EXPECT_EQ(M.omitted(), 5u);
  EXPECT_EQ(M.find("C14").size(), 1u);
  EXPECT_TRUE(M.find("C15").empty());
  // What goes makes room.
  M.set("C0", {});
  M.set("C15", placed({Long}, {"one"}));
  EXPECT_EQ(M.find("C15").size(), 1u);
}
