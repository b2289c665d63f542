//===- TracedSegments.cpp - Events that happen together -------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TracedSegments.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Reader/CodeFacts.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using llvm::StringRef;
using trace::Segment;
using Place = TracedEvents::SegmentPlace;

/// A number of a path up to here is one byte in the record, mostly.
static constexpr uint32_t MostPaths = 64;

namespace {

class SegmentFinder {
public:
  SegmentFinder(const ClassFile &F, const Method &M, const CodeView &Code,
                const llvm::BitVector &Before,
                TracedEvents::MethodEvents &Events)
      : F(F), M(M), Code(Code), Before(Before), Events(Events) {}

  std::vector<Segment> run();

private:
  static constexpr uint32_t None = ~0u;

  bool counts(uint32_t BCI) const { return Before.empty() || !Before[BCI]; }
  bool findLeaders();
  void begin(uint32_t BCI, Place::Part At, bool IsLeader = false);
  void visit(const DecodedInst &I);
  void leave(const DecodedInst &I);
  bool connect();

  const ClassFile &F;
  const Method &M;
  const CodeView &Code;
  const llvm::BitVector &Before;
  TracedEvents::MethodEvents &Events;
  CodeLeaders Leaders;
  uint32_t Entry = 0;
  bool HasMonitors = false, KeepsThis = true;

  std::vector<Segment> Segments;
  /// The one that control is in; None: it does not come here from above.
  uint32_t Now = None;
  size_t NextSite = 0;
  /// The instruction before was a load of `this`.
  bool ThisLoaded = false;
  /// From a segment to where in the code.
  std::vector<std::pair<uint32_t, uint32_t>> Jumps;
  /// The segments of leaders.
  llvm::DenseMap<uint32_t, uint32_t> At;
};

} // namespace

/// Finds where control may come to other than from above. False if there are
/// subroutines.
bool SegmentFinder::findLeaders() {
  Leaders.scan(Code.Code, Code.Handlers);
  DecodedInst I;
  bool SuperReturns = false;
  for (uint32_t BCI = 0; decodeInst(Code.Code, BCI, I); BCI = I.end()) {
    // Behind super() or this().
    if (SuperReturns && counts(BCI))
      Entry = BCI;
    SuperReturns = I.Op == op::INVOKESPECIAL && !counts(BCI);
    switch (I.info().Canonical) {
    case op::JSR:
    case op::RET:
      return false;
    case op::MONITORENTER:
    case op::MONITOREXIT:
      HasMonitors = true;
      break;
    case op::ASTORE:
      KeepsThis &= I.Index != 0;
      break;
    }
  }
  Leaders.addLeader(Entry);
  KeepsThis &= !isStatic(F, M);
  return true;
}

// Classes of the JDK are not traced, and initialise no others.
bool jopt::runsOtherCode(const ClassFile &F, const DecodedInst &I) {
  auto IsKnown = [&](StringRef Class) {
    return Class == F.name() || Class.starts_with("java/");
  };
  switch (I.info().Canonical) {
  case op::NEW:
    return !IsKnown(F.Pool.className(I.Index));
  case op::GETSTATIC:
  case op::PUTSTATIC:
    return !isOwnField(F, I) &&
           !F.Pool.member(I.Index).Owner.starts_with("java/");
  case op::LDC:
  case op::LDC2_W:
    return F.Pool.has(I.Index, CPTag::Dynamic);
  default:
    return I.Op >= op::INVOKEVIRTUAL && I.Op <= op::INVOKEDYNAMIC;
  }
}

void SegmentFinder::begin(uint32_t BCI, Place::Part Part, bool IsLeader) {
  const uint32_t New = uint32_t(Segments.size());
  if (Now != None)
    Segments[Now].Next.push_back(New);
  Segments.emplace_back();
  Events.Segments.push_back({BCI, Part, IsLeader});
  Now = New;
}

void SegmentFinder::visit(const DecodedInst &I) {
  if (Leaders.isLeader(I.BCI) || Now == None) {
    At[I.BCI] = uint32_t(Segments.size());
    begin(I.BCI, Place::Front, /*IsLeader=*/true);
    ThisLoaded = false;
  }
  uint32_t InFront = 0, Behind = 0;
  for (; NextSite < Events.Sites.size() && Events.Sites[NextSite].BCI == I.BCI;
       ++NextSite)
    ++(Events.Sites[NextSite].Info->Behind ? Behind : InFront);
  if (InFront) {
    if (Segments[Now].MayThrow)
      begin(I.BCI, Place::Front);
    Segments[Now].Events += InFront;
  }
  if (runsOtherCode(F, I)) {
    begin(I.BCI, Place::Instruction);
    Segments[Now].Begins = true;
  }
  Segments[Now].MayThrow |= mayThrow(F, I, ThisLoaded && I.Op == op::GETFIELD);
  if (Behind) {
    if (Segments[Now].MayThrow)
      begin(I.BCI, Place::Behind);
    Segments[Now].Events += Behind;
  }
  leave(I);
  ThisLoaded = KeepsThis && I.info().Canonical == op::ALOAD && I.Index == 0;
}

/// Notes where control may go behind \p I, besides the next instruction.
void SegmentFinder::leave(const DecodedInst &I) {
  if (I.Op >= op::IRETURN && I.Op <= op::RETURN)
    Segments[Now].Returns = true;
  I.forEachTarget([&](int32_t To) { Jumps.push_back({Now, uint32_t(To)}); });
  if (I.info().EndsBlock)
    Now = None;
}

/// Makes edges of jumps. False if one leads to code that has no events.
bool SegmentFinder::connect() {
  for (auto [From, BCI] : Jumps) {
    auto To = At.find(BCI);
    if (To == At.end())
      return false;
    auto &Next = Segments[From].Next;
    if (!llvm::is_contained(Next, To->second))
      Next.push_back(To->second);
  }
  for (const CodeView::Handler &H : Code.Handlers) {
    auto To = At.find(H.Target);
    if (To == At.end())
      return false;
    Segments[To->second].Begins = true;
  }
  auto To = At.find(Entry);
  if (To == At.end())
    return false;
  Segments[0].Next.push_back(To->second);
  return true;
}

std::vector<Segment> SegmentFinder::run() {
  if (!findLeaders())
    return {};
  Segments.emplace_back();
  Events.Segments.push_back({0, Place::Nowhere, false});
  DecodedInst I;
  for (uint32_t BCI = 0; decodeInst(Code.Code, BCI, I); BCI = I.end()) {
    if (counts(BCI))
      visit(I);
    else
      Now = None;
  }
  if (!connect())
    return {};
  // A return that throws, as a monitor is held, has happened.
  if (HasMonitors) {
    Segment &Returned = Segments.emplace_back();
    Returned.MayThrow = Returned.Begins = true;
    Events.Segments.push_back({0, Place::Nowhere, false});
    Events.Returned = uint32_t(Segments.size() - 1);
  }
  trace::cutPaths(Segments, MostPaths);
  return std::move(Segments);
}

std::vector<Segment> jopt::findSegments(const ClassFile &F, const Method &M,
                                        const CodeView &Code,
                                        const llvm::BitVector &Before,
                                        TracedEvents::MethodEvents &Events) {
  std::vector<Segment> Found = SegmentFinder(F, M, Code, Before, Events).run();
  Events.Paths = trace::Paths::number(Found);
  if (Events.Paths)
    return Found;
  Events.Segments.clear();
  return {};
}
