//===- Storage.h - Bytes in files, and ropes of them ------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Large data without large memory: ranges of files, a temporary file, and
/// ropes that describe an output as pieces of both.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_ARCHIVE_STORAGE_H
#define JOPT_ARCHIVE_STORAGE_H

#include "jopt/Support/Bytes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace jopt {

/// Bytes that can be read at any place. Thread-safe.
class RandomAccess {
public:
  virtual ~RandomAccess();
  /// Fills \p To from \p Offset; an error if there is less. Errors name the
  /// file unless it is a temporary one.
  virtual llvm::Error read(uint64_t Offset,
                           llvm::MutableArrayRef<uint8_t> To) const = 0;
  /// The descriptor, for copying inside the kernel; -1 if there is none.
  virtual int descriptor() const { return -1; }
  /// All of it, where it is in memory; else nothing.
  virtual Bytes inMemory() const { return {}; }
};

/// A part of a RandomAccess, which it keeps alive. A cheap value.
class ByteRange {
public:
  ByteRange() = default;
  ByteRange(std::shared_ptr<const RandomAccess> Source, uint64_t Offset,
            uint64_t Size)
      : Source(std::move(Source)), Offset(Offset), Size(Size) {}

  /// Opens a file, and says what it is in \p Status if that is not null. Errors
  /// name \p Display.
  static llvm::Expected<ByteRange>
  openFile(llvm::StringRef Path, llvm::StringRef Display,
           llvm::sys::fs::file_status *Status = nullptr);
  /// Over bytes that outlive it.
  static ByteRange ofMemory(Bytes Data);

  uint64_t size() const { return Size; }
  /// See RandomAccess; -1 for an empty range too.
  int descriptor() const { return Source ? Source->descriptor() : -1; }
  /// The part [\p From, \p From + \p Length), which must be inside.
  ByteRange slice(uint64_t From, uint64_t Length) const;
  /// The same start, \p More bytes longer, which the source must have.
  ByteRange extended(uint64_t More) const {
    return ByteRange(Source, Offset, Size + More);
  }
  llvm::Error read(uint64_t From, llvm::MutableArrayRef<uint8_t> To) const;
  /// The whole of it, into memory.
  llvm::Error readAll(llvm::SmallVectorImpl<uint8_t> &To) const;
  /// Piece by piece, from the front.
  llvm::Error
  forEachChunk(llvm::function_ref<llvm::Error(Bytes Chunk)> Do) const;

private:
  friend class Rope;
  friend class SpillFile;
  std::shared_ptr<const RandomAccess> Source;
  uint64_t Offset = 0, Size = 0;
};

/// A nameless temporary file that only grows; it is made when it is first
/// written to, and disappears with the process, however that ends. Thread-safe.
class SpillFile : public RandomAccess,
                  public std::enable_shared_from_this<SpillFile> {
public:
  static std::shared_ptr<SpillFile> create();
  ~SpillFile() override;

  /// Room for \p Size bytes, to be filled by write().
  ByteRange reserve(uint64_t Size);
  llvm::Error write(const ByteRange &Reserved, uint64_t At, Bytes Data);
  llvm::Expected<ByteRange> append(Bytes Data);

  llvm::Error read(uint64_t Offset,
                   llvm::MutableArrayRef<uint8_t> To) const override;
  int descriptor() const override { return FD; }

private:
  SpillFile() = default;
  void open();

  std::once_flag Once;
  std::string Problem; ///< why it could not be made
  std::atomic<int> FD{-1};
  std::atomic<uint64_t> End{0};
};

/// A sequence of bytes made of owned pieces and ranges of files. What is
/// written of a large archive has two pieces for each entry, so they are small.
class Rope {
public:
  Rope() = default;
  explicit Rope(ByteRange R) { append(std::move(R)); }
  explicit Rope(Bytes Data) { append(Data); }
  /// Owned bytes go to \p Room whenever there are too many for memory; they
  /// stay where they are if it cannot be written.
  explicit Rope(std::shared_ptr<SpillFile> Room) : Room(std::move(Room)) {}

  void append(Bytes Data); ///< copies
  void append(const ByteRange &R);
  void append(const Rope &R) { append(R, 0, R.size()); }
  /// The part [\p From, \p From + \p Length) of \p R, which must be inside.
  void append(const Rope &R, uint64_t From, uint64_t Length);
  /// Room for so many more pieces.
  void reserve(size_t More) { Pieces.reserve(Pieces.size() + More); }

  uint64_t size() const { return Pieces.empty() ? 0 : Pieces.back().End; }
  llvm::Error
  forEachChunk(llvm::function_ref<llvm::Error(Bytes Chunk)> Do) const;
  /// Its last \p Size bytes, or all.
  llvm::Expected<llvm::SmallVector<uint8_t, 0>> last(uint64_t Size) const;
  /// Writes all of it to a descriptor at its current place. Errors name
  /// \p Display.
  llvm::Error writeTo(int FD, llvm::StringRef Display) const;

private:
  static constexpr uint32_t InOwned = ~0u;
  struct Piece {
    uint64_t Offset; ///< in its source
    uint64_t End;    ///< in the rope
    uint32_t Source; ///< in Sources; or InOwned
  };
  uint64_t start(size_t I) const { return I ? Pieces[I - 1].End : 0; }
  uint64_t size(size_t I) const { return Pieces[I].End - start(I); }
  /// The piece \p I, which is not owned, without its first \p From bytes.
  ByteRange range(size_t I, uint64_t From = 0) const;
  Bytes owned(size_t I) const {
    return Bytes(Owned).slice(Pieces[I].Offset, size(I));
  }
  uint32_t sourceOf(const std::shared_ptr<const RandomAccess> &S);
  void append(uint32_t Source, uint64_t Offset, uint64_t Size);
  void spill();

  std::vector<Piece> Pieces;
  /// Of ranges; one may be there twice.
  std::vector<std::shared_ptr<const RandomAccess>> Sources;
  llvm::SmallVector<uint8_t, 0> Owned;
  std::shared_ptr<SpillFile> Room; ///< null: all of Owned stays
  size_t Spilled = 0;              ///< no piece before this one is owned
};

} // namespace jopt

#endif
