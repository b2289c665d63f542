//===- ControlFlow.cpp - Where blocks begin -------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ControlFlow.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <array>

using namespace jopt;
using llvm::Error;

/// Lengths by opcode; 0 for those that branch or end a block, whose length
/// depends, and that do not exist.
static const std::array<uint8_t, 256> &straightLengths() {
  static const auto Table = [] {
    std::array<uint8_t, 256> T = {};
    for (const OpcodeInfo &Info : getOpcodeTable())
      if (!Info.Branches && !Info.EndsBlock)
        T[Info.Encoding] = Info.Length;
    return T;
  }();
  return Table;
}

Error ControlFlow::build(const CodeView &View) {
  Bytes Code = View.Code;
  uint32_t Size = uint32_t(Code.size());
  Marks.assign(llvm::alignTo(Size, 8), 0);
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
  DecodedInst I;
  bool Ends = false;
  const std::array<uint8_t, 256> &Straight = straightLengths();
  for (uint32_t At = 0, Length; At < Size; At += Length) {
    // Most instructions have nothing to say here.
    Length = Straight[Code[At]];
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
  // Leaders are few: eight places at a time.
  using llvm::support::endian::read64le;
  for (uint32_t At = 0; At < Marks.size(); At += 8)
    for (uint64_t Eight = read64le(&Marks[At]) & Leader * 0x0101010101010101ull;
         Eight; Eight &= Eight - 1)
      To.push_back(At + uint32_t(llvm::countr_zero(Eight)) / 8);
}
