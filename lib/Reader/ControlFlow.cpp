//===- ControlFlow.cpp - Where blocks begin -------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ControlFlow.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;
using llvm::Error;

Error ControlFlow::build(const CodeView &View) {
  Bytes Code = View.Code;
  uint32_t Size = uint32_t(Code.size());
  Marks.assign(Size, 0);
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
  for (uint32_t At = 0, Length; At < Size; At += Length) {
    // Most instructions have nothing to say here.
    if (const OpcodeInfo *Info = getOpcodeInfo(Code[At]);
        Info && !Info->Branches && !Info->EndsBlock) {
      Length = Info->Length;
      if (Length && Length <= Size - At) {
        Marks[At] |= Start;
        Ends = false;
        continue;
      }
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
  for (uint32_t At = 0; At < Marks.size(); ++At)
    if (Marks[At] & Leader)
      To.push_back(At);
}
