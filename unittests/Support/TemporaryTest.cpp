//===- TemporaryTest.cpp - Files that do not outlive the process ----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/Temporary.h"
#include "jopt/Support/HelperThreads.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <atomic>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace jopt;
namespace fs = llvm::sys::fs;

namespace {
class Temporaries : public testing::Test {
protected:
  void SetUp() override {
    auto Made = makeTemporaryFolder("temporaries");
    ASSERT_TRUE(bool(Made));
    Folder = std::move(*Made);
  }
  std::string at(const std::string &Name) const {
    return Folder.path() + "/" + Name;
  }
  void write(const std::string &Name) const {
    const int FD = ::open(at(Name).c_str(), O_CREAT | O_WRONLY, 0600);
    ASSERT_GE(FD, 0);
    ::close(FD);
  }
  Temporary Folder;
};
} // namespace

TEST_F(Temporaries, GoWithTheirObjects) {
  {
    Temporary File(at("file"));
    write("file");
    Temporary Other(std::move(File));
    EXPECT_FALSE(bool(File));
    EXPECT_TRUE(fs::exists(at("file")));
  }
  EXPECT_FALSE(fs::exists(at("file")));
}

TEST_F(Temporaries, StayWhenKept) {
  {
    Temporary File(at("file"));
    write("file");
    File.keep();
  }
  EXPECT_TRUE(fs::exists(at("file")));
}

TEST_F(Temporaries, OnlyEmptyFoldersGoWhereThatIsAsked) {
  {
    Temporary Empty(at("empty"), Temporary::Extent::EmptyFolder);
    Temporary Full(at("full"), Temporary::Extent::EmptyFolder);
    ASSERT_FALSE(fs::create_directory(at("empty")));
    ASSERT_FALSE(fs::create_directory(at("full")));
    write("full/file");
  }
  EXPECT_FALSE(fs::exists(at("empty")));
  EXPECT_TRUE(fs::exists(at("full/file")));
}

TEST_F(Temporaries, TreesGoWithLinksAndSocketsButNotWhatLinksLeadTo) {
  write("kept");
  ASSERT_FALSE(fs::create_directories(at("tree/a/b")));
  for (int N = 0; N < 500; ++N)
    write("tree/a/b/file-of-some-length-" + std::to_string(N));
  ASSERT_EQ(0, ::symlink(at("kept").c_str(), at("tree/link").c_str()));
  ASSERT_EQ(0, ::symlink(Folder.path().c_str(), at("tree/a/up").c_str()));
  sockaddr_un Address = {};
  Address.sun_family = AF_UNIX;
  const std::string Path = at("tree/s");
  ASSERT_LT(Path.size(), sizeof(Address.sun_path));
  Path.copy(Address.sun_path, Path.size());
  const int Socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(0, ::bind(Socket, reinterpret_cast<sockaddr *>(&Address),
                      sizeof(Address)));
  removeTree(AT_FDCWD, at("tree").c_str());
  ::close(Socket);
  EXPECT_FALSE(fs::exists(at("tree")));
  EXPECT_TRUE(fs::exists(at("kept")));
}

TEST_F(Temporaries, AllGoWhereTheProcessEndsAtOnce) {
  const pid_t Child = ::fork();
  if (Child == 0) {
    Temporary Made(at("folder"), Temporary::Extent::EmptyFolder);
    Temporary File(at("folder/file"));
    (void)fs::create_directory(at("folder"));
    write("folder/file");
    removeTemporaries();
    ::_exit(fs::exists(at("folder")));
  }
  int Status = -1;
  ASSERT_EQ(Child, ::waitpid(Child, &Status, 0));
  EXPECT_EQ(0, Status);
  EXPECT_TRUE(fs::exists(Folder.path())) << "it belongs to this process";
}

TEST_F(Temporaries, NamelessFilesHoldWhatIsWritten) {
  auto FD = openNamelessFile();
  ASSERT_TRUE(bool(FD));
  ASSERT_EQ(2, ::pwrite(*FD, "ab", 2, 5));
  char Read[2] = {};
  EXPECT_EQ(2, ::pread(*FD, Read, 2, 5));
  EXPECT_EQ('b', Read[1]);
  ::close(*FD);
}

TEST(HelperThreads, DoTheWork) {
  std::atomic<int> Calls = 0;
  {
    HelperThreads Others([&] { ++Calls; });
    EXPECT_TRUE(Others.add());
    EXPECT_TRUE(Others.add());
    EXPECT_EQ(2u, Others.size());
  }
  EXPECT_EQ(2, Calls);
}
