//===- VerbProcessTest.cpp - Tests of processes of a server -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Protocol/VerbProcess.h"
#include "jopt/Support/Diagnostics.h"
#include "gtest/gtest.h"
#include <csignal>
#include <vector>

using namespace jopt;
using namespace jopt::protocol;

namespace {
/// A shell that runs \p Script.
std::unique_ptr<VerbProcess> shell(std::string Script) {
  auto New = VerbProcess::start("/bin/sh", {"-c", std::move(Script)});
  EXPECT_TRUE(bool(New));
  return New ? std::move(*New) : nullptr;
}

int waitFor(VerbProcess &P) {
  while (!P.status())
    ;
  return *P.status();
}

std::vector<std::string> lines(VerbProcess &P, VerbProcess::Stream S) {
  std::vector<std::string> All;
  while (P.descriptor(S) >= 0)
    P.read(S, [&](llvm::StringRef Line) { All.push_back(Line.str()); });
  return All;
}

TEST(VerbProcess, LinesOfBothStreamsAndTheStatus) {
  auto P = shell("echo a; echo m >&2; printf 'b\\nrest'; exit 3");
  ASSERT_TRUE(P);
  EXPECT_EQ(lines(*P, VerbProcess::Output),
            (std::vector<std::string>{"a", "b", "rest"}));
  EXPECT_EQ(lines(*P, VerbProcess::Messages), (std::vector<std::string>{"m"}));
  EXPECT_TRUE(P->isSilent());
  EXPECT_EQ(waitFor(*P), 3);
}

TEST(VerbProcess, LongLinesAreCut) {
  auto P = shell("head -c 100000 /dev/zero | tr '\\0' x; echo; echo y");
  ASSERT_TRUE(P);
  const auto All = lines(*P, VerbProcess::Output);
  ASSERT_EQ(All.size(), 3u);
  EXPECT_EQ(All[0].size(), VerbProcess::MaxLine);
  EXPECT_EQ(All[0].size() + All[1].size(), 100000u);
  EXPECT_EQ(All[2], "y");
}

TEST(VerbProcess, StopsAtRequestAndIsKilled) {
  // exec: a shell that waits would leave its child behind.
  for (int Signal : {SIGTERM, SIGKILL}) {
    auto P = shell("echo up; exec sleep 1000");
    ASSERT_TRUE(P);
    P->read(VerbProcess::Output, [](llvm::StringRef) {});
    EXPECT_FALSE(P->status());
    if (Signal == SIGTERM)
      P->stop();
    else
      P->kill();
    EXPECT_EQ(waitFor(*P), 128 + Signal);
  }
}

TEST(VerbProcess, NoSuchProgram) {
  auto P = VerbProcess::start("/nonexistent", {"watch"});
  ASSERT_TRUE(bool(P));
  EXPECT_EQ(waitFor(**P), 127);
}
} // namespace
