//===- CorpusTest.cpp - Every jar of this machine, and back ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// JOPT_TEST_JARS names other files, separated by ':', to measure with.
//
//===----------------------------------------------------------------------===//

#include "TestArchives.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <sys/resource.h>

using namespace jopt;
using llvm::ArrayRef;
using llvm::formatv;
using llvm::MemoryBuffer;
using llvm::SmallVector;
using llvm::StringMap;
using llvm::StringRef;

namespace fs = llvm::sys::fs;

namespace {

std::vector<std::string> corpus() {
  std::vector<std::string> Jars;
  if (const char *Names = std::getenv("JOPT_TEST_JARS")) {
    for (StringRef Name : llvm::split(Names, ':'))
      Jars.push_back(Name.str());
    return Jars;
  }
  std::error_code EC;
  for (fs::directory_iterator I("/usr/share/java", EC), E; !EC && I != E;
       I.increment(EC))
    if (StringRef(I->path()).ends_with(".jar") &&
        fs::is_regular_file(I->path()))
      Jars.push_back(I->path());
  llvm::sort(Jars);
  return Jars;
}

class CorpusTest : public ArchiveFixture {
protected:
  /// Runs and prints what it took.
  void timed(StringRef What, StringRef From, StringRef To, TestClient &C) {
    auto Start = std::chrono::steady_clock::now();
    ASSERT_EQ(run({std::string(From)}, OutputSpec::to(To), C), "")
        << From.str();
    std::chrono::duration<double> Seconds =
        std::chrono::steady_clock::now() - Start;
    Took[What] += Seconds.count();
  }
  StringMap<double> Took;
};

} // namespace

TEST_F(CorpusTest, IdentityAndRoundTrip) {
  std::vector<std::string> Jars = corpus();
  if (Jars.empty())
    GTEST_SKIP() << "no jars";
  uint64_t Size = 0, Classes = 0;
  for (const std::string &Jar : Jars) {
    auto Original = MemoryBuffer::getFile(Jar, false, false);
    ASSERT_TRUE(bool(Original)) << Jar;
    Size += (*Original)->getBufferSize();

    TestClient Nothing;
    Nothing.OnPlan = [](const EntryInfo &) { return EntryPlan::Copy; };
    timed("copy", Jar, path("same.jar"), Nothing);
    auto Same = MemoryBuffer::getFile(path("same.jar"), false, false);
    ASSERT_TRUE((*Same)->getBuffer() == (*Original)->getBuffer()) << Jar;
    Same->reset();

    std::atomic<uint64_t> Count{0};
    TestClient Read;
    Read.OnEntry = [&](const EntryInfo &, Bytes) {
      ++Count;
      return EntryResult::unchanged();
    };
    timed("read every class", Jar, path("same.jar"), Read);
    Same = MemoryBuffer::getFile(path("same.jar"), false, false);
    ASSERT_TRUE((*Same)->getBuffer() == (*Original)->getBuffer()) << Jar;
    Same->reset();
    Original->reset();
    Classes += Count;

    // Every class changed, and back. Content, and all that is not about its
    // packed form, is as it was.
    TestClient Plus, Minus;
    Plus.OnEntry = addPlus;
    Minus.OnEntry = [](const EntryInfo &, Bytes B) {
      return replacedBy(jopt::toStringRef(B).drop_back());
    };
    timed("change every class", Jar, path("plus.jar"), Plus);
    timed("and back", path("plus.jar"), path("back.jar"), Minus);
    auto A = ByteRange::openFile(Jar, Jar),
         B = ByteRange::openFile(path("back.jar"), "back");
    ASSERT_TRUE(A && B);
    auto OldZip = ZipArchive::open(*A, Jar, {}),
         NewZip = ZipArchive::open(*B, "back", {});
    ASSERT_TRUE(OldZip && NewZip) << Jar;
    ArrayRef<ZipEntry> Old = (*OldZip)->entries(), New = (*NewZip)->entries();
    ASSERT_EQ(Old.size(), New.size());
    for (size_t I = 0; I < Old.size(); ++I) {
      ASSERT_EQ(Old[I].Name, New[I].Name);
      ASSERT_EQ(Old[I].Method, New[I].Method);
      ASSERT_EQ(Old[I].Flags, New[I].Flags);
      ASSERT_EQ(Old[I].Record, New[I].Record);
      ASSERT_EQ((*OldZip)->directory().slice(Old[I].Record + 4, 12),
                (*NewZip)->directory().slice(New[I].Record + 4, 12));
      if (Old[I].Name.ends_with(".class")) {
        ASSERT_EQ(Old[I].CRC, New[I].CRC) << (*OldZip)->display(Old[I]);
        ASSERT_EQ(Old[I].Size, New[I].Size);
      }
      SmallVector<uint8_t, 0> Data;
      ASSERT_EQ(llvm::toString((*NewZip)->read(New[I], 1u << 30, Data)), "");
    }
  }
  struct rusage Usage;
  getrusage(RUSAGE_SELF, &Usage);
  llvm::outs() << Jars.size() << " jars, " << Size << " bytes, " << Classes
               << " classes, at most " << Usage.ru_maxrss / 1024
               << " MB in memory\n";
  for (StringRef What :
       {"copy", "read every class", "change every class", "and back"})
    llvm::outs() << formatv("{0,-20} {1:f1} MB/s of archive\n", What,
                            double(Size) / 1e6 / std::max(Took[What], 1e-9));
  llvm::outs().flush();
}
