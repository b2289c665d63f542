//===- ZipFormat.h - Records of the ZIP format ------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Signatures, sizes and field places of the records that reader and writer
/// share (APPNOTE, 4.3). Everything is little-endian.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_ARCHIVE_ZIPFORMAT_H
#define JOPT_LIB_ARCHIVE_ZIPFORMAT_H

#include "jopt/Support/Bytes.h"
#include "llvm/Support/Endian.h"
#include <optional>

namespace jopt {
namespace zip {

inline uint16_t get2(const uint8_t *P) {
  return llvm::support::endian::read16le(P);
}
inline uint32_t get4(const uint8_t *P) {
  return llvm::support::endian::read32le(P);
}
inline uint64_t get8(const uint8_t *P) {
  return llvm::support::endian::read64le(P);
}
inline void put2(uint8_t *P, uint16_t V) {
  llvm::support::endian::write16le(P, V);
}
inline void put4(uint8_t *P, uint32_t V) {
  llvm::support::endian::write32le(P, V);
}
inline void put8(uint8_t *P, uint64_t V) {
  llvm::support::endian::write64le(P, V);
}

/// In a 16- or 32-bit field: the value is in a Zip64 record.
constexpr uint16_t Max2 = 0xffff;
constexpr uint32_t Max4 = 0xffffffff;

enum Signature : uint32_t {
  LocalSignature = 0x04034b50,
  DescriptorSignature = 0x08074b50,
  CentralSignature = 0x02014b50,
  End64Signature = 0x06064b50,
  Locator64Signature = 0x07064b50,
  EndSignature = 0x06054b50
};

/// Local header, then name and extra fields.
struct LocalHeader {
  enum : unsigned {
    Flags = 6,
    Method = 8,
    CRC = 14,
    Packed = 18,
    Size = 22,
    NameLength = 26,
    ExtraLength = 28,
    Length = 30
  };
};

/// Central record, then name, extra fields and comment.
struct CentralRecord {
  enum : unsigned {
    Flags = 8,
    Method = 10,
    Time = 12,
    Date = 14,
    CRC = 16,
    Packed = 20,
    Size = 24,
    NameLength = 28,
    ExtraLength = 30,
    CommentLength = 32,
    Disk = 34,
    Attributes = 38,
    Local = 42,
    Length = 46
  };
};

/// End of central directory, then the comment.
struct EndRecord {
  enum : unsigned {
    Disk = 4,
    DirectoryDisk = 6,
    CountHere = 8,
    Count = 10,
    Size = 12,
    Start = 16,
    CommentLength = 20,
    Length = 22
  };
};

/// Zip64 end of central directory, then extensible data.
struct End64Record {
  enum : unsigned {
    RecordSize = 4,
    MadeBy = 12,
    Needed = 14,
    CountHere = 24,
    Count = 32,
    Size = 40,
    Start = 48,
    Length = 56
  };
};

struct Locator64 {
  enum : unsigned { End64 = 8, Disks = 16, Length = 20 };
};

/// Bits of the general purpose flags.
enum Flag : uint16_t {
  Encrypted = 1 << 0,
  HasDescriptor = 1 << 3,
  UTF8Name = 1 << 11
};

/// The data of the extra field \p Id in \p Extra; an empty range with a null
/// pointer if there is none. Stops at the first malformed field.
inline Bytes findExtra(Bytes Extra, uint16_t Id) {
  while (Extra.size() >= 4) {
    size_t Length = get2(Extra.data() + 2);
    if (Length > Extra.size() - 4)
      break;
    if (get2(Extra.data()) == Id)
      return Extra.slice(4, Length);
    Extra = Extra.drop_front(4 + Length);
  }
  return {};
}

constexpr uint16_t Zip64Extra = 0x0001;

/// How many bytes at the end of a file are searched for the end record.
constexpr uint64_t EndWindow = EndRecord::Length + Max2 + 4096;

/// The place of the end record in \p Window, which ends where the file does.
/// One whose comment reaches exactly to the end is preferred to one with other
/// bytes behind it.
std::optional<size_t> findEndRecord(Bytes Window);

} // namespace zip
} // namespace jopt

#endif
