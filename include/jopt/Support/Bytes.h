//===- Bytes.h - Big-endian byte cursors ------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reading and writing the big-endian u1, u2 and u4 of chapter 4 of the JVM
/// specification.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_BYTES_H
#define JOPT_SUPPORT_BYTES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <cassert>
#include <cstdint>

namespace jopt {

using Bytes = llvm::ArrayRef<uint8_t>;

inline uint16_t readU2(const uint8_t *P) { return uint16_t(P[0] << 8 | P[1]); }
inline uint32_t readU4(const uint8_t *P) {
  return uint32_t(P[0]) << 24 | uint32_t(P[1]) << 16 | uint32_t(P[2]) << 8 |
         P[3];
}
inline void writeU2(uint8_t *P, uint16_t V) {
  P[0] = uint8_t(V >> 8);
  P[1] = uint8_t(V);
}
inline void writeU4(uint8_t *P, uint32_t V) {
  writeU2(P, uint16_t(V >> 16));
  writeU2(P + 2, uint16_t(V));
}

/// Bytes as text (modified UTF-8 is carried as it is), and back.
using llvm::toStringRef;
inline Bytes toBytes(llvm::StringRef S) {
  return {reinterpret_cast<const uint8_t *>(S.data()), S.size()};
}

/// Reads forward over bytes it does not own. A read past the end sets a sticky
/// failure and yields zeros, so a parser checks once per structure instead of
/// once per field. Not thread-safe.
class ByteCursor {
public:
  explicit ByteCursor(Bytes Data)
      : Begin(Data.begin()), Pos(Data.begin()), End(Data.end()) {}

  uint8_t u1() { return take(1) ? Pos[-1] : 0; }
  uint16_t u2() { return take(2) ? readU2(Pos - 2) : 0; }
  uint32_t u4() { return take(4) ? readU4(Pos - 4) : 0; }
  uint64_t u8() {
    uint64_t High = u4();
    return High << 32 | u4();
  }
  Bytes bytes(size_t N) { return take(N) ? Bytes(Pos - N, N) : Bytes(); }
  void skip(size_t N) { take(N); }

  size_t offset() const { return size_t(Pos - Begin); }
  size_t remaining() const { return size_t(End - Pos); }
  bool atEnd() const { return Pos == End; }
  /// True once any read went past the end.
  bool failed() const { return Failed; }
  /// The bytes from here on.
  Bytes rest() const { return {Pos, End}; }
  /// The bytes from offset \p From up to here.
  Bytes since(size_t From) const { return {Begin + From, Pos}; }

private:
  bool take(size_t N) {
    if (LLVM_LIKELY(size_t(End - Pos) >= N)) {
      Pos += N;
      return true;
    }
    Failed = true;
    Pos = End;
    return false;
  }

  const uint8_t *Begin, *Pos, *End;
  bool Failed = false;
};

/// Appends to a buffer it owns. Lengths that are known only later are patched.
class ByteWriter {
public:
  void u1(uint8_t V) { Buffer.push_back(V); }
  void u2(uint16_t V) { writeU2(grow(2), V); }
  void u4(uint32_t V) { writeU4(grow(4), V); }
  void u8(uint64_t V) {
    u4(uint32_t(V >> 32));
    u4(uint32_t(V));
  }
  void bytes(Bytes B) { Buffer.append(B.begin(), B.end()); }
  void bytes(llvm::StringRef S) { bytes(toBytes(S)); }

  size_t size() const { return Buffer.size(); }
  void patchU2(size_t At, uint16_t V) { writeU2(&Buffer[At], V); }
  void patchU4(size_t At, uint32_t V) { writeU4(&Buffer[At], V); }

  Bytes data() const { return Buffer; }
  llvm::SmallVectorImpl<uint8_t> &buffer() { return Buffer; }
  void clear() { Buffer.clear(); }
  /// The bytes; the writer is empty after.
  llvm::SmallVector<uint8_t, 0> take() { return std::move(Buffer); }

private:
  uint8_t *grow(size_t N) {
    size_t At = Buffer.size();
    Buffer.resize_for_overwrite(At + N);
    return &Buffer[At];
  }

  llvm::SmallVector<uint8_t, 0> Buffer;
};

} // namespace jopt

#endif
