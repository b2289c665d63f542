//===- Paths.cpp - The ways through a method, as numbers ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Trace/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace jopt::trace;

namespace {
/// Goes through segments depth first, each behind all that it leads to without
/// a beginning between.
class Walk {
public:
  explicit Walk(llvm::ArrayRef<Segment> S) : S(S), States(S.size(), New) {}

  /// Calls \p Loop with a segment that leads to itself, and \p Done with each
  /// at its turn.
  void run(llvm::function_ref<void(uint32_t)> Loop,
           llvm::function_ref<void(uint32_t)> Done) {
    for (uint32_t Root = 0; Root < S.size(); ++Root) {
      if (States[Root] != New)
        continue;
      push(Root);
      while (!Stack.empty()) {
        auto &[At, Next] = Stack.back();
        if (Next == S[At].Next.size()) {
          States[At] = Left;
          Done(At);
          Stack.pop_back();
          continue;
        }
        const uint32_t To = S[At].Next[Next++];
        if (S[To].Begins)
          continue;
        if (States[To] == New)
          push(To);
        else if (States[To] == Open)
          Loop(To);
      }
    }
  }

private:
  enum State : uint8_t { New, Open, Left };
  void push(uint32_t At) {
    States[At] = Open;
    Stack.push_back({At, 0});
  }

  llvm::ArrayRef<Segment> S;
  std::vector<State> States;
  std::vector<std::pair<uint32_t, size_t>> Stack;
};
} // namespace

/// How many ways lead on from \p Of, if \p Ways has those from what is next.
static uint64_t countWays(llvm::ArrayRef<Segment> S, const Segment &Of,
                          llvm::ArrayRef<uint64_t> Ways) {
  uint64_t N = Of.MayThrow + Of.Returns;
  for (uint32_t To : Of.Next)
    N += S[To].Begins ? 1 : Ways[To];
  return N;
}

void jopt::trace::cutPaths(std::vector<Segment> &S, uint32_t Most) {
  std::vector<uint64_t> Ways(S.size());
  Walk(S).run([&](uint32_t Head) { S[Head].Begins = true; },
              [&](uint32_t At) {
                Ways[At] = countWays(S, S[At], Ways);
                if (At != 0 && Ways[At] > Most)
                  S[At].Begins = true;
              });
}

std::optional<Paths> Paths::number(std::vector<Segment> S) {
  for (const Segment &From : S)
    for (uint32_t To : From.Next)
      if (To >= S.size())
        return std::nullopt;
  std::vector<uint64_t> Ways(S.size());
  bool Fine = !S.empty();
  Walk(S).run([&](uint32_t) { Fine = false; },
              [&](uint32_t At) {
                Ways[At] = countWays(S, S[At], Ways);
                // What is too much stays so.
                Fine &= Ways[At] <= Limit;
                Ways[At] = std::min<uint64_t>(Ways[At], Limit + 1);
              });
  uint64_t Size = 0;
  uint32_t Event = 0;
  Paths P;
  for (uint32_t I = 0; I < S.size() && Fine; ++I) {
    P.FirstEvents.push_back(Event);
    Event += S[I].Events;
    if (I == 0 || S[I].Begins) {
      P.Beginnings.push_back({uint32_t(Size), I});
      Size += Ways[I];
    }
    Fine &= Size <= Limit;
  }
  if (!Fine)
    return std::nullopt;
  P.Size = uint32_t(Size);
  P.Ways.assign(Ways.begin(), Ways.end());
  P.Segments = std::move(S);
  return P;
}

uint32_t Paths::first(uint32_t S) const {
  return llvm::partition_point(
             Beginnings, [S](const Beginning &B) { return B.Segment < S; })
      ->Number;
}

uint32_t Paths::step(uint32_t From, uint32_t To) const {
  const Segment &S = Segments[From];
  uint32_t N = S.MayThrow;
  for (uint32_t Next : S.Next) {
    if (Next == To)
      break;
    N += waysTo(Next);
  }
  return N;
}

uint32_t Paths::stepToReturn(uint32_t From) const {
  return step(From, uint32_t(Segments.size()));
}

Paths::End
Paths::follow(uint32_t Number,
              llvm::function_ref<void(uint32_t, uint32_t)> Use) const {
  const auto At = std::prev(llvm::partition_point(
      Beginnings, [Number](const Beginning &B) { return B.Number <= Number; }));
  uint32_t Left = Number - At->Number;
  for (uint32_t I = At->Segment;;) {
    const Segment &S = Segments[I];
    if (S.Events)
      Use(FirstEvents[I], S.Events);
    if (S.MayThrow && Left-- == 0)
      return End::Throws;
    uint32_t To = I;
    for (uint32_t Next : S.Next) {
      To = Next;
      if (Left < waysTo(Next))
        break;
      Left -= waysTo(Next);
      To = I;
    }
    if (To == I && S.Returns)
      return End::Returns;
    if (To == I || Segments[To].Begins)
      return End::Arrives;
    I = To;
  }
}
