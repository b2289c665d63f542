//===- PathNumbers.cpp - Numbers for the ways through a graph -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/PathNumbers.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace jopt;

void DepthFirstWalk::run(uint32_t Size, NextFn Next,
                         llvm::function_ref<void(uint32_t, size_t)> Loop,
                         llvm::function_ref<void(uint32_t)> Done) {
  enum State : uint8_t { New, Open, Left };
  std::vector<State> States(Size, New);
  std::vector<std::pair<uint32_t, size_t>> Stack;
  auto Push = [&](uint32_t Node) {
    States[Node] = Open;
    Stack.push_back({Node, 0});
  };
  for (uint32_t Root = 0; Root < Size; ++Root) {
    if (States[Root] != New)
      continue;
    Push(Root);
    while (!Stack.empty()) {
      auto &[At, Edge] = Stack.back();
      const uint32_t To = Next(At, Edge);
      if (To == NoEdge) {
        States[At] = Left;
        Done(At);
        Stack.pop_back();
        continue;
      }
      const size_t This = Edge++;
      if (To == End)
        continue;
      if (States[To] == New)
        Push(To);
      else if (States[To] == Open)
        Loop(At, This);
    }
  }
}

std::optional<PathNumbers>
PathNumbers::number(std::vector<Edges> Next,
                    llvm::ArrayRef<uint32_t> Beginnings, uint32_t Limit) {
  for (const Edges &From : Next)
    for (uint32_t To : From)
      if (To != End && To >= Next.size())
        return std::nullopt;
  std::vector<uint64_t> Ways(Next.size());
  bool Fine = true;
  DepthFirstWalk::run(
      uint32_t(Next.size()),
      [&](uint32_t Node, size_t Edge) {
        return Edge < Next[Node].size() ? Next[Node][Edge]
                                        : DepthFirstWalk::NoEdge;
      },
      [&](uint32_t, size_t) { Fine = false; },
      [&](uint32_t Node) {
        for (uint32_t To : Next[Node])
          Ways[Node] += To == End ? 1 : Ways[To];
        // Saturate: a count above the limit stays above it.
        Fine &= Ways[Node] <= Limit;
        Ways[Node] = std::min<uint64_t>(Ways[Node], uint64_t(Limit) + 1);
      });
  uint64_t Size = 0;
  PathNumbers P;
  for (uint32_t Node : Beginnings) {
    if (!Fine || Node >= Next.size())
      return std::nullopt;
    P.Beginnings.push_back({uint32_t(Size), Node});
    Size += Ways[Node];
    Fine &= Size <= Limit;
  }
  if (!Fine)
    return std::nullopt;
  P.Size = uint32_t(Size);
  P.Ways.assign(Ways.begin(), Ways.end());
  P.Next = std::move(Next);
  return P;
}

uint32_t PathNumbers::first(uint32_t Node) const {
  return llvm::partition_point(
             Beginnings, [Node](const Beginning &B) { return B.Node < Node; })
      ->Number;
}

uint32_t PathNumbers::step(uint32_t Node, size_t Edge) const {
  uint32_t N = 0;
  for (uint32_t To : llvm::ArrayRef(Next[Node]).take_front(Edge))
    N += waysBy(To);
  return N;
}

void PathNumbers::follow(uint32_t Number,
                         llvm::function_ref<void(uint32_t, size_t)> Use) const {
  // Of beginnings with no path the next one has the same number.
  const auto At = std::prev(llvm::partition_point(
      Beginnings, [Number](const Beginning &B) { return B.Number <= Number; }));
  uint32_t Left = Number - At->Number;
  for (uint32_t Node = At->Node; Node != End;) {
    size_t Edge = 0;
    for (; Edge < Next[Node].size() && Left >= waysBy(Next[Node][Edge]); ++Edge)
      Left -= waysBy(Next[Node][Edge]);
    Use(Node, Edge);
    Node = Edge < Next[Node].size() ? Next[Node][Edge] : End;
  }
}
