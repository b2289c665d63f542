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
#include <memory>
#include <optional>
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
  /// Edits \p Original, which outlives it; null: a new archive. The bytes of a
  /// large directory go to \p Spill, if there is one.
  explicit ZipWriter(const ZipArchive *Original = nullptr,
                     std::shared_ptr<SpillFile> Spill = nullptr)
      : Original(Original), Spill(std::move(Spill)) {}

  /// New content for entry \p I, packed with the entry's own method.
  void replace(size_t I, PackedContent Content, std::string NewName = {});
  void drop(size_t I);
  /// Behind all others, in the order of the calls. \p Name is any bytes; UTF-8
  /// is marked as such.
  void add(std::string Name, PackedContent Content);

  /// The new content of entry \p I; none if it was not replaced.
  std::optional<PackedContent> replacement(size_t I) const;
  bool isDropped(size_t I) const;
  bool isReplaced(size_t I) const {
    return changeOf(I).What == Change::Kind::Replaced;
  }
  bool changed() const { return !Changes.empty() || !Added.empty(); }
  /// The archive; the original's bytes if nothing changed.
  llvm::Expected<Rope> finish() const;

private:
  class Assembly;
  /// An archive may have some hundred thousand.
  struct Change {
    enum class Kind : uint8_t { None, Dropped, Replaced };
    uint64_t At = 0, Packed = 0; ///< of the content, in Contents
    uint64_t Size = 0;           ///< inflated
    uint32_t CRC = 0;
    Kind What = Kind::None;
  };
  Change &change(size_t I);
  const Change &changeOf(size_t I) const;
  llvm::StringRef newName(size_t I) const;

  const ZipArchive *Original;
  std::shared_ptr<SpillFile> Spill;
  std::vector<Change> Changes; ///< by entry; empty if there is none
  Rope Contents;               ///< of replaced entries
  std::map<size_t, std::string> NewNames;
  std::vector<std::pair<std::string, PackedContent>> Added;
};

} // namespace jopt

#endif
