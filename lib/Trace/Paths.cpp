//===- Paths.cpp - The ways through a method, as numbers ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Trace/Paths.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using namespace jopt::trace;

void jopt::trace::cutPaths(std::vector<Segment> &S, uint32_t Most) {
  std::vector<uint64_t> Ways(S.size());
  DepthFirstWalk::run(
      uint32_t(S.size()),
      [&](uint32_t At, size_t Edge) {
        return Edge >= S[At].Next.size()    ? DepthFirstWalk::NoEdge
               : S[S[At].Next[Edge]].Begins ? DepthFirstWalk::End
                                            : S[At].Next[Edge];
      },
      [&](uint32_t At, size_t Edge) { S[S[At].Next[Edge]].Begins = true; },
      [&](uint32_t At) {
        Ways[At] = S[At].MayThrow + S[At].Returns;
        for (uint32_t To : S[At].Next)
          Ways[At] += S[To].Begins ? 1 : Ways[To];
        if (At != 0 && Ways[At] > Most)
          S[At].Begins = true;
      });
}

Paths::Paths(std::vector<Segment> S, PathNumbers N)
    : Segments(std::move(S)), Numbers(std::move(N)) {
  uint32_t Event = 0;
  for (const Segment &Each : Segments) {
    FirstEvents.push_back(Event);
    Event += Each.Events;
  }
}

std::optional<Paths> Paths::number(std::vector<Segment> S) {
  std::vector<PathNumbers::Edges> Next(S.size());
  std::vector<uint32_t> Beginnings;
  for (uint32_t I = 0; I < S.size(); ++I) {
    if (S[I].MayThrow)
      Next[I].push_back(PathNumbers::End);
    for (uint32_t To : S[I].Next) {
      if (To >= S.size())
        return std::nullopt;
      Next[I].push_back(S[To].Begins ? PathNumbers::End : To);
    }
    if (S[I].Returns)
      Next[I].push_back(PathNumbers::End);
    if (I == 0 || S[I].Begins)
      Beginnings.push_back(I);
  }
  if (S.empty())
    return std::nullopt;
  auto Numbers = PathNumbers::number(std::move(Next), Beginnings, Limit);
  if (!Numbers)
    return std::nullopt;
  return Paths(std::move(S), std::move(*Numbers));
}

uint32_t Paths::step(uint32_t From, uint32_t To) const {
  const Segment &S = Segments[From];
  return Numbers.step(
      From, S.MayThrow + size_t(llvm::find(S.Next, To) - S.Next.begin()));
}

uint32_t Paths::stepToReturn(uint32_t From) const {
  return step(From, uint32_t(Segments.size()));
}

Paths::End
Paths::follow(uint32_t Number,
              llvm::function_ref<void(uint32_t, uint32_t)> Use) const {
  End Last = End::Arrives;
  Numbers.follow(Number, [&](uint32_t Node, size_t Edge) {
    const Segment &S = Segments[Node];
    if (S.Events)
      Use(FirstEvents[Node], S.Events);
    const size_t Way = Edge - S.MayThrow;
    Last = S.MayThrow && Edge == 0             ? End::Throws
           : Way == S.Next.size() && S.Returns ? End::Returns
                                               : End::Arrives;
  });
  return Last;
}
