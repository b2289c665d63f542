//===- Run.h - The files of one run -----------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The record of a running program: a folder of files with chunks, whose format
/// is docs/DataFormat.md. Chunks are read one at a time.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_DATA_RUN_H
#define JOPT_DATA_RUN_H

#include "jopt/Support/Bytes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace jopt::data {

/// The format that this release writes.
constexpr unsigned FormatNumber = 1;
constexpr uint32_t ChunkMagic = 0x4a4f5043;
constexpr size_t ChunkSize = 1 << 16;
constexpr size_t ChunkHeaderSize = 48;

enum class ChunkKind : uint8_t {
  Definitions = 1,
  Rows = 2,
  Traces = 3,
  Coverage = 4,
  Tests = 5
};

/// Where a chunk stands.
struct ChunkPlace {
  uint32_t File = 0; ///< in Run::files()
  uint64_t Offset = 0;
};

/// A chunk that is as it was written.
struct ChunkView {
  ChunkKind Kind = ChunkKind::Definitions;
  ChunkPlace Place;
  uint64_t Thread = 0;   ///< who wrote its first event; 0 for none
  uint32_t Sequence = 0; ///< chunks of a run are numbered from 1 on
  int64_t Time = 0;      ///< nanoseconds since the run's start
  uint32_t Stream = 0;   ///< of traces: which one it is a part of
  uint32_t Part = 0;     ///< from 1 on
  /// In a chunk of traces that is not full zeros follow.
  Bytes Events;
};

/// One event of a chunk.
struct EventView {
  uint8_t Kind = 0;
  uint8_t Argument = 0;
  Bytes Payload; ///< what follows the first four bytes
};

/// Told what is wrong with a part that is left out.
using LeftOut = llvm::function_ref<void(const llvm::Twine &)>;

/// Reads the chunk at the start of \p Slot, which is one slot of a file: none,
/// without an error, where nothing was written. An error says what is wrong.
llvm::Expected<std::optional<ChunkView>> readChunk(Bytes Slot);

/// Calls \p Use with the events of \p Events; false if they end within one.
bool forEachEvent(Bytes Events,
                  llvm::function_ref<void(const EventView &)> Use);

class Run;

/// The runs in \p Folder, which is that of one run or of several, by the time
/// of their start, each once. An error if there is none; calls \p Tell for
/// entries that are no run.
llvm::Expected<std::vector<Run>> openRuns(llvm::StringRef Folder, LeftOut Tell);

/// Of several copies of a run, which are known by its id, keeps the one with
/// the most data: others were taken while it went on.
void dropCopies(std::vector<Run> &Runs);

/// The run of \p Runs whose id begins with \p Id; an error that lists what
/// there is unless it is one.
llvm::Expected<Run> takeRun(std::vector<Run> Runs, llvm::StringRef Id);

/// One run: its text file and where its chunks are. Not thread-safe.
class Run {
public:
  /// The text file that says what it is.
  static constexpr llvm::StringLiteral TextFile = "run.txt";

  /// The run in \p Folder; an error if there is none, or its format is not
  /// known.
  static llvm::Expected<Run> open(llvm::StringRef Folder);

  /// Whether \p Folder is that of a run.
  static bool isRun(llvm::StringRef Folder);

  llvm::StringRef folder() const { return Folder; }
  /// Which run it is: 128 random bits.
  llvm::StringRef id() const { return get("run"); }
  /// The id, and which call it is the trace of, if it is that of one.
  std::string describe() const;
  /// The first value of \p Key in the text file; empty if there is none.
  llvm::StringRef get(llvm::StringRef Key) const;
  /// Keys and values of the text file, in its order.
  llvm::ArrayRef<std::pair<std::string, std::string>> entries() const {
    return Entries;
  }
  /// When it began, in milliseconds since 1970.
  int64_t start() const { return Start; }
  /// All files with chunks, full ones first.
  llvm::ArrayRef<std::string> files() const { return Files; }
  /// Bytes of all of them.
  uint64_t size() const { return Size; }

  /// Calls \p Use with each chunk of \p Kind, in the order in which its writer
  /// wrote them. Calls \p Tell for unreadable ones and leaves them out.
  llvm::Error
  forEachChunk(ChunkKind Kind, LeftOut Tell,
               llvm::function_ref<llvm::Error(const ChunkView &)> Use) const;

  /// Reads one of those chunks again, into \p Buffer.
  llvm::Expected<ChunkView> readChunk(ChunkPlace Place,
                                      std::vector<char> &Buffer) const;

private:
  Run() = default;
  llvm::Error list();

  std::string Folder;
  std::vector<std::pair<std::string, std::string>> Entries;
  /// Full chunks first, then those that were being written.
  std::vector<std::string> Files;
  int64_t Start = 0;
  uint64_t Size = 0;
};

} // namespace jopt::data

#endif
