//===- TracePaths.cpp - Has a method tell its paths -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A slot holds the number of the path that the activation is on. The number is
/// right wherever an exception may come, so a handler records it as it finds
/// it. Recorded numbers follow that of the method's `$enter$`.
///
//===----------------------------------------------------------------------===//

#include "TraceCalls.h"

using namespace jopt;

PathPlacer::PathPlacer(Placement &P, const TraceCalls &Calls,
                       const TracedEvents::MethodEvents &Events)
    : P(P), F(P.F), Calls(Calls), Events(Events), Paths(*Events.Paths) {
  for (Block &B : F.blocks())
    for (Instruction &I : B)
      if (I.bci() >= 0 && I.advice() < 0 && I.op() != irop::FallThrough &&
          I.op() != irop::Advice)
        At.try_emplace(uint32_t(I.bci()), &I);
  for (uint32_t S = 0; S < Events.Segments.size(); ++S)
    if (Events.Segments[S].IsLeader)
      Leaders[Events.Segments[S].BCI] = S;
  Builder B(F, P.prologue(Calls.Enter).terminator());
  B.setAdvice(int32_t(Calls.Enter));
  Slot = F.addPinnedLocal(Type::Int);
  B.set(Slot, B.constant(numberOf(0)));
}

/// That of the first path which begins at \p Segment.
int32_t PathPlacer::numberOf(uint32_t Segment) const {
  return int32_t(Events.Enter + 1 + Paths.first(Segment));
}

void PathPlacer::add(Instruction *Before, uint32_t Step) {
  if (!Step)
    return;
  Builder B(F, Before);
  B.setAdvice(int32_t(Calls.Event));
  if (Step > INT16_MAX) {
    B.set(Slot, B.make(irop::Plain, op::IADD, Type::Int,
                       {B.get(Slot, Type::Int), B.constant(int32_t(Step))}));
    return;
  }
  Instruction *I = B.make(irop::LocalInc, op::IINC, Type::Void);
  I->setIndex(Slot);
  I->setImm(int32_t(Step));
}

/// The path ends here.
void PathPlacer::tell(Instruction *Before, unsigned Advice) {
  Builder B(F, Before);
  B.setAdvice(int32_t(Advice));
  SiteValues V;
  V.give(DataItem::EventNumber, B.get(Slot, Type::Int));
  P.emit(Before, Advice, V);
}

/// A path begins here.
void PathPlacer::set(Instruction *Before, uint32_t Segment) {
  Builder B(F, Before);
  B.setAdvice(int32_t(Calls.Event));
  B.set(Slot, B.constant(numberOf(Segment)));
}

/// Places the code where \p Segment begins. placeEdges() does the steps on
/// jumps.
void PathPlacer::place(uint32_t Segment) {
  const TracedEvents::SegmentPlace &Where = Events.Segments[Segment];
  auto I = At.find(Where.BCI);
  if (Where.At == TracedEvents::SegmentPlace::Nowhere || I == At.end())
    return; // what is never reached may not be in the body
  Instruction *Before = I->second;
  if (Where.At == TracedEvents::SegmentPlace::Behind)
    Before = &*std::next(Before->getIterator());
  if (!Where.IsLeader)
    add(Before, Paths.step(Segment - 1, Segment));
  if (!Paths.segments()[Segment].Begins)
    return;
  tell(Before, Calls.Event);
  set(Before, Segment);
}

/// The one that \p I, which is the last of a block, belongs to.
uint32_t PathPlacer::segmentOf(const Instruction &I) const {
  const llvm::ArrayRef All(Events.Segments);
  return uint32_t(llvm::partition_point(
                      All.drop_front(),
                      [&](const TracedEvents::SegmentPlace &Place) {
                        return Place.At != Place.Nowhere &&
                               Place.BCI <= uint32_t(I.bci());
                      }) -
                  All.begin()) -
         1;
}

/// Where the original block begins that \p B is, or a part that passes cut off,
/// or put between such parts.
static int32_t beginOf(const Block &B, const Body &F) {
  auto I = B.getIterator();
  while (I->bci() < 0 && I != F.blocks().begin())
    --I;
  return I->bci();
}

/// The step on the edge from \p B, by its terminator \p T, to \p S.
uint32_t PathPlacer::stepAt(const Block &B, const Instruction &T,
                            const Block &S) const {
  auto To = Leaders.find(uint32_t(S.bci()));
  const bool IsOriginal = T.bci() >= 0 && T.op() != irop::FallThrough;
  // A block that was cut where it begins leads to itself so.
  const bool IsCut = !IsOriginal && beginOf(B, F) == S.bci();
  if (S.bci() < 0 || To == Leaders.end() || IsCut)
    return 0;
  const uint32_t From = IsOriginal ? segmentOf(T) : To->second - 1;
  return llvm::is_contained(Paths.segments()[From].Next, To->second)
             ? Paths.step(From, To->second)
             : 0;
}

/// \p Step on the way from \p T to \p To, which others lead to as well.
void PathPlacer::placeOnEdge(Instruction *T, Block *To, uint32_t Step) {
  for (bool Falls : {false, true}) {
    const size_t Way =
        size_t(llvm::find(T->successors(), To) - T->successors().begin());
    if (Way == T->successors().size())
      return;
    if (Falls != (T->op() == irop::If && Way == 1))
      continue;
    Instruction *End = cutEdge(*T, *To, Falls)->terminator();
    End->setAdvice(int32_t(Calls.Event));
    add(End, Step);
  }
}

/// Places the steps on the edges out of \p B.
void PathPlacer::placeEdges(Block &B) {
  Instruction *T = B.terminator();
  if (!T || T->advice() >= 0 || T->successors().empty())
    return;
  llvm::SmallVector<std::pair<Block *, uint32_t>, 4> Ways;
  for (Block *S : T->successors())
    if (std::pair Way(S, stepAt(B, *T, *S)); !llvm::is_contained(Ways, Way))
      Ways.push_back(Way);
  if (llvm::all_equal(llvm::make_second_range(Ways)))
    return add(T, Ways.front().second);
  for (auto [S, Step] : Ways) {
    if (!Step)
      continue;
    if (Entries[S->id()] == 1 && !S->isHandler())
      add(&*S->begin(), Step);
    else
      placeOnEdge(T, S, Step);
  }
}

void PathPlacer::placeReturn(Instruction *Return) {
  add(Return, Paths.stepToReturn(segmentOf(*Return)));
  tell(Return, Calls.Leave);
  if (Events.Returned)
    set(Return, Events.Returned);
}

/// An exception may leave the method with something untold.
bool PathPlacer::needsHandler() const {
  return llvm::any_of(Paths.segments(), [](const trace::Segment &S) {
    return S.MayThrow && !(S.Begins && S.Events == 0);
  });
}

void PathPlacer::run() {
  // All are found before blocks are made.
  llvm::SmallVector<Block *, 32> Blocks;
  llvm::SmallVector<Instruction *, 8> Returns;
  Entries.resize(F.numBlocks());
  for (Block &B : F.blocks()) {
    Blocks.push_back(&B);
    Instruction *T = B.terminator();
    if (T->op() == irop::Return && T->advice() < 0 &&
        At.count(uint32_t(T->bci())))
      Returns.push_back(T);
    llvm::SmallPtrSet<Block *, 4> Seen;
    for (Block *S : T->successors())
      if (Seen.insert(S).second)
        ++Entries[S->id()];
  }
  if (needsHandler())
    if (Instruction *Raise = catchAll(P, Calls))
      tell(Raise, Calls.Event);
  for (uint32_t S = 1; S < Events.Segments.size(); ++S)
    place(S);
  for (Instruction *Return : Returns)
    placeReturn(Return);
  for (Block *B : Blocks)
    placeEdges(*B);
}
