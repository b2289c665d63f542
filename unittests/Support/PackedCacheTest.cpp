//===- PackedCacheTest.cpp - Small results, kept in one file --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/PackedCache.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

using namespace jopt;
namespace fs = llvm::sys::fs;

namespace {

PackedCache::Key key(unsigned N) {
  KeyHash H;
  H.add(uint64_t(N));
  return H.result();
}

/// The content for \p N; no two have the same length.
std::vector<uint8_t> content(unsigned N) {
  return std::vector<uint8_t>(size_t(N) * 10, uint8_t(N));
}

class PackedCacheTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("packed-cache", Folder));
    ASSERT_FALSE(fs::setPermissions(Folder, fs::owner_all));
  }
  void TearDown() override { fs::remove_directories(Folder); }

  std::unique_ptr<PackedCache> open(uint64_t Size = 0) {
    CacheLimits L;
    L.Size = Size;
    auto Cache = PackedCache::openPrivate(Folder, key(0), L);
    return Cache ? std::move(*Cache) : fail(Cache.takeError());
  }
  static std::unique_ptr<PackedCache> fail(llvm::Error E) {
    ADD_FAILURE() << llvm::toString(std::move(E));
    return nullptr;
  }
  static void put(PackedCache &C, unsigned N) { C.put(key(N), content(N)); }
  static bool has(PackedCache &C, unsigned N) {
    auto Found = C.find(key(N));
    return Found && Bytes(*Found) == Bytes(content(N));
  }
  /// The one file.
  std::string path() {
    std::error_code EC;
    for (fs::directory_iterator At(Folder, EC), End; At != End && !EC;
         At.increment(EC))
      if (!llvm::StringRef(At->path()).ends_with(".timestamp"))
        return At->path();
    return "";
  }
  uint64_t size() {
    uint64_t Size = 0;
    EXPECT_FALSE(fs::file_size(path(), Size));
    return Size;
  }
  void write(uint64_t Offset, llvm::StringRef Text) {
    const int FD = ::open(path().c_str(), O_WRONLY);
    EXPECT_EQ(::pwrite(FD, Text.data(), Text.size(), off_t(Offset)),
              ssize_t(Text.size()));
    ::close(FD);
  }
  void cutOff(uint64_t Size) {
    ASSERT_EQ(::truncate(path().c_str(), off_t(Size)), 0);
  }

  llvm::SmallString<128> Folder;
};

} // namespace

TEST_F(PackedCacheTest, KeepsWhatIsPut) {
  auto First = open();
  EXPECT_FALSE(has(*First, 1));
  for (unsigned N = 1; N < 100; ++N)
    put(*First, N);
  auto Second = open();
  for (unsigned N = 1; N < 100; ++N) {
    EXPECT_TRUE(has(*First, N));
    EXPECT_TRUE(has(*Second, N));
  }
  EXPECT_FALSE(has(*Second, 100));
}

TEST_F(PackedCacheTest, AnotherNameIsAnotherFile) {
  put(*open(), 1);
  auto Other = PackedCache::openPrivate(Folder, key(1), {});
  ASSERT_TRUE(bool(Other));
  EXPECT_FALSE(has(**Other, 1));
}

TEST_F(PackedCacheTest, DamagedContentIsMissingAndComesAgain) {
  auto First = open();
  put(*First, 1);
  put(*First, 2);
  write(60, "x");
  auto Second = open();
  for (PackedCache *C : {First.get(), Second.get()}) {
    EXPECT_FALSE(has(*C, 1));
    EXPECT_TRUE(has(*C, 2));
  }
  put(*Second, 1);
  EXPECT_TRUE(has(*Second, 1));
  EXPECT_TRUE(has(*open(), 1));
}

TEST_F(PackedCacheTest, WhatIsBehindADamagedHeaderIsMissing) {
  put(*open(), 1);
  const uint64_t Begin = size();
  put(*open(), 2);
  put(*open(), 3);
  write(Begin + 20, "x");
  auto Cache = open();
  EXPECT_TRUE(has(*Cache, 1));
  EXPECT_FALSE(has(*Cache, 2));
  EXPECT_FALSE(has(*Cache, 3));
  put(*Cache, 2);
  EXPECT_TRUE(has(*open(), 2));
}

TEST_F(PackedCacheTest, TornRecordGoes) {
  for (uint64_t Left : {1, 30, 56, 57}) {
    auto Cache = open();
    put(*Cache, 1);
    const uint64_t Begin = size();
    put(*Cache, 2);
    cutOff(Begin + Left);
    auto Next = open();
    EXPECT_TRUE(has(*Next, 1));
    EXPECT_FALSE(has(*Next, 2));
    put(*Next, 3);
    auto Last = open();
    EXPECT_TRUE(has(*Last, 1));
    EXPECT_TRUE(has(*Last, 3));
    cutOff(0);
  }
}

TEST_F(PackedCacheTest, FileOfSomethingElseGoes) {
  open();
  write(0, std::string(1000, 'x'));
  auto Cache = open();
  EXPECT_FALSE(has(*Cache, 1));
  put(*Cache, 1);
  EXPECT_TRUE(has(*open(), 1));
}

TEST_F(PackedCacheTest, FileThatIsCutOffWhileItIsOpen) {
  auto Cache = open();
  for (unsigned N = 1; N < 10; ++N)
    put(*Cache, N);
  cutOff(100);
  EXPECT_TRUE(has(*Cache, 1));
  EXPECT_FALSE(has(*Cache, 9));
  put(*Cache, 9);
  EXPECT_TRUE(has(*Cache, 9));
  EXPECT_TRUE(has(*open(), 9));
}

TEST_F(PackedCacheTest, TwoThatAddTheSame) {
  auto First = open(), Second = open();
  put(*First, 1);
  put(*Second, 2);
  const uint64_t Size = size();
  put(*First, 2);
  put(*Second, 1);
  EXPECT_EQ(size(), Size);
  auto Third = open();
  for (PackedCache *C : {First.get(), Second.get(), Third.get()})
    EXPECT_TRUE(has(*C, 1) && has(*C, 2));
}

TEST_F(PackedCacheTest, NobodyWaits) {
  auto Cache = open();
  const int FD = ::open(path().c_str(), O_RDONLY);
  ASSERT_EQ(::flock(FD, LOCK_EX), 0);
  put(*Cache, 1);
  EXPECT_FALSE(has(*Cache, 1));
  ::close(FD);
  put(*Cache, 1);
  EXPECT_TRUE(has(*Cache, 1));
}

TEST_F(PackedCacheTest, BeginsAnewWhenItIsFull) {
  auto Cache = open(/*Size=*/4000);
  for (unsigned N = 1; N < 100; ++N) {
    put(*Cache, N);
    EXPECT_LE(size(), 2000u);
  }
  EXPECT_TRUE(has(*Cache, 99));
  EXPECT_FALSE(has(*Cache, 1));
  put(*Cache, 1000); // larger than all may be
  EXPECT_FALSE(has(*Cache, 1000));
}

TEST_F(PackedCacheTest, FolderThatOthersMayRead) {
  ASSERT_FALSE(fs::setPermissions(Folder, fs::owner_all | fs::group_read));
  auto Cache = PackedCache::openPrivate(Folder, key(0), {});
  ASSERT_FALSE(bool(Cache));
  EXPECT_NE(llvm::toString(Cache.takeError()).find("others may read"),
            std::string::npos);
}

TEST_F(PackedCacheTest, ManyThreads) {
  auto First = open(), Second = open();
  std::vector<std::thread> Threads;
  for (unsigned T = 0; T < 4; ++T)
    Threads.emplace_back([&, T] {
      PackedCache &C = T % 2 ? *First : *Second;
      for (unsigned N = 1; N < 200; ++N) {
        put(C, N);
        auto Found = C.find(key(N));
        EXPECT_TRUE(!Found || Bytes(*Found) == Bytes(content(N)));
      }
    });
  for (std::thread &T : Threads)
    T.join();
  // What met another's lock is not there.
  for (unsigned N = 1; N < 200; ++N)
    put(*First, N);
  auto Last = open();
  for (unsigned N = 1; N < 200; ++N)
    EXPECT_TRUE(has(*Last, N));
}
