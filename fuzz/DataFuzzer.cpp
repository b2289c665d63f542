//===- DataFuzzer.cpp - Any bytes as what a program recorded --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The first two bytes say how many of the others are events of definitions;
/// the rest are events of rows, values of covered classes, and tests. They are
/// put into chunks that are fine otherwise, and read as a run. All of it is a
/// chunk, too.
///
//===----------------------------------------------------------------------===//

#include "Chunks.h"
#include "jopt/Data/Coverage.h"
#include "jopt/Data/Recording.h"
#include "jopt/Data/Tests.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::data;
using namespace jopt::fuzz;
using namespace llvm;

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
          chunk(ChunkKind::Rows, 2, All.drop_front(Defined)) +
          chunk(ChunkKind::Coverage, 3, All.drop_front(Defined)) +
          chunk(ChunkKind::Tests, 4, All.drop_front(Defined))));
  auto Ignore = [](const Twine &) {};
  auto Runs = cantFail(openRuns(Folder, Ignore));
  auto Classes = cantFail(readCoverage(Runs[0], Ignore));
  for (const CoveredClass &C : Classes)
    check(C.reached() <= C.Values.size(), "no more is reached than there is");
  showCoverage(Classes, nulls());
  cantFail(forEachTest(Runs[0], Ignore, [](const RecordedTest &T) {
    check(T.HasEnded || T.Reached.empty(), "what reached something has ended");
    return Error::success();
  }));
  Recording R = cantFail(Recording::open(std::move(Runs), Ignore));
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
