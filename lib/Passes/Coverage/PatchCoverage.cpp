//===- PatchCoverage.cpp - What records, put into original code -----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The code at a point is four instructions at most, and made as bytes. It
/// stands where a lifted body would have it (CodePlaces.cpp).
///
//===----------------------------------------------------------------------===//

#include "PatchCoverage.h"
#include "../Snippets/SnippetAssembler.h"
#include "jopt/Bytecode/Decoder.h"
#include "jopt/IR/Model/Body.h"
#include "jopt/IR/Model/CodePatch.h"
#include "jopt/Reader/Lifter.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

using namespace jopt;
using namespace jopt::coverage;

namespace {

class CoveragePatcher {
public:
  CoveragePatcher(Body &F, const CoveragePlan::OfMethod &M,
                  const ArrayLoad *Load, llvm::ArrayRef<PointLink> Links)
      : F(F), S(*F.Patch), M(M), Load(Load), Links(Links),
        ArraySlot(F.numSlots()), PositionSlot(ArraySlot + 1),
        Marks(M.Plan.has(MethodPlan::Mark)), Made(S) {}

  bool run(CoverageSites &Placed);

private:
  bool makeEntry(CoverageSites &Placed);
  bool place(size_t N, CoverageSites &Placed);
  bool placeJump(const ProbePoint &P, Snippet *Code);
  bool placeFall(const ProbePoint &P, Snippet *Code);
  bool placeSwitch(const ProbePoint &P, Snippet *Code);
  bool entersRange(const ProbePoint &P) const;
  void add(uint32_t BCI, Snippet *Code, bool BranchesSkip = false,
           InsertionPoint::Purpose For = InsertionPoint::Exit);
  Snippet *record(size_t N, CoverageSites &Placed);

  void store(uint32_t Element);
  void setPosition();

  const OriginalFrame *frameAt(uint32_t BCI) const;
  unsigned countPredecessors(const OriginalFrame &To, uint32_t Terminator);
  void findBranches();
  bool isHandler(uint32_t BCI) const {
    return llvm::any_of(S.Code.Handlers, [&](const CodeView::Handler &H) {
      return H.Target == BCI;
    });
  }
  /// A range or a handler begins there, or a range ends.
  bool isBorder(uint32_t BCI) const {
    return llvm::any_of(S.Code.Handlers, [&](const CodeView::Handler &H) {
      return H.Start == BCI || H.End == BCI || H.Target == BCI;
    });
  }
  /// The branch at \p From, of three bytes, leads to \p To.
  bool leadsTo(uint32_t From, uint32_t To) const {
    const uint8_t *Distance = S.Code.Code.data() + From + 1;
    return From + uint32_t(int32_t(int16_t(readU2(Distance)))) == To;
  }

  Body &F;
  CodePatch &S;
  const CoveragePlan::OfMethod &M;
  const ArrayLoad *Load;
  llvm::ArrayRef<PointLink> Links; ///< by point
  const unsigned ArraySlot, PositionSlot;
  const bool Marks;
  SnippetAssembler Made;
  /// Targets and who leads there, once they were asked for; ascending.
  llvm::SmallVector<std::pair<uint32_t, uint32_t>, 16> Branches;
};

} // namespace

/// Where several stand in front of one instruction, a handler's comes before
/// those of points.
void CoveragePatcher::add(uint32_t BCI, Snippet *Code, bool BranchesSkip,
                          InsertionPoint::Purpose For) {
  InsertionPoint &Of = S.Sites.emplace_back();
  Of.BCI = Of.End = BCI;
  Of.Code = Code;
  Of.BranchesSkip = BranchesSkip;
  Of.For = For;
}

/// The array is loaded when the method is entered (PlaceCoverage.cpp).
bool CoveragePatcher::makeEntry(CoverageSites &Placed) {
  if (Load->Op == op::LDC)
    Made.load(Load->Index);
  else
    Made.add(Load->Op, Load->Index);
  if (Load->Op == op::INVOKEDYNAMIC)
    Made.add({0, 0});
  if (Load->Cast)
    Made.add(op::CHECKCAST, Load->Cast);
  Made.slot(op::ASTORE, ArraySlot);
  if (Marks) {
    Made.constant(0);
    Made.slot(op::ISTORE, PositionSlot);
  }
  S.Slots.push_back(
      F.types().fromDescriptor(coverageArray(Elements::Bits).Type));
  if (Marks)
    S.Slots.push_back(Type::Int);
  unsigned MaxStack = 1;
  for (size_t N = 0; N < M.Points.size(); ++N)
    if (M.isAtEntry(N)) {
      store(M.Elements[N]);
      ++Placed.NumStores;
      MaxStack = 3;
    }
  S.Entry = Made.finish(MaxStack);
  return ArraySlot + S.Slots.size() <= 65535;
}

void CoveragePatcher::store(uint32_t Element) {
  Made.slot(op::ALOAD, ArraySlot);
  Made.constant(Element);
  Made.add({op::ICONST_1, op::BASTORE});
}

/// Sets the element that the position names.
void CoveragePatcher::setPosition() {
  Made.slot(op::ALOAD, ArraySlot);
  Made.slot(op::ILOAD, PositionSlot);
  Made.add({op::ICONST_1, op::BASTORE});
}

Snippet *CoveragePatcher::record(size_t N, CoverageSites &Placed) {
  if (M.Plan.Actions[N] == MethodPlan::Mark) {
    Made.constant(M.Elements[N]);
    Made.slot(op::ISTORE, PositionSlot);
    ++Placed.NumMarks;
    return Made.finish(1);
  }
  if (M.Plan.Actions[N] == MethodPlan::Link) {
    ++Placed.NumLinks;
    if (Links[N].Op == op::LDC) {
      Made.load(Links[N].Index);
      Made.add(op::POP);
      return Made.finish(1);
    }
    Made.add(op::INVOKEDYNAMIC, Links[N].Index);
    Made.add({0, 0});
    return Made.finish(0);
  }
  store(M.Elements[N]);
  ++Placed.NumStores;
  return Made.finish(3);
}

const OriginalFrame *CoveragePatcher::frameAt(uint32_t BCI) const {
  auto It = llvm::partition_point(
      S.Frames, [&](const OriginalFrame &Of) { return Of.BCI < BCI; });
  return It != S.Frames.end() && It->BCI == BCI ? &*It : nullptr;
}

/// The number of edges into the code at \p To, as CodePlaces counts them, but
/// without those of the branch or switch at \p Terminator. Counts to two and no
/// further.
unsigned CoveragePatcher::countPredecessors(const OriginalFrame &To,
                                            uint32_t Terminator) {
  if (To.BCI == 0 || isHandler(To.BCI))
    return 2;
  if (Branches.empty())
    findBranches();
  unsigned Ways = To.FallsIn;
  for (auto It = llvm::partition_point(
           Branches, [&](const auto &B) { return B.first < To.BCI; });
       It != Branches.end() && It->first == To.BCI && Ways < 2; ++It)
    Ways += It->second != Terminator;
  return Ways;
}

/// Of a switch each place that it leads to counts once.
void CoveragePatcher::findBranches() {
  for (const OriginalJump &J : S.Jumps)
    Branches.push_back({J.Target, J.BCI});
  for (const uint32_t BCI : S.Switches) {
    DecodedInst D;
    if (!decodeInst(S.Code.Code, BCI, D))
      continue;
    Branches.push_back({uint32_t(D.Value), BCI});
    for (uint32_t C = 0; C < D.NumCases; ++C)
      Branches.push_back({uint32_t(D.caseTarget(C)), BCI});
  }
  llvm::sort(Branches);
  Branches.erase(std::unique(Branches.begin(), Branches.end()), Branches.end());
}

bool CoveragePatcher::placeJump(const ProbePoint &P, Snippet *Code) {
  const Opcode Op = S.Code.Code[P.From];
  const bool IsGoto = Op == op::GOTO || Op == op::GOTO_W;
  const uint32_t Next = P.From + (Op == op::GOTO_W ? 5 : 3);
  if (P.To == Next)
    return false;
  if (IsGoto) {
    add(P.From, Code);
    return true;
  }
  const OriginalFrame *To = frameAt(P.To);
  if (!To)
    return false;
  if (!countPredecessors(*To, P.From))
    add(P.To, Code);
  else
    S.Detours.push_back({P.From, P.To, Code});
  return true;
}

bool CoveragePatcher::placeSwitch(const ProbePoint &P, Snippet *Code) {
  DecodedInst D;
  const OriginalFrame *To = frameAt(P.To);
  if (!To || !decodeInst(S.Code.Code, P.From, D))
    return false;
  uint32_t Cases = uint32_t(D.Value) == P.To;
  for (uint32_t C = 0; C < D.NumCases; ++C)
    Cases += uint32_t(D.caseTarget(C)) == P.To;
  if (Cases == D.NumCases + 1) {
    add(P.From, Code);
    return true;
  }
  if (Cases == 1 && !countPredecessors(*To, P.From))
    add(P.To, Code);
  else
    S.Detours.push_back({P.From, P.To, Code});
  return true;
}

/// A range begins where \p P falls: the point is inside of it, as JaCoCo's is.
/// HotSpot compiles no method in which something could be thrown between a
/// monitorenter and the range that gives the lock back.
bool CoveragePatcher::entersRange(const ProbePoint &P) const {
  const auto &Handlers = S.Code.Handlers;
  return llvm::any_of(Handlers, [&](const CodeView::Handler &H) {
    return H.Start == P.To &&
           llvm::none_of(Handlers, [&](const CodeView::Handler &Of) {
             return Of.Target == H.Target && Of.CatchType == H.CatchType &&
                    Of.covers(P.From);
           });
  });
}

/// Between an `if` and a place with other predecessors the snippet is a block
/// of its own. Behind another instruction it is the end of the block of that.
bool CoveragePatcher::placeFall(const ProbePoint &P, Snippet *Code) {
  const OriginalFrame *To = frameAt(P.To);
  if (P.To == 0 || (To && !To->FallsIn))
    return false;
  const Opcode Op = S.Code.Code[P.From];
  const bool IsIf = (Op >= op::IFEQ && Op <= op::IF_ACMPNE) ||
                    Op == op::IFNULL || Op == op::IFNONNULL;
  if (IsIf) {
    add(P.To, Code, /*BranchesSkip=*/To && countPredecessors(*To, P.From) > 1);
    return !leadsTo(P.From, P.To);
  }
  if (entersRange(P)) {
    add(P.To, Code,
        /*BranchesSkip=*/To && countPredecessors(*To, P.From) > 1);
    return true;
  }
  const bool Begins = To || isBorder(P.To);
  add(P.To, Code, /*BranchesSkip=*/Begins);
  S.Sites.back().AttachesToPrevious = Begins || P.To == S.SuperEnd;
  return true;
}

/// False: where it stands in a lifted body is not known.
bool CoveragePatcher::place(size_t N, CoverageSites &Placed) {
  if (M.Plan.Actions[N] == MethodPlan::Nothing || M.isAtEntry(N))
    return true;
  const ProbePoint &P = M.Points[N];
  Snippet *Code = record(N, Placed);
  switch (P.Kind) {
  case ProbePoint::Jump:
    return placeJump(P, Code);
  case ProbePoint::Switch:
    return placeSwitch(P, Code);
  case ProbePoint::Fall:
    return placeFall(P, Code);
  case ProbePoint::Leave:
  case ProbePoint::Arrive:
    add(P.To, Code);
    return true;
  }
  llvm_unreachable("all kinds are listed");
}

bool CoveragePatcher::run(CoverageSites &Placed) {
  if ((F.classFile().name(F.method()) == "<init>" && !S.SuperEnd) ||
      !noteSteps(F.classFile(), S))
    return false;
  if (llvm::any_of(M.Elements, [](uint32_t E) {
        return E > SnippetAssembler::MostConstant;
      }))
    return false;
  Made.reserve(64 + (M.Points.size() + M.Plan.Handlers.size()) * 16);
  S.Records = true;
  if (Load && !makeEntry(Placed))
    return false;
  for (size_t N = 0; N < M.Points.size(); ++N)
    if (!place(N, Placed))
      return false;
  for (const Thrown T : M.Plan.Handlers) {
    if (!Marks)
      break;
    setPosition();
    ++Placed.NumHandlers;
    if (T != Thrown::OutOfMethod) {
      add(uint32_t(T), Made.finish(3), /*BranchesSkip=*/false,
          InsertionPoint::Handler);
      continue;
    }
    Made.add(op::ATHROW);
    Snippet *Code = Made.finish(4);
    Code->Continues = false;
    Code->NumGiven = 1;
    S.Handlers.push_back({S.SuperEnd, uint32_t(S.Code.Code.size()),
                          SyntheticHandler::None, Code});
  }
  if (!llvm::is_sorted(S.Sites))
    llvm::stable_sort(S.Sites);
  return true;
}

bool jopt::patchCoverage(Body &F, const CoveragePlan::OfMethod &M,
                         const ArrayLoad *Load, llvm::ArrayRef<PointLink> Links,
                         CoverageSites &Placed) {
  return CoveragePatcher(F, M, Load, Links).run(Placed);
}
