//===- ProbeLinesTest.cpp -------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/ProbeLines.h"
#include "jopt/Coverage/ExecFile.h"
#include "jopt/Support/Diagnostics.h"
#include "gtest/gtest.h"
#include <random>

using namespace jopt;
using namespace jopt::coverage;

static std::string write(const CoverageData &D, llvm::StringRef Run = {}) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeProbeLines(D, Run, OS);
  return Text;
}

static std::string read(llvm::StringRef Text, CoverageData &To) {
  llvm::Error E = readProbeLines(Text, To);
  return E ? toMessage(std::move(E)) : "";
}

static std::string mistake(llvm::StringRef Text) {
  CoverageData D;
  return read(Text, D);
}

TEST(ProbeLinesTest, Form) {
  CoverageData D;
  ClassCoverage C{0xE3DCADD69B01ADD1, "p/A", llvm::BitVector(66)};
  C.Probes.set(0);
  C.Probes.set(63);
  C.Probes.set(65);
  llvm::cantFail(D.add(C));
  llvm::cantFail(D.add(ClassCoverage{1, "p/Never", llvm::BitVector(3)}));
  D.add(SessionInfo{"r", 5, 6});
  EXPECT_EQ(write(D, "r"),
            "{\"probes\":0,\"run\":\"r\",\"start\":5,\"dump\":6}\n"
            "{\"probes\":66,\"class\":\"p/A\",\"id\":\"e3dcadd69b01add1\","
            "\"run\":\"r\",\"bits\":[-9223372036854775807,2]}\n");
  EXPECT_TRUE(isProbeLines(write(D)));
  EXPECT_TRUE(isProbeLines("{ \"probes\": 1}"));
  EXPECT_FALSE(isProbeLines("{\"time\":1}"));
  EXPECT_FALSE(isProbeLines(""));
}

TEST(ProbeLinesTest, WhatIsReadIsWhatWasWritten) {
  std::mt19937_64 Random(7);
  CoverageData D;
  for (unsigned I = 0; I < 200; ++I) {
    ClassCoverage C{Random(), "p/\xc0\x80\"" + std::to_string(I),
                    llvm::BitVector(1 + unsigned(Random() % 300))};
    for (unsigned P = 0; P < C.Probes.size(); ++P)
      if (Random() % 3 == 0)
        C.Probes.set(P);
    C.Probes.set(0);
    llvm::cantFail(D.add(C));
  }
  D.add(SessionInfo{"a", 1, 2});
  D.add(SessionInfo{"b", -3, 4});
  CoverageData Again;
  EXPECT_EQ(read(write(D), Again), "");
  EXPECT_EQ(writeExec(Again), writeExec(D));
  // The same lines once more change nothing.
  EXPECT_EQ(read(write(D, "run"), Again), "");
  EXPECT_EQ(writeExec(Again), writeExec(D));
}

TEST(ProbeLinesTest, Mistakes) {
  EXPECT_EQ(mistake("{\"probes\":0,\"run\":\"r\",\"start\":5}\n\nx"),
            "line 3: [1:1, byte=1]: Invalid JSON value");
  EXPECT_EQ(mistake("[]"), "line 1: a line is an object");
  EXPECT_EQ(mistake("{\"probes\":0}"),
            "line 1: a line without a class has a run and its start");
  const std::string OfClass =
      "line 1: the line of a class has its id, 16 hexadecimal digits, the "
      "number of its probes, and bits, a number for each 64 of them";
  for (const char *Rest :
       {"\"id\":\"x\",\"bits\":[1]", "\"id\":\"1\",\"bits\":[1,2]",
        "\"id\":\"1\"", "\"bits\":[1]"})
    EXPECT_EQ(
        mistake(std::string("{\"probes\":3,\"class\":\"A\",") + Rest + "}"),
        OfClass);
  EXPECT_EQ(mistake("{\"probes\":999999999999,\"class\":\"A\",\"id\":\"1\","
                    "\"bits\":[]}"),
            OfClass);
  EXPECT_EQ(mistake("{\"probes\":3,\"class\":\"A\",\"id\":\"1\","
                    "\"bits\":[\"1\"]}"),
            "line 1: bits are whole numbers of 64 bits");
  EXPECT_EQ(mistake("{\"probes\":3,\"class\":\"A\",\"id\":\"1\",\"bits\":[8]}"),
            "line 1: there is a bit for probe 3 of 3");
  EXPECT_EQ(mistake("{\"probes\":3,\"class\":\"A\",\"id\":\"1\",\"bits\":[1]}\n"
                    "{\"probes\":4,\"class\":\"A\",\"id\":\"1\",\"bits\":[1]}"),
            "line 2: class A with the id 0000000000000001 has 3 probes and 4");
}
