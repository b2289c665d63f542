//===- ZipWriter.h - A changed archive, or a new one ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An archive as a rope: the original's bytes wherever nothing changed, new
/// headers and content where something did. Order, names, times, extra fields,
/// flags, attributes, comments, methods and the prefix stay.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_ARCHIVE_ZIPWRITER_H
#define JOPT_ARCHIVE_ZIPWRITER_H

#include "jopt/Archive/ZipReader.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace jopt {

/// Content in the form in which it goes into an archive.
struct PackedContent {
  Rope Data;
  ZipMethod Method = ZipMethod::Deflated;
  uint64_t Size = 0; ///< inflated
  uint32_t CRC = 0;
};

/// Packs bytes in memory (libdeflate, level 6). The result is in \p Spill, or
/// in memory if that is null. Thread-safe.
llvm::Expected<PackedContent> pack(Bytes Data, ZipMethod Method,
                                   SpillFile *Spill = nullptr);
/// Packs what need not fit into memory; the result is in \p Spill. Thread-safe.
llvm::Expected<PackedContent> pack(const Rope &Data, ZipMethod Method,
                                   SpillFile &Spill);

/// The content again. Must fit into memory.
llvm::Expected<llvm::SmallVector<uint8_t, 0>>
unpack(const PackedContent &Content);

/// Not thread-safe. At most one of replace and drop per entry counts, the last.
class ZipWriter {
public:
  /// Edits \p Original, which outlives it; null: a new archive.
  explicit ZipWriter(const ZipArchive *Original = nullptr)
      : Original(Original) {}

  /// New content for entry \p I, packed with the entry's own method.
  void replace(size_t I, PackedContent Content, std::string NewName = {});
  void drop(size_t I);
  /// Behind all others, in the order of the calls. \p Name is any bytes; UTF-8
  /// is marked as such.
  void add(std::string Name, PackedContent Content);

  /// The new content of entry \p I; null if it was not replaced.
  const PackedContent *replacement(size_t I) const;
  bool isDropped(size_t I) const;
  bool changed() const { return !Changes.empty() || !Added.empty(); }
  /// The archive; the original's bytes if nothing changed.
  llvm::Expected<Rope> finish() const;

private:
  class Assembly;
  struct Change {
    bool Dropped = false;
    PackedContent Content;
    std::string NewName;
  };
  const ZipArchive *Original;
  std::map<size_t, Change> Changes;
  std::vector<std::pair<std::string, PackedContent>> Added;
};

} // namespace jopt

#endif
