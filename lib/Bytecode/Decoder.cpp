//===- Decoder.cpp - Instructions out of code bytes -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Bytecode/Decoder.h"

using namespace jopt;

static bool decodeSwitch(Bytes Code, uint32_t BCI, DecodedInst &I) {
  uint32_t At = (BCI + 4) & ~3u;
  bool IsTable = I.Op == op::TABLESWITCH;
  uint32_t Header = IsTable ? 12 : 8;
  if (Code.size() < At || Code.size() - At < Header)
    return false;
  const uint8_t *P = Code.data() + At;
  I.Value = int32_t(BCI + readU4(P));
  uint64_t Count, EntrySize;
  if (IsTable) {
    I.Low = int32_t(readU4(P + 4));
    int32_t High = int32_t(readU4(P + 8));
    if (High < I.Low)
      return false;
    Count = uint64_t(int64_t(High) - I.Low) + 1;
    EntrySize = 4;
  } else {
    int32_t Pairs = int32_t(readU4(P + 4));
    if (Pairs < 0)
      return false;
    Count = uint64_t(Pairs);
    EntrySize = 8;
  }
  if (Count * EntrySize > Code.size() - At - Header)
    return false;
  I.NumCases = uint32_t(Count);
  I.Table = P + Header;
  I.Length = At + Header + uint32_t(Count * EntrySize) - BCI;
  return true;
}

static bool decodeWide(const uint8_t *P, size_t Left, DecodedInst &I) {
  I.Wide = true;
  if (Left < 4)
    return false;
  I.Op = P[1];
  I.Index = readU2(P + 2);
  switch (I.info().Fmt) {
  case op::FmtLocal:
    I.Length = 4;
    return true;
  case op::FmtIinc:
    if (Left < 6)
      return false;
    I.Value = int16_t(readU2(P + 4));
    I.Length = 6;
    return true;
  default:
    return false;
  }
}

bool jopt::detail::decodeLongInst(Bytes Code, DecodedInst &I) {
  const uint8_t *P = Code.data() + I.BCI;
  size_t Left = Code.size() - I.BCI;
  auto Need = [&](uint32_t N) {
    I.Length = N;
    return Left >= N;
  };
  switch (I.info().Fmt) {
  case op::FmtBranch4:
    if (!Need(5))
      return false;
    I.Value = int32_t(I.BCI + readU4(P + 1));
    return true;
  case op::FmtInvokeInterface:
  case op::FmtInvokeDynamic:
    if (!Need(5))
      return false;
    I.Index = readU2(P + 1);
    I.Value = P[3];
    return true;
  case op::FmtMultiANewArray:
    if (!Need(4))
      return false;
    I.Index = readU2(P + 1);
    I.Value = P[3];
    return true;
  case op::FmtTableSwitch:
  case op::FmtLookupSwitch:
    return decodeSwitch(Code, I.BCI, I);
  case op::FmtWide:
    return decodeWide(P, Left, I);
  default:
    return false;
  }
}
