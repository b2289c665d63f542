//===- ExecFile.cpp - JaCoCo's files of execution data --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A file is a sequence of blocks, each with its kind in front; numbers are
/// big-endian.
///
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/ExecFile.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

namespace {
enum BlockKind : uint8_t { Header = 0x01, OfSession = 0x10, OfClass = 0x11 };
constexpr uint16_t Magic = 0xc0c0, Version = 0x1007;

class ExecReader {
public:
  ExecReader(Bytes File, CoverageData &To) : C(File), To(To) {}

  Error read() {
    for (bool IsFirst = true; !C.atEnd(); IsFirst = false) {
      Start = C.offset();
      const uint8_t Kind = C.u1();
      if (IsFirst && Kind != Header)
        return wrong("the file does not begin as an exec file does");
      if (Error E = readBlock(Kind))
        return E;
      if (C.failed())
        return wrong("the file ends within the block that begins here");
    }
    return Error::success();
  }

private:
  Error wrong(const Twine &What) const {
    return makeError("at byte " + Twine(Start) + ": " + What);
  }

  Error readBlock(uint8_t Kind) {
    switch (Kind) {
    case Header:
      return readHeader();
    case OfSession:
      return readSession();
    case OfClass:
      return readClass();
    default:
      return wrong("there is no block of kind " + Twine(unsigned(Kind)));
    }
  }

  Error readHeader() {
    const uint16_t M = C.u2(), V = C.u2();
    if (C.failed())
      return Error::success();
    if (M != Magic)
      return wrong("the file does not begin as an exec file does");
    if (V != Version)
      return wrong("the format is " + llvm::utohexstr(V, true) + ", and only " +
                   llvm::utohexstr(Version, true) +
                   " (JaCoCo 0.7.5 and later) can be read");
    return Error::success();
  }

  Error readSession() {
    SessionInfo S;
    S.Id = readText();
    S.Start = int64_t(C.u8());
    S.Dump = int64_t(C.u8());
    if (!C.failed())
      To.add(S);
    return Error::success();
  }

  Error readClass() {
    ClassCoverage Own;
    Own.Id = C.u8();
    Own.Name = readText();
    const uint64_t Count = readCount();
    const Bytes Bits = C.bytes((Count + 7) / 8);
    if (C.failed())
      return Error::success();
    Own.Probes.resize(unsigned(Count));
    for (unsigned I = 0; I < Count; ++I)
      if (Bits[I / 8] >> I % 8 & 1)
        Own.Probes.set(I);
    if (Error E = To.add(Own))
      return wrong(toMessage(std::move(E)));
    return Error::success();
  }

  std::string readText() {
    const uint16_t Length = C.u2();
    return jopt::toStringRef(C.bytes(Length)).str();
  }

  /// Seven bits a byte, the low ones first; the highest says that more follow.
  uint64_t readCount() {
    uint64_t Count = 0;
    for (unsigned Shift = 0; Shift < 32; Shift += 7) {
      const uint8_t Byte = C.u1();
      Count |= uint64_t(Byte & 0x7f) << Shift;
      if (!(Byte & 0x80))
        break;
    }
    return Count;
  }

  ByteCursor C;
  CoverageData &To;
  size_t Start = 0; ///< of the block
};
} // namespace

bool coverage::isExecFile(Bytes File) {
  return File.size() >= 3 && File[0] == Header && readU2(&File[1]) == Magic;
}

Error coverage::readExec(Bytes File, CoverageData &To) {
  return ExecReader(File, To).read();
}

static void writeText(ByteWriter &W, StringRef Text) {
  W.u2(uint16_t(Text.size()));
  W.bytes(Text.take_front(UINT16_MAX));
}

static void writeClass(ByteWriter &W, const ClassCoverage &C) {
  W.u1(OfClass);
  W.u8(C.Id);
  writeText(W, C.Name);
  unsigned Count = C.Probes.size();
  for (; Count > 0x7f; Count >>= 7)
    W.u1(uint8_t(Count | 0x80));
  W.u1(uint8_t(Count));
  for (unsigned I = 0; I < C.Probes.size(); I += 8) {
    uint8_t Bits = 0;
    for (unsigned B = I; B < std::min(I + 8, C.Probes.size()); ++B)
      Bits |= uint8_t(C.Probes[B] << (B - I));
    W.u1(Bits);
  }
}

llvm::SmallVector<uint8_t, 0> coverage::writeExec(const CoverageData &From) {
  ByteWriter W;
  W.u1(Header);
  W.u2(Magic);
  W.u2(Version);
  for (const SessionInfo &S : From.sessions()) {
    W.u1(OfSession);
    writeText(W, S.Id);
    W.u8(uint64_t(S.Start));
    W.u8(uint64_t(S.Dump));
  }
  for (const ClassCoverage *C : From.classes())
    if (C->Probes.any())
      writeClass(W, *C);
  return W.take();
}
