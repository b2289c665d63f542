//===- Chunks.h - Records for fuzzers ---------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A run on disk, and chunks that are fine but for their events.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_FUZZ_CHUNKS_H
#define JOPT_FUZZ_CHUNKS_H

#include "jopt/Data/Run.h"
#include "jopt/Support/Files.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdio>
#include <cstdlib>

namespace jopt::fuzz {

inline void check(bool Holds, const char *What) {
  if (Holds)
    return;
  fprintf(stderr, "does not hold: %s\n", What);
  abort();
}

/// A slot with \p Events, of a stream if they are of a trace.
inline std::string chunk(data::ChunkKind Kind, uint32_t Sequence, Bytes Events,
                         uint32_t Stream = 0, uint32_t Part = 0) {
  Events = Events.take_front(data::ChunkSize - data::ChunkHeaderSize);
  ByteWriter W;
  W.u4(data::ChunkMagic);
  W.u2(data::FormatNumber);
  W.u1(uint8_t(Kind));
  W.u1(0);
  W.u8(1);
  W.u4(Sequence);
  W.u4(data::ChunkSize);
  W.u8(0);
  W.u4(uint32_t(Events.size()));
  W.u4(0);
  W.u4(Stream);
  W.u4(Part);
  W.bytes(Events);
  std::string Slot = jopt::toStringRef(W.data()).str();
  Slot.resize(data::ChunkSize);
  return Slot;
}

/// A folder with an empty run.
inline std::string makeRun() {
  llvm::SmallString<128> Folder;
  check(!llvm::sys::fs::createUniqueDirectory("jopt-data-fuzzer", Folder),
        "a folder can be made");
  llvm::cantFail(
      jopt::writeFile((Folder + "/run.txt").str(), "format=1\nstart=0\n"));
  return Folder.str().str();
}

} // namespace jopt::fuzz

#endif
