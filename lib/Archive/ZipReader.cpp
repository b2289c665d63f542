//===- ZipReader.cpp - The entries of an archive --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Archive/ZipReader.h"
#include "ZipFormat.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/NoMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <libdeflate.h>
#include <numeric>
#include <optional>
#include <zlib.h>

using namespace jopt;
using namespace jopt::zip;
using llvm::Error;
using llvm::Expected;
using llvm::function_ref;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::StringRef;
using llvm::Twine;

/// Deflate cannot do better than 258 bytes in two bits.
static constexpr uint64_t MaxDeflateRatio = 1032;
/// Entries up to this size are inflated in one go, larger ones in pieces.
static constexpr uint64_t InflatedInOneGo = 4u << 20;

uint32_t jopt::crc32Of(Bytes Data, uint32_t CRC) {
  return libdeflate_crc32(CRC, Data.data(), Data.size());
}

//===----------------------------------------------------------------------===//
// End records
//===----------------------------------------------------------------------===//

std::optional<size_t> zip::findEndRecord(Bytes Window) {
  std::optional<size_t> Inexact;
  if (Window.size() < EndRecord::Length)
    return std::nullopt;
  for (size_t At = Window.size() - EndRecord::Length + 1; At-- > 0;) {
    const uint8_t *P = Window.data() + At;
    if (P[0] != 'P' || get4(P) != EndSignature)
      continue;
    size_t End = At + EndRecord::Length + get2(P + EndRecord::CommentLength);
    if (End == Window.size())
      return At;
    if (End < Window.size() && !Inexact)
      Inexact = At;
  }
  return Inexact;
}

/// Reads the last bytes of \p File, enough for an end record and its comment.
/// Returns where they begin.
static Expected<uint64_t> readWindow(const ByteRange &File,
                                     SmallVectorImpl<uint8_t> &Window) {
  uint64_t Length = std::min(File.size(), EndWindow);
  Window.resize_for_overwrite(Length);
  if (Error E = File.read(File.size() - Length, Window))
    return E;
  return File.size() - Length;
}

Expected<bool> ZipArchive::isArchive(const ByteRange &File) {
  if (File.size() < 4)
    return false;
  uint8_t Start[4];
  if (Error E = File.read(0, Start))
    return E;
  if (readU4(Start) == 0xcafebabe)
    return false;
  if (get4(Start) == LocalSignature || get4(Start) == EndSignature)
    return true;
  // Something before an archive: the directory must be where the end record
  // says, so that a text that ends like one is not taken for it.
  SmallVector<uint8_t, 0> Window;
  Expected<uint64_t> WindowStart = readWindow(File, Window);
  if (!WindowStart)
    return WindowStart.takeError();
  std::optional<size_t> At = findEndRecord(Window);
  if (!At)
    return false;
  uint64_t Size = get4(Window.data() + *At + EndRecord::Size);
  uint64_t Place = *WindowStart + *At;
  if (Size == Max4)
    return true;
  if (Size < 4 || Size > Place)
    return false;
  if (Error E = File.read(Place - Size, Start))
    return E;
  // With Zip64 records between, the directory ends before them.
  return get4(Start) == CentralSignature ||
         (Place >= Locator64::Length && *At >= Locator64::Length &&
          get4(Window.data() + *At - Locator64::Length) == Locator64Signature);
}

Error ZipArchive::parseEnd(const ArchiveLimits &Limits, uint64_t &Count) {
  SmallVector<uint8_t, 0> Window;
  Expected<uint64_t> WindowStart = readWindow(File, Window);
  if (!WindowStart)
    return WindowStart.takeError();
  std::optional<size_t> At = findEndRecord(Window);
  if (!At)
    return makeError("not an archive, or truncated: it has no end record");
  const uint8_t *P = Window.data() + *At;
  uint64_t EndPlace = *WindowStart + *At, DirectoryEnd = EndPlace;
  uint64_t DirectorySize = get4(P + EndRecord::Size);
  uint64_t Start = get4(P + EndRecord::Start);
  uint64_t Disk = get2(P + EndRecord::Disk);
  uint64_t DirectoryDisk = get2(P + EndRecord::DirectoryDisk);
  uint64_t CountHere = get2(P + EndRecord::CountHere);
  Count = get2(P + EndRecord::Count);

  // Zip64. The record ends where the locator begins; its place as written may
  // lack the length of a prefix.
  if (EndPlace >= Locator64::Length + End64Record::Length) {
    uint8_t Locator[Locator64::Length], Record[End64Record::Length];
    uint64_t LocatorPlace = EndPlace - Locator64::Length;
    if (Error E = File.read(LocatorPlace, Locator))
      return E;
    if (get4(Locator) == Locator64Signature) {
      bool Found = false;
      for (uint64_t Place : {get8(Locator + Locator64::End64),
                             LocatorPlace - End64Record::Length}) {
        if (Place > LocatorPlace - End64Record::Length)
          continue;
        if (Error E = File.read(Place, Record))
          return E;
        if (get4(Record) != End64Signature ||
            get8(Record + End64Record::RecordSize) != LocatorPlace - Place - 12)
          continue;
        Found = true;
        DirectoryEnd = Place;
        break;
      }
      if (!Found)
        return makeError("the Zip64 end record is not where it should be");
      Count = get8(Record + End64Record::Count);
      CountHere = get8(Record + End64Record::CountHere);
      DirectorySize = get8(Record + End64Record::Size);
      Start = get8(Record + End64Record::Start);
      Disk = DirectoryDisk = 0;
      if (get4(Locator + Locator64::Disks) > 1)
        Disk = 1;
    }
  }
  if (Disk || DirectoryDisk || CountHere != Count)
    return makeError("a part of a split archive");
  if (DirectorySize > DirectoryEnd || Start > DirectoryEnd - DirectorySize)
    return makeError("truncated, or the directory is not where the end record "
                     "says");
  if (DirectorySize > Limits.MaxDirectory ||
      File.size() - DirectoryEnd > Limits.MaxDirectory)
    return makeError("the directory has " + Twine(DirectorySize) +
                     " bytes, the limit is " + Twine(Limits.MaxDirectory));
  DirectoryStart = DirectoryEnd - DirectorySize;
  Base = DirectoryStart - Start;
  Directory.resize_for_overwrite(DirectorySize);
  if (Error E = File.read(DirectoryStart, Directory))
    return E;
  Tail.resize_for_overwrite(File.size() - DirectoryEnd);
  EndRecordPlace = EndPlace - DirectoryEnd;
  return File.read(DirectoryEnd, Tail);
}

//===----------------------------------------------------------------------===//
// Directory and local headers
//===----------------------------------------------------------------------===//

Error ZipArchive::parseDirectory(uint64_t Count) {
  Entries.reserve(
      std::min<uint64_t>(Count, Directory.size() / CentralRecord::Length));
  size_t At = 0;
  while (At < Directory.size()) {
    const uint8_t *P = Directory.data() + At;
    size_t Left = Directory.size() - At;
    if (Left < CentralRecord::Length || get4(P) != CentralSignature)
      return makeError("broken directory: no record at its byte " + Twine(At));
    size_t NameLength = get2(P + CentralRecord::NameLength);
    size_t ExtraLength = get2(P + CentralRecord::ExtraLength);
    size_t Length = CentralRecord::Length + NameLength + ExtraLength +
                    get2(P + CentralRecord::CommentLength);
    if (Length > Left)
      return makeError("broken directory: the record at its byte " + Twine(At) +
                       " is cut off");
    ZipEntry E;
    E.Name = toStringRef(Bytes(P + CentralRecord::Length, NameLength));
    E.Record = uint32_t(At);
    E.Flags = get2(P + CentralRecord::Flags);
    E.Method = get2(P + CentralRecord::Method);
    E.CRC = get4(P + CentralRecord::CRC);
    E.Size = get4(P + CentralRecord::Size);
    E.Packed = get4(P + CentralRecord::Packed);
    E.Local = get4(P + CentralRecord::Local);
    Bytes Long = findExtra(
        Bytes(P + CentralRecord::Length + NameLength, ExtraLength), Zip64Extra);
    for (uint64_t *Field : {&E.Size, &E.Packed, &E.Local}) {
      if (*Field != Max4)
        continue;
      if (Long.size() < 8)
        return makeError(Location(display(E)),
                         "the Zip64 field of the directory is missing");
      *Field = get8(Long.data());
      Long = Long.drop_front(8);
    }
    uint16_t Disk = get2(P + CentralRecord::Disk);
    if (Disk && Disk != Max2)
      return makeError("a part of a split archive");
    // The first local header cannot lie beyond the directory, nor the sum
    // overflow.
    if (E.Local > DirectoryStart - Base)
      return makeError(Location(display(E)), "begins beyond the directory");
    E.Local += Base;
    Entries.push_back(E);
    At += Length;
  }
  // Without Zip64, tools that have more than 65,535 entries count modulo.
  bool Agrees =
      isZip64() ? Entries.size() == Count : (Entries.size() & Max2) == Count;
  if (!Agrees)
    return makeError("the end record counts " + Twine(Count) +
                     " entries, the directory has " + Twine(Entries.size()));
  return Error::success();
}

Error ZipArchive::parseLocals() {
  SmallVector<uint32_t, 0> Order(Entries.size());
  std::iota(Order.begin(), Order.end(), 0);
  auto ByPlace = [&](uint32_t A, uint32_t B) {
    return Entries[A].Local < Entries[B].Local;
  };
  if (!llvm::is_sorted(Order, ByPlace))
    llvm::sort(Order, ByPlace);
  SmallVector<uint8_t, 512> Header;
  for (size_t I = 0; I < Order.size(); ++I) {
    ZipEntry &E = Entries[Order[I]];
    auto Broken = [&](const Twine &Message) {
      return makeError(Location(display(E)), Message);
    };
    E.End = I + 1 < Order.size() ? Entries[Order[I + 1]].Local : DirectoryStart;
    if (E.End - E.Local < LocalHeader::Length + E.Name.size())
      return Broken("overlaps the next entry or the directory");
    Header.resize_for_overwrite(LocalHeader::Length + E.Name.size());
    if (Error Err = File.read(E.Local, Header))
      return Err;
    const uint8_t *P = Header.data();
    if (get4(P) != LocalSignature)
      return Broken("no local header where the directory says");
    const size_t NameLength = get2(P + LocalHeader::NameLength);
    uint16_t Flags = get2(P + LocalHeader::Flags);
    E.Data = E.Local + LocalHeader::Length + NameLength +
             get2(P + LocalHeader::ExtraLength);
    if (E.Data > E.End || E.Packed > E.End - E.Data)
      return Broken("overlaps the next entry or the directory");
    uint32_t Packed = get4(P + LocalHeader::Packed);
    uint32_t Size = get4(P + LocalHeader::Size);
    // With a descriptor the local sizes are zero, or what the writer guessed.
    // Some writers leave them zero without one, which the JVM accepts.
    bool Unknown = !Packed && !Size && !get4(P + LocalHeader::CRC);
    if (NameLength != E.Name.size() ||
        toStringRef(Bytes(Header).drop_front(LocalHeader::Length)) != E.Name)
      E.Problem = "the local header has another name than the directory";
    else if (get2(P + LocalHeader::Method) != E.Method ||
             (Flags ^ E.Flags) & Encrypted)
      E.Problem = "the local header has another compression method than the "
                  "directory";
    else if (!(Flags & HasDescriptor) && !Unknown &&
             ((Packed != Max4 && Packed != E.Packed) ||
              (Size != Max4 && Size != E.Size) ||
              get4(P + LocalHeader::CRC) != E.CRC))
      E.Problem = "the local header has another size or checksum than the "
                  "directory";
    else if (E.Method == uint16_t(ZipMethod::Stored) && !E.isEncrypted() &&
             E.Size != E.Packed)
      E.Problem = "stored, but its two sizes differ";
  }
  return Error::success();
}

Expected<std::unique_ptr<ZipArchive>>
ZipArchive::open(ByteRange File, StringRef Display,
                 const ArchiveLimits &Limits) {
  std::unique_ptr<ZipArchive> A(new ZipArchive(std::move(File), Display));
  uint64_t Count = 0;
  Error E = A->parseEnd(Limits, Count);
  if (!E)
    E = A->parseDirectory(Count);
  if (!E)
    E = A->parseLocals();
  if (E)
    return inFile(std::move(E), Display);
  return A;
}

std::string ZipArchive::display(const ZipEntry &E) const {
  return Display + "!/" + E.Name.str();
}

//===----------------------------------------------------------------------===//
// Content
//===----------------------------------------------------------------------===//

Error ZipArchive::checkReadable(const ZipEntry &E) const {
  auto Refuse = [&](const Twine &Message) {
    return makeError(Location(display(E)), Message);
  };
  if (E.Problem)
    return Refuse(E.Problem);
  if (E.isEncrypted())
    return Refuse("is encrypted");
  if (E.Method == uint16_t(ZipMethod::Stored))
    return Error::success();
  if (E.Method != uint16_t(ZipMethod::Deflated))
    return Refuse("unknown compression method " + Twine(E.Method));
  if (E.Size / MaxDeflateRatio > E.Packed)
    return Refuse("its " + Twine(E.Packed) + " bytes cannot inflate to " +
                  Twine(E.Size));
  return Error::success();
}

namespace {
struct FreeDecompressor {
  void operator()(libdeflate_decompressor *D) const {
    libdeflate_free_decompressor(D);
  }
};
} // namespace

static Error wrongContent(const ZipArchive &A, const ZipEntry &E) {
  return makeError(Location(A.display(E)),
                   "broken: does not inflate to the " + Twine(E.Size) +
                       " bytes that the directory says");
}

static Error checkSum(const ZipArchive &A, const ZipEntry &E, uint32_t CRC) {
  if (CRC == E.CRC)
    return Error::success();
  return makeError(Location(A.display(E)), "broken: wrong checksum");
}

Error ZipArchive::read(const ZipEntry &E, uint64_t Limit,
                       SmallVectorImpl<uint8_t> &To) const {
  if (Error Err = checkReadable(E))
    return Err;
  if (E.Size > Limit)
    return makeError(Location(display(E)), "has " + Twine(E.Size) +
                                               " bytes, the limit is " +
                                               Twine(Limit));
  if (E.Method == uint16_t(ZipMethod::Stored)) {
    if (Error Err = packed(E).readAll(To))
      return Err;
    return checkSum(*this, E, crc32Of(To));
  }
  // More packed bytes than bytes: only a broken or padded entry, within reason.
  if (E.Packed / 2 > Limit)
    return makeError(Location(display(E)), "has " + Twine(E.Packed) +
                                               " packed bytes, the limit is " +
                                               Twine(2 * Limit));
  static thread_local std::unique_ptr<libdeflate_decompressor, FreeDecompressor>
      Decompressor;
  if (!Decompressor)
    Decompressor.reset(libdeflate_alloc_decompressor());
  if (!Decompressor)
    return makeError(Location(display(E)), NoMemory);
  SmallVector<uint8_t, 0> Packed;
  if (Error Err = packed(E).readAll(Packed))
    return Err;
  // One byte more, so that the buffer is never a null pointer.
  To.resize_for_overwrite(E.Size + 1);
  size_t Size = 0;
  libdeflate_result R =
      libdeflate_deflate_decompress(Decompressor.get(), Packed.data(),
                                    Packed.size(), To.data(), E.Size, &Size);
  To.truncate(R == LIBDEFLATE_SUCCESS ? Size : 0);
  if (R != LIBDEFLATE_SUCCESS || Size != E.Size)
    return wrongContent(*this, E);
  return checkSum(*this, E, crc32Of(To));
}

namespace {
/// zlib's state, made once for each thread.
class Inflater {
public:
  ~Inflater() {
    if (IsReady)
      inflateEnd(&State);
  }
  /// For a new stream; null if there is no memory.
  z_stream *start() {
    if (IsReady)
      inflateReset(&State);
    else
      IsReady = inflateInit2(&State, -MAX_WBITS) == Z_OK;
    return IsReady ? &State : nullptr;
  }

private:
  z_stream State = {};
  bool IsReady = false;
};
} // namespace

/// The state of this thread, which inflates one stream at a time.
static z_stream *startInflating() {
  static thread_local Inflater I;
  return I.start();
}

Error ZipArchive::readBeginning(const ZipEntry &E, uint64_t Size,
                                SmallVectorImpl<uint8_t> &To) const {
  if (Error Err = checkReadable(E))
    return Err;
  if (E.Method == uint16_t(ZipMethod::Stored))
    return packed(E).slice(0, Size).readAll(To);
  z_stream *Z = startInflating();
  if (!Z)
    return makeError(Location(display(E)), NoMemory);
  To.resize_for_overwrite(Size);
  Z->next_out = To.data();
  Z->avail_out = uInt(Size);
  // Most often a few hundred bytes bring the first ones: the code tables come
  // before.
  SmallVector<uint8_t, 512> Chunk;
  for (uint64_t At = 0; Z->avail_out; At += Chunk.size()) {
    Chunk.resize_for_overwrite(std::min<uint64_t>(512, E.Packed - At));
    if (Chunk.empty())
      return wrongContent(*this, E);
    if (Error Err = packed(E).read(At, Chunk))
      return Err;
    Z->next_in = Chunk.data();
    Z->avail_in = uInt(Chunk.size());
    int R = inflate(Z, Z_NO_FLUSH);
    if (R != Z_OK && !(R == Z_STREAM_END && !Z->avail_out))
      return wrongContent(*this, E);
  }
  return Error::success();
}

Error ZipArchive::stream(const ZipEntry &E,
                         function_ref<Error(Bytes)> Do) const {
  if (Error Err = checkReadable(E))
    return Err;
  uint32_t CRC = 0;
  if (E.Method == uint16_t(ZipMethod::Stored)) {
    if (Error Err = packed(E).forEachChunk([&](Bytes Chunk) {
          CRC = crc32Of(Chunk, CRC);
          return Do(Chunk);
        }))
      return Err;
    return checkSum(*this, E, CRC);
  }
  z_stream *Z = startInflating();
  if (!Z)
    return makeError(Location(display(E)), NoMemory);
  SmallVector<uint8_t, 0> Buffer;
  Buffer.resize_for_overwrite(256 * 1024);
  uint64_t Done = 0;
  int R = Z_OK;
  auto Inflate = [&](Bytes Chunk) -> Error {
    Z->next_in = const_cast<uint8_t *>(Chunk.data());
    Z->avail_in = uInt(Chunk.size());
    // Like the JVM, ignore bytes behind the last block.
    while (R == Z_OK) {
      Z->next_out = Buffer.data();
      Z->avail_out = uInt(Buffer.size());
      R = inflate(Z, Z_NO_FLUSH);
      if (R == Z_BUF_ERROR) { // this chunk is used up
        R = Z_OK;
        break;
      }
      Bytes Out(Buffer.data(), Buffer.size() - Z->avail_out);
      Done += Out.size();
      if ((R != Z_OK && R != Z_STREAM_END) || Done > E.Size)
        return wrongContent(*this, E);
      CRC = crc32Of(Out, CRC);
      if (Error Err = Do(Out))
        return Err;
    }
    return Error::success();
  };
  if (Error Err = packed(E).forEachChunk(Inflate))
    return Err;
  if (R != Z_STREAM_END || Done != E.Size)
    return wrongContent(*this, E);
  return checkSum(*this, E, CRC);
}

Expected<ByteRange> ZipArchive::extract(const ZipEntry &E,
                                        SpillFile &Spill) const {
  if (E.Method == uint16_t(ZipMethod::Stored)) {
    if (Error Err = stream(E, [](Bytes) { return Error::success(); }))
      return Err;
    return packed(E);
  }
  if (E.Size <= InflatedInOneGo) {
    SmallVector<uint8_t, 0> Content;
    if (Error Err = read(E, InflatedInOneGo, Content))
      return Err;
    return Spill.append(Content);
  }
  if (Error Err = checkReadable(E))
    return Err;
  ByteRange Room = Spill.reserve(E.Size);
  uint64_t At = 0;
  if (Error Err = stream(E, [&](Bytes Chunk) {
        Error WriteError = Spill.write(Room, At, Chunk);
        At += Chunk.size();
        return WriteError;
      }))
    return Err;
  return Room;
}
