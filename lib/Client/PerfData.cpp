//===- PerfData.cpp - What HotSpot tells of itself in a file --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Client/PerfData.h"
#include "llvm/Support/Endian.h"

using namespace jopt;
using namespace jopt::client;
using llvm::StringRef;

std::optional<PerfData> PerfData::read(Bytes Data) {
  namespace endian = llvm::support::endian;
  constexpr size_t Header = 32, EntryHeader = 20;
  constexpr uint32_t Magic = 0xcafec0c0;
  if (Data.size() < Header || endian::read32be(Data.data()) != Magic)
    return std::nullopt;
  const auto Order = Data[4] ? llvm::endianness::little : llvm::endianness::big;
  auto Number = [&](size_t At) {
    return endian::read<uint32_t>(Data.data() + At, Order);
  };
  PerfData P;
  size_t At = Number(24);
  for (uint32_t N = Number(28); N; --N) {
    if (At > Data.size() || Data.size() - At < EntryHeader)
      break;
    const size_t Length = Number(At), Name = Number(At + 4),
                 Elements = Number(At + 8), Value = Number(At + 16);
    if (Length < EntryHeader || Length > Data.size() - At || Name >= Length ||
        Value > Length || Elements > Length - Value)
      break;
    const StringRef Entry = toStringRef(Data.slice(At, Length));
    constexpr char Byte = 'B';
    if (Elements && Entry[12] == Byte)
      P.Texts[Entry.drop_front(Name).split('\0').first] =
          Entry.substr(Value, Elements).split('\0').first.str();
    At += Length;
  }
  return P;
}

StringRef PerfData::text(StringRef Name) const {
  auto At = Texts.find(Name);
  return At == Texts.end() ? StringRef() : StringRef(At->second);
}
