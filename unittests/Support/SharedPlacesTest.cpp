//===- SharedPlacesTest.cpp - Files where others may have put theirs ------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/SharedPlaces.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Files.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

using namespace jopt;
namespace fs = llvm::sys::fs;

namespace {

constexpr uid_t Stranger = 54321;

class SharedPlaces : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("shared-places", Folder));
    ASSERT_FALSE(fs::setPermissions(Folder, fs::owner_all));
  }
  void TearDown() override { fs::remove_directories(Folder); }

  std::string at(llvm::StringRef Name) const {
    return (Folder + "/" + Name).str();
  }
  std::string make(llvm::StringRef Name, llvm::StringRef Content,
                   mode_t Mode = 0600) const {
    EXPECT_EQ(message(writeFile(at(Name), Content)), "");
    EXPECT_EQ(::chmod(at(Name).c_str(), Mode), 0);
    return at(Name);
  }
  std::string link(llvm::StringRef Name, const std::string &To) const {
    EXPECT_EQ(::symlink(To.c_str(), at(Name).c_str()), 0);
    return at(Name);
  }
  std::string pipe(llvm::StringRef Name) const {
    EXPECT_EQ(::mkfifo(at(Name).c_str(), 0600), 0);
    return at(Name);
  }
  /// Whether there is another user to give a file to.
  bool giveAway(const std::string &Path) const {
    return ::geteuid() == 0 && ::lchown(Path.c_str(), Stranger, Stranger) == 0;
  }
  static std::string message(llvm::Error E) {
    return E ? toMessage(std::move(E)) : "";
  }
  /// The error of \p R without the name of the file; empty if there is none.
  template <typename T> static std::string why(llvm::Expected<T> R) {
    if (R)
      return "";
    return llvm::StringRef(toMessage(R.takeError())).rsplit(": ").second.str();
  }
  static std::string read(const std::string &Path, size_t Limit = 100,
                          Links OfFile = Links::Follow) {
    return why(readRegular(Path, {Limit, OfFile, std::nullopt}));
  }

  llvm::SmallString<128> Folder;
};

TEST_F(SharedPlaces, ReadsRegularFiles) {
  auto Text = readRegular(make("f", "text"), {4});
  ASSERT_TRUE(bool(Text));
  EXPECT_EQ(*Text, "text");
  auto Own = readRegular("/proc/self/status", {1 << 20});
  ASSERT_TRUE(bool(Own));
  EXPECT_TRUE(llvm::StringRef(*Own).contains("Pid:"));
}

TEST_F(SharedPlaces, ReadsNothingElse) {
  EXPECT_EQ(read(pipe("p")), "is no regular file");
  EXPECT_EQ(read("/dev/zero"), "is no regular file");
  EXPECT_EQ(read(Folder.str().str()), "is a folder");
  EXPECT_EQ(read(link("l", make("f", "text"))), "");
  EXPECT_EQ(read(at("l"), 100, Links::Refuse), "is a link");
  EXPECT_EQ(read(at("f"), 3), "has more than 3 bytes");
  EXPECT_EQ(read("/proc/self/status", 3), "has more than 3 bytes");
  EXPECT_EQ(why(readRegular(at("f"), {100, Links::Follow, Stranger})),
            "belongs to user " + std::to_string(::geteuid()) +
                ", not to user " + std::to_string(Stranger));
}

TEST_F(SharedPlaces, AppendsToOnesOwn) {
  for (llvm::StringRef Part : {"a", "b"}) {
    auto File = openOwn(at("f"));
    ASSERT_TRUE(bool(File));
    EXPECT_EQ(::write(File->get(), Part.data(), 1), 1);
  }
  struct stat S = {};
  ASSERT_EQ(::stat(at("f").c_str(), &S), 0);
  EXPECT_EQ(S.st_mode & 0777, 0600u);
  EXPECT_EQ(S.st_size, 2);
  EXPECT_EQ(why(openOwn(link("l", "f"))), "");
  EXPECT_EQ(why(openOwn("/dev/null")), "");
}

TEST_F(SharedPlaces, AppendsToNothingOfOthers) {
  EXPECT_EQ(why(openOwn(make("open", "", 0666))),
            "can be written by everybody; remove it, or name another file");
  make("twice", "");
  ASSERT_EQ(::link(at("twice").c_str(), at("again").c_str()), 0);
  EXPECT_EQ(why(openOwn(at("twice"))),
            "has another name (a hard link); remove it, or name another file");
  EXPECT_EQ(why(openOwn(Folder)), "Is a directory");
  EXPECT_EQ(why(openOwn(pipe("p"))), "is a pipe that nobody reads");
  EXPECT_NE(why(openOwn(link("circle", "circle"))), "");
  if (!giveAway(make("theirs", "")))
    GTEST_SKIP() << "files of another user need root";
  EXPECT_EQ(why(openOwn(at("theirs"))),
            "belongs to user 54321, not to user 0; remove it, or name another "
            "file");
  EXPECT_TRUE(giveAway(link("trap", make("mine", ""))));
  EXPECT_EQ(why(openOwn(at("trap"))),
            "is a link that belongs to user 54321, not to user 0");
}

TEST_F(SharedPlaces, CreatesAFileOnlyOnce) {
  EXPECT_EQ(why(createOwn(at("f"))), "");
  EXPECT_EQ(why(createOwn(at("f"))), "File exists");
  EXPECT_EQ(why(createOwn(link("l", at("nowhere")))), "File exists");
}

TEST_F(SharedPlaces, ReplacesOnesOwn) {
  EXPECT_EQ(message(replaceOwn(at("f"), "a longer text")), "");
  EXPECT_EQ(message(replaceOwn(link("l", "f"), "short")), "");
  auto Text = readRegular(at("f"), {100});
  ASSERT_TRUE(bool(Text));
  EXPECT_EQ(*Text, "short");
  EXPECT_TRUE(fs::is_symlink_file(at("l")));
  EXPECT_EQ(message(replaceOwn("/dev/null", "text")), "");
  EXPECT_NE(message(replaceOwn(make("open", "", 0666), "text")), "");
}

TEST_F(SharedPlaces, OpensRegularFiles) {
  EXPECT_EQ(why(openRegular(make("f", "text"))), "");
  EXPECT_EQ(why(openRegular(pipe("p"))), "is no regular file");
  EXPECT_EQ(why(openRegular(link("l", "f"), Links::Refuse)), "is a link");
}

TEST_F(SharedPlaces, FindsWhatIsNamedOverOwnLinks) {
  ASSERT_FALSE(fs::create_directory(at("in")));
  make("in/f", "text");
  link("way", "in/../in");
  auto Found = findNamed(at("way/./f"));
  ASSERT_TRUE(bool(Found));
  auto Text = readRegular(*Found, "f", {100});
  ASSERT_TRUE(bool(Text));
  EXPECT_EQ(*Text, "text");
  EXPECT_EQ(why(findNamed(at("nowhere"))), "No such file or directory");
  EXPECT_EQ(why(findNamed(link("circle", "circle"))),
            "Too many levels of symbolic links");
  ASSERT_EQ(::link(at("in/f").c_str(), at("in/again").c_str()), 0);
  EXPECT_EQ(why(findNamed(at("in/f"))), "");
  if (!giveAway(at("way")) || !giveAway(at("in")))
    GTEST_SKIP() << "links of another user need root";
  EXPECT_EQ(why(findNamed(at("way/f"))),
            "'way' is a link that belongs to user 54321, not to user 0");
  EXPECT_EQ(why(findNamed(at("in/f"))),
            "has another name (a hard link), in a folder of another user");
}

TEST_F(SharedPlaces, Folders) {
  EXPECT_EQ(message(makeOwnFolder(at("new"), FolderRule::Private)), "");
  ASSERT_EQ(::chmod(at("new").c_str(), 0755), 0);
  EXPECT_NE(message(makeOwnFolder(at("new"), FolderRule::Private)), "");
  EXPECT_EQ(message(makeOwnFolder(at("new"), FolderRule::OwnWrites)), "");
  ASSERT_EQ(::chmod(at("new").c_str(), 0777), 0);
  EXPECT_NE(message(makeOwnFolder(at("new"), FolderRule::OwnWrites)), "");
  EXPECT_NE(message(checkOutputFolder(at("new"))), "");
  ASSERT_EQ(::chmod(at("new").c_str(), 01777), 0);
  EXPECT_EQ(message(checkOutputFolder(at("new"))), "");
  EXPECT_NE(message(checkOutputFolder(make("f", ""))), "");
  if (!giveAway(at("new")))
    GTEST_SKIP() << "folders of another user need root";
  EXPECT_NE(message(checkOutputFolder(at("new"))), "");
  EXPECT_NE(message(makeOwnFolder(at("new"), FolderRule::OwnWrites)), "");
}

TEST_F(SharedPlaces, WhatCanBeReplaced) {
  auto Of = [](const std::string &Path) -> std::string {
    auto File = replaceableFile(Path);
    if (!File)
      return toMessage(File.takeError());
    return *File ? **File : "through";
  };
  EXPECT_EQ(Of(at("new")), at("new"));
  EXPECT_EQ(Of(link("l", make("f", ""))), at("f"));
  EXPECT_EQ(Of(link("relative", "l")), at("f"));
  EXPECT_EQ(Of(link("dangling", "new")), at("new"));
  EXPECT_EQ(Of(pipe("p")), "through");
  EXPECT_EQ(Of("/dev/null"), "through");
  EXPECT_EQ(Of("/dev/stdout"), "through");
  EXPECT_EQ(Of(link("out", "/proc/self/fd/1")), "through");
  EXPECT_EQ(Of(Folder.str().str()),
            Folder.str().str() + ": cannot write: is a folder");
}

TEST_F(SharedPlaces, NoLinkOfOthersIsReplaced) {
  const std::string Link = link("l", make("f", ""));
  if (!giveAway(Link))
    GTEST_SKIP() << "links of another user need root";
  EXPECT_EQ(why(replaceableFile(Link)), "");
  ASSERT_EQ(::chmod(Folder.c_str(), 01777), 0);
  EXPECT_EQ(why(replaceableFile(Link)),
            "is a link that belongs to user 54321, not to user 0");
  EXPECT_NE(why(openThrough(Link)), "");
}

TEST_F(SharedPlaces, WritesThrough) {
  const int FD = ::open(make("f", "").c_str(), O_WRONLY | O_APPEND);
  ASSERT_GE(FD, 0);
  const std::string Name = "/dev/fd/" + std::to_string(FD);
  for (int N = 0; N < 2; ++N) {
    auto Same = openThrough(Name);
    ASSERT_TRUE(bool(Same));
    EXPECT_EQ(::write(Same->get(), "x", 1), 1);
  }
  // That of another process: of a child that has it open.
  int Ends[2];
  ASSERT_EQ(::pipe(Ends), 0);
  const pid_t Child = ::fork();
  if (Child == 0) {
    ::close(Ends[1]);
    char C;
    (void)!::read(Ends[0], &C, 1);
    ::_exit(0);
  }
  const std::string Theirs =
      "/proc/" + std::to_string(Child) + "/fd/" + std::to_string(FD);
  for (auto Open : {openThrough, openOwn}) {
    auto File = Open(link("l", Theirs));
    EXPECT_EQ(::unlink(at("l").c_str()), 0);
    ASSERT_TRUE(bool(File));
    EXPECT_EQ(::write(File->get(), "y", 1), 1);
  }
  ::close(Ends[1]);
  ::waitpid(Child, nullptr, 0);
  ::close(FD);
  auto Text = readRegular(at("f"), {10});
  ASSERT_TRUE(bool(Text));
  EXPECT_EQ(*Text, "xxyy");
}

TEST(StaysBelow, Names) {
  for (llvm::StringRef Good : {"A.java", "a/b/A.java", "..a", "a.."})
    EXPECT_TRUE(staysBelow(Good)) << Good.str();
  for (llvm::StringRef Bad :
       {"", "/etc/passwd", "..", "../a", "a/../b", "a//b", "a/.", "a/"})
    EXPECT_FALSE(staysBelow(Bad)) << Bad.str();
  EXPECT_FALSE(staysBelow(llvm::StringRef("a\0b", 3)));
}

} // namespace
