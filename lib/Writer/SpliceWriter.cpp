//===- SpliceWriter.cpp - Sites into original code ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Code and exception table; the attributes are in SpliceTables.cpp.
///
//===----------------------------------------------------------------------===//

#include "SpliceWriter.h"
#include "Frames.h"
#include "SiteConstants.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/Reader/Lifter.h"
#include "jopt/Support/Diagnostics.h"
#include <algorithm>
#include <cstring>

using namespace jopt;

/// What of the code moves how far. The padding of a switch depends on all that
/// comes before it.
inline void SpliceWriter::findEdits() {
  const int32_t InFront = S->Entry ? int32_t(sizeOf(S->Entry)) : 0;
  int32_t Shift = InFront;
  Moved.clear(uint32_t(InFront));
  Behind.Own.clear();
  Behind.NumOwn = 0;
  Needs = {};
  Rare.HasBranches = false;
  Rare.NumTemps = 0;
  auto Switch = S->Switches.begin();
  auto Pad = [&](uint32_t Before) {
    for (; Switch != S->Switches.end() && *Switch < Before; ++Switch) {
      const int32_t At = int32_t(*Switch);
      const int32_t Grows = (((At + Shift) ^ 3) & 3) - ((At ^ 3) & 3);
      DecodedInst D;
      if (!decodeInst(S->Code.Code, *Switch, D))
        Problem = "a switch of the original code is malformed";
      // Between what stays as far apart it is copied like any other code.
      if (!Grows && D.end() != Before)
        continue;
      Shift += Grows;
      Moved.addSwitch(*Switch, Shift, D.end());
    }
  };
  uint32_t Here = ~0u, Through = 0, Inside = 0, Line = 0;
  for (const CodeSite &Of : S->Sites) {
    const SiteCode &Code = *Of.Code;
    Needs.IsOnStack |= Code.MaxStack > Code.NumGiven;
    const SiteBranches *const B = Code.Branches.get();
    if (B)
      noteBranches(*B);
    Pad(Of.BCI);
    if (const uint32_t Jumps = Of.GoesOn ? addOwn(Of) : 0) {
      Shift += int32_t(Jumps);
      Moved.addPassedBy(Of.BCI, Shift, /*AtEnd=*/false);
    }
    const uint32_t At = uint32_t(int32_t(Of.BCI) + Shift);
    Shift +=
        int32_t(sizeOf(Of.Code)) - (Of.Replaces ? int32_t(Of.End - Of.BCI) : 0);
    if (Of.PassedBy) {
      Moved.addPassedBy(Of.BCI, Shift, Of.AtEnd);
      continue;
    }
    // Code in front of a load is of the return behind it, and that in front of
    // stack moves of what follows these. A load that is one byte, or of what no
    // advice is given after all, is made where it is used. Of several sites the
    // one that reaches farthest counts.
    const uint32_t Last = std::max({Of.End, Of.Of + 1, Of.BCI + 1}) - 1;
    if (Of.BCI != Here || Last > Through) {
      const uint32_t Load = Of.Replaces ? Last - Of.BCI : 0;
      const bool IsFirst = Load > 1 && S->Code.Code.slice(Of.BCI, Load) ==
                                           Code.Code.take_front(Load);
      Through = Last;
      Inside = At + (IsFirst ? Load : 0);
      Line = 0;
      Here = Of.BCI;
    }
    if (B && !B->Frames.empty())
      Line = At + B->Frames.back().At;
    Moved.add(Of.BCI, Shift, Through, Inside, Line);
    if (Of.AtEnd)
      Moved.setAtEnd();
  }
  Pad(~0u);
}

/// Looks at what passes put in besides sites.
inline void SpliceWriter::measure() {
  if (const PlacedCode &Code = S->Entry) {
    Needs.Stack = Code->MaxStack;
    if (Code->Branches)
      noteBranches(*Code->Branches);
  }
  for (const MadeHandler &H : S->Handlers) {
    Needs.Code += sizeOf(H.Code);
    Needs.OfCalls += H.OfCall && &H == &S->Handlers[Needs.OfCalls];
    Needs.Types += H.Locals.size();
    Needs.Stack = std::max(Needs.Stack, H.Code->MaxStack);
    if (H.Code->Branches)
      noteBranches(*H.Code->Branches);
  }
  for (const Detour &D : S->Detours)
    Needs.Code += D.Code->Code.size() + 3;
  Rare.WritesFrames = Rare.HasBranches || !S->Slots.empty();
}

/// At least as much as the payload takes.
inline size_t SpliceWriter::bound() const {
  const size_t Code = S->Code.Code.size() + size_t(Moved.last()) + Needs.Code;
  const size_t OfCalls = Needs.OfCalls;
  // What attributes there are follows the rows.
  const size_t Rest =
      64 +
      (S->Code.Attributes.empty()
           ? 0
           : size_t(S->Code.Attributes.back().Data.end() - S->Code.Code.end()));
  // Rows are cut at sites, and handlers of calls are in them.
  const size_t Ranges =
      OfCalls +
      (S->Code.Handlers.size() + S->Handlers.size() - OfCalls) *
          (S->Sites.size() + Needs.NumRows + OfCalls + 1) +
      Needs.NumRows;
  const size_t Rows = std::min<size_t>(Ranges, ExceptionTable::MaxRows);
  return Code + Rest + Rows * 8 + S->Frames.size() * 2 +
         S->Handlers.size() * 16 + Needs.Types * 3 +
         Behind.NumOwn * (3 + 8 + 2 * 6);
}

inline void SpliceWriter::copy(uint32_t To) {
  const uint8_t *From = S->Code.Code.data();
  P = copyFew(From + Copied, From + To, P);
  Copied = To;
}

inline void SpliceWriter::insert(const PlacedCode &Code) {
  const Bytes All = Code->Code;
  P = Code->Holes ? write(Code, P) : copyFew(All.begin(), All.end(), P);
}

inline void SpliceWriter::writeCode() {
  Begin = P;
  Copied = 0;
  Behind.Sites.clear();
  if (S->Entry)
    insert(S->Entry);
  auto Switch = S->Switches.begin();
  auto CopyTo = [&](uint32_t To) {
    for (; Switch != S->Switches.end() && *Switch < To; ++Switch) {
      copy(*Switch + 1);
      while ((P - Begin) & 3)
        u1(0);
      Copied = (*Switch + 4) & ~3u;
    }
    copy(To);
  };
  for (const CodeSite &Of : S->Sites) {
    CopyTo(Of.BCI);
    if (Of.GoesOn)
      ownJumps();
    Behind.Sites.push_back(uint32_t(P - Begin));
    insert(Of.Code);
    if (Of.Replaces)
      Copied = Of.End;
  }
  CopyTo(uint32_t(S->Code.Code.size()));
  Behind.Original = uint32_t(P - Begin);
  Behind.Detours.clear();
  for (const Detour &D : S->Detours) {
    Behind.Detours.push_back(uint32_t(P - Begin));
    insert(D.Code);
    u1(op::GOTO);
    P += 2;
  }
  Behind.Handlers.clear();
  for (const MadeHandler &H : S->Handlers) {
    Behind.Handlers.push_back(uint32_t(P - Begin));
    insert(H.Code);
  }
  CodeLength = uint32_t(P - Begin);
  if (CodeLength > 65535)
    Problem = "the code takes more than 65,535 bytes";
}

void SpliceWriter::branch(uint32_t BCI, uint32_t Target) {
  const uint32_t At = Moved.own(BCI);
  const int32_t Distance = int32_t(Moved.place(Target) - At);
  uint8_t *To = Begin + At;
  if (*To == op::GOTO_W)
    writeU4(To + 1, uint32_t(Distance));
  else if (Distance == int16_t(Distance))
    writeU2(To + 1, uint16_t(Distance));
  else
    Problem = "a branch of the original code would reach too far";
}

void SpliceWriter::branchFromSwitch(uint32_t BCI) {
  DecodedInst D;
  if (!decodeInst(S->Code.Code, BCI, D))
    return;
  const uint32_t At = Moved.own(BCI);
  uint8_t *To = Begin + ((At + 4) & ~3u);
  auto Write = [&](uint8_t *Where, int32_t Target) {
    writeU4(Where, Moved.place(uint32_t(Target)) - At);
  };
  const bool Table = D.Op == op::TABLESWITCH;
  Write(To, D.Value);
  for (uint32_t C = 0; C < D.NumCases; ++C)
    Write(To + (Table ? 12 + 4 * size_t(C) : 12 + 8 * size_t(C)),
          D.caseTarget(C));
}

/// Writes the branches that have something between them and their targets.
inline void SpliceWriter::branches() {
  const uint32_t First = Moved.first();
  for (const OriginalJump &J : S->Jumps)
    if (J.Target > First || J.BCI >= First)
      branch(J.BCI, J.Target);
  for (uint32_t BCI : S->Switches)
    branchFromSwitch(BCI);
  detours();
}

void SpliceWriter::row(uint32_t Start, uint32_t End, uint32_t Target,
                       uint16_t Type) {
  if (Start >= End)
    return;
  if (NumRows == ExceptionTable::MaxRows) {
    Problem = "the exception table has more than 65,535 rows";
    return;
  }
  uint8_t *To = P;
  writeU2(To, uint16_t(Start));
  writeU2(To + 2, uint16_t(End));
  writeU2(To + 4, uint16_t(Target));
  writeU2(To + 6, Type);
  P = To + 8;
  ++NumRows;
}

/// Where the code of \p Of begins.
uint32_t SpliceWriter::begin(const CodeSite &Of) const {
  return Behind.Sites[size_t(&Of - S->Sites.data())];
}

/// Where a range of a handler that was made begins. In front of all code, what
/// stands there is outside of it, but for what belongs to a call.
uint32_t SpliceWriter::beginOf(uint32_t From) const {
  if (From)
    return Moved.before(From);
  for (size_t N = 0; N < S->Sites.size() && S->Sites[N].BCI == 0; ++N)
    if (S->Sites[N].For == CodeSite::Call)
      return begin(S->Sites[N]);
  return Moved.own(0);
}

/// The rows for a handler of what the original code has from \p From to \p To,
/// but for returns that sites are at. Such a return stays in the ranges that it
/// was in where it can fail, as the method has monitors of its own.
void SpliceWriter::range(uint32_t From, uint32_t To, uint32_t Target,
                         uint16_t Type, bool IsOriginal) {
  if (S->Records)
    return recordingRange(From, To, Target, Type, IsOriginal);
  uint32_t Start = IsOriginal ? Moved.own(From) : beginOf(From);
  uint32_t End = To == S->Code.Code.size() ? Behind.Original
                 : !IsOriginal             ? Moved.own(To)
                 : ownAt(To)               ? Moved.before(To)
                                           : Moved.place(To);
  if (IsOriginal && ownAt(From) && Target != Moved.place(From))
    Start = Moved.before(From);
  for (const CodeSite &Of : S->Sites) {
    if (Of.BCI < From || (Of.BCI == Of.End && !Of.Code->Branches))
      continue;
    if (Of.BCI >= To)
      break;
    const uint32_t At = begin(Of);
    if (Of.BCI == Of.End) {
      // What has a handler of its own is in no other range.
      if (Of.BCI == From && IsOriginal)
        Start = At + Of.Code->Branches->Rest;
      else if (Of.BCI != From)
        for (const SiteBranches::Row &R :
             llvm::reverse(Of.Code->Branches->Rows)) {
          row(Start, At + R.Start, Target, Type);
          Start = At + R.Behind;
        }
      continue;
    }
    row(Start, At, Target, Type);
    Start = Moved.own(Of.End - 1) + !(IsOriginal && S->HasMonitors);
    if (IsOriginal && S->HasMonitors && Of.Code->Branches)
      Start = At + Of.Code->Branches->Rest;
  }
  // The handlers of calls follow, in their order.
  for (size_t I = 0; I < Needs.OfCalls; ++I) {
    const MadeHandler &H = S->Handlers[I];
    if (H.From < From || H.From >= To)
      continue;
    const uint32_t At = Behind.Handlers[I];
    if (At != End) {
      row(Start, End, Target, Type);
      Start = At;
    }
    End = At + uint32_t(sizeOf(H.Code));
  }
  row(Start, End, Target, Type);
}

inline void SpliceWriter::rows() {
  uint8_t *CountAt = P;
  NumRows = 0;
  P += 2;
  branchingRows();
  size_t I = 0;
  for (; I < Needs.OfCalls; ++I) {
    const MadeHandler &H = S->Handlers[I];
    const uint32_t Start = Moved.own(H.From);
    row(Start, Start + (H.To - H.From), Behind.Handlers[I], 0);
  }
  if (Behind.NumOwn)
    ownRows();
  for (const CodeView::Handler &H : S->Code.Handlers)
    if (!Problem)
      range(H.Start, H.End, Moved.place(H.Target), H.CatchType,
            /*IsOriginal=*/true);
  for (; I < S->Handlers.size(); ++I)
    range(S->Handlers[I].From, S->Handlers[I].To, Behind.Handlers[I], 0,
          /*IsOriginal=*/false);
  writeU2(CountAt, uint16_t(NumRows));
}

/// Where the code was followed, sites find their depth along its steps.
unsigned SpliceWriter::followStack(unsigned Max) {
  if (!noteSteps(F->classFile(), *F->Spliced, /*HasAnchors=*/true)) {
    Problem = "the depth of the operand stack cannot be told";
    return Max;
  }
  const OriginalStep *Step = S->Steps.data();
  auto Add = [&](const SiteCode &Code) {
    if (Step->Depth < Code.NumGiven)
      Problem = "the depth of the operand stack cannot be told";
    else
      Max = std::max(Max, Step->Depth - Code.NumGiven + Code.MaxStack);
  };
  for (const CodeSite &Of : S->Sites) {
    if (Of.Code->MaxStack <= Of.Code->NumGiven)
      continue;
    while (Step->BCI < Of.BCI)
      ++Step;
    Add(*Of.Code);
  }
  for (const Detour &D : S->Detours) {
    Step = llvm::partition_point(
        llvm::ArrayRef(S->Steps),
        [&](const OriginalStep &Of) { return Of.BCI < D.Target; });
    Add(*D.Code);
  }
  return std::max(Max, S->MaxDepth);
}

/// Where a site puts something on the stack, what is below counts.
inline unsigned SpliceWriter::maxStack() {
  unsigned Max = Needs.Stack;
  if (!S->Follows || !S->Slots.empty())
    Max = std::max<unsigned>(Max, S->Code.MaxStack);
  if (S->Follows || S->Records)
    return followStack(Max);
  if (!Needs.IsOnStack)
    return Max;
  OriginalDepths Depths(F->classFile(), *F->Spliced);
  for (const CodeSite &Of : S->Sites) {
    const SiteCode &Code = *Of.Code;
    if (Code.MaxStack <= Code.NumGiven)
      continue;
    std::optional<unsigned> Depth = Depths.at(Of.BCI);
    if (!Depth || *Depth < Code.NumGiven)
      Problem = "the depth of the operand stack cannot be told";
    else
      Max = std::max(Max, *Depth - Code.NumGiven + Code.MaxStack);
  }
  if (Max > 65535)
    Problem = "the operand stack is deeper than 65,535 slots";
  return Max;
}

llvm::Error SpliceWriter::run(Body &Of) {
  F = &Of;
  S = Of.Spliced;
  Problem = nullptr;
  Rare.HasMap = false;
  findEdits();
  measure();
  if (Needs.Types > FrameWriter::MaxBytes)
    return makeError(FrameWriter::TooLarge);
  Buffer.clear();
  Buffer.resize_for_overwrite(bound());
  P = Buffer.data();
  u2(maxStack());
  unsigned MaxLocals = S->Code.MaxLocals + S->Scratch;
  for (const Type T : S->Slots)
    MaxLocals += T.slots();
  u2(MaxLocals + Rare.NumTemps);
  if (MaxLocals + Rare.NumTemps > 65535)
    return makeError("the method would need more than 65,535 local slots");
  P += 4;
  writeCode();
  writeU4(Begin - 4, CodeLength);
  branches();
  if (Rare.WritesFrames)
    slotFrames();
  if (Problem)
    return makeError(Problem);
  rows();
  attributes();
  if (Problem)
    return makeError(Problem);
  return llvm::Error::success();
}
