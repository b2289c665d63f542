//===- DataTest.cpp - Chunks, definitions, rows ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Data/RowSorter.h"
#include "Records.h"
#include "jopt/Data/Export.h"
#include <random>

using namespace jopt;
using namespace jopt::data;
using llvm::StringRef;

namespace {
class DataTest : public RecordTest {
protected:
  /// The rows in the folder, one text each.
  std::vector<std::string> rows() {
    LeftOutParts.clear();
    // Definitions and rows are read one after the other.
    auto Tell = [&](const llvm::Twine &W) {
      if (!llvm::is_contained(LeftOutParts, W.str()))
        LeftOutParts.push_back(W.str());
    };
    std::vector<std::string> Texts;
    auto Runs = openRuns(Folder, Tell);
    if (!Runs) {
      Texts.push_back(toMessage(Runs.takeError()));
      return Texts;
    }
    auto All = llvm::cantFail(Recording::open(std::move(*Runs), Tell));
    llvm::Error E = All.forEachRow(Tell, [&](size_t T, const Row &R) {
      std::string Text = All.tables()[T].Title + " " +
                         std::to_string(R.Number) + "<" +
                         std::to_string(R.Parent);
      for (const Cell &C : R.Cells)
        Text += " " + (C.Kind == Cell::Number ? std::to_string(C.Value)
                       : C.Kind == Cell::Text ? "'" + C.String + "'"
                                              : "-");
      Text += R.Duration ? " " + std::to_string(*R.Duration) : " open";
      Texts.push_back(Text + (R.Exception.empty() ? "" : " " + R.Exception) +
                      " " + R.Thread);
      return llvm::Error::success();
    });
    if (E)
      Texts.push_back(toMessage(std::move(E)));
    return Texts;
  }
};
} // namespace

static std::string someTables() {
  return Events()
      .table(1, 0, "T")
      .column(1, 0, 'I', "a")
      .column(1, 1, 'S', "b")
      .table(2, 1, "U")
      .column(2, 0, 'R', "T", 1)
      .chunk(ChunkKind::Definitions, 1);
}

TEST_F(DataTest, RowsOfSeveralThreads) {
  Events One, Two;
  One.thread(1, "main").create(1, 1, 0, 10).setInt(1, 1, 0, 5);
  One.text(1, 1, 1, "ab").text(1, 1, 1, "cd", 6).create(2, 1, 1, 20);
  // The other thread sets it later, and closes it.
  One.setInt(1, 1, 0, 6);
  Two.thread(2, "w").setInt(1, 1, 0, 7, 30).text(1, 1, 255, "E: x");
  Two.end(7, 1, 1, 40).create(2, 2, 1, 50).setInt(2, 2, 0, 1).end(8, 2, 1, 60);
  run("r", someTables() + Two.chunk(ChunkKind::Rows, 2) +
               One.chunk(ChunkKind::Rows, 3));
  EXPECT_EQ(rows(),
            (Texts{"T 1<0 7 'abcd' 30 E: x main (1)", "U 2<1 1 open w (2)"}));
  EXPECT_EQ(LeftOutParts, Texts());
}

TEST_F(DataTest, RowsWithoutABeginningAndShortOnes) {
  Events Defined, E;
  Defined.table(1, 0, "T", 1, 2);
  E.thread(1, "m").end(7, 1, 1, 5).create(1, 2, 0, 0).end(7, 1, 2, 1999999);
  E.create(1, 3, 0, 0).end(7, 1, 3, 2000000);
  run("r",
      Defined.chunk(ChunkKind::Definitions, 1) + E.chunk(ChunkKind::Rows, 2));
  EXPECT_EQ(rows(), (Texts{"T 3<0 2000000 "}));
}

TEST_F(DataTest, RunsAddUp) {
  Events A, B;
  A.create(1, 1, 0, 1).create(1, 4, 0, 1).create(2, 2, 4, 1).setInt(2, 2, 0, 4);
  B.create(1, 1, 0, 1).create(2, 1, 1, 1).setInt(2, 1, 0, 1);
  run("b", someTables() + B.chunk(ChunkKind::Rows, 2), 2000);
  run("a", someTables() + A.chunk(ChunkKind::Rows, 2), 1000);
  EXPECT_EQ(rows(),
            (Texts{"T 1<0 - - open 1", "T 4<0 - - open 1", "T 5<0 - - open 1",
                   "U 2<4 4 open 1", "U 3<5 5 open 1"}));
}

TEST_F(DataTest, RunsAddUpThatDiffer) {
  // Which events are too short, and whether events last, is of a run.
  auto Run = [&](StringRef Name, uint32_t Minimum, uint64_t Mask, int Start) {
    Events Defined, E;
    Defined.table(1, 0, "T", Mask, Minimum);
    E.thread(1, "m").create(1, 1, 0, 0);
    if (Mask & 1)
      E.end(7, 1, 1, 1000);
    run(Name,
        Defined.chunk(ChunkKind::Definitions, 1) + E.chunk(ChunkKind::Rows, 2),
        Start);
  };
  Run("a", 0, 1, 1000);
  Run("b", 1, 1, 2000);
  Run("c", 0, 0, 3000);
  EXPECT_EQ(rows(), (Texts{"T 1<0 1000 ", "T 1<0 open "}));
}

TEST_F(DataTest, AChunkThatIsThereTwiceCountsOnce) {
  Events E;
  E.create(1, 1, 0, 1).setInt(1, 1, 0, 1);
  run("r", someTables() + E.chunk(ChunkKind::Rows, 2));
  write("r/events-2.jopt", E.chunk(ChunkKind::Rows, 2, true));
  EXPECT_EQ(rows().size(), 1u);
  // Its appended copy is cut.
  write("r/events-2.jopt",
        StringRef(E.chunk(ChunkKind::Rows, 2, true)).take_front(300));
  EXPECT_EQ(rows().size(), 1u);
  EXPECT_EQ(LeftOutParts, Texts());
  // And there is no other.
  run("r", someTables());
  EXPECT_EQ(rows(), Texts());
  ASSERT_EQ(LeftOutParts.size(), 1u);
  EXPECT_NE(LeftOutParts[0].find("the file ends within a chunk"),
            std::string::npos);
}

TEST_F(DataTest, DamagedChunksAreNamed) {
  Events E;
  E.create(1, 1, 0, 1);
  const std::string Good = E.chunk(ChunkKind::Rows, 2, true);
  struct {
    size_t At;
    char Value;
    StringRef Says;
  } Cases[] = {{0, 'j', "no chunk is where one is expected"},
               {5, 9, "format 9, of another release"},
               {6, 7, "a chunk of the unknown kind 7"},
               {32, 1, "a chunk's length is damaged"},
               {60, 1, "its checksum differs"},
               {19, 0, "a chunk has no number"}};
  for (const auto &C : Cases) {
    std::string Bad = Good;
    Bad[C.At] = C.Value;
    run("r", someTables() + Bad);
    EXPECT_EQ(rows(), Texts());
    ASSERT_EQ(LeftOutParts.size(), 1u) << C.Says.str();
    EXPECT_NE(LeftOutParts[0].find(C.Says.str()), std::string::npos)
        << LeftOutParts[0];
  }
}

TEST_F(DataTest, WrongEventsLeaveTheOthers) {
  Events E;
  E.create(9, 1, 0, 1).create(1, 1, 0, 1); // no such table
  E.add(99, 0, [](ByteWriter &W) { W.u8(0); }).create(1, 2, 0, 1);
  run("r", someTables() + E.chunk(ChunkKind::Rows, 2));
  EXPECT_EQ(rows(), (Texts{"T 1<0 - - open 1", "T 2<0 - - open 1"}));
  EXPECT_EQ(LeftOutParts.size(), 1u);
}

TEST_F(DataTest, Nothing) {
  EXPECT_EQ(rows().size(), 1u);
  write("r/run.txt", "format=2\nstart=0\n");
  EXPECT_NE(rows()[0].find("of another release"), std::string::npos);
}

/// Everything comes back, in order, whatever fits into memory.
TEST_F(DataTest, SorterSorts) {
  for (size_t Memory : {size_t(1) << 30, size_t(100000), size_t(3000)}) {
    std::mt19937 Engine(7);
    auto Random = [&] { return uint32_t(Engine()); };
    RowSorter Sorter(Memory);
    constexpr unsigned Count = 5000;
    for (unsigned I = 0; I < Count; ++I) {
      const RowKey Key{Random() % 3, Random() % 2, Random() % 50,
                       int64_t(Random() % 10), I};
      std::string Payload(Random() % 40, char('a' + I % 26));
      Payload += std::to_string(I);
      ASSERT_EQ(toMessage(Sorter.add(Key, jopt::toBytes(Payload))), "");
    }
    ASSERT_EQ(toMessage(Sorter.finish()), "");
    RowKey Last, Key;
    Bytes Payload;
    unsigned Got = 0;
    for (;; ++Got, Last = Key) {
      auto Some = Sorter.next(Key, Payload);
      ASSERT_TRUE(bool(Some));
      if (!*Some)
        break;
      EXPECT_FALSE(Key < Last);
      EXPECT_TRUE(
          jopt::toStringRef(Payload).ends_with(std::to_string(Key.Place)));
    }
    EXPECT_EQ(Got, Count);
  }
}

/// No prefix of a record is too short to be read.
TEST_F(DataTest, EveryPrefix) {
  Events E;
  E.thread(1, "m").create(1, 1, 0, 1).text(1, 1, 1, "x").end(7, 1, 1, 3);
  const std::string Chunk = E.chunk(ChunkKind::Rows, 2);
  for (size_t N = 0; N < 200; ++N) {
    run("r", someTables() + Chunk.substr(0, N));
    EXPECT_EQ(rows(), Texts());
  }
}
