//===- PatchWriter.cpp - Sites into original code -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Code and exception table; the attributes are in PatchTables.cpp.
///
//===----------------------------------------------------------------------===//

#include "PatchWriter.h"
#include "Frames.h"
#include "RangeFronts.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/IR/Model/FixupConstants.h"
#include "jopt/Reader/Lifter.h"
#include "jopt/Support/Diagnostics.h"
#include <algorithm>
#include <cstring>

using namespace jopt;

static constexpr char TooLong[] = "the code takes more than 65,535 bytes";

/// At least as much as the tables behind the code take.
inline size_t PatchWriter::bound() const {
  const size_t OfCalls = Needs.OfCalls;
  // The attributes follow the rows.
  const size_t Rest =
      64 +
      (S->Code.Attributes.empty()
           ? 0
           : size_t(S->Code.Attributes.back().Data.end() - S->Code.Code.end()));
  // Rows are cut at sites, and handlers of calls are in them.
  const size_t Ranges =
      OfCalls +
      (S->Code.Handlers.size() + S->Handlers.size() - OfCalls) *
          (S->Sites.size() + S->Detours.size() + Needs.NumRows + OfCalls + 1) +
      Needs.NumRows;
  const size_t Rows = std::min<size_t>(Ranges, ExceptionTable::MaxRows);
  return Rest + Rows * 8 + S->Frames.size() * 2 + S->Handlers.size() * 16 +
         Needs.Types * 3 + Behind.NumOwn * (3 + 8 + 2 * 6);
}

/// Copies the original code up to \p To. The padding of a switch depends on all
/// that comes before it.
void PatchWriter::copyTo(uint32_t To) {
  const uint8_t *From = S->Code.Code.data();
  for (; Now.Switch != S->Switches.size() && S->Switches[Now.Switch] < To;
       ++Now.Switch) {
    const uint32_t At = S->Switches[Now.Switch];
    DecodedInst D;
    if (!decodeInst(S->Code.Code, At, D))
      Problem = "a switch of the original code is malformed";
    P = copyFew(From + Now.Copied, From + At + 1, P);
    const int32_t Shift = shift(At + 1);
    while ((P - Begin) & 3)
      u1(0);
    Now.Copied = (At + 4) & ~3u;
    // Between what stays as far apart it is copied like any other code.
    if (shift(Now.Copied) != Shift ||
        (D.end() == To && To < S->Code.Code.size()))
      Moved.addSwitch(At, shift(Now.Copied), D.end());
  }
  P = copyFew(From + Now.Copied, From + To, P);
  Now.Copied = To;
}

/// How deep the stack is at \p Of, in code that was followed.
unsigned PatchWriter::depthAt(const InsertionPoint &Of) {
  if (Of.Depth != InsertionPoint::Unknown)
    return Of.Depth;
  while (Now.Step->BCI < Of.BCI)
    ++Now.Step;
  return Now.Step->Depth;
}

/// How deep the stack is by \p Code where it is \p Depth deep before.
unsigned PatchWriter::stackAt(unsigned Depth, const Snippet &Code) {
  if (Depth < Code.NumGiven)
    Problem = "the depth of the operand stack cannot be told";
  return Depth - Code.NumGiven + Code.MaxStack;
}

/// Notes what moves how far by the code of \p Of, which is at \p At, and what
/// the original code takes there. Code in front of a load is of the return
/// behind it. A load that is one byte, or of what no advice is given after all,
/// is made where it is used. Of several sites the one that reaches farthest
/// counts.
inline void PatchWriter::noteEdit(const InsertionPoint &Of, uint32_t At,
                                  int32_t Shift) {
  if (Of.BranchesSkip)
    return Moved.addSkipped(Of.BCI, Shift, Of.AttachesToPrevious);
  const uint32_t Last = std::max(Of.End, Of.BCI + 1) - 1;
  if (Of.BCI != Now.Here.BCI || Last > Now.Here.Through) {
    const uint32_t Load = Of.Replaces ? Last - Of.BCI : 0;
    const bool IsFirst = Load > 1 && S->Code.Code.slice(Of.BCI, Load) ==
                                         Of.Code->Code.take_front(Load);
    Now.Here = {Of.BCI, Last, At + (IsFirst ? Load : 0), 0};
  }
  if (const SnippetBranches *B = Of.Code->Branches.get();
      B && !B->Frames.empty())
    Now.Here.Line = At + B->Frames.back().At;
  Moved.add(Of.BCI, Shift, Now.Here.Through, Now.Here.Inside, Now.Here.Line,
            Of.AttachesToPrevious);
}

/// Writes the code of the sites, and the original code between them.
inline void PatchWriter::writeSites() {
  const uint8_t *const From = S->Code.Code.data();
  auto NextSwitch = [&] {
    return Now.Switch == S->Switches.size() ? ~0u : S->Switches[Now.Switch];
  };
  uint32_t Switch = NextSwitch();
  Behind.Sites.resize_for_overwrite(S->Sites.size());
  uint32_t *Place = Behind.Sites.data();
  // Copies of members: a written byte may be any member, so far as the compiler
  // knows.
  uint8_t *To = P;
  const uint8_t *const First = Begin;
  uint32_t Copied = 0;
  const bool Follows = follows();
  unsigned Most = 0; // slots of the stack
  for (const InsertionPoint &Of : S->Sites) {
    const Snippet &Code = *Of.Code;
    if (Of.BCI > Switch || Of.ReplacesCaught) {
      P = To;
      Now.Copied = Copied;
      copyTo(Of.BCI);
      Switch = NextSwitch();
      if (Of.ReplacesCaught)
        ownJumps(Of);
      To = P;
    } else {
      To = copyFew(From + Copied, From + Of.BCI, To);
    }
    const uint32_t At = uint32_t(To - First);
    *Place++ = At;
    To = write(Of.Code, To);
    Copied = Of.Replaces ? Of.End : Of.BCI;
    noteEdit(Of, At, int32_t(To - First) - int32_t(Copied));
    if (Code.Branches)
      noteBranches(*Code.Branches);
    if (To - First > MaxCode) {
      Problem = TooLong;
      return;
    }
    if (Code.MaxStack <= Code.NumGiven)
      continue;
    Needs.IsOnStack = true;
    if (Follows)
      Most = std::max(Most, stackAt(depthAt(Of), Code));
  }
  Needs.Followed = Most;
  P = To;
  Now.Copied = Copied;
  copyTo(uint32_t(S->Code.Code.size()));
}

/// Writes all code.
inline void PatchWriter::writeCode() {
  Begin = P;
  Behind.Sites.clear();
  Behind.Own.clear();
  Behind.NumOwn = 0;
  if (const SnippetInstance &Code = S->Entry) {
    P = write(Code, P);
    Needs.Stack = Code->MaxStack;
    if (Code->Branches)
      noteBranches(*Code->Branches);
  }
  Moved.clear(uint32_t(P - Begin));
  writeSites();
  Behind.Original = uint32_t(P - Begin);
  Behind.Detours.clear();
  for (const Detour &D : S->Detours) {
    Behind.Detours.push_back(uint32_t(P - Begin));
    const OriginalStep *To = llvm::partition_point(
        S->Steps, [&](const OriginalStep &Of) { return Of.BCI < D.Target; });
    Needs.Followed = std::max(Needs.Followed, stackAt(To->Depth, *D.Code));
    P = write(D.Code, P);
    u1(op::GOTO);
    P += 2;
    if (P - Begin > MaxCode)
      break;
  }
  Behind.Handlers.clear();
  for (const SyntheticHandler &H : S->Handlers) {
    Needs.OfCalls += H.OfCall && Needs.OfCalls == Behind.Handlers.size();
    Behind.Handlers.push_back(uint32_t(P - Begin));
    P = write(H.Code, P);
    Needs.Types += H.Locals.size();
    Needs.Stack = std::max(Needs.Stack, H.Code->MaxStack);
    if (H.Code->Branches)
      noteBranches(*H.Code->Branches);
    if (P - Begin > MaxCode)
      break;
  }
  CodeLength = uint32_t(P - Begin);
  if (P - Begin > MaxCode)
    Problem = TooLong;
  Behind.Handlers.push_back(CodeLength);
  Rare.WritesFrames =
      Rare.HasBranches || !S->Slots.empty() || !S->Detours.empty();
}

/// Has the branch that is at \p At lead to \p Target.
void PatchWriter::branch(uint32_t At, uint32_t Target) {
  const int32_t Distance = int32_t(Moved.place(Target) - At);
  uint8_t *To = Begin + At;
  if (*To == op::GOTO_W)
    writeU4(To + 1, uint32_t(Distance));
  else if (Distance == int16_t(Distance))
    writeU2(To + 1, uint16_t(Distance));
  else
    Problem = "a branch of the original code would reach too far";
}

void PatchWriter::branchFromSwitch(uint32_t BCI) {
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
inline void PatchWriter::branches() {
  const uint32_t First = Moved.first();
  OffsetShifts::AscendingOwn Own(Moved);
  for (const OriginalJump &J : S->Jumps)
    if (J.Target > First || J.BCI >= First)
      branch(Own.own(J.BCI), J.Target);
  for (uint32_t BCI : S->Switches)
    branchFromSwitch(BCI);
  detours();
}

void PatchWriter::row(uint32_t Start, uint32_t End, uint32_t Target,
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
uint32_t PatchWriter::begin(const InsertionPoint &Of) const {
  return Behind.Sites[size_t(&Of - S->Sites.data())];
}

/// Where a range of a handler that was made begins. In front of all code, what
/// stands there is outside of it, but for what belongs to a call.
uint32_t PatchWriter::beginOf(uint32_t From) const {
  if (From)
    return Moved.before(From);
  for (size_t N = 0; N < S->Sites.size() && S->Sites[N].BCI == 0; ++N)
    if (S->Sites[N].For == InsertionPoint::Call)
      return begin(S->Sites[N]);
  return Moved.own(0);
}

/// The rows for a handler of what the original code has from \p From to \p To,
/// but for returns that sites are at. Such a return stays in the ranges that it
/// was in where it can fail, as the method has monitors of its own.
void PatchWriter::range(uint32_t From, uint32_t To, uint32_t Target,
                        uint16_t Type, bool IsOriginal, bool HasFront) {
  if (S->Records)
    return recordingRange(From, To, Target, Type, IsOriginal);
  uint32_t Start = HasFront     ? Moved.before(From)
                   : IsOriginal ? Moved.own(From)
                                : beginOf(From);
  uint32_t End = To == S->Code.Code.size() ? Behind.Original
                 : !IsOriginal             ? Moved.own(To)
                 : ownAt(To)               ? Moved.before(To)
                                           : Moved.place(To);
  if (IsOriginal && ownAt(From) && Target != Moved.place(From))
    Start = Moved.before(From);
  for (const InsertionPoint &Of : S->Sites) {
    if (Of.BCI < From || (Of.BCI == Of.End && !Of.Code->Branches))
      continue;
    if (Of.BCI >= To)
      break;
    const uint32_t At = begin(Of);
    if (Of.BCI == Of.End) {
      // Code that has a handler of its own is in no other range.
      if (Of.BCI == From && IsOriginal && !HasFront)
        Start = At + Of.Code->Branches->Rest;
      else if (Of.BCI != From || HasFront)
        for (const SnippetBranches::Row &R :
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
    const SyntheticHandler &H = S->Handlers[I];
    if (H.From < From || H.From >= To)
      continue;
    const uint32_t At = Behind.Handlers[I];
    if (At != End) {
      row(Start, End, Target, Type);
      Start = At;
    }
    End = Behind.Handlers[I + 1];
  }
  row(Start, End, Target, Type);
}

inline void PatchWriter::rows() {
  uint8_t *CountAt = P;
  NumRows = 0;
  P += 2;
  branchingRows();
  size_t I = 0;
  OffsetShifts::AscendingOwn Own(Moved);
  for (; I < Needs.OfCalls; ++I) {
    const SyntheticHandler &H = S->Handlers[I];
    const uint32_t Start = Own.own(H.From);
    row(Start, Start + (H.To - H.From), Behind.Handlers[I], 0);
  }
  if (Behind.NumOwn)
    ownRows();
  RangeFronts Fronts;
  if (!S->Code.Handlers.empty() && !S->Records)
    Fronts.collect(*S);
  for (auto [N, H] : llvm::enumerate(S->Code.Handlers))
    if (!Problem)
      range(H.Start, H.End, Moved.place(H.Target), H.CatchType,
            /*IsOriginal=*/true, Fronts.includes(N));
  for (; I < S->Handlers.size(); ++I)
    range(S->Handlers[I].From, S->Handlers[I].To, Behind.Handlers[I], 0,
          /*IsOriginal=*/false);
  writeU2(CountAt, uint16_t(NumRows));
}

/// Where a site puts something on the stack, what is below counts.
inline unsigned PatchWriter::maxStack() {
  unsigned Max = std::max<unsigned>(Needs.Stack, S->Code.MaxStack);
  if (follows())
    return std::max(Max, Needs.Followed);
  if (!Needs.IsOnStack)
    return Max;
  OriginalDepths Depths(F->classFile(), S->Code.Code, S->Frames);
  for (const InsertionPoint &Of : S->Sites) {
    const Snippet &Code = *Of.Code;
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

llvm::Error PatchWriter::run(Body &Of) {
  F = &Of;
  S = Of.Patch;
  Problem = nullptr;
  Needs = {};
  Rare.HasMap = Rare.HasBranches = false;
  Rare.NumTemps = 0;
  constexpr size_t Before = 8; // of the code
  if (Buffer.empty())
    Buffer.resize_for_overwrite(Before + RoomForCode);
  P = Buffer.data() + Before;
  if (S->Records && !noteSteps(F->classFile(), *F->Patch))
    return makeError("the depth of the operand stack cannot be told");
  Now = {};
  Now.Step = S->Steps.data();
  writeCode();
  if (Problem)
    return makeError(Problem);
  if (Needs.Types > FrameWriter::MaxBytes)
    return makeError(FrameWriter::TooLarge);
  if (const size_t Tables = bound(); Tables > size_t(Buffer.end() - P))
    grow(Tables);
  uint8_t *const Head = Begin - Before;
  writeU2(Head, uint16_t(maxStack()));
  unsigned MaxLocals = S->Code.MaxLocals + S->Scratch;
  for (const Type T : S->Slots)
    MaxLocals += T.slots();
  writeU2(Head + 2, uint16_t(MaxLocals + Rare.NumTemps));
  if (MaxLocals + Rare.NumTemps > 65535)
    return makeError("the method would need more than 65,535 local slots");
  writeU4(Head + 4, CodeLength);
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
