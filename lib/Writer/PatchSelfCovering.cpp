//===- PatchSelfCovering.cpp - Handlers that cover themselves -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where the handler H covers its own first instruction, what is thrown by code
/// of sites there is what H has caught then, and goes on behind that code:
/// \code
///   J1:  goto R1            what C1 throws comes here
///   J2:  goto R2            and what C2 throws here
///   H:   C1
///   R1:  C2
///   R2:  the original code; from here on H covers it
/// \endcode
/// A lifted body is given the same (Passes/Instrument/SelfCoveringHandlers.h).
///
//===----------------------------------------------------------------------===//

#include "PatchWriter.h"
#include "jopt/IR/Model/FixupConstants.h"

using namespace jopt;

static constexpr uint32_t JumpLength = 3;

/// Writes the jumps in front of \p Of, if it is the first at its place.
void PatchWriter::ownJumps(const InsertionPoint &Of) {
  const size_t Site = size_t(&Of - S->Sites.data());
  if (Site && S->Sites[Site - 1].BCI == Of.BCI)
    return;
  unsigned Count = 1;
  while (Site + Count < S->Sites.size() && S->Sites[Site + Count].BCI == Of.BCI)
    ++Count;
  Behind.Own.push_back({Site, Count, uint32_t(P - Begin)});
  Behind.NumOwn += Count;
  uint32_t To = Count * JumpLength;
  for (unsigned N = 0; N < Count; ++N) {
    To += uint32_t(sizeOf(S->Sites[Site + N].Code));
    u1(op::GOTO);
    u2(To - N * JumpLength);
    if (To > INT16_MAX) {
      Problem = "the code of a site is too long";
      break;
    }
  }
  Moved.addSkipped(Of.BCI, shift(Of.BCI), /*AttachesToPrevious=*/false);
}

/// Those that were made last come first.
void PatchWriter::ownRows() {
  ownRowsOf(InsertionPoint::Unit);
  ownRowsOf(InsertionPoint::Handler);
}

void PatchWriter::ownRowsOf(InsertionPoint::Purpose For) {
  for (const SelfCoveringHandler &O : llvm::reverse(Behind.Own)) {
    uint32_t At = O.Jumps + O.Count * JumpLength;
    for (unsigned N = 0; N < O.Count; ++N) {
      const InsertionPoint &Of = S->Sites[O.Site + N];
      const uint32_t End = At + uint32_t(sizeOf(Of.Code));
      if (Of.For == For)
        row(At, End, O.Jumps + N * JumpLength, 0);
      At = End;
    }
  }
}

/// \p Frame is that of the handler: all have its locals, and what is thrown.
void PatchWriter::ownFrames(const OriginalFrame &Frame, int64_t &Last) {
  const SelfCoveringHandler &O = *ownAt(Frame.BCI);
  move(Frame, uint32_t(O.Jumps - Last - 1));
  Last = O.Jumps;
  auto Same = [&](uint32_t At) {
    const auto Delta = uint32_t(At - Last - 1);
    if (Delta < 64) {
      u1(64 + Delta);
    } else {
      u1(247);
      u2(Delta);
    }
    thrown();
    Last = At;
  };
  for (unsigned N = 1; N < O.Count; ++N)
    Same(O.Jumps + N * JumpLength);
  uint32_t At = O.Jumps + O.Count * JumpLength;
  Same(At);
  for (unsigned N = 0; N < O.Count; ++N)
    Same(At += uint32_t(sizeOf(S->Sites[O.Site + N].Code)));
}
