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
  TermRef sum(TermRef Old, TermRef New);
  void note(TermRef Old, TermRef New, TermRef Both);
  void addProperties(const PathFacts &New, PathFacts &To);
  void translate(TermRef Old, TermRef &InNew, TermRef &Both);

  Terms &T;
  llvm::DenseMap<std::pair<TermRef, TermRef>, TermRef> Made;
  /// The pairs of a term of the old state, with the results: for the facts
  /// about it. If it stands for itself somewhere, that comes first.
  using Counterpart = std::pair<TermRef, TermRef>;
  llvm::DenseMap<TermRef, llvm::SmallVector<Counterpart, 1>> Of;
  /// Terms that are no symbols, of the old, the new, and the state of both.
  llvm::SmallVector<std::array<TermRef, 3>> Values;
  llvm::DenseMap<TermRef, TermRef> Names;
  bool IsOld = true;
};

} // namespace

/// A sum with a constant stays one: the distance of two counters is the same
/// in both states, be they numbers in the one and not in the other.
TermRef Generaliser::sum(TermRef Old, TermRef New) {
  const bool IsSum =
      Old->isApply(op::IADD) && Old->Args[1]->is(TermKind::Constant);
  TermRef By = IsSum ? Old->Args[1] : Old;
  if (!By->isConstant('I') || !By->i())
    return nullptr;
  if (!New->isConstant('I') && !New->is(TermKind::Symbol) &&
      !New->is(TermKind::Apply))
    return nullptr;
  TermRef Rest =
      both(IsSum ? Old->Args[0] : T.ofInt(0), T.apply(op::ISUB, {New, By}));
  return T.apply(op::IADD, {Rest, By});
}

TermRef Generaliser::both(TermRef Old, TermRef New) {
  if (!Old || !New)
    return nullptr;
  if (TermRef Both = Made.lookup({Old, New}))
    return Both;
  if (Old == New) {
    Made[{Old, New}] = Old;
    Of[Old].insert(Of[Old].begin(), {Old, Old});
    if (Old->is(TermKind::Symbol))
      rename(Old, Old);
    for (TermRef A : Old->Args)
      both(A, A);
    return Old;
  }
  if (TermRef Sum = sum(Old, New)) {
    note(Old, New, Sum);
    return Sum;
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
  note(Old, New, Result);
  return Result;
}

void Generaliser::note(TermRef Old, TermRef New, TermRef Both) {
  Made[{Old, New}] = Both;
  Of[Old].push_back({New, Both});
  if (!Old->is(TermKind::Symbol) &&
      (!Old->is(TermKind::Constant) || Old->isConstant('I')))
    Values.push_back({Old, New, Both});
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
void Generaliser::translate(TermRef Old, TermRef &InNew, TermRef &Both) {
  InNew = Both = Old;
  if (Old->is(TermKind::Constant) || Old->is(TermKind::Null))
    return;
  if (auto It = Of.find(Old); It != Of.end()) {
    std::tie(InNew, Both) = It->second.front();
    return;
  }
  if (Old->Args.empty())
    return;
  llvm::SmallVector<TermRef, 4> NewArgs, BothArgs;
  for (TermRef A : Old->Args) {
    TermRef N, G;
    translate(A, N, G);
    NewArgs.push_back(N);
    BothArgs.push_back(G);
  }
  InNew = T.make(Old->Kind, Old->Code, NewArgs, Old->Bits);
  Both = T.make(Old->Kind, Old->Code, BothArgs, Old->Bits);
  Of[Old].push_back({InNew, Both});
}

/// By itself a number may be none below zero, and a reference not null; the
/// symbol in its place needs a fact that says so.
void Generaliser::addProperties(const PathFacts &New, PathFacts &To) {
  const PathFacts None;
  for (const auto &[Old, InNew, Both] : Values)
    for (auto [Kind, Limit] : {std::pair(TermKind::Less, T.ofInt(0)),
                               std::pair(TermKind::EqualRefs, T.null())}) {
      auto Property = [&, K = Kind, L = Limit](TermRef V) {
        return T.make(K, 0, {V, L});
      };
      if (None.decide(T, Property(Old)) == false &&
          New.decide(T, Property(InNew)) == false)
        To.set(Property(Both), false);
    }
}

PathFacts Generaliser::facts(const PathFacts &Old, const PathFacts &New) {
  PathFacts Result;
  for (auto [Predicate, Holds] : Old.all()) {
    bool IsKept = false;
    auto Try = [&](TermRef InNew, TermRef Both) {
      if (New.decide(T, InNew) != Holds)
        return;
      Result.set(Both, Holds);
      IsKept = true;
    };
    TermRef InNew, Both;
    translate(Predicate, InNew, Both);
    Try(InNew, Both);
    // The value may have become several.
    if (!Predicate->Args.empty()) {
      const auto Others = Of.lookup(Predicate->Args[0]);
      for (size_t N = 1; N < Others.size(); ++N) {
        llvm::SmallVector<TermRef, 2> NewArgs{Others[N].first};
        llvm::SmallVector<TermRef, 2> BothArgs{Others[N].second};
        for (TermRef A : Predicate->Args.drop_front()) {
          TermRef X, Y;
          translate(A, X, Y);
          NewArgs.push_back(X);
          BothArgs.push_back(Y);
        }
        Try(T.make(Predicate->Kind, Predicate->Code, NewArgs),
            T.make(Predicate->Kind, Predicate->Code, BothArgs));
      }
    }
    IsOld &= IsKept;
  }
  addProperties(New, Result);
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
