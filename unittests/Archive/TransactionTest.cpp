//===- TransactionTest.cpp - Temporary files of runs ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Archive/Transaction.h"
#include "TestArchives.h"
#include "llvm/ADT/STLExtras.h"
#include <sys/wait.h>
#include <unistd.h>

using namespace jopt;
using llvm::StringRef;

namespace fs = llvm::sys::fs;

namespace {
class TransactionTest : public ArchiveFixture {
protected:
  /// The names in \p Folder, in order.
  static std::vector<std::string> names(const std::string &Folder) {
    std::vector<std::string> Names;
    std::error_code EC;
    for (fs::directory_iterator It(Folder, EC), End; !EC && It != End;
         It.increment(EC))
      Names.push_back(llvm::sys::path::filename(It->path()).str());
    llvm::sort(Names);
    return Names;
  }
  static void stage(Transaction &T, const std::string &Path, StringRef Text) {
    EXPECT_FALSE(errorToBool(T.stage(Path, rope(Text), 0)));
  }
  static Rope rope(StringRef Text) {
    Rope R;
    R.append(toBytes(Text));
    return R;
  }
  /// Has a process stage something and end as by SIGKILL.
  static void stageAndDie(const std::string &Path, const std::string &Folder) {
    const pid_t Child = ::fork();
    if (Child == 0) {
      Transaction T;
      if (!Folder.empty())
        T.addFolder(Folder);
      stage(T, Path, "left");
      ::_exit(0);
    }
    int Status = 0;
    ASSERT_EQ(Child, ::waitpid(Child, &Status, 0));
  }
};
} // namespace

TEST_F(TransactionTest, RemovesWhatKilledRunsLeft) {
  const std::string Folder = path("in");
  ASSERT_FALSE(fs::create_directory(Folder));
  stageAndDie(Folder + "/A.class", "");
  ASSERT_EQ(1u, names(Folder).size());
  stageAndDie(Folder + "/B.class", "");
  ASSERT_EQ(1u, names(Folder).size());
  // Another file is in the way of nobody.
  write("in/C.class.jopt-of-others.tmp", "");
  Transaction Running;
  stage(Running, Folder + "/A.class", "new");
  ASSERT_EQ(2u, names(Folder).size());
  // Files of a process that still runs stay.
  Transaction T;
  stage(T, Folder + "/B.class", "new");
  EXPECT_EQ(3u, names(Folder).size());
  EXPECT_FALSE(errorToBool(Running.commit()));
  EXPECT_FALSE(errorToBool(T.commit()));
  EXPECT_EQ((std::vector<std::string>{"A.class", "B.class",
                                      "C.class.jopt-of-others.tmp"}),
            names(Folder));
}

TEST_F(TransactionTest, RemovesFoldersThatKilledRunsLeft) {
  const std::string Folder = path("in"), Out = Folder + "/out";
  ASSERT_FALSE(fs::create_directory(Folder));
  stageAndDie(Out + "/p/A.class", Out);
  ASSERT_EQ(1u, names(Folder).size());
  Transaction T;
  T.addFolder(Out);
  stage(T, Out + "/A.class", "new");
  EXPECT_FALSE(errorToBool(T.commit()));
  EXPECT_EQ(std::vector<std::string>{"out"}, names(Folder));
  EXPECT_EQ(std::vector<std::string>{"A.class"}, names(Out));
}

TEST_F(TransactionTest, FollowsNoLinkToWrite) {
  const std::string Folder = path("in"), Victim = path("victim");
  ASSERT_FALSE(fs::create_directory(Folder));
  write("victim", "mine");
  Transaction T;
  stage(T, Folder + "/A.class", "first");
  const std::vector<std::string> Staged = names(Folder);
  ASSERT_EQ(1u, Staged.size());
  const std::string Temporary = Folder + "/" + Staged[0];
  ASSERT_EQ(0, ::unlink(Temporary.c_str()));
  ASSERT_EQ(0, ::symlink(Victim.c_str(), Temporary.c_str()));
  stage(T, Folder + "/A.class", "second");
  EXPECT_FALSE(errorToBool(T.commit()));
  EXPECT_EQ("mine", read("victim"));
  EXPECT_EQ("second", read("in/A.class"));
}

TEST_F(TransactionTest, TakesTheLongestName) {
  const std::string Name = std::string(249, 'N') + ".class";
  Transaction T;
  stage(T, path(Name), "new");
  EXPECT_FALSE(errorToBool(T.commit()));
  EXPECT_EQ("new", read(Name));
}
