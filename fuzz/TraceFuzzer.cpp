//===- TraceFuzzer.cpp - Any bytes as what traced classes told ------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The first two bytes say how many of the others are events of definitions,
/// the next two how many behind them are the first chunk of a stream; the rest
/// is its second chunk, and the first of another stream. All that reads a trace
/// reads it.
///
//===----------------------------------------------------------------------===//

#include "Chunks.h"
#include "jopt/Data/TraceCalls.h"
#include "jopt/Data/TraceDiff.h"
#include "jopt/Data/TracePrint.h"

using namespace jopt;
using namespace jopt::data;
using namespace jopt::fuzz;
using namespace llvm;

static void read(const Traces &T, StringRef Folder) {
  auto Ignore = [](const Twine &) {};
  std::string Lines, Shown, Same;
  raw_string_ostream Printed(Lines), Show(Shown), Diff(Same);
  TracePrintOptions Options;
  Options.Declarations = false;
  cantFail(printTrace(T, Options, Printed, Ignore));
  cantFail(showTrace(T, Show, Ignore));
  check(T.empty() || StringRef(Shown).contains(
                         ", " + std::to_string(StringRef(Lines).count('\n')) +
                         " execution lines"),
        "the lines are as many as is said");
  Options.Declarations = true;
  Options.Flavour = trace::Flavour::Blinky;
  cantFail(printTrace(T, Options, nulls(), Ignore));
  cantFail(exportCollapsed(T, nulls(), Ignore));
  cantFail(exportPerfetto(T, nulls(), Ignore));
  cantFail(exportCTF(T, (Folder + "/ctf").str(), Ignore));
  cantFail(printCallGraphDot(T, nulls(), Ignore));
  cantFail(printCallGraphJSON(T, nulls(), Ignore));
  cantFail(diffTraces(T, T, {}, Diff, Ignore));
  check(Same == "no differences\n", "a trace is the same as itself");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  if (Size < 4)
    return 0;
  static const std::string Folder = makeRun();
  const Bytes All(Data + 4, Size - 4);
  const size_t Defined = std::min<size_t>(readU2(Data), All.size());
  const Bytes Told = All.drop_front(Defined);
  const size_t First = std::min<size_t>(readU2(Data + 2), Told.size());
  const Bytes Rest = Told.drop_front(First);
  cantFail(jopt::writeFile(
      Folder + "/live-1.jopt",
      chunk(ChunkKind::Definitions, 1, All.take_front(Defined)) +
          chunk(ChunkKind::Traces, 2, Told.take_front(First), 1, 1) +
          chunk(ChunkKind::Traces, 3, Rest, 1, 2) +
          chunk(ChunkKind::Traces, 4, Rest, 2, 1)));
  auto Ignore = [](const Twine &) {};
  auto Runs = cantFail(openRuns(Folder, Ignore));
  read(cantFail(Traces::open(Runs[0], Ignore)), Folder);
  return 0;
}
