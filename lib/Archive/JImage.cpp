//===- JImage.cpp - The JDK's own classes ---------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Archive/JImage.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/NoMemory.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include <libdeflate.h>
#include <memory>

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

static constexpr uint32_t Magic = 0xcafedada, PackedMagic = 0xcafefafa;
static constexpr size_t HeaderSize = 28, PackedHeaderSize = 29;
/// Of the tables; that of a whole JDK has 4 MB.
static constexpr uint64_t MaxIndex = uint64_t(256) << 20;
/// Of a resource, compressed or not: more than any class can have.
static constexpr uint64_t MaxResource = uint64_t(1) << 30;

static uint32_t read4(const uint8_t *P, bool BigEndian) {
  return BigEndian ? llvm::support::endian::read32be(P)
                   : llvm::support::endian::read32le(P);
}
static uint64_t read8(const uint8_t *P, bool BigEndian) {
  return BigEndian ? llvm::support::endian::read64be(P)
                   : llvm::support::endian::read64le(P);
}

/// Number \p Index of the table at \p At.
uint32_t JImage::u4(Bytes At, size_t Index) const {
  return read4(At.data() + Index * 4, BigEndian);
}

Error JImage::bad(const Twine &What) const {
  return makeError(Location(Display), What);
}

Expected<bool> JImage::isImage(const ByteRange &File) {
  if (File.size() < HeaderSize)
    return false;
  uint8_t Start[4];
  if (Error E = File.read(0, Start))
    return E;
  return read4(Start, false) == Magic || read4(Start, true) == Magic;
}

Expected<JImage> JImage::open(ByteRange File, StringRef Display) {
  JImage I;
  I.Display = Display.str();
  I.File = std::move(File);
  uint8_t Header[HeaderSize];
  if (I.File.size() < HeaderSize)
    return I.bad("truncated: no run-time image");
  if (Error E = I.File.read(0, Header))
    return E;
  I.BigEndian = read4(Header, true) == Magic;
  if (read4(Header, I.BigEndian) != Magic)
    return I.bad("no run-time image of a JDK");
  // Version, flags and the number of resources are in front of the sizes.
  if (uint32_t Version = read4(Header + 4, I.BigEndian); Version >> 16 != 1)
    return I.bad("a run-time image of version " + Twine(Version >> 16) +
                 ", and only version 1 is known");
  uint64_t Table = uint64_t(read4(Header + 16, I.BigEndian)) * 4;
  uint64_t LocationsSize = read4(Header + 20, I.BigEndian);
  uint64_t StringsSize = read4(Header + 24, I.BigEndian);
  uint64_t Size = 2 * Table + LocationsSize + StringsSize;
  if (Size > MaxIndex || HeaderSize + Size > I.File.size())
    return I.bad("truncated: its tables do not fit into it");
  I.Index.resize_for_overwrite(Size);
  if (Error E = I.File.read(HeaderSize, I.Index))
    return E;
  Bytes All(I.Index);
  I.Redirects = All.take_front(Table);
  I.Offsets = All.slice(Table, Table);
  I.Locations = All.slice(2 * Table, LocationsSize);
  I.Strings = All.take_back(StringsSize);
  return I;
}

/// The text at \p Offset of the strings; empty if there is none.
StringRef JImage::string(uint64_t Offset) const {
  if (Offset >= Strings.size())
    return {};
  StringRef Rest(reinterpret_cast<const char *>(Strings.data()) + Offset,
                 Strings.size() - Offset);
  return Rest.take_until([](char C) { return C == 0; });
}

/// The resource that \p Location describes: attributes, each a byte with its
/// kind and its length less one, and a number that is written big-endian.
std::optional<JImage::Resource> JImage::resource(uint32_t Location) const {
  enum { End, Module, Parent, Base, Extension, Offset, Packed, Size, NumKinds };
  uint64_t Value[NumKinds] = {};
  for (size_t At = Location;;) {
    if (At >= Locations.size())
      return std::nullopt;
    unsigned Kind = Locations[At] >> 3, Length = (Locations[At] & 7) + 1;
    if (Kind == End)
      break;
    if (Kind >= NumKinds || Locations.size() - At <= Length)
      return std::nullopt;
    uint64_t V = 0;
    for (unsigned I = 1; I <= Length; ++I)
      V = V << 8 | Locations[At + I];
    Value[Kind] = V;
    At += 1 + Length;
  }
  Resource R;
  R.Module = string(Value[Module]).str();
  StringRef Folder = string(Value[Parent]), Ending = string(Value[Extension]);
  R.Path = Folder.str() + (Folder.empty() ? "" : "/") +
           string(Value[Base]).str() + (Ending.empty() ? "" : ".") +
           Ending.str();
  R.Packed = Value[Packed];
  R.Size = Value[Size];
  uint64_t Start = HeaderSize + Index.size();
  uint64_t Stored = R.Packed ? R.Packed : R.Size;
  if (R.Size > MaxResource || Stored > File.size() - Start ||
      Value[Offset] > File.size() - Start - Stored)
    return std::nullopt;
  R.Offset = Start + Value[Offset];
  return R;
}

Error JImage::forEach(llvm::function_ref<Error(const Resource &)> Do) const {
  for (size_t I = 0; I < Offsets.size() / 4; ++I) {
    std::optional<Resource> R = resource(u4(Offsets, I));
    if (!R)
      return bad("broken: entry " + Twine(I) + " of its table leads nowhere");
    // What the JDK finds packages and modules by is in pseudo-modules.
    if (R->Module.empty() || R->Module == "packages" || R->Module == "modules")
      continue;
    if (Error E = Do(*R))
      return E;
  }
  return Error::success();
}

/// The hash of "/MODULE/PATH".
static uint32_t hash(StringRef Module, StringRef Path, uint32_t Seed) {
  auto Add = [&](StringRef S) {
    for (char C : S)
      Seed = (Seed * 0x01000193) ^ uint8_t(C);
  };
  Add("/");
  Add(Module);
  Add("/");
  Add(Path);
  return Seed & 0x7fffffff;
}

std::optional<JImage::Resource> JImage::find(StringRef Module,
                                             StringRef Path) const {
  const uint32_t Length = uint32_t(Offsets.size() / 4);
  if (!Length)
    return std::nullopt;
  int32_t Redirect =
      int32_t(u4(Redirects, hash(Module, Path, 0x01000193) % Length));
  if (!Redirect)
    return std::nullopt;
  uint32_t At = Redirect < 0 ? uint32_t(-1 - Redirect)
                             : hash(Module, Path, uint32_t(Redirect)) % Length;
  if (At >= Length)
    return std::nullopt;
  std::optional<Resource> R = resource(u4(Offsets, At));
  // The table has an answer for names that are not there too.
  if (!R || R->Module != Module || R->Path != Path)
    return std::nullopt;
  return R;
}

std::optional<JImage::Resource> JImage::findClass(StringRef Name) const {
  std::string Package = Name.rsplit('/').first.str();
  if (Package.size() == Name.size())
    return std::nullopt; // no module has an unnamed package
  std::replace(Package.begin(), Package.end(), '/', '.');
  // Pairs: whether the module has nothing in the package, and its name.
  std::optional<Resource> Of = find("packages", Package);
  if (!Of || Of->Packed)
    return std::nullopt;
  Expected<SmallVector<uint8_t, 0>> Pairs = read(*Of);
  if (!Pairs) {
    llvm::consumeError(Pairs.takeError());
    return std::nullopt;
  }
  for (size_t I = 0; I + 1 < Pairs->size() / 4; I += 2)
    if (!u4(*Pairs, I))
      return find(string(u4(*Pairs, I + 1)), (Name + ".class").str());
  return std::nullopt;
}

Expected<SmallVector<uint8_t, 0>> JImage::read(const Resource &R) const {
  SmallVector<uint8_t, 0> Data;
  Data.resize_for_overwrite(R.Packed ? R.Packed : R.Size);
  if (Error E = File.read(R.Offset, Data))
    return E;
  if (!R.Packed)
    return Data;
  auto Bad = [&](const Twine &Why) {
    return bad("/" + R.Module + "/" + R.Path + ": " + Why);
  };
  // Each way of packing has a header in front; the last comes first.
  while (Data.size() > PackedHeaderSize &&
         read4(Data.data(), BigEndian) == PackedMagic) {
    uint64_t Unpacked = read8(Data.data() + 12, BigEndian);
    StringRef How = string(read4(Data.data() + 20, BigEndian));
    if (How != "zip")
      return Bad("packed by jlink's plugin '" + How + "', which is not read");
    if (Unpacked > MaxResource)
      return Bad("too large");
    SmallVector<uint8_t, 0> To;
    To.resize_for_overwrite(Unpacked);
    std::unique_ptr<libdeflate_decompressor,
                    decltype(&libdeflate_free_decompressor)>
        D(libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
    if (!D)
      return Bad(NoMemory);
    if (libdeflate_zlib_decompress(D.get(), Data.data() + PackedHeaderSize,
                                   Data.size() - PackedHeaderSize, To.data(),
                                   To.size(), nullptr) != LIBDEFLATE_SUCCESS)
      return Bad("does not inflate");
    Data = std::move(To);
  }
  if (Data.size() != R.Size)
    return Bad("does not inflate to its size");
  return Data;
}
