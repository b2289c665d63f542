//===- TypeAnnotations.cpp - Offsets in annotations -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The type annotations of a Code attribute (JVM specification, 4.7.20) name
/// offsets, ranges of local variables, and rows of the exception table.
///
//===----------------------------------------------------------------------===//

#include "CodeTables.h"
#include "jopt/IR/Annotations.h"

using namespace jopt;

namespace {
class Mapper {
public:
  Mapper(Bytes Data, OffsetMap &Map, const ExceptionTable &Table, ByteWriter &W)
      : C(Data), Map(Map), Table(Table), W(W) {}
  bool run();

private:
  void annotation();
  void localVariable(uint8_t Target);
  void catchParameter();
  void instruction(uint8_t Target, unsigned More);
  void write(uint8_t Target, Bytes Info, Bytes Rest);
  Bytes rest();

  ByteCursor C;
  OffsetMap &Map;
  const ExceptionTable &Table;
  ByteWriter &W;
  unsigned Written = 0;
};
} // namespace

/// Path and annotation, which stay as they are.
Bytes Mapper::rest() {
  size_t From = C.offset();
  C.skip(size_t(C.u1()) * 2);
  C.skip(2);
  skipElementValues(C);
  return C.since(From);
}

void Mapper::write(uint8_t Target, Bytes Info, Bytes Rest) {
  if (Written == 65535)
    return;
  ++Written;
  W.u1(Target);
  W.bytes(Info);
  W.bytes(Rest);
}

void Mapper::localVariable(uint8_t Target) {
  ByteWriter Info;
  unsigned Count = C.u2(), Kept = 0;
  bool WasEmpty = Count == 0;
  Info.u2(0);
  while (Count-- && !C.failed()) {
    uint32_t Start = C.u2(), End = Start + C.u2();
    uint16_t Index = C.u2();
    Map.ranges(Start, End, [&](uint32_t From, uint32_t To) {
      if (Kept == 65535)
        return;
      ++Kept;
      Info.u2(uint16_t(From));
      Info.u2(uint16_t(To - From));
      Info.u2(Index);
    });
  }
  Info.patchU2(0, uint16_t(Kept));
  Bytes Rest = rest();
  if (Kept || WasEmpty)
    write(Target, Info.data(), Rest);
}

void Mapper::catchParameter() {
  int Row = Table.rowOf(C.u2());
  Bytes Rest = rest();
  uint8_t Info[2];
  writeU2(Info, uint16_t(Row));
  if (Row >= 0)
    write(0x42, Info, Rest);
}

/// An offset and \p More bytes. One annotation for each copy of the
/// instruction; none if it is gone.
void Mapper::instruction(uint8_t Target, unsigned More) {
  llvm::SmallVector<uint32_t, 4> Offsets;
  Map.instructions(C.u2(), Offsets);
  uint8_t Info[3] = {0, 0, More ? C.u1() : uint8_t(0)};
  Bytes Rest = rest();
  for (uint32_t At : Offsets) {
    writeU2(Info, uint16_t(At));
    write(Target, Bytes(Info, 2 + More), Rest);
  }
}

void Mapper::annotation() {
  uint8_t Target = C.u1();
  switch (Target) {
  case 0x40: // local variable
  case 0x41: // resource variable
    return localVariable(Target);
  case 0x42: // exception parameter
    return catchParameter();
  case 0x43: // instanceof
  case 0x44: // new
  case 0x45: // constructor reference
  case 0x46: // method reference
    return instruction(Target, 0);
  case 0x47: // cast
  case 0x48: // type arguments of calls and references
  case 0x49:
  case 0x4a:
  case 0x4b:
    return instruction(Target, 1);
  default:
    // No other target belongs into Code, and their sizes differ.
    C.skip(C.remaining() + 1);
  }
}

bool Mapper::run() {
  unsigned Count = C.u2();
  size_t CountAt = W.size();
  W.u2(0);
  while (Count-- && !C.failed())
    annotation();
  W.patchU2(CountAt, uint16_t(Written));
  return !C.failed() && C.atEnd();
}

void jopt::mapTypeAnnotations(Bytes Data, OffsetMap &Map,
                              const ExceptionTable &Table, ByteWriter &W) {
  size_t Begin = W.size();
  if (Mapper(Data, Map, Table, W).run())
    return;
  W.buffer().truncate(Begin);
  W.bytes(Data);
}
