//===- BootstrapTable.cpp - The bootstrap methods of a class --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/IR/Model/BootstrapTable.h"

using namespace jopt;

bool BootstrapTable::read(Bytes Payload) {
  if (Payload.data() == Data.data() && Payload.size() == Data.size())
    return true;
  Data.assign(Payload.begin(), Payload.end());
  Ends.clear();
  Numbers.clear();
  ByteCursor C(Data);
  const unsigned Count = C.u2();
  Ends.push_back(C.offset());
  for (unsigned I = 0; I < Count && !C.failed(); ++I) {
    C.u2();
    C.skip(2 * size_t(C.u2()));
    Ends.push_back(C.offset());
  }
  if (C.failed() || !C.atEnd())
    return false;
  for (unsigned I = 0; I < Count; ++I)
    Numbers.try_emplace(entry(I), uint16_t(I));
  return true;
}

std::optional<uint16_t>
BootstrapTable::add(uint16_t Handle, llvm::ArrayRef<uint16_t> Arguments) {
  ByteWriter New;
  New.u2(Handle);
  New.u2(uint16_t(Arguments.size()));
  for (uint16_t A : Arguments)
    New.u2(A);
  const llvm::StringRef Entry = toStringRef(New.data());
  if (auto At = Numbers.find(Entry); At != Numbers.end())
    return At->second;
  const size_t Number = size();
  if (Number == 65535)
    return std::nullopt;
  Data.append(Entry.bytes_begin(), Entry.bytes_end());
  Ends.push_back(Data.size());
  writeU2(Data.data(), uint16_t(size()));
  Numbers[Entry] = uint16_t(Number);
  return uint16_t(Number);
}

void BootstrapTable::keep(size_t Count) {
  for (size_t N = size(); N-- > Count;)
    if (auto At = Numbers.find(entry(N));
        At != Numbers.end() && At->second == N)
      Numbers.erase(At);
  Ends.resize(Count + 1);
  Data.resize(Ends.back());
  writeU2(Data.data(), uint16_t(Count));
}
