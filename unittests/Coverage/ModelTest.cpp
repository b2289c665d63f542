//===- ModelTest.cpp ------------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What strategies leave out, they say right: for random methods of which each
/// call throws in turn. A strategy that says one bit wrong fails, and so do
/// mutants of what the strategies are made of, or this test is worth nothing.
/// JOPT_MODEL_METHODS sets how many methods there are.
///
//===----------------------------------------------------------------------===//

#include "TestMethods.h"
#include "jopt/Coverage/Inference.h"
#include "jopt/Coverage/Plan.h"
#include "jopt/Coverage/Rules.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <map>

using namespace jopt::coverage;
using Activation = std::vector<TestMethod::Event>;
using Bits = std::vector<uint64_t>;

namespace {

Bits passed(const TestMethod &M, const Activation &A) {
  Bits R(M.Points.size());
  for (const TestMethod::Event &E : A)
    if (E.Point)
      R[*E.Point] = 1;
  return R;
}

void unite(Bits &Into, const Bits &From) {
  for (size_t I = 0; I < Into.size(); ++I)
    Into[I] |= From[I];
}

/// What may be wrong with a mask.
enum class Loses { Nothing, AtReturns, InHandlers };

/// The recorded elements of \p A, one for each point.
Bits record(const MethodPlan &P, const Activation &A, Loses What) {
  Bits Raw(P.Actions.size()), Mask(P.Actions.size());
  std::optional<uint32_t> Position;
  bool IsThrown = false;
  for (const TestMethod::Event &E : A) {
    if (!E.Point) {
      IsThrown = E.To == Thrown::OutOfMethod;
      if (Position && llvm::is_contained(P.Handlers, E.To))
        Raw[*Position] = 1;
      if (What == Loses::InHandlers && !IsThrown)
        Mask.assign(Mask.size(), 0);
    } else if (P.Actions[*E.Point] == MethodPlan::Bit) {
      Mask[*E.Point] = 1;
    } else if (P.Actions[*E.Point] == MethodPlan::Store) {
      Raw[*E.Point] = 1;
    } else if (P.Actions[*E.Point] == MethodPlan::Mark) {
      Position = *E.Point;
    }
  }
  if (IsThrown ? llvm::is_contained(P.Handlers, Thrown::OutOfMethod)
               : What != Loses::AtReturns)
    unite(Raw, Mask);
  return Raw;
}

std::vector<Rule> rulesOf(const MethodPlan &P) {
  std::vector<Rule> Rules(P.Actions.size());
  for (uint32_t N = 0; N < Rules.size(); ++N) {
    if (P.Actions[N] != MethodPlan::Nothing)
      Rules[N].Element = N;
    Rules[N].Points = P.Told[N];
  }
  return Rules;
}

/// A method and activations of it: some in which nothing throws but `athrow`,
/// each of the first calls throwing in turn, some in which any may.
struct Case {
  TestMethod M;
  std::optional<ProbeGraph> G;
  std::vector<Activation> Activations;

  Case(std::mt19937 &Random, unsigned Size, PointSet Which) {
    makeRandomMethod(M, Random, Size, Which);
    if (auto Made = M.graph())
      G = std::move(*Made);
    else
      llvm::consumeError(Made.takeError());
    for (unsigned N = 0; N < 12; ++N) {
      const unsigned Failing = N < 8 ? N / 2 : TestMethod::Never;
      if (auto A = M.run(Random, N % 2 ? Failing : TestMethod::Never, N > 7))
        Activations.push_back(std::move(*A));
    }
  }
};

using Planner = std::function<MethodPlan(const ProbeGraph &)>;

struct Tally {
  unsigned Cases = 0, Wrong = 0;
  size_t Points = 0, Actions = 0;
};

/// Each activation of \p C alone, and unions of two to four.
void check(const Case &C, const Planner &Plan, std::mt19937 &Random, Tally &T,
           Loses What) {
  const MethodPlan P = Plan(*C.G);
  const std::vector<Rule> Rules = rulesOf(P);
  std::vector<std::pair<Bits, Bits>> Each; // truth, recorded
  for (const Activation &A : C.Activations)
    Each.push_back({passed(C.M, A), record(P, A, What)});
  for (size_t N = 0; N < 2 * Each.size(); ++N) {
    auto [Truth, Raw] = Each[N % Each.size()];
    if (N >= Each.size())
      for (unsigned More = 1 + Random() % 3; More; --More) {
        const auto &[OtherTruth, OtherRaw] = Each[Random() % Each.size()];
        unite(Truth, OtherTruth);
        unite(Raw, OtherRaw);
      }
    ++T.Cases;
    T.Wrong += inflate(Rules, Raw) != Truth;
  }
  T.Points += P.Actions.size();
  for (MethodPlan::Action A : P.Actions)
    T.Actions += A == MethodPlan::Store || A == MethodPlan::Bit;
}

Tally model(unsigned Methods, const Planner &Plan,
            PointSet Which = PointSet::Probes, Loses What = Loses::Nothing) {
  Tally T;
  for (unsigned Seed = 0; Seed < Methods; ++Seed) {
    std::mt19937 Random(Seed);
    const Case C(Random, Seed % 3 ? 9 : 20, Which);
    if (!C.G) {
      ADD_FAILURE() << "no graph for seed " << Seed;
      return T;
    }
    const unsigned Before = T.Wrong;
    check(C, Plan, Random, T, What);
    if (T.Wrong && !Before)
      ::testing::Test::RecordProperty("first wrong seed", int(Seed));
  }
  return T;
}

unsigned numMethods() {
  const char *Given = std::getenv("JOPT_MODEL_METHODS");
  return Given ? unsigned(std::atoi(Given)) : 4000;
}

class Model : public ::testing::TestWithParam<Strategy> {};

TEST_P(Model, SaysWhatWasPassed) {
  const Tally T = model(
      numMethods(),
      [](const ProbeGraph &G) { return planMethod(GetParam(), G); },
      getStrategyInfo(GetParam()).Points);
  EXPECT_GT(T.Cases, numMethods());
  EXPECT_EQ(T.Wrong, 0u);
  if (GetParam() == Strategy::JaCoCo || GetParam() == Strategy::JaCoCoCounts ||
      GetParam() == Strategy::Entered)
    EXPECT_EQ(T.Actions, T.Points);
  else
    EXPECT_LT(T.Actions, T.Points);
  RecordProperty("cases", int(T.Cases));
  RecordProperty("stores in a thousand points",
                 int(1000 * T.Actions / T.Points));
}

std::vector<Strategy> allStrategies() {
  std::vector<Strategy> All;
  for (size_t S = 0; S < getStrategies().size(); ++S)
    All.push_back(Strategy(S));
  return All;
}

INSTANTIATE_TEST_SUITE_P(Strategies, Model,
                         ::testing::ValuesIn(allStrategies()),
                         [](const auto &Info) {
                           std::string N = getStrategyInfo(Info.param).Name;
                           std::replace(N.begin(), N.end(), '-', '_');
                           return N;
                         });

//===----------------------------------------------------------------------===//
// The inference by its definition, and mutants of it
//===----------------------------------------------------------------------===//

/// A rule that is left out, or turned round.
enum class Mutant {
  None,
  NoThrows,       ///< exceptions go nowhere
  NoEntry,        ///< PD: a predecessor is the entry
  NoOthersBefore, ///< PD: a predecessor leads elsewhere too
  NoExit,         ///< SD: a successor is the exit
  NoOthersBehind, ///< SD: a successor is come to from elsewhere too
  Reversed,       ///< rows are settled against the flow
  PostDominators, ///< what dominates or post-dominates is left out
  NoFinalHandler, ///< pos: nothing is set where the method is left
  NoHandlers,     ///< pos: nor where an exception is caught
  NoFinalBegun,   ///< begun: nothing is set where the method is left
  NoLines,        ///< begun: no position where a line begins
  NoSegments,     ///< blocks: exceptions go nowhere
  NoMaskThrown,   ///< mask: it is not recorded where the method is left so
  NoMaskReturned, ///< mask: nor by returns
  NoMaskCaught,   ///< mask: handlers begin with an empty one
};

class Reference {
public:
  Reference(const PointGraph &K, Mutant Which) : K(K), Which(Which) {}

  Inference fewest();
  Inference dominators();

private:
  using Set = std::vector<bool>;
  /// What \p From leads to by \p Edges without \p Without.
  Set reach(const Lists<uint32_t, 4> &Edges, uint32_t From,
            uint32_t Without) const {
    Set Seen(K.size());
    std::vector<uint32_t> Work;
    if (From != Without)
      Work.push_back(From);
    while (!Work.empty()) {
      const uint32_t At = Work.back();
      Work.pop_back();
      if (Seen[At])
        continue;
      Seen[At] = true;
      for (uint32_t To : Edges[At])
        if (To != Without)
          Work.push_back(To);
    }
    return Seen;
  }

  const PointGraph &K;
  const Mutant Which;
};

Inference Reference::fewest() {
  Inference PD(K.size()), SD(K.size());
  for (uint32_t V = PointGraph::First; V < K.size(); ++V) {
    if (!K.isReached(V))
      continue;
    const Set F = reach(K.Next, PointGraph::Entry, V);
    const Set T = reach(K.Previous, PointGraph::Exit, V);
    bool Fine = true;
    for (uint32_t U : K.Previous[V]) {
      Fine &= !(U == PointGraph::Entry && Which != Mutant::NoEntry);
      Fine &= !(F[U] && T[U] && U != PointGraph::Entry &&
                Which != Mutant::NoOthersBefore);
      if (F[U] && U != PointGraph::Entry)
        PD[V].push_back(U);
    }
    if (!Fine)
      PD[V].clear();
    Fine = true;
    for (uint32_t W : K.Next[V]) {
      Fine &= !(W == PointGraph::Exit && Which != Mutant::NoExit);
      Fine &= !(F[W] && T[W] && W != PointGraph::Exit &&
                Which != Mutant::NoOthersBehind);
      if (T[W] && W != PointGraph::Exit)
        SD[V].push_back(W);
    }
    if (!Fine)
      SD[V].clear();
  }
  auto Pair = [&](uint32_t U, uint32_t V) {
    return llvm::is_contained(SD[U], V) && llvm::is_contained(PD[V], U);
  };
  std::vector<std::vector<uint32_t>> Rows;
  for (uint32_t V = PointGraph::First; V < K.size(); ++V) {
    if (llvm::any_of(PD[V], [&](uint32_t U) { return Pair(U, V); }))
      continue;
    std::vector<uint32_t> Row = {V};
    for (bool More = true; More;) {
      More = false;
      for (uint32_t W : SD[Row.back()])
        if (Pair(Row.back(), W)) {
          Row.push_back(W);
          More = true;
          break;
        }
    }
    Rows.push_back(Row);
  }
  for (std::vector<uint32_t> &Row : Rows) {
    if (Which == Mutant::Reversed)
      std::reverse(Row.begin(), Row.end());
    const bool Along = !PD[Row.front()].empty();
    for (uint32_t V : Row)
      if (Along && V != Row.back())
        SD[V].clear();
      else if (!Along && V != Row.front())
        PD[V].clear();
  }
  for (uint32_t V = 0; V < K.size(); ++V)
    for (uint32_t W : SD[V])
      if (!llvm::is_contained(PD[V], W))
        PD[V].push_back(W);
  bool Loops = false;
  for (uint32_t V = PointGraph::First; V < K.size(); ++V)
    for (uint32_t W : K.Next[V])
      Loops |= W >= PointGraph::First && W <= V;
  for (uint32_t V = PointGraph::First; V < K.size() && Loops; ++V) {
    if (PD[V].empty())
      continue;
    const Set F = reach(K.Next, PointGraph::Entry, V);
    for (uint32_t W : K.Next[V])
      if (W >= PointGraph::First && W != V && !F[W] &&
          !llvm::is_contained(PD[V], W))
        PD[V].push_back(W);
  }
  return PD;
}

Inference Reference::dominators() {
  Inference From(K.size());
  for (uint32_t V = PointGraph::First; V < K.size(); ++V) {
    if (!K.isReached(V))
      continue;
    const Set F = reach(K.Next, PointGraph::Entry, V);
    const Set T = reach(K.Previous, PointGraph::Exit, V);
    auto NoneOf = [&](const auto &Nodes, const Set &S) {
      return llvm::none_of(
          Nodes, [&](uint32_t N) { return N < PointGraph::First || S[N]; });
    };
    if (NoneOf(K.Next[V], F))
      From[V].assign(K.Next[V].begin(), K.Next[V].end());
    else if (Which == Mutant::PostDominators && K.Previous[V].size() > 1 &&
             NoneOf(K.Previous[V], T))
      From[V].assign(K.Previous[V].begin(), K.Previous[V].end());
    llvm::erase(From[V], V);
  }
  return From;
}

std::vector<uint32_t> allPoints(const ProbeGraph &G) {
  std::vector<uint32_t> All;
  for (uint32_t P = 0; P < G.Points.size(); ++P)
    All.push_back(P);
  return All;
}

bool areEqual(Inference A, Inference B) {
  for (Inference *I : {&A, &B})
    for (auto &From : *I)
      llvm::sort(From);
  return llvm::equal(A, B);
}

//===----------------------------------------------------------------------===//
// No fewer stores would do
//===----------------------------------------------------------------------===//

/// All unions of what activations passed, as masks: what may be to be told.
static std::vector<uint32_t> unionsOf(const TestMethod &M,
                                      std::mt19937 &Random) {
  std::vector<bool> Known(size_t(1) << M.Points.size());
  std::vector<uint32_t> All = {0};
  Known[0] = true;
  // Some are seen but once in thousands.
  for (unsigned N = 0; N < 6000; ++N) {
    const unsigned Failing = N % 3 ? TestMethod::Never : N / 3 % 6;
    auto A = M.run(Random, Failing, N % 2);
    if (!A)
      continue;
    uint32_t Mask = 0;
    for (const TestMethod::Event &E : *A)
      if (E.Point)
        Mask |= 1u << *E.Point;
    if (Known[Mask])
      continue;
    for (size_t K = 0, End = All.size(); K < End; ++K)
      if (const uint32_t Both = All[K] | Mask; !Known[Both]) {
        Known[Both] = true;
        All.push_back(Both);
      }
  }
  return All;
}

/// Stores of \p Points tell all of \p Unions apart.
static bool tellApart(const std::vector<uint32_t> &Unions, uint32_t Points) {
  std::map<uint32_t, uint32_t> ByStored;
  return llvm::all_of(Unions, [&](uint32_t U) {
    return ByStored.try_emplace(U & Points, U).first->second == U;
  });
}

/// Whether stores at \p Most points, any of \p Number, tell them apart.
static bool canBeTold(const std::vector<uint32_t> &Unions, size_t Number,
                      unsigned Most) {
  for (uint32_t Points = 0; Points < 1u << Number; ++Points)
    if (unsigned(llvm::popcount(Points)) == Most && tellApart(Unions, Points))
      return true;
  return false;
}

/// Of small methods, by trying all choices: a union of activations that was
/// seen needs as many stores as `min` has, wherever they stand.
TEST(Strategies, MinHasTheFewestStores) {
  unsigned Methods = 0, Stores = 0, Fewer = 0;
  for (unsigned Seed = 0; Seed < numMethods() / 4; ++Seed) {
    std::mt19937 Random(Seed);
    const Case C(Random, 9, PointSet::Probes);
    const size_t Number = C.M.Points.size();
    if (!C.G || !Number || Number > 8)
      continue;
    const MethodPlan P = planMethod(Strategy::Min, *C.G);
    const auto Stored = unsigned(llvm::count(P.Actions, MethodPlan::Store));
    const std::vector<uint32_t> Unions = unionsOf(C.M, Random);
    uint32_t Seen = 0, Reached = 0;
    for (uint32_t U : Unions)
      Seen |= U;
    for (size_t N = 0; N < Number; ++N)
      Reached |=
          uint32_t(P.Actions[N] != MethodPlan::Nothing || !P.Told[N].empty())
          << N;
    if (Seen != Reached)
      continue; // of one that goes on for ever nothing is seen
    ++Methods;
    Stores += Stored;
    Fewer += Stored && canBeTold(Unions, Number, Stored - 1);
  }
  EXPECT_GT(Methods, numMethods() / 8);
  EXPECT_GT(Stores, Methods);
  EXPECT_EQ(Fewer, 0u);
  RecordProperty("methods", int(Methods));
}

TEST(Inference, IsThatOfTheDefinition) {
  unsigned Compared = 0;
  PointGraph K;
  Inference Told;
  for (unsigned Seed = 0; Seed < numMethods(); ++Seed) {
    std::mt19937 Random(Seed);
    TestMethod M;
    makeRandomMethod(M, Random, 25);
    auto G = M.graph();
    ASSERT_TRUE(bool(G)) << toString(G.takeError());
    if (!canAlwaysLeave(*G))
      continue;
    ASSERT_TRUE(contract(*G, allPoints(*G), K));
    Reference R(K, Mutant::None);
    inferFewest(K, Told);
    EXPECT_TRUE(areEqual(Told, R.fewest())) << Seed;
    inferByDominators(K, Told);
    EXPECT_TRUE(areEqual(Told, R.dominators())) << Seed;
    ++Compared;
  }
  EXPECT_GT(Compared, numMethods() / 4);
}

ProbeGraph withoutThrows(ProbeGraph G) {
  for (auto &Next : G.Next)
    llvm::erase_if(
        Next, [](const ProbeGraph::Edge &E) { return E.By != Thrown::No; });
  return G;
}

/// What `min`, or `dom`, would do with the rule left out.
MethodPlan planMutant(Mutant Which, const ProbeGraph &Real) {
  const ProbeGraph G = Which == Mutant::NoThrows ? withoutThrows(Real) : Real;
  MethodPlan P;
  P.Actions.resize(G.Points.size(), MethodPlan::Store);
  P.Told.resize(G.Points.size());
  if (!canAlwaysLeave(G))
    return P;
  PointGraph K;
  contract(G, allPoints(G), K);
  Reference R(K, Which);
  const Inference From =
      Which == Mutant::PostDominators ? R.dominators() : R.fewest();
  for (uint32_t N = 0; N < P.Actions.size(); ++N) {
    for (uint32_t Other : From[PointGraph::First + N])
      P.Told[N].push_back(Other - PointGraph::First);
    if (!From[PointGraph::First + N].empty())
      P.Actions[N] = MethodPlan::Nothing;
  }
  return P;
}

class Mutants : public ::testing::TestWithParam<Mutant> {};

TEST_P(Mutants, AreFound) {
  const Mutant Which = GetParam();
  const bool IsBegun =
      Which == Mutant::NoFinalBegun || Which == Mutant::NoLines;
  const Strategy S = Which > Mutant::NoSegments    ? Strategy::Mask
                     : Which == Mutant::NoSegments ? Strategy::Blocks
                     : IsBegun                     ? Strategy::Begun
                                                   : Strategy::Pos;
  const Tally T = model(
      1000,
      [&](const ProbeGraph &G) {
        if (Which < Mutant::NoFinalHandler)
          return planMutant(Which, G);
        if (S == Strategy::Blocks)
          return planMethod(S, withoutThrows(G));
        MethodPlan P = planMethod(S, G);
        if (Which == Mutant::NoLines)
          for (MethodPlan::Action &A : P.Actions)
            A = A == MethodPlan::Mark ? MethodPlan::Nothing : A;
        else if (Which <= Mutant::NoMaskThrown)
          llvm::erase_if(P.Handlers, [&](Thrown To) {
            return (To == Thrown::OutOfMethod) == (Which != Mutant::NoHandlers);
          });
        return P;
      },
      getStrategyInfo(S).Points,
      Which == Mutant::NoMaskReturned ? Loses::AtReturns
      : Which == Mutant::NoMaskCaught ? Loses::InHandlers
                                      : Loses::Nothing);
  if (Which == Mutant::None)
    EXPECT_EQ(T.Wrong, 0u);
  else
    EXPECT_GT(T.Wrong, 0u);
  RecordProperty("wrong", int(T.Wrong));
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Mutants,
    ::testing::Values(Mutant::None, Mutant::NoThrows, Mutant::NoEntry,
                      Mutant::NoOthersBefore, Mutant::NoExit,
                      Mutant::NoOthersBehind, Mutant::Reversed,
                      Mutant::PostDominators, Mutant::NoFinalHandler,
                      Mutant::NoHandlers, Mutant::NoFinalBegun, Mutant::NoLines,
                      Mutant::NoSegments, Mutant::NoMaskThrown,
                      Mutant::NoMaskReturned, Mutant::NoMaskCaught));

} // namespace
