//===- Plan.cpp - What a strategy does at which point ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/Plan.h"
#include "jopt/Coverage/Inference.h"
#include "jopt/Support/PooledObject.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace jopt::coverage;

namespace {
using namespace jopt::coverage::strategy;
using namespace jopt::coverage::pointset;
#define GET_StrategyTable_IMPL
#include "jopt/Coverage/Strategies.inc"
} // namespace

llvm::ArrayRef<StrategyInfo> jopt::coverage::getStrategies() {
  return StrategyTable;
}

std::optional<Strategy> jopt::coverage::findStrategy(llvm::StringRef Name) {
  for (size_t S = 0; S < std::size(StrategyTable); ++S)
    if (StrategyTable[S].Name == Name)
      return Strategy(S);
  return std::nullopt;
}

bool jopt::coverage::tellsOfProbes(llvm::StringRef Name) {
  const std::optional<Strategy> S = findStrategy(Name);
  return S && (getStrategyInfo(*S).Points == PointSet::Probes ||
               getStrategyInfo(*S).Points == PointSet::ProbesAndLines);
}

namespace {

/// What planners keep from one method to the next.
struct PlanMemory {
  PointGraph K;
  Inference Told;
  std::vector<uint32_t> Lines, Others;
};

class Planner {
public:
  explicit Planner(const ProbeGraph &G) : G(G) {
    P.Actions.resize(G.Points.size(), MethodPlan::Nothing);
    P.Told.resize(G.Points.size());
  }

  MethodPlan run(Strategy S);

private:
  using Infer = void (*)(const PointGraph &, Inference &);

  void planAll();
  void planPos();
  void planMask();

  llvm::ArrayRef<uint32_t> allPoints() {
    Own->Others.resize(G.Points.size());
    std::iota(Own->Others.begin(), Own->Others.end(), 0);
    return Own->Others;
  }
  bool leaveOut(Infer From, llvm::ArrayRef<uint32_t> Points);
  void mark(llvm::ArrayRef<uint32_t> Lines);

  const ProbeGraph &G;
  jopt::PooledObject<PlanMemory> Own;
  MethodPlan P;
};

} // namespace

void Planner::planAll() {
  for (MethodPlan::Action &A : P.Actions)
    A = MethodPlan::Store;
}

/// Has those of \p Points stored that \p From finds no others for. False if
/// nothing can be left out: then all are.
bool Planner::leaveOut(Infer From, llvm::ArrayRef<uint32_t> Points) {
  const PointGraph &K = Own->K;
  if (!canAlwaysLeave(G) || !contract(G, Points, Own->K)) {
    planAll();
    return false;
  }
  const Inference &Told = Own->Told;
  From(K, Own->Told);
  for (size_t I = 0; I < Points.size(); ++I) {
    const uint32_t Node = uint32_t(PointGraph::First + I);
    if (!K.isReached(Node))
      continue;
    for (uint32_t Other : Told[Node])
      P.Told[Points[I]].push_back(Points[Other - PointGraph::First]);
    if (Told[Node].empty())
      P.Actions[Points[I]] = MethodPlan::Store;
  }
  return true;
}

/// Lets each of \p Lines leave its number, and handlers set it. The points that
/// follow a line without an exception imply it: nothing else leads to them.
void Planner::mark(llvm::ArrayRef<uint32_t> Lines) {
  const std::vector<PointSuccessors> All = follow(G, Lines);
  for (auto [Line, F] : llvm::zip(Lines, All)) {
    // What its line calls may be behind the next point.
    if (!F.Handlers.empty())
      P.Actions[Line] = MethodPlan::Mark;
    P.Told[Line].assign(F.Points.begin(), F.Points.end());
    for (Thrown T : F.Handlers)
      if (!llvm::is_contained(P.Handlers, T))
        P.Handlers.push_back(T);
  }
}

void Planner::planPos() {
  auto &Lines = Own->Lines, &Others = Own->Others;
  Lines.clear();
  Others.clear();
  for (uint32_t N = 0; N < G.Points.size(); ++N)
    (G.IsLine[N] && !G.BeforeSuper[N] ? Lines : Others).push_back(N);
  if (leaveOut(inferFewest, Others))
    mark(Lines);
}

/// Lets a mask gather the elements that `pos` stores, if it has room. The mask
/// is stored where an activation ends, so every activation must be able to end.
void Planner::planMask() {
  planPos();
  llvm::SmallVector<uint32_t, 16> Bits;
  for (uint32_t N = 0; N < P.Actions.size(); ++N)
    if (P.Actions[N] == MethodPlan::Store && !G.BeforeSuper[N])
      Bits.push_back(N);
  if (Bits.size() > MethodPlan::MostBits || !canAlwaysLeave(G))
    return;
  for (uint32_t N : Bits)
    P.Actions[N] = MethodPlan::Bit;
  if (mayThrowBehind(G, Bits) &&
      !llvm::is_contained(P.Handlers, Thrown::OutOfMethod))
    P.Handlers.push_back(Thrown::OutOfMethod);
}

MethodPlan Planner::run(Strategy S) {
  switch (S) {
  case Strategy::JaCoCo:
  case Strategy::JaCoCoCounts:
  case Strategy::Entered:
    planAll();
    break;
  case Strategy::Dom:
    leaveOut(inferByDominators, allPoints());
    break;
  case Strategy::Min:
  case Strategy::Blocks:
    leaveOut(inferFewest, allPoints());
    break;
  case Strategy::Mask:
    planMask();
    break;
  case Strategy::Pos:
  case Strategy::Begun:
    planPos();
    break;
  }
  return std::move(P);
}

MethodPlan jopt::coverage::planMethod(Strategy S, const ProbeGraph &G) {
  return Planner(G).run(S);
}

// All but the last are lines. Each calls something before the next, so it
// leaves its number; who passes it passes the next, if nothing is thrown.
MethodPlan jopt::coverage::planStraight(size_t Count) {
  MethodPlan P;
  P.Actions.assign(Count, MethodPlan::Mark);
  P.Actions.back() = MethodPlan::Store;
  P.Told.resize(Count);
  for (uint32_t N = 0; N + 1 < Count; ++N)
    P.Told[N].push_back(N + 1);
  if (Count > 1)
    P.Handlers.push_back(Thrown::OutOfMethod);
  return P;
}
