//===- ZipWriter.cpp - A changed archive, or a new one --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Archive/ZipWriter.h"
#include "ZipFormat.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/NoMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ConvertUTF.h"
#include <algorithm>
#include <ctime>
#include <libdeflate.h>
#include <numeric>
#include <zlib.h>

using namespace jopt;
using namespace jopt::zip;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;

/// The level of zlib's default and of most tools: changed entries end up about
/// as large as they were.
static constexpr int Level = 6;
/// Content up to this size is deflated in one go, by libdeflate.
static constexpr uint64_t DeflatedInOneGo = 4u << 20;

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

namespace {
struct FreeCompressor {
  void operator()(libdeflate_compressor *C) const {
    libdeflate_free_compressor(C);
  }
};
} // namespace

Expected<PackedContent> jopt::pack(Bytes Data, ZipMethod Method,
                                   SpillFile *Spill) {
  PackedContent Result;
  Result.Method = Method;
  Result.Size = Data.size();
  Result.CRC = crc32Of(Data);
  SmallVector<uint8_t, 0> Buffer;
  Bytes Packed = Data;
  if (Method == ZipMethod::Deflated) {
    static thread_local std::unique_ptr<libdeflate_compressor, FreeCompressor>
        Compressor;
    if (!Compressor)
      Compressor.reset(libdeflate_alloc_compressor(Level));
    if (!Compressor)
      return makeError(NoMemory);
    Buffer.resize_for_overwrite(
        libdeflate_deflate_compress_bound(Compressor.get(), Data.size()));
    size_t Size =
        libdeflate_deflate_compress(Compressor.get(), Data.data(), Data.size(),
                                    Buffer.data(), Buffer.size());
    assert(Size && "the bound is enough");
    Packed = Bytes(Buffer).take_front(Size);
  }
  if (!Spill) {
    Result.Data.append(Packed);
    return Result;
  }
  Expected<ByteRange> Place = Spill->append(Packed);
  if (!Place)
    return Place.takeError();
  Result.Data.append(*Place);
  return Result;
}

Expected<PackedContent> jopt::pack(const Rope &Data, ZipMethod Method,
                                   SpillFile &Spill) {
  if (Method == ZipMethod::Deflated && Data.size() <= DeflatedInOneGo) {
    SmallVector<uint8_t, 0> Content;
    Content.reserve(Data.size());
    if (Error E = Data.forEachChunk([&](Bytes Chunk) {
          Content.append(Chunk.begin(), Chunk.end());
          return Error::success();
        }))
      return E;
    return pack(Content, Method, &Spill);
  }
  PackedContent Result;
  Result.Method = Method;
  Result.Size = Data.size();
  if (Method == ZipMethod::Stored) {
    // One range of a file instead of many small pieces in memory.
    ByteRange Room = Spill.reserve(Data.size());
    uint64_t At = 0;
    if (Error E = Data.forEachChunk([&](Bytes Chunk) {
          Result.CRC = crc32Of(Chunk, Result.CRC);
          Error WriteError = Spill.write(Room, At, Chunk);
          At += Chunk.size();
          return WriteError;
        }))
      return E;
    Result.Data.append(Room);
    return Result;
  }
  z_stream Z = {};
  if (deflateInit2(&Z, Level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    return makeError(NoMemory);
  auto Free = llvm::make_scope_exit([&] { deflateEnd(&Z); });
  SmallVector<uint8_t, 0> Buffer;
  Buffer.resize_for_overwrite(256 * 1024);
  auto Deflate = [&](Bytes Chunk, int Flush) -> Error {
    Z.next_in = const_cast<uint8_t *>(Chunk.data());
    Z.avail_in = uInt(Chunk.size());
    do {
      Z.next_out = Buffer.data();
      Z.avail_out = uInt(Buffer.size());
      deflate(&Z, Flush);
      Expected<ByteRange> Place =
          Spill.append(Bytes(Buffer).drop_back(Z.avail_out));
      if (!Place)
        return Place.takeError();
      Result.Data.append(*Place);
    } while (!Z.avail_out);
    return Error::success();
  };
  if (Error E = Data.forEachChunk([&](Bytes Chunk) {
        Result.CRC = crc32Of(Chunk, Result.CRC);
        return Deflate(Chunk, Z_NO_FLUSH);
      }))
    return E;
  if (Error E = Deflate({}, Z_FINISH))
    return E;
  return Result;
}

Expected<SmallVector<uint8_t, 0>> jopt::unpack(const PackedContent &Content) {
  SmallVector<uint8_t, 0> Packed, Result;
  if (Error E = Content.Data.forEachChunk([&](Bytes Chunk) {
        Packed.append(Chunk.begin(), Chunk.end());
        return Error::success();
      }))
    return E;
  if (Content.Method == ZipMethod::Stored)
    return Packed;
  std::unique_ptr<libdeflate_decompressor,
                  decltype(&libdeflate_free_decompressor)>
      D(libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  if (!D)
    return makeError(NoMemory);
  Result.resize_for_overwrite(Content.Size + 1);
  libdeflate_result R =
      libdeflate_deflate_decompress(D.get(), Packed.data(), Packed.size(),
                                    Result.data(), Content.Size, nullptr);
  if (R != LIBDEFLATE_SUCCESS)
    return makeError("the temporary file changed");
  Result.truncate(Content.Size);
  return Result;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

/// The time of added entries: SOURCE_DATE_EPOCH (in UTC), else the first moment
/// that the format can express. MS-DOS form, the date in the upper half.
static uint32_t timeOfAdded() {
  constexpr uint32_t First = 1u << 21 | 1u << 16;
  const char *Text = std::getenv("SOURCE_DATE_EPOCH");
  int64_t Seconds;
  if (!Text || !llvm::to_integer(StringRef(Text), Seconds, 10))
    return First;
  std::time_t Time = std::time_t(Seconds);
  std::tm T;
  if (!gmtime_r(&Time, &T) || T.tm_year < 80)
    return First;
  if (T.tm_year > 80 + 127)
    return 127u << 25 | 12u << 21 | 31u << 16 | 23u << 11 | 59u << 5 | 29;
  return uint32_t(T.tm_year - 80) << 25 | uint32_t(T.tm_mon + 1) << 21 |
         uint32_t(T.tm_mday) << 16 | uint32_t(T.tm_hour) << 11 |
         uint32_t(T.tm_min) << 5 | uint32_t(T.tm_sec / 2);
}

/// Zip64 is only written where a value needs it, or had it.
static uint32_t fit(uint64_t V) { return V < Max4 ? uint32_t(V) : Max4; }

namespace {
/// What a central record says about content and place.
struct Facts {
  uint64_t Size, Packed, Local;
  uint32_t CRC;
};
} // namespace

/// \p Record again with other facts (and another name if \p NewName is not
/// empty). Values that were in the Zip64 field stay there.
static SmallVector<uint8_t, 128> patchCentral(Bytes Record, const Facts &F,
                                              StringRef NewName = {}) {
  const uint8_t *P = Record.data();
  size_t NameLength = get2(P + CentralRecord::NameLength);
  size_t ExtraLength = get2(P + CentralRecord::ExtraLength);
  Bytes Name = Record.slice(CentralRecord::Length, NameLength);
  Bytes Extra = Record.slice(CentralRecord::Length + NameLength, ExtraLength);
  Bytes Comment =
      Record.drop_front(CentralRecord::Length + NameLength + ExtraLength);
  if (!NewName.empty())
    Name = toBytes(NewName);

  SmallVector<uint8_t, 128> New(P, P + CentralRecord::Length);
  put4(&New[CentralRecord::CRC], F.CRC);
  // The Zip64 field holds those values, in this order, that do not fit.
  Bytes OldLong = findExtra(Extra, Zip64Extra);
  SmallVector<uint8_t, 28> Long;
  for (auto [At, Value] : {std::pair(CentralRecord::Size, F.Size),
                           std::pair(CentralRecord::Packed, F.Packed),
                           std::pair(CentralRecord::Local, F.Local)}) {
    bool WasLong = get4(P + At) == Max4;
    if (WasLong)
      OldLong = OldLong.drop_front(8);
    bool IsLong = WasLong || Value >= Max4;
    put4(&New[At], IsLong ? Max4 : uint32_t(Value));
    if (IsLong) {
      Long.resize(Long.size() + 8);
      put8(Long.end() - 8, Value);
    }
  }
  Long.append(OldLong.begin(), OldLong.end());

  New.append(Name.begin(), Name.end());
  size_t ExtraStart = New.size();
  Bytes Old = findExtra(Extra, Zip64Extra);
  Bytes Before = Extra, After;
  if (Old.data()) {
    Before = Bytes(Extra.begin(), Old.begin() - 4);
    After = Bytes(Old.end(), Extra.end());
  }
  New.append(Before.begin(), Before.end());
  if (Old.data() || !Long.empty()) {
    New.resize(New.size() + 4);
    put2(New.end() - 4, Zip64Extra);
    put2(New.end() - 2, uint16_t(Long.size()));
    New.append(Long.begin(), Long.end());
  }
  New.append(After.begin(), After.end());
  put2(&New[CentralRecord::NameLength], uint16_t(Name.size()));
  put2(&New[CentralRecord::ExtraLength], uint16_t(New.size() - ExtraStart));
  New.append(Comment.begin(), Comment.end());
  return New;
}

/// Appends what is in front of the content and behind it in an entry that was
/// one with \p Header, as \p F has it; \p Content appends the content.
static Error appendEntry(Rope &Out, Bytes Header, const Facts &F,
                         llvm::function_ref<void()> Content,
                         StringRef NewName = {}) {
  const uint8_t *P = Header.data();
  size_t NameLength = get2(P + LocalHeader::NameLength);
  Bytes Name = Header.slice(LocalHeader::Length, NameLength);
  Bytes Extra = Header.drop_front(LocalHeader::Length + NameLength);
  if (!NewName.empty())
    Name = toBytes(NewName);
  SmallVector<uint8_t, 128> New(P, P + LocalHeader::Length);
  put2(&New[LocalHeader::NameLength], uint16_t(Name.size()));
  New.append(Name.begin(), Name.end());
  size_t ExtraStart = New.size();
  New.append(Extra.begin(), Extra.end());

  Bytes OldLong = findExtra(Extra, Zip64Extra);
  uint8_t *Long = OldLong.data()
                      ? &New[ExtraStart] + (OldLong.data() - Extra.data())
                      : nullptr;
  bool HasRoom = OldLong.size() >= 16 && get4(P + LocalHeader::Size) == Max4 &&
                 get4(P + LocalHeader::Packed) == Max4;
  if (!HasRoom && (F.Packed >= Max4 || F.Size >= Max4))
    return makeError("its new content is too large for an archive entry "
                     "without Zip64");
  // A writer that did not know the values put zeros here and a descriptor
  // behind the content; one that had guessed must be corrected.
  bool Descriptor = get2(P + LocalHeader::Flags) & HasDescriptor;
  auto Patch = [&](unsigned At, uint64_t Value) {
    if (get4(P + At) == Max4 && Long) {
      if (OldLong.size() >= 8 && (!Descriptor || get8(OldLong.data())))
        put8(Long, Value);
      Long += OldLong.size() >= 8 ? 8 : 0;
      OldLong = OldLong.drop_front(std::min<size_t>(8, OldLong.size()));
    } else if (!Descriptor || get4(P + At)) {
      put4(&New[At], fit(Value));
    }
  };
  if (!Descriptor || get4(P + LocalHeader::CRC))
    put4(&New[LocalHeader::CRC], F.CRC);
  Patch(LocalHeader::Size, F.Size);
  Patch(LocalHeader::Packed, F.Packed);
  Out.append(New);
  Content();
  if (!Descriptor)
    return Error::success();

  uint8_t D[24];
  bool IsLong = findExtra(Extra, Zip64Extra).data();
  put4(D, DescriptorSignature);
  put4(D + 4, F.CRC);
  if (IsLong) {
    put8(D + 8, F.Packed);
    put8(D + 16, F.Size);
  } else {
    put4(D + 8, uint32_t(F.Packed));
    put4(D + 12, uint32_t(F.Size));
  }
  Out.append(Bytes(D, IsLong ? 24 : 16));
  return Error::success();
}

/// Version needed to extract: 1.0 for stored, 2.0 for deflated content.
static uint16_t versionNeeded(ZipMethod M) {
  return M == ZipMethod::Stored ? 10 : 20;
}

/// Bit 11 is only for names that need it: old readers know no such flag.
static uint16_t flagsFor(StringRef Name) {
  const llvm::UTF8 *Start =
      reinterpret_cast<const llvm::UTF8 *>(Name.bytes_begin());
  return !isASCII(Name) && llvm::isLegalUTF8String(&Start, Name.bytes_end())
             ? uint16_t(UTF8Name)
             : uint16_t(0);
}

//===----------------------------------------------------------------------===//
// The archive
//===----------------------------------------------------------------------===//

/// One run of finish().
class ZipWriter::Assembly {
public:
  explicit Assembly(const ZipWriter &W)
      : W(W), Original(W.Original), Out(W.Spill), Directory(W.Spill) {}

  Expected<Rope> run() {
    if (Original)
      if (Error E = originalEntries())
        return E;
    for (const auto &[Name, Content] : W.Added)
      if (Error E = addedEntry(Name, Content))
        return E;
    uint64_t Start = Out.size();
    Out.append(Directory);
    uint64_t End = endRecords(Start);
    // Bytes that look like an end record may have got to where one is looked
    // for, or lie across the one whose fields changed.
    Expected<SmallVector<uint8_t, 0>> Window = Out.last(EndWindow);
    if (!Window)
      return Window.takeError();
    std::optional<size_t> Found = findEndRecord(*Window);
    if (!Found || Out.size() - Window->size() + *Found != End)
      return makeError("other bytes of the archive look like its end record; "
                       "it cannot be changed");
    return std::move(Out);
  }

private:
  Error originalEntries();
  Error addedEntry(StringRef Name, const PackedContent &Content);
  uint64_t endRecords(uint64_t Start);
  uint64_t base() const { return Original ? Original->base() : 0; }

  const ZipWriter &W;
  const ZipArchive *Original;
  Rope Out, Directory;
  uint64_t Count = 0;
};

Error ZipWriter::Assembly::originalEntries() {
  const ByteRange &File = Original->file();
  ArrayRef<ZipEntry> Entries = Original->entries();
  SmallVector<uint32_t, 0> Order(Entries.size());
  std::iota(Order.begin(), Order.end(), 0);
  llvm::sort(Order, [&](uint32_t A, uint32_t B) {
    return Entries[A].Local < Entries[B].Local;
  });
  uint64_t Prefix =
      Entries.empty() ? Original->directoryStart() : Entries[Order[0]].Local;
  Out.reserve(2 * W.Changes.size());
  Out.append(File.slice(0, Prefix));
  // Content in the order in which it lies, records in that of the directory.
  std::vector<uint64_t> Places(Entries.size());
  SmallVector<uint8_t, 256> Header;
  for (uint32_t I : Order) {
    const ZipEntry &E = Entries[I];
    const Change &C = W.changeOf(I);
    Places[I] = Out.size();
    if (C.What == Change::Kind::None)
      Out.append(File.slice(E.Local, E.End - E.Local));
    if (C.What != Change::Kind::Replaced)
      continue;
    if (Error Err = File.slice(E.Local, E.Data - E.Local).readAll(Header))
      return Err;
    if (Error Err = appendEntry(
            Out, Header, {C.Size, C.Packed, Places[I] - base(), C.CRC},
            [&] { Out.append(W.Contents, C.At, C.Packed); }, W.newName(I)))
      return inFile(std::move(Err), Original->display(E));
  }
  for (size_t I = 0; I < Entries.size(); ++I) {
    const ZipEntry &E = Entries[I];
    const Change &C = W.changeOf(I);
    if (C.What == Change::Kind::Dropped)
      continue;
    const uint64_t Place = Places[I] - base();
    const Facts F = C.What == Change::Kind::Replaced
                        ? Facts{C.Size, C.Packed, Place, C.CRC}
                        : Facts{E.Size, E.Packed, Place, E.CRC};
    size_t End = I + 1 < Entries.size() ? Entries[I + 1].Record
                                        : Original->directory().size();
    Bytes Record = Original->directory().slice(E.Record, End - E.Record);
    Directory.append(patchCentral(Record, F, W.newName(I)));
    ++Count;
  }
  return Error::success();
}

Error ZipWriter::Assembly::addedEntry(StringRef Name,
                                      const PackedContent &Content) {
  if (Name.size() > Max2)
    return makeError("the name of an added entry is too long");
  uint8_t Record[CentralRecord::Length] = {}, Local[LocalHeader::Length] = {};
  uint32_t Time = timeOfAdded();
  put4(Record, CentralSignature);
  put2(Record + 4, 20); // made by: MS-DOS attributes, version 2.0
  put2(Record + 6, versionNeeded(Content.Method));
  put2(Record + CentralRecord::Flags, flagsFor(Name));
  put2(Record + CentralRecord::Method, uint16_t(Content.Method));
  put2(Record + CentralRecord::Time, uint16_t(Time));
  put2(Record + CentralRecord::Date, uint16_t(Time >> 16));
  put2(Record + CentralRecord::NameLength, uint16_t(Name.size()));
  // The local header has the same fields from "version needed" on.
  put4(Local, LocalSignature);
  std::copy_n(Record + 6, LocalHeader::Length - 4, Local + 4);
  uint64_t Place = Out.size() - base();
  SmallVector<uint8_t, 128> Header(Local, Local + sizeof(Local));
  append_range(Header, toBytes(Name));
  const Facts F{Content.Size, Content.Data.size(), Place, Content.CRC};
  if (Error E = appendEntry(Out, Header, F, [&] { Out.append(Content.Data); }))
    return inFile(std::move(E), Name);
  SmallVector<uint8_t, 128> Central(Record, Record + sizeof(Record));
  append_range(Central, toBytes(Name));
  Directory.append(patchCentral(Central, F));
  ++Count;
  return Error::success();
}

/// Returns the place of the end record.
uint64_t ZipWriter::Assembly::endRecords(uint64_t Start) {
  uint64_t Shown = Start - base();
  Bytes Tail = Original ? Original->tail() : Bytes();
  size_t OldEnd = Original ? size_t(Original->endRecord()) : 0;
  bool WasLong = Original && Original->isZip64();
  SmallVector<uint8_t, 128> End(EndRecord::Length, 0);
  put4(End.data(), EndSignature);
  if (Original)
    End.assign(Tail.begin() + OldEnd, Tail.end());

  bool NeedsLong = Count >= Max2 || Directory.size() >= Max4 || Shown >= Max4;
  if (WasLong || NeedsLong) {
    SmallVector<uint8_t, 128> Long;
    if (WasLong) {
      Long.assign(Tail.begin(), Tail.begin() + OldEnd);
    } else {
      Long.assign(End64Record::Length + Locator64::Length, 0);
      put4(&Long[0], End64Signature);
      put8(&Long[End64Record::RecordSize], End64Record::Length - 12);
      put2(&Long[End64Record::MadeBy], 45);
      put2(&Long[End64Record::Needed], 45);
      put4(&Long[End64Record::Length], Locator64Signature);
      put4(&Long[End64Record::Length + Locator64::Disks], 1);
    }
    put8(&Long[End64Record::CountHere], Count);
    put8(&Long[End64Record::Count], Count);
    put8(&Long[End64Record::Size], Directory.size());
    put8(&Long[End64Record::Start], Shown);
    put8(&Long[Long.size() - Locator64::Length + Locator64::End64],
         Out.size() - base());
    Out.append(Long);
  }
  // What stood for "see Zip64" still does.
  auto Patch2 = [&](unsigned At, uint64_t V) {
    bool Kept = WasLong && get2(&End[At]) == Max2;
    put2(&End[At], Kept || V >= Max2 ? Max2 : uint16_t(V));
  };
  auto Patch4 = [&](unsigned At, uint64_t V) {
    bool Kept = WasLong && get4(&End[At]) == Max4;
    put4(&End[At], Kept ? Max4 : fit(V));
  };
  Patch2(EndRecord::CountHere, Count);
  Patch2(EndRecord::Count, Count);
  Patch4(EndRecord::Size, Directory.size());
  Patch4(EndRecord::Start, Shown);
  uint64_t Place = Out.size();
  Out.append(End);
  return Place;
}

ZipWriter::Change &ZipWriter::change(size_t I) {
  assert(Original && I < Original->entries().size());
  if (Changes.empty())
    Changes.resize(Original->entries().size());
  return Changes[I];
}

const ZipWriter::Change &ZipWriter::changeOf(size_t I) const {
  static const Change None;
  return Changes.empty() ? None : Changes[I];
}

StringRef ZipWriter::newName(size_t I) const {
  auto It = NewNames.find(I);
  return It == NewNames.end() ? StringRef() : StringRef(It->second);
}

void ZipWriter::replace(size_t I, PackedContent Content, std::string NewName) {
  change(I) = {Contents.size(), Content.Data.size(), Content.Size, Content.CRC,
               Change::Kind::Replaced};
  Contents.append(Content.Data);
  if (NewName.empty())
    NewNames.erase(I);
  else
    NewNames[I] = std::move(NewName);
}

void ZipWriter::drop(size_t I) { change(I).What = Change::Kind::Dropped; }

std::optional<PackedContent> ZipWriter::replacement(size_t I) const {
  const Change &C = changeOf(I);
  if (C.What != Change::Kind::Replaced)
    return std::nullopt;
  PackedContent Found;
  Found.Data.append(Contents, C.At, C.Packed);
  Found.Method = static_cast<ZipMethod>(Original->entries()[I].Method);
  Found.Size = C.Size;
  Found.CRC = C.CRC;
  return Found;
}

bool ZipWriter::isDropped(size_t I) const {
  return changeOf(I).What == Change::Kind::Dropped;
}

void ZipWriter::add(std::string Name, PackedContent Content) {
  Added.emplace_back(std::move(Name), std::move(Content));
}

Expected<Rope> ZipWriter::finish() const {
  if (!changed() && Original)
    return Rope(Original->file());
  return Assembly(*this).run();
}
