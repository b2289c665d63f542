//===- ThreadsTest.cpp - What several threads do at once ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads of a JVM weave, log and dump at once. Built with the preset `tsan`,
// these tests say whether they may.
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Attach/Session.h"
#include "jopt/Agent/Hook/Dump.h"
#include "jopt/Agent/Lifetime/Stack.h"
#include "jopt/Agent/Telemetry/Log.h"
#include "jopt/IR/Text/Parser.h"
#include "jopt/Support/PooledObject.h"
#include "jopt/Writer/ClassWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <set>
#include <thread>

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

static constexpr unsigned Threads = 8, Classes = 24;

using ClassData = llvm::SmallVector<uint8_t, 0>;

/// A folder that goes with its content.
class ThreadsTest : public ::testing::Test {
protected:
  ThreadsTest() {
    llvm::SmallString<128> Path;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("jopt-threads", Path));
    Folder = Path.str().str();
  }
  ~ThreadsTest() override { llvm::sys::fs::remove_directories(Folder); }

  std::string write(StringRef Name, StringRef Text) const {
    std::string Path = Folder + "/" + Name.str();
    std::error_code EC;
    llvm::raw_fd_ostream(Path, EC) << Text;
    EXPECT_FALSE(EC) << EC.message();
    return Path;
  }

  std::string Folder;
};

/// Class number \p N: some methods, with branches, calls and a handler.
static ClassData makeClass(unsigned N) {
  std::string Text = "class public super A" + std::to_string(N) +
                     " extends java/lang/Object version 61.0 {\n";
  for (unsigned M = 0; M < 6; ++M)
    Text += "  method static m" + std::to_string(M) + ":(I)I {\n" + R"(
    code slots 1 {
    b0:
      %1:int = local.get 0
      ifeq (%1) b1, b2
    b2:
      %2:int = local.get 0
      %3:int = invokestatic java/lang/Math.abs:(I)I (%2)
      return (%3)
    b1 frame [int]:
      %4:int = local.get 0
      return (%4)
    }
  }
)";
  Text += "}\n";
  auto Parsed = parseIR(Text, "t.jir");
  EXPECT_TRUE(bool(Parsed)) << llvm::toString(Parsed.takeError());
  if (!Parsed)
    return {};
  for (Method &M : Parsed->front()->Methods)
    EXPECT_FALSE(bool(lowerMethod(*Parsed->front(), M)));
  auto Out = writeClass(*Parsed->front());
  EXPECT_TRUE(bool(Out)) << llvm::toString(Out.takeError());
  return Out ? std::move(*Out) : ClassData();
}

/// Runs \p Work, which gets its number, on several threads, each of which
/// starts when all are there.
static void runOnThreads(llvm::function_ref<void(unsigned)> Work) {
  std::atomic<unsigned> Here{0};
  std::vector<std::thread> All;
  for (unsigned T = 0; T < Threads; ++T)
    All.emplace_back([&, T] {
      ++Here;
      while (Here < Threads)
        std::this_thread::yield();
      Work(T);
    });
  for (std::thread &T : All)
    T.join();
}

namespace {
/// Knows how many have it.
struct Lent {
  static std::atomic<unsigned> Made;
  Lent() { ++Made; }
  std::atomic<unsigned> Holders{0};
  unsigned Uses = 0; ///< plain, so that ThreadSanitizer looks at it
};
} // namespace
std::atomic<unsigned> Lent::Made{0};

TEST(Threads, PooledObjectBelongsToOne) {
  // Also makes what all share, by a way that helgrind does not understand.
  PooledObject<Lent> Kept;
  std::atomic<unsigned> Shared{0};
  runOnThreads([&](unsigned) {
    for (unsigned I = 0; I < 1000; ++I) {
      PooledObject<Lent> First, Second;
      for (Lent *L : {&*First, &*Second}) {
        Shared += L->Holders++ != 0;
        ++L->Uses;
      }
      std::this_thread::yield();
      --First->Holders;
      --Second->Holders;
    }
  });
  EXPECT_EQ(Shared, 0u);
  EXPECT_EQ(Kept->Uses, 0u);
  // As many as are in use at a time, and no more.
  EXPECT_LE(Lent::Made, 1 + 2 * Threads);
}

TEST_F(ThreadsTest, WeaveLogAndDump) {
  AgentOptions Options;
  Options.Weave.CacheFolder = "off";
  Options.Weave.Probes = {write("p.xml", R"(<probekit>
  <probe>
    <target type="include" className="A*" method="m*"/>
    <target type="exclude"/>
    <fragment type="entry"><data type="args" name="a"/><code>;</code></fragment>
    <fragment type="exit"><data type="returnedObject" name="r"/>
      <code>;</code></fragment>
  </probe>
  <probe>
    <target type="include" className="Math" method="*"/>
    <target type="exclude"/>
    <fragment type="beforeCall"><data type="args" name="a"/>
      <code>;</code></fragment>
  </probe>
</probekit>
)")};
  DiagnosticEngine Diags([](const Diagnostic &) {});
  auto S = Session::create(Options, {}, Diags);
  ASSERT_TRUE(bool(S)) << llvm::toString(S.takeError());

  std::vector<ClassData> Inputs, Expected;
  for (unsigned N = 0; N < Classes; ++N) {
    Inputs.push_back(makeClass(N));
    auto Woven = (*S)->weave(Inputs.back(), {/*Loaded=*/true});
    ASSERT_TRUE(bool(Woven)) << llvm::toString(Woven.takeError());
    EXPECT_TRUE(Woven->Changed);
    for (const ReportRow &R : Woven->Rows.all())
      EXPECT_FALSE(isProblem(R.What));
    Expected.push_back(Woven->Data);
  }

  Log TheLog;
  Dump TheDump;
  ASSERT_FALSE(bool(TheLog.open(Folder + "/log")));
  ASSERT_FALSE(bool(TheDump.open(Folder + "/dump")));
  TheLog.setLevel(LogLevel::Info);
  std::atomic<unsigned> Same{0};
  runOnThreads([&](unsigned T) {
    for (unsigned I = 0; I < Classes; ++I) {
      // Each thread in an order of its own.
      unsigned N = (I * (2 * T + 1) + T) % Classes;
      // The last reference may be dropped on any thread.
      std::shared_ptr<const Session> Mine = *S;
      std::optional<llvm::Expected<ClassOutcome>> Woven;
      runWithStack(
          [&] { Woven.emplace(Mine->weave(Inputs[N], {/*Loaded=*/true})); });
      if (!*Woven) {
        llvm::consumeError(Woven->takeError());
        continue;
      }
      Same += (*Woven)->Data == Expected[N];
      std::string Name = "A" + std::to_string(N);
      TheLog.once(LogLevel::Info, Name + " once");
      TheLog.info(Name + " each time");
      if (TheDump.write(Name, Inputs[N], (*Woven)->Data, "-x"))
        Same = 0;
      if (I == Classes / 2)
        cantFail(TheLog.open(Folder + "/log"));
    }
  });
  EXPECT_EQ(Same, Threads * Classes);

  auto Text = llvm::MemoryBuffer::getFile(Folder + "/log");
  ASSERT_TRUE(bool(Text));
  llvm::SmallVector<StringRef> Lines;
  (*Text)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  EXPECT_EQ(Lines.size(), size_t(Threads * Classes + Classes));
  std::set<StringRef> Messages; // behind time and thread
  for (StringRef Line : Lines)
    Messages.insert(Line.split("] ").second);
  EXPECT_EQ(Messages.size(), size_t(2 * Classes));
  EXPECT_TRUE(llvm::sys::fs::exists(Folder + "/dump/1/after/A23.class"));
  EXPECT_FALSE(llvm::sys::fs::exists(Folder + "/dump/2"));
  // Entry and exit, 6 methods; with the first time.
  EXPECT_EQ((*S)->matcher().probeHits(0), size_t(6) * Classes * (Threads + 1));
}
