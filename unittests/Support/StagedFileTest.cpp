//===- StagedFileTest.cpp - Outputs that appear when complete -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/StagedFile.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <sys/wait.h>
#include <unistd.h>

using namespace jopt;
namespace fs = llvm::sys::fs;

namespace {
class StagedFiles : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("staged-files", Folder));
  }
  void TearDown() override { fs::remove_directories(Folder); }

  std::string at(llvm::StringRef Name) const {
    return (Folder + "/" + Name).str();
  }
  size_t count() const {
    std::error_code EC;
    size_t Found = 0;
    for (fs::directory_iterator It(Folder, EC), End; !EC && It != End;
         It.increment(EC))
      ++Found;
    return Found;
  }
  llvm::SmallString<128> Folder;
};
} // namespace

TEST_F(StagedFiles, NextOneRemovesWhatKilledRunsLeft) {
  const pid_t Child = ::fork();
  if (Child == 0) {
    auto File = StagedFile::create(at("a.csv"));
    ::_exit(File ? 0 : 1); // as by SIGKILL: no destructor
  }
  int Status = -1;
  ASSERT_EQ(Child, ::waitpid(Child, &Status, 0));
  ASSERT_EQ(0, Status);
  ASSERT_EQ(1u, count());
  auto File = StagedFile::create(at("b.csv"));
  ASSERT_TRUE(bool(File));
  EXPECT_EQ(1u, count());
  File->os() << "text";
  EXPECT_FALSE(llvm::errorToBool(File->keep()));
  EXPECT_EQ(1u, count());
  EXPECT_TRUE(fs::exists(at("b.csv")));
}
