//===- Storage.cpp - Bytes in files, and ropes of them --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Archive/Storage.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Temporary.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unistd.h>

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::function_ref;
using llvm::MutableArrayRef;
using llvm::SmallString;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::StringLiteral;
using llvm::StringRef;
using llvm::Twine;

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Large enough that system calls do not count, small enough for a cache.
static constexpr size_t ChunkSize = 256 * 1024;
/// Owned bytes of a rope that has room for them elsewhere.
static constexpr size_t OwnedLimit = 1024 * 1024;

RandomAccess::~RandomAccess() = default;

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// Reads exactly To.size() bytes at \p Offset.
static Error readAt(int FD, uint64_t Offset, MutableArrayRef<uint8_t> To,
                    StringRef Display) {
  while (!To.empty()) {
    Expected<size_t> Got = fs::readNativeFileSlice(
        FD, {reinterpret_cast<char *>(To.data()), To.size()}, Offset);
    if (!Got)
      return makeError(Location(Display),
                       "cannot read: " + llvm::toString(Got.takeError()));
    if (!*Got)
      return makeError(Location(Display), "the file became shorter while it "
                                          "was read");
    Offset += *Got;
    To = To.drop_front(*Got);
  }
  return Error::success();
}

static Error writeData(int FD, Bytes Data, StringRef Display) {
  while (!Data.empty()) {
    ssize_t N = ::write(FD, Data.data(), Data.size());
    if (N < 0 && errno == EINTR)
      continue;
    if (N < 0)
      return makeError(Location(Display),
                       Twine("cannot write: ") + std::strerror(errno));
    Data = Data.drop_front(size_t(N));
  }
  return Error::success();
}

namespace {

class FileBytes : public RandomAccess {
public:
  FileBytes(int FD, StringRef Display) : FD(FD), Display(Display) {}
  ~FileBytes() override { ::close(FD); }
  Error read(uint64_t Offset, MutableArrayRef<uint8_t> To) const override {
    return readAt(FD, Offset, To, Display);
  }
  int descriptor() const override { return FD; }

private:
  const int FD;
  const std::string Display;
};

class MemoryBytes : public RandomAccess {
public:
  explicit MemoryBytes(Bytes Data) : Data(Data) {}
  Error read(uint64_t Offset, MutableArrayRef<uint8_t> To) const override {
    if (Offset > Data.size() || To.size() > Data.size() - Offset)
      return makeError("read past the end");
    if (!To.empty())
      std::memcpy(To.data(), Data.data() + Offset, To.size());
    return Error::success();
  }
  Bytes inMemory() const override { return Data; }

private:
  const Bytes Data;
};

} // namespace

Expected<ByteRange> ByteRange::openFile(StringRef Path, StringRef Display,
                                        fs::file_status *To) {
  int FD;
  if (std::error_code EC = fs::openFileForRead(Path, FD))
    return makeError(Location(Display), "cannot open: " + EC.message());
  auto Source = std::make_shared<FileBytes>(FD, Display);
  fs::file_status Status;
  if (std::error_code EC = fs::status(FD, Status))
    return makeError(Location(Display), "cannot open: " + EC.message());
  if (To)
    *To = Status;
  return ByteRange(std::move(Source), 0, Status.getSize());
}

ByteRange ByteRange::ofMemory(Bytes Data) {
  return ByteRange(std::make_shared<MemoryBytes>(Data), 0, Data.size());
}

ByteRange ByteRange::slice(uint64_t From, uint64_t Length) const {
  assert(From <= Size && Length <= Size - From && "slice out of range");
  return ByteRange(Source, Offset + From, Length);
}

Error ByteRange::read(uint64_t From, MutableArrayRef<uint8_t> To) const {
  assert(From <= Size && To.size() <= Size - From && "read out of range");
  return To.empty() ? Error::success() : Source->read(Offset + From, To);
}

Error ByteRange::readAll(SmallVectorImpl<uint8_t> &To) const {
  To.resize_for_overwrite(Size);
  return read(0, To);
}

Error ByteRange::forEachChunk(function_ref<Error(Bytes)> Do) const {
  SmallVector<uint8_t, 0> Buffer;
  for (uint64_t At = 0; At < Size; At += Buffer.size()) {
    Buffer.resize_for_overwrite(std::min<uint64_t>(ChunkSize, Size - At));
    if (Error E = read(At, Buffer))
      return E;
    if (Error E = Do(Buffer))
      return E;
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The temporary file
//===----------------------------------------------------------------------===//

static constexpr StringLiteral SpillName = "temporary file";

std::shared_ptr<SpillFile> SpillFile::create() {
  return std::shared_ptr<SpillFile>(new SpillFile);
}

void SpillFile::open() {
  auto New = openNamelessFile();
  if (New)
    FD = *New;
  else
    Problem = toMessage(New.takeError());
}

SpillFile::~SpillFile() {
  if (FD >= 0)
    ::close(FD);
}

ByteRange SpillFile::reserve(uint64_t Size) {
  return ByteRange(shared_from_this(), End.fetch_add(Size), Size);
}

Error SpillFile::write(const ByteRange &Reserved, uint64_t At, Bytes Data) {
  assert(At <= Reserved.size() && Data.size() <= Reserved.size() - At);
  if (Data.empty())
    return Error::success();
  std::call_once(Once, [&] { open(); });
  if (FD < 0)
    return makeError(Problem);
  uint64_t Place = Reserved.Offset + At;
  while (!Data.empty()) {
    ssize_t N = ::pwrite(FD, Data.data(), Data.size(), off_t(Place));
    if (N < 0 && errno == EINTR)
      continue;
    if (N < 0)
      return makeError(Location(SpillName),
                       Twine("cannot write: ") + std::strerror(errno));
    Place += uint64_t(N);
    Data = Data.drop_front(size_t(N));
  }
  return Error::success();
}

Expected<ByteRange> SpillFile::append(Bytes Data) {
  ByteRange R = reserve(Data.size());
  if (Error E = write(R, 0, Data))
    return E;
  return R;
}

Error SpillFile::read(uint64_t Offset, MutableArrayRef<uint8_t> To) const {
  return readAt(FD, Offset, To, SpillName);
}

//===----------------------------------------------------------------------===//
// Ropes
//===----------------------------------------------------------------------===//

/// As many sources are looked through for one that is known.
static constexpr size_t FewSources = 8;

uint32_t Rope::sourceOf(const std::shared_ptr<const RandomAccess> &S) {
  const size_t Count = Sources.size();
  for (size_t I = Count; I > 0 && Count - I < FewSources; --I)
    if (Sources[I - 1] == S)
      return uint32_t(I - 1);
  Sources.push_back(S);
  return uint32_t(Count);
}

void Rope::append(uint32_t Source, uint64_t Offset, uint64_t Size) {
  if (!Size)
    return;
  if (!Pieces.empty()) {
    Piece &Last = Pieces.back();
    if (Last.Source == Source &&
        Last.Offset + size(Pieces.size() - 1) == Offset) {
      Last.End += Size;
      return;
    }
  }
  Pieces.push_back({Offset, size() + Size, Source});
}

void Rope::append(Bytes Data) {
  const uint64_t At = Owned.size();
  Owned.append(Data.begin(), Data.end());
  append(InOwned, At, Data.size());
  if (Room && Owned.size() >= OwnedLimit)
    spill();
}

void Rope::append(const ByteRange &R) {
  if (R.Size)
    append(sourceOf(R.Source), R.Offset, R.Size);
}

void Rope::append(const Rope &R, uint64_t From, uint64_t Length) {
  assert(From <= R.size() && Length <= R.size() - From && "out of range");
  const uint64_t To = From + Length;
  auto First = llvm::upper_bound(
      R.Pieces, From, [](uint64_t At, const Piece &P) { return At < P.End; });
  for (size_t I = size_t(First - R.Pieces.begin()); From < To; ++I) {
    const uint64_t Skipped = From - R.start(I);
    const uint64_t End = std::min(To, R.Pieces[I].End);
    if (R.Pieces[I].Source == InOwned)
      append(R.owned(I).slice(Skipped, End - From));
    else
      append(sourceOf(R.Sources[R.Pieces[I].Source]),
             R.Pieces[I].Offset + Skipped, End - From);
    From = End;
  }
}

/// Moves the owned bytes to the file.
void Rope::spill() {
  Expected<ByteRange> R = Room->append(Owned);
  if (!R) {
    // Stay in memory. A write that needs the file reports the error.
    llvm::consumeError(R.takeError());
    Room.reset();
    return;
  }
  const uint32_t Source = sourceOf(R->Source);
  for (; Spilled < Pieces.size(); ++Spilled)
    if (Piece &P = Pieces[Spilled]; P.Source == InOwned) {
      P.Source = Source;
      P.Offset += R->Offset;
    }
  Owned.clear();
}

ByteRange Rope::range(size_t I, uint64_t From) const {
  return ByteRange(Sources[Pieces[I].Source], Pieces[I].Offset + From,
                   size(I) - From);
}

Error Rope::forEachChunk(function_ref<Error(Bytes)> Do) const {
  for (size_t I = 0; I < Pieces.size(); ++I)
    if (Error E = Pieces[I].Source == InOwned ? Do(owned(I))
                                              : range(I).forEachChunk(Do))
      return E;
  return Error::success();
}

Expected<SmallVector<uint8_t, 0>> Rope::last(uint64_t Size) const {
  SmallVector<uint8_t, 0> Text;
  Text.resize_for_overwrite(std::min(Size, size()));
  // Filled from behind.
  MutableArrayRef<uint8_t> Unfilled(Text);
  for (size_t I = Pieces.size(); I-- > 0 && !Unfilled.empty();) {
    uint64_t Length = std::min<uint64_t>(size(I), Unfilled.size());
    MutableArrayRef<uint8_t> To = Unfilled.take_back(Length);
    Unfilled = Unfilled.drop_back(Length);
    if (Pieces[I].Source == InOwned)
      copy(owned(I).take_back(Length), To.begin());
    else if (Error E = range(I).read(size(I) - Length, To))
      return E;
  }
  return Text;
}

/// Copies inside the kernel as far as it can; returns how many bytes.
static uint64_t copyInKernel(int From, uint64_t Offset, uint64_t Size, int To) {
#ifdef __linux__
  uint64_t Done = 0;
  off_t Place = off_t(Offset);
  while (Done < Size) {
    size_t Want = size_t(std::min<uint64_t>(Size - Done, 1u << 30));
    ssize_t N = ::copy_file_range(From, &Place, To, nullptr, Want, 0);
    if (N < 0 && errno == EINTR)
      continue;
    if (N <= 0)
      break; // other file system, a pipe, too old: the caller copies the rest
    Done += uint64_t(N);
  }
  return Done;
#else
  return 0;
#endif
}

Error Rope::writeTo(int FD, StringRef Display) const {
  // A class file in a folder.
  if (Pieces.size() == 1 && Pieces[0].Source != InOwned)
    if (Bytes All = Sources[Pieces[0].Source]->inMemory(); !All.empty())
      return writeData(FD, All.slice(Pieces[0].Offset, size()), Display);
  // Small pieces are gathered: an archive has two for each entry.
  SmallVector<uint8_t, 0> Buffer;
  auto Flush = [&]() -> Error {
    Error E = writeData(FD, Buffer, Display);
    Buffer.clear();
    return E;
  };
  for (size_t I = 0; I < Pieces.size(); ++I) {
    const bool IsOwned = Pieces[I].Source == InOwned;
    uint64_t Done = 0;
    if (size(I) > ChunkSize) {
      if (Error E = Flush())
        return E;
      if (int From = IsOwned ? -1 : range(I).descriptor(); From >= 0)
        Done = copyInKernel(From, Pieces[I].Offset, size(I), FD);
    }
    while (Done < size(I)) {
      const size_t Old = Buffer.size();
      const size_t N = std::min<uint64_t>(ChunkSize - Old, size(I) - Done);
      Buffer.resize_for_overwrite(Old + N);
      auto To = MutableArrayRef<uint8_t>(Buffer).take_back(N);
      if (IsOwned)
        copy(owned(I).slice(Done, N), To.begin());
      else if (Error E = range(I).read(Done, To))
        return E;
      Done += N;
      if (Buffer.size() == ChunkSize)
        if (Error E = Flush())
          return E;
    }
  }
  return Flush();
}
