//===- Generalise.cpp - One state for two ---------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Product.h"
#include "llvm/ADT/DenseMap.h"

using namespace jopt;
using namespace jopt::validate;

namespace {

/// Anti-unification: where two terms differ there is a new symbol, the same for
/// the same two terms. So what is equal in both states stays equal.
class Generaliser {
public:
  explicit Generaliser(Terms &T) : T(T) {}

  TermRef both(TermRef Old, TermRef New);
  bool both(llvm::SmallVectorImpl<TermRef> &Old, llvm::ArrayRef<TermRef> New) {
    for (size_t N = 0; N < Old.size(); ++N)
      Old[N] = both(Old[N], New[N]);
    return true;
  }
  bool both(Side &Old, const Side &New);
  PathFacts facts(const PathFacts &Old, const PathFacts &New);
  bool isOld() const { return IsOld; }

private:
  /// A symbol may get another name, if it is still one.
  void rename(TermRef Old, TermRef New) {
    IsOld &= Names.try_emplace(Old, New).first->second == New;
  }
  bool translate(TermRef Old, TermRef &InNew, TermRef &Both);

  Terms &T;
  llvm::DenseMap<std::pair<TermRef, TermRef>, TermRef> Made;
  /// What the first of a pair has become, for the facts about it.
  llvm::DenseMap<TermRef, std::pair<TermRef, TermRef>> Of;
  llvm::DenseMap<TermRef, TermRef> Names;
  bool IsOld = true;
};

} // namespace

TermRef Generaliser::both(TermRef Old, TermRef New) {
  if (!Old || !New)
    return nullptr;
  if (TermRef Both = Made.lookup({Old, New}))
    return Both;
  if (Old == New) {
    Made[{Old, New}] = Old;
    if (Old->is(TermKind::Symbol))
      rename(Old, Old);
    for (TermRef A : Old->Args)
      both(A, A);
    return Old;
  }
  TermRef Result;
  const bool IsLeaf = Old->Args.empty() || Old->Kind != New->Kind ||
                      Old->Code != New->Code || Old->Bits != New->Bits ||
                      Old->Args.size() != New->Args.size();
  if (IsLeaf) {
    const uint32_t Class = T.classOf(Old);
    Result = T.symbol(Class == T.classOf(New) ? Class : 0);
    if (Old->is(TermKind::Symbol) && Old->Code == Result->Code)
      rename(Old, Result);
    else
      IsOld = false;
  } else {
    llvm::SmallVector<TermRef, 4> Args;
    for (size_t N = 0; N < Old->Args.size(); ++N)
      Args.push_back(both(Old->Args[N], New->Args[N]));
    Result = T.make(Old->Kind, Old->Code, Args, Old->Bits);
  }
  Made[{Old, New}] = Result;
  Of.try_emplace(Old, New, Result);
  return Result;
}

bool Generaliser::both(Side &Old, const Side &New) {
  if (Old.Stack.size() != New.Stack.size() ||
      Old.Slots.size() != New.Slots.size())
    return false;
  // Slots that one of both does not know are not known; that is no change if
  // it was so before.
  for (size_t N = 0; N < Old.Slots.size(); ++N)
    IsOld &= !Old.Slots[N] || New.Slots[N];
  both(Old.Slots, New.Slots);
  both(Old.Stack, New.Stack);
  Old.Tick = both(Old.Tick, New.Tick);
  Old.Pending = both(Old.Pending, New.Pending);
  return true;
}

/// The counterparts of \p Old in the other state, and in that of both.
bool Generaliser::translate(TermRef Old, TermRef &InNew, TermRef &Both) {
  if (auto It = Of.find(Old); It != Of.end()) {
    std::tie(InNew, Both) = It->second;
    return true;
  }
  InNew = Both = Old;
  if (Old->Args.empty())
    return true;
  llvm::SmallVector<TermRef, 4> NewArgs, BothArgs;
  for (TermRef A : Old->Args) {
    TermRef N, G;
    if (!translate(A, N, G))
      return false;
    NewArgs.push_back(N);
    BothArgs.push_back(G);
  }
  InNew = T.make(Old->Kind, Old->Code, NewArgs, Old->Bits);
  Both = T.make(Old->Kind, Old->Code, BothArgs, Old->Bits);
  Of.try_emplace(Old, InNew, Both);
  return true;
}

PathFacts Generaliser::facts(const PathFacts &Old, const PathFacts &New) {
  PathFacts Result;
  for (auto [Predicate, Holds] : Old.all()) {
    TermRef InNew, Both;
    if (translate(Predicate, InNew, Both) && New.decide(T, InNew) == Holds)
      Result.set(Both, Holds);
    else
      IsOld = false;
  }
  return Result;
}

std::optional<PairState> jopt::validate::generalise(Terms &T,
                                                    const PairState &Old,
                                                    const PairState &New,
                                                    bool &IsOld) {
  Generaliser G(T);
  PairState S = Old;
  S.Memory = G.both(Old.Memory, New.Memory);
  for (unsigned N : {0, 1})
    if (!G.both(S.Of[N], New.Of[N]))
      return std::nullopt;
  S.Known = G.facts(Old.Known, New.Known);
  IsOld = G.isOld();
  for (unsigned N : {0, 1}) {
    S.Of[N].Joined = false;
    S.Of[N].Waits = New.Of[N].Waits;
  }
  return S;
}
