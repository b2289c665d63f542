//===- ControlFlow.cpp - The control flow of code bytes -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Bytecode/ControlFlow.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using llvm::Error;
using llvm::support::endian::read64le;

//===----------------------------------------------------------------------===//
// Leaders
//===----------------------------------------------------------------------===//

namespace {
/// What a scan has to know of an opcode: its length, 0 if it has to be decoded,
/// and these flags.
enum ScanFlags : uint8_t {
  LengthMask = 7,
  EndsHere = 8, ///< what follows is a leader
  Jumps = 16,   ///< to the two bytes behind the opcode
};
using ScanTable = std::array<uint8_t, NumEncodings>;
} // namespace

static ScanTable makeScanTable(MoreLeaders More) {
  ScanTable T = {};
  for (const OpcodeInfo &Info : getOpcodeTable())
    if (Info.Length && (!Info.Branches || Info.Length == 3))
      T[Info.Encoding] =
          uint8_t(Info.Length | (isLeaderBehind(Info, More) ? EndsHere : 0) |
                  (Info.Branches ? Jumps : 0));
  return T;
}

static const ScanTable &scanTable(MoreLeaders More) {
  static const ScanTable Plain = makeScanTable(MoreLeaders::None),
                         BehindCalls = makeScanTable(MoreLeaders::BehindCalls);
  return More == MoreLeaders::BehindCalls ? BehindCalls : Plain;
}

bool CodeLeaders::scan(Bytes Of, llvm::ArrayRef<ExceptionHandler> Table,
                       MoreLeaders More) {
  Code = Of;
  Handlers = Table;
  LeadsOut = None;
  const uint32_t Size = uint32_t(Of.size());
  Marks.assign(llvm::alignTo(Size + 1, 8), 0);
  uint8_t *const At = Marks.data();
  At[0] = Leader;
  uint32_t BCI = 0;
  auto Jump = [&](int32_t To) {
    if (uint32_t(To) < Size)
      At[To] |= Leader | Target;
    else if (LeadsOut == None)
      LeadsOut = BCI;
  };
  const ScanTable &Opcodes = scanTable(More);
  DecodedInst I;
  while (BCI < Size) {
    const uint8_t Op = Opcodes[Of[BCI]];
    const uint32_t Length = Op & LengthMask;
    if (Length && Length <= Size - BCI) {
      At[BCI] |= Start;
      if (Op & Jumps)
        Jump(int32_t(BCI) + int16_t(readU2(&Of[BCI + 1])));
      BCI += Length;
      if (Op & EndsHere)
        At[BCI] |= Leader;
      continue;
    }
    if (!decodeInst(Of, BCI, I))
      break;
    At[BCI] |= Start;
    I.forEachTarget(Jump);
    BCI = I.end();
    if (isLeaderBehind(I.info(), More))
      At[BCI] |= Leader;
  }
  End = BCI;
  for (const ExceptionHandler &H : Table) {
    if (H.Target < Size)
      At[H.Target] |= Leader | Target;
    if (More != MoreLeaders::RangeBorders)
      continue;
    for (uint32_t Border : {H.Start, H.End})
      if (Border < Size)
        At[Border] |= Leader;
  }
  At[Size] = 0;
  return End == Size;
}

uint32_t CodeLeaders::firstBadTarget() const {
  for (uint32_t At = 0; At < Marks.size(); At += 8) {
    const uint64_t Eight = read64le(&Marks[At]);
    static_assert(Start == 1 && Target == 4);
    if (const uint64_t Bad = Eight >> 2 & ~Eight & EachStart)
      return At + uint32_t(llvm::countr_zero(Bad)) / 8;
  }
  return None;
}

Error CodeLeaders::check() const {
  const uint32_t Size = uint32_t(Code.size());
  if (LeadsOut != None)
    return makeError("bytecode " + llvm::Twine(LeadsOut) +
                     ": target outside of the code");
  if (End != Size)
    return makeError("bytecode " + llvm::Twine(End) + " cannot be decoded");
  DecodedInst Last;
  if (!Size || !decodeInst(Code, instructionBefore(Size), Last) ||
      !Last.info().EndsBlock)
    return makeError("control runs off the end of the code");
  for (const ExceptionHandler &H : Handlers)
    if (H.Start >= H.End || H.End > Size || !isInstruction(H.Start) ||
        !isInstruction(H.Target) || (H.End < Size && !isInstruction(H.End)))
      return makeError("exception table entry is not on instructions");
  if (const uint32_t To = firstBadTarget(); To != None)
    return makeError("a branch goes into the middle of an instruction, to " +
                     llvm::Twine(To));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

void CodeBlock::printAsOperand(llvm::raw_ostream &OS, bool) const {
  OS << Start;
}

llvm::ArrayRef<CodeBlock *> CodeBlock::predecessors() const {
  if (Graph->PredecessorsOf.empty())
    Graph->findPredecessors();
  const uint32_t *From = &Graph->PredecessorsOf[number()];
  return llvm::ArrayRef(Graph->Predecessors).slice(From[0], From[1] - From[0]);
}

CodeBlock &CodeGraph::at(uint32_t BCI) {
  return *std::prev(llvm::partition_point(
      Blocks, [&](const CodeBlock &B) { return B.Start <= BCI; }));
}

void CodeGraph::findBlocks(const CodeLeaders &L) {
  Blocks.clear();
  size_t Count = 0;
  L.forEachLeader([&](uint32_t) { ++Count; });
  Blocks.reserve(Count);
  NumberAt.resize_for_overwrite(L.code().size());
  L.forEachLeader([&](uint32_t BCI) {
    NumberAt[BCI] = uint32_t(Blocks.size());
    CodeBlock &B = Blocks.emplace_back();
    B.Graph = this;
    B.Start = BCI;
  });
  uint32_t End = L.end();
  for (CodeBlock &B : llvm::reverse(Blocks)) {
    B.End = std::exchange(End, B.Start);
    B.Last = L.instructionBefore(B.End);
  }
}

/// Adds \p To to the successors of the block at work, if it is not among those
/// that were added with the same \p Stamp.
void CodeGraph::addEdge(CodeBlock &To, uint32_t Stamp) {
  if (std::exchange(Stamps[To.number()], Stamp) != Stamp)
    Successors.push_back(&To);
}

void CodeGraph::addTargets(uint32_t Last, const CodeLeaders &L,
                           uint32_t Stamp) {
  DecodedInst I;
  decodeInst(L.code(), Last, I);
  I.forEachTarget([&](int32_t To) {
    if (L.isInstruction(uint32_t(To)))
      addEdge(atLeader(uint32_t(To)), Stamp);
  });
  if (I.Op == op::RET)
    for (CodeBlock *B : BehindJsr)
      addEdge(*B, Stamp);
}

/// Those that cover an instruction from \p Start on, up to \p End.
void CodeGraph::addHandlers(uint32_t Start, uint32_t End, const CodeLeaders &L,
                            uint32_t Stamp) {
  for (const ExceptionHandler &H : L.handlers())
    if (H.Start < End && H.End > Start && H.Start < H.End &&
        L.isInstruction(H.Target))
      addEdge(atLeader(H.Target), Stamp);
}

Error jopt::tooManyEdges() {
  return makeError("control flow has more than " +
                   llvm::Twine(CodeGraph::MostEdges) + " edges");
}

Error CodeGraph::build(const CodeLeaders &L, HandlerEdges H) {
  findBlocks(L);
  Successors.clear();
  Successors.reserve(2 * Blocks.size());
  PredecessorsOf.clear();
  Stamps.assign(Blocks.size(), 0);
  BehindJsr.clear();
  auto LastOf = [&](const CodeBlock &B) -> const OpcodeInfo & {
    const uint8_t *const At = &L.code()[B.Last];
    return detail::OpcodeRows[At[*At == op::WIDE]];
  };
  for (size_t N = 1; N < Blocks.size(); ++N)
    if (LastOf(Blocks[N - 1]).Canonical == op::JSR)
      BehindJsr.push_back(&Blocks[N]);
  uint32_t Stamp = 0;
  for (CodeBlock &B : Blocks) {
    const OpcodeInfo &Info = LastOf(B);
    const bool Ends = Info.EndsBlock;
    B.FirstEdge = uint32_t(Successors.size());
    B.Falls = !Ends && Info.Canonical != op::JSR && &B != &Blocks.back();
    if (B.Falls)
      Successors.push_back(&B + 1);
    if (Info.Branches || Ends)
      addTargets(B.Last, L, ++Stamp);
    B.FirstHandler = uint32_t(Successors.size());
    // What control both jumps to and is thrown to is there as both.
    if (H == HandlerEdges::All)
      addHandlers(B.Start, B.End, L, ++Stamp);
    else if (H == HandlerEdges::FromThrows && Info.Encoding == op::ATHROW)
      addHandlers(B.Last, B.End, L, ++Stamp);
    B.EndEdge = uint32_t(Successors.size());
    if (Successors.size() <= MostEdges)
      continue;
    findBlocks(L);
    Successors.clear();
    return tooManyEdges();
  }
  return Error::success();
}

void CodeGraph::findPredecessors() {
  PredecessorsOf.assign(Blocks.size() + 2, 0);
  for (const CodeBlock *To : Successors)
    ++PredecessorsOf[To->number() + 2];
  for (size_t N = 3; N < PredecessorsOf.size(); ++N)
    PredecessorsOf[N] += PredecessorsOf[N - 1];
  // Each beginning moves to its end, which is the next one's beginning.
  Predecessors.resize(Successors.size());
  for (CodeBlock &From : Blocks)
    for (const CodeBlock *To : From.successors())
      Predecessors[PredecessorsOf[To->number() + 1]++] = &From;
}

llvm::BitVector CodeGraph::findReached() const {
  llvm::BitVector Reached(unsigned(Blocks.size()));
  llvm::SmallVector<const CodeBlock *, 16> Work;
  auto Reach = [&](const CodeBlock &B) {
    if (Reached[B.number()])
      return;
    Reached.set(B.number());
    Work.push_back(&B);
  };
  if (!Blocks.empty())
    Reach(Blocks.front());
  while (!Work.empty())
    for (const CodeBlock *To : Work.pop_back_val()->successors())
      Reach(*To);
  return Reached;
}
