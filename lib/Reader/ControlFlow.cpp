//===- ControlFlow.cpp - Where blocks begin -------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ControlFlow.h"
#include "jopt/Support/Diagnostics.h"
#include <array>
#include <cstring>

using namespace jopt;
using llvm::Error;

/// Lengths of instructions after which nothing but the next one comes; 0 for
/// all others.
static const std::array<uint8_t, NumOpcodes> &plainLengths() {
  static const auto Table = [] {
    std::array<uint8_t, NumOpcodes> T = {};
    for (unsigned Op = 0; Op < NumOpcodes; ++Op) {
      uint8_t Code[8] = {uint8_t(Op)};
      DecodedInst I;
      const OpcodeInfo *Info = getOpcodeInfo(Opcode(Op));
      if (Info && !Info->Branches && !Info->EndsBlock && Op != op::WIDE &&
          decodeInst(Code, 0, I))
        T[Op] = uint8_t(I.Length);
    }
    return T;
  }();
  return Table;
}

Error ControlFlow::build(const CodeView &View) {
  Bytes Code = View.Code;
  uint32_t Size = uint32_t(Code.size());
  // Padded for leaders().
  Marks.assign(Size + 7, 0);
  Marks[0] = Leader;
  Targets.clear();
  bool Bad = false;
  auto Jump = [&](int32_t To) {
    if (To < 0 || uint32_t(To) >= Size) {
      Bad = true;
    } else {
      Marks[To] |= Leader | Target;
      Targets.push_back(uint32_t(To));
    }
  };
  const auto &Lengths = plainLengths();
  DecodedInst I;
  bool Ends = false;
  for (uint32_t At = 0, Length; At < Size; At += Length) {
    Length = Code[At] < NumOpcodes ? Lengths[Code[At]] : 0;
    if (Length && Length <= Size - At) {
      Marks[At] |= Start;
      Ends = false;
      continue;
    }
    if (!decodeInst(Code, At, I))
      return makeError("bytecode " + llvm::Twine(At) + " cannot be decoded");
    Length = I.Length;
    Marks[At] |= Start;
    const OpcodeInfo &Info = I.info();
    Ends = Info.EndsBlock;
    if (Info.Branches) {
      Jump(I.Value);
      for (uint32_t C = 0; C < I.NumCases; ++C)
        Jump(I.caseTarget(C));
    }
    if ((Info.Branches || Ends) && I.end() < Size)
      Marks[I.end()] |= Leader;
    if (Bad)
      return makeError("bytecode " + llvm::Twine(At) +
                       ": target outside of the code");
  }
  if (!Ends)
    return makeError("control runs off the end of the code");
  for (const CodeView::Handler &H : View.Handlers) {
    if (H.Start >= H.End || H.End > Size || H.Target >= Size ||
        !(Marks[H.Start] & Start) || !(Marks[H.Target] & Start) ||
        (H.End < Size && !(Marks[H.End] & Start)))
      return makeError("exception table entry is not on instructions");
    Marks[H.Start] |= Leader;
    if (H.End < Size)
      Marks[H.End] |= Leader;
    Marks[H.Target] |= Leader | Target;
  }
  for (uint32_t To : Targets)
    if (!(Marks[To] & Start))
      return makeError("a branch goes into the middle of an instruction, to " +
                       llvm::Twine(To));
  return Error::success();
}

void ControlFlow::leaders(std::vector<uint32_t> &To) const {
  To.clear();
  for (size_t At = 0; At + 8 <= Marks.size(); At += 8) {
    uint64_t Eight;
    std::memcpy(&Eight, &Marks[At], 8);
    if (!(Eight & 0x0202020202020202))
      continue;
    for (size_t I = At; I < At + 8; ++I)
      if (Marks[I] & Leader)
        To.push_back(uint32_t(I));
  }
}
