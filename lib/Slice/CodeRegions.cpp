//===- CodeRegions.cpp - How far branches decide --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeRegions.h"
#include "jopt/Bytecode/Decoder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/GenericDomTreeConstruction.h"
#include <set>

using namespace jopt;
using namespace jopt::slice;

void CodeBlock::printAsOperand(llvm::raw_ostream &OS, bool) const {
  OS << Start;
}

/// Calls \p Use with each way that control goes on from \p I without an
/// exception. \p AfterCalls: where subroutines may return to.
static void forEachWay(const DecodedInst &I,
                       llvm::ArrayRef<uint32_t> AfterCalls,
                       llvm::function_ref<void(uint32_t)> Use) {
  if (I.Op == op::RET)
    for (uint32_t BCI : AfterCalls)
      Use(BCI);
  if (I.info().Branches) {
    Use(uint32_t(I.Value));
    for (uint32_t C = 0; C < I.NumCases; ++C)
      Use(uint32_t(I.caseTarget(C)));
  }
  if (!I.info().EndsBlock && I.info().Canonical != op::JSR)
    Use(I.end());
}

CodeGraph::CodeGraph(const CodeView &Code) {
  std::set<uint32_t> Starts = {0};
  std::vector<uint32_t> AfterCalls;
  DecodedInst I;
  for (uint32_t At = 0; decodeInst(Code.Code, At, I); At = I.end()) {
    if (I.info().Canonical == op::JSR)
      AfterCalls.push_back(I.end());
    if (!I.info().Branches && !I.info().EndsBlock)
      continue;
    Starts.insert(I.end());
    forEachWay(I, {}, [&](uint32_t To) { Starts.insert(To); });
  }
  for (const CodeView::Handler &H : Code.Handlers)
    Starts.insert(H.Target);
  Starts.erase(Starts.lower_bound(uint32_t(Code.Code.size())), Starts.end());
  Blocks.resize(Starts.size());
  for (auto [B, Start] : llvm::zip(Blocks, Starts)) {
    B.Start = Start;
    B.Graph = this;
  }
  auto Link = [&](CodeBlock &From, uint32_t To) {
    if (To >= Code.Code.size())
      return;
    CodeBlock &B = at(To);
    if (llvm::is_contained(From.Successors, &B))
      return;
    From.Successors.push_back(&B);
    B.Predecessors.push_back(&From);
  };
  for (uint32_t At = 0; decodeInst(Code.Code, At, I); At = I.end()) {
    CodeBlock &B = at(At);
    B.Last = At;
    if (I.end() < Code.Code.size() && &at(I.end()) == &B)
      continue;
    forEachWay(I, AfterCalls, [&](uint32_t To) { Link(B, To); });
    B.IsThrown = I.Op == op::ATHROW;
    if (B.IsThrown)
      for (const CodeView::Handler &H : Code.Handlers)
        if (H.Start <= At && At < H.End)
          Link(B, H.Target);
  }
}

CodeBlock &CodeGraph::at(uint32_t BCI) {
  return *std::prev(llvm::partition_point(
      Blocks, [&](const CodeBlock &B) { return B.Start <= BCI; }));
}

CodeRegions::CodeRegions(const CodeView &Code) : Graph(Code) {
  Tree.recalculate(Graph);
}

CodeBlock *CodeRegions::postDominator(CodeBlock &B) const {
  const auto *N = Tree.getNode(&B);
  return N && N->getIDom() ? N->getIDom()->getBlock() : nullptr;
}

uint32_t CodeRegions::endOf(uint32_t BCI) {
  return startOf(postDominator(Graph.at(BCI)));
}

uint32_t CodeRegions::endOf(uint32_t BCI, uint32_t Handler) {
  CodeBlock &From = Graph.at(BCI), &To = Graph.at(Handler);
  if (From.IsThrown && From.Last == BCI)
    return startOf(postDominator(To)); // there is no other way
  CodeBlock *Normal = postDominator(From);
  if (!Normal)
    return Method;
  CodeBlock *Both = Tree.findNearestCommonDominator(Normal, &To);
  return startOf(Both == &To ? postDominator(To) : Both);
}

bool CodeRegions::leadsTo(uint32_t BCI, uint32_t End) {
  return End == Method || Tree.dominates(&Graph.at(End), &Graph.at(BCI));
}
