//===- DataTest.cpp - Chunks, definitions, rows ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Data/RowSorter.h"
#include "jopt/Data/Export.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Files.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <random>

using namespace jopt;
using namespace jopt::data;
using llvm::StringRef;

namespace {
/// Makes events, and chunks of them.
class Events {
public:
  Events &add(unsigned Event, unsigned Argument,
              llvm::function_ref<void(ByteWriter &)> Payload) {
    const size_t At = W.size();
    W.u1(uint8_t(Event));
    W.u1(uint8_t(Argument));
    W.u2(0);
    Payload(W);
    W.patchU2(At + 2, uint16_t(W.size() - At));
    return *this;
  }
  Events &table(uint32_t Id, uint32_t Parent, StringRef Title,
                uint64_t Mask = 5, uint32_t Minimum = 0) {
    return add(4, 0, [&](ByteWriter &W) {
      W.u4(Id);
      W.u8(Mask);
      W.u4(Parent);
      W.u4(Minimum);
      W.u4(1);
      W.bytes("H");
      W.bytes(Title);
    });
  }
  Events &column(uint32_t Table, uint32_t Index, char Type, StringRef Title,
                 uint32_t Other = 0) {
    return add(5, uint8_t(Type), [&](ByteWriter &W) {
      W.u4(Table);
      W.u4(Index);
      W.u4(Other);
      W.bytes(Title);
    });
  }
  Events &thread(uint64_t Id, StringRef Name) {
    return add(9, 0, [&](ByteWriter &W) {
      W.u8(Id);
      W.bytes(Name);
    });
  }
  Events &create(uint32_t Table, uint32_t Row, uint32_t Parent, uint64_t Time) {
    return add(1, 0, [&](ByteWriter &W) {
      W.u4(Table);
      W.u4(Row);
      W.u4(Parent);
      W.u8(Time);
    });
  }
  Events &setInt(uint32_t Table, uint32_t Row, unsigned Column, int Value,
                 uint64_t Time = 0) {
    return add(2, Column, [&](ByteWriter &W) {
      W.u4(Table);
      W.u4(Row);
      W.u4(uint32_t(Value));
      if (Time)
        W.u8(Time);
    });
  }
  Events &text(uint32_t Table, uint32_t Row, unsigned Column, StringRef Value,
               unsigned Event = 5) {
    return add(Event, Column, [&](ByteWriter &W) {
      W.u4(Table);
      W.u4(Row);
      W.u8(0);
      W.bytes(Value);
    });
  }
  Events &end(unsigned Event, uint32_t Table, uint32_t Row, uint64_t Time) {
    return add(Event, 0, [&](ByteWriter &W) {
      W.u4(Table);
      W.u4(Row);
      W.u8(Time);
    });
  }

  /// A slot with these events.
  std::string chunk(ChunkKind Kind, uint32_t Sequence, bool Full = false,
                    uint64_t Time = 0) const {
    ByteWriter H;
    H.u4(ChunkMagic);
    H.u2(FormatNumber);
    H.u1(uint8_t(Kind));
    H.u1(Full);
    H.u8(1);
    H.u4(Sequence);
    H.u4(ChunkSize);
    H.u8(Time);
    H.u4(uint32_t(W.size()));
    H.u4(Full ? llvm::crc32(W.data()) : 0);
    H.u8(0);
    H.bytes(W.data());
    std::string Slot = jopt::toStringRef(H.data()).str();
    Slot.resize(ChunkSize);
    return Slot;
  }

private:
  ByteWriter W;
};

class DataTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(
        llvm::sys::fs::createUniqueDirectory("jopt-data-test", Folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(Folder); }

  std::string path(const llvm::Twine &Name) {
    llvm::SmallString<128> Path(Folder);
    llvm::sys::path::append(Path, Name);
    return Path.str().str();
  }
  void write(const llvm::Twine &Name, StringRef Content) {
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path(Name)));
    ASSERT_EQ(toMessage(writeFile(path(Name), Content)), "");
  }
  void run(const llvm::Twine &Name, StringRef Live, int Start = 1000) {
    write(Name + "/run.txt",
          "format=1\nstart=" + std::to_string(Start) + "\nring=false\n");
    write(Name + "/live-1.jopt", Live);
  }

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

  using Texts = std::vector<std::string>;
  llvm::SmallString<128> Folder;
  std::vector<std::string> LeftOutParts;
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
