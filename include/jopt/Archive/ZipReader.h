//===- ZipReader.h - The entries of an archive ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reading the ZIP format (PKWARE's APPNOTE), as the JVM's archives use it:
/// a prefix, Zip64, data descriptors, stored and deflated entries. Nothing is
/// inflated before it is asked for. In an archive that opens no two entries
/// share a byte; an entry whose local header says something else than the
/// directory cannot be read.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_ARCHIVE_ZIPREADER_H
#define JOPT_ARCHIVE_ZIPREADER_H

#include "jopt/Archive/Storage.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <vector>

namespace jopt {

/// Limits on the cost of an input. Raw copying has no limit: it uses no memory.
struct ArchiveLimits {
  /// Inflated bytes of an entry that is read into memory.
  uint64_t MaxEntry = 32u << 20;
  /// Bytes of the directory of one archive.
  uint64_t MaxDirectory = 256u << 20;
  /// Archives in archives in archives.
  unsigned MaxDepth = 16;
  /// For all that is inflated from one input file, inner archives included:
  /// MaxInflated + MaxRatio * the size of the file. Java's archives inflate to
  /// two or three times their size, deflate's maximum is 1,032 times.
  uint64_t MaxInflated = 1u << 30;
  uint64_t MaxRatio = 100;
};

enum class ZipMethod : uint16_t { Stored = 0, Deflated = 8 };

/// One record of the directory, Zip64 already resolved.
struct ZipEntry {
  llvm::StringRef Name; ///< raw bytes, owned by the archive
  uint64_t Size = 0;    ///< inflated
  uint64_t Packed = 0;  ///< as it lies in the archive
  uint64_t Local = 0;   ///< of the local header, in the file
  uint64_t Data = 0;    ///< of the packed bytes, in the file
  uint64_t End = 0;     ///< where the next entry or the directory begins
  uint32_t CRC = 0;
  uint32_t Record = 0; ///< of the central record, in directory()
  uint16_t Method = 0; ///< a ZipMethod or unknown
  uint16_t Flags = 0;
  const char *Problem = nullptr; ///< why it cannot be read, if that is known

  /// JVMs load a class from an entry `a/B.class/` too, where there is no
  /// `a/B.class`.
  bool isClassNamedLikeFolder() const {
    return Size && Name.ends_with(".class/");
  }
  bool isDirectory() const {
    return Name.ends_with("/") && !isClassNamedLikeFolder();
  }
  bool isEncrypted() const { return Flags & 0x2041; }
};

class ZipArchive {
public:
  /// Reads and checks the directory and the local headers. Errors name
  /// \p Display.
  static llvm::Expected<std::unique_ptr<ZipArchive>>
  open(ByteRange File, llvm::StringRef Display, const ArchiveLimits &Limits);

  /// True if \p File starts as an archive does, or ends as one with something
  /// before it (an executable jar). Class files are none.
  static llvm::Expected<bool> isArchive(const ByteRange &File);

  const std::string &display() const { return Display; }
  const ByteRange &file() const { return File; }
  llvm::ArrayRef<ZipEntry> entries() const { return Entries; }
  /// The central records, as they are.
  Bytes directory() const { return Directory; }

  /// Offsets in the archive count from here: 0, or the length of a prefix that
  /// its author did not count.
  uint64_t base() const { return Base; }
  /// Where the directory begins, in the file.
  uint64_t directoryStart() const { return DirectoryStart; }
  /// The bytes behind the directory: end records and comment, as they are.
  Bytes tail() const { return Tail; }
  /// Place of the end record in tail().
  uint64_t endRecord() const { return EndRecordPlace; }
  bool isZip64() const { return EndRecordPlace != 0; }

  /// The packed bytes of \p E.
  ByteRange packed(const ZipEntry &E) const {
    return File.slice(E.Data, E.Packed);
  }
  /// An error if \p E cannot be inflated: encrypted, unknown method, more bytes
  /// than deflate can make of it, or another local header.
  llvm::Error checkReadable(const ZipEntry &E) const;
  /// Inflates \p E (at most \p Limit bytes) and checks its checksum.
  /// Thread-safe.
  llvm::Error read(const ZipEntry &E, uint64_t Limit,
                   llvm::SmallVectorImpl<uint8_t> &To) const;
  /// The first \p Size bytes of \p E, which has more; its checksum is not
  /// looked at.
  llvm::Error readBeginning(const ZipEntry &E, uint64_t Size,
                            llvm::SmallVectorImpl<uint8_t> &To) const;
  /// All of it, piece by piece, for any size.
  llvm::Error stream(const ZipEntry &E,
                     llvm::function_ref<llvm::Error(Bytes)> Do) const;
  /// As a range: in place if it is stored, else inflated to \p Spill. The
  /// checksum is checked.
  llvm::Expected<ByteRange> extract(const ZipEntry &E, SpillFile &Spill) const;

  /// "file.jar!/name".
  std::string display(const ZipEntry &E) const;

private:
  ZipArchive(ByteRange File, llvm::StringRef Display)
      : Display(Display), File(std::move(File)) {}
  llvm::Error parseEnd(const ArchiveLimits &Limits, uint64_t &Count);
  llvm::Error parseDirectory(uint64_t Count);
  llvm::Error parseLocals();

  std::string Display;
  ByteRange File;
  llvm::SmallVector<uint8_t, 0> Directory, Tail;
  std::vector<ZipEntry> Entries;
  uint64_t Base = 0, DirectoryStart = 0, EndRecordPlace = 0;
};

/// CRC-32 as the format uses it; \p CRC is that of the bytes before.
uint32_t crc32Of(Bytes Data, uint32_t CRC = 0);

} // namespace jopt

#endif
