//===- DataFuzzer.cpp - Any bytes as what a program recorded --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The first two bytes say how many of the others are events of definitions;
/// the rest are events of rows. They are put into chunks that are fine
/// otherwise, and read as a run. All of it is a chunk, too.
///
//===----------------------------------------------------------------------===//

#include "jopt/Data/Recording.h"
#include "jopt/Support/Files.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdio>
#include <cstdlib>

using namespace jopt;
using namespace jopt::data;
using namespace llvm;

static void check(bool Holds, const char *What) {
  if (Holds)
    return;
  fprintf(stderr, "does not hold: %s\n", What);
  abort();
}

static std::string chunk(ChunkKind Kind, uint32_t Sequence, Bytes Events) {
  Events = Events.take_front(ChunkSize - ChunkHeaderSize);
  ByteWriter W;
  W.u4(ChunkMagic);
  W.u2(FormatNumber);
  W.u1(uint8_t(Kind));
  W.u1(0);
  W.u8(1);
  W.u4(Sequence);
  W.u4(ChunkSize);
  W.u8(0);
  W.u4(uint32_t(Events.size()));
  W.u4(0);
  W.u8(0);
  W.bytes(Events);
  std::string Slot = jopt::toStringRef(W.data()).str();
  Slot.resize(ChunkSize);
  return Slot;
}

/// A folder with an empty run.
static std::string makeRun() {
  SmallString<128> Folder;
  check(!sys::fs::createUniqueDirectory("jopt-data-fuzzer", Folder),
        "a folder can be made");
  cantFail(jopt::writeFile((Folder + "/run.txt").str(), "format=1\nstart=0\n"));
  return Folder.str().str();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  if (auto Chunk = readChunk(Bytes(Data, Size)); !Chunk)
    consumeError(Chunk.takeError());
  if (Size < 2)
    return 0;
  static const std::string Folder = makeRun();
  const Bytes All(Data + 2, Size - 2);
  const size_t Defined = std::min<size_t>(readU2(Data), All.size());
  cantFail(jopt::writeFile(
      Folder + "/live-1.jopt",
      chunk(ChunkKind::Definitions, 1, All.take_front(Defined)) +
          chunk(ChunkKind::Rows, 2, All.drop_front(Defined))));
  auto Ignore = [](const Twine &) {};
  Recording R =
      cantFail(Recording::open(cantFail(openRuns(Folder, Ignore)), Ignore));
  std::vector<RowCounts> Counts;
  size_t Table = 0;
  uint64_t Number = 0, Rows = 0;
  cantFail(R.forEachRow(
      Ignore,
      [&](size_t T, const Row &Row) {
        check(T < R.tables().size(), "a row has a table");
        check(T > Table || (T == Table && Row.Number > Number),
              "rows come in order");
        check(Row.Cells.size() == R.tables()[T].Columns.size(),
              "a row has a cell for each column");
        Table = T;
        Number = Row.Number;
        ++Rows;
        return Error::success();
      },
      &Counts));
  for (const RowCounts &C : Counts)
    Rows -= C.Rows;
  check(Rows == 0, "rows are counted");
  return 0;
}
