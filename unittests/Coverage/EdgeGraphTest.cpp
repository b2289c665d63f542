//===- EdgeGraphTest.cpp --------------------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How often each edge, run and probe of random methods is taken, of which each
/// call throws in turn, is what an observer of the instructions counted.
/// JOPT_MODEL_METHODS sets how many methods there are.
///
//===----------------------------------------------------------------------===//

#include "TestMethods.h"
#include "jopt/Coverage/SlotLoops.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <map>

using namespace jopt::coverage;
using Step = TestMethod::Step;
using Edge = EdgeGraph::Edge;

namespace {

/// The error of a mutant.
enum class Mutant {
  None,
  NoThrows,    ///< what is thrown out of the method is not counted
  NoArrivals,  ///< handlers count nothing
  NoPositions, ///< runs that are fallen into do not say where they are
  OwnDelta,    ///< all handlers add what the first one does
  FallenInto,  ///< a handler counts what falls into it
  ThrowsFall,  ///< what is thrown is counted as if it went on
  KeepsOut,    ///< loops are left with what their slots have
  KeepsThrown, ///< the same, by exceptions to handlers
  KeepsLeft,   ///< the same, by those out of the method
  AddsAgain,   ///< slots do not begin anew
  OneTooFew,   ///< an edge of no circle is counted instead of one of a circle
};

/// One method, as its probes and as an observer see it.
class Watcher {
public:
  /// One of \p Rate events is counted, as often, from the \p Next th on.
  Watcher(const CodeEdges &E, Mutant M, unsigned Rate = 1, unsigned Next = 1,
          llvm::ArrayRef<SlotLoop> Loops = {})
      : E(E), G(E.Graph), Elements(G, FirstOfEdges), M(M), Rate(Rate),
        Next(Next), Loops(Loops) {
    Values.resize(size_t(std::max(Elements.End, Elements.Reach)));
    Truth.Edges.resize(G.Edges.size());
    Truth.Runs.resize(G.root());
    Truth.Thrown.resize(G.root());
    Positions = G.positions();
    for (const EdgeGraph::Handler &H : G.Handlers)
      Truth.Caught.emplace_back(H.Last - H.First + 1);
    for (uint32_t R = 0; R < G.root(); ++R)
      At[E.Code[R].Start] = R;
  }

  /// An activation; \p Waits: it is in its last call, and not yet back.
  void run(const std::vector<Step> &Steps, bool Waits = false) {
    Run = 0;
    Slots.clear();
    Position = G.Runs[0].HasPosition ? Elements.position(0) : 0;
    take(0);
    for (size_t I = 0; I < Steps.size(); ++I) {
      const bool IsLast = I + 1 == Steps.size();
      if (Steps[I].Throws && (!IsLast || !Waits)) {
        raise(IsLast ? std::nullopt : std::optional(At.at(Steps[I + 1].BCI)));
        continue;
      }
      if (Steps[I].Throws) { // that is an open run's
        ++Truth.Thrown[Run];
        ++Truth.Edges[edge(Edge::Throw, G.root())];
        return;
      }
      if (IsLast)
        take(edge(Edge::Return, G.root()));
      else if (Steps[I].BCI == E.Code[Run].Last)
        take(edge(Steps[I].Jumps ? Edge::Jump : Edge::Fall,
                  At.at(Steps[I + 1].BCI)));
    }
  }

  EdgeCounts Truth;
  std::vector<uint64_t> Values;
  unsigned InSlots = 0; ///< edges that were counted there
  const EdgeElements &elements() const { return Elements; }

private:
  uint32_t edge(Edge::Kinds Kind, uint32_t To) const {
    for (uint32_t I = 0; I < G.Edges.size(); ++I)
      if (G.Edges[I].From == Run && G.Edges[I].Kind == Kind &&
          G.Edges[I].To == To)
        return I;
    ADD_FAILURE() << "no edge";
    return 0;
  }
  std::optional<size_t> handlerAt(uint32_t To) const {
    for (size_t H = 0; H < G.Handlers.size(); ++H)
      if (G.Handlers[H].Run == To)
        return H;
    return std::nullopt;
  }
  void count(uint64_t Element) {
    EXPECT_LT(Element, Values.size());
    if (--Next)
      return;
    Next = Rate;
    Values[size_t(Element)] += Rate;
  }
  void flush(const SlotLoop &L) {
    for (uint32_t I : L.Counted) {
      Values[size_t(Elements.OfEdge[I])] += Slots[I];
      if (M != Mutant::AddsAgain)
        Slots[I] = 0;
    }
  }
  void take(uint32_t I) {
    ++Truth.Edges[I];
    auto HasSlot = [&](const SlotLoop &L) {
      return llvm::is_contained(L.Counted, I);
    };
    if (llvm::any_of(Loops, HasSlot)) {
      ++Slots[I];
      ++InSlots;
    } else if (G.Edges[I].IsCounted) {
      count(Elements.OfEdge[I]);
    }
    for (const SlotLoop &L : Loops)
      if (llvm::is_contained(L.Out, I) && M != Mutant::KeepsOut)
        flush(L);
    const uint32_t To = G.Edges[I].To;
    if (To == G.root())
      return;
    if (auto H = handlerAt(To); H && M == Mutant::FallenInto)
      count(Position + Elements.Delta[*H]);
    begin(To, M == Mutant::NoPositions && G.Edges[I].Kind == Edge::Fall);
  }
  void begin(uint32_t To, bool Forgets = false) {
    Run = To;
    ++Truth.Runs[Run];
    if (G.Runs[Run].HasPosition && !Forgets)
      Position = Elements.position(Run);
  }
  void raise(std::optional<uint32_t> To) {
    EXPECT_TRUE(G.Runs[Run].HasPosition);
    if (M == Mutant::ThrowsFall)
      for (uint32_t I = 0; I < G.Edges.size(); ++I)
        if (G.Edges[I].From == Run && G.Edges[I].IsCounted)
          count(Elements.OfEdge[I]);
    if (!To) {
      ++Truth.Thrown[Run];
      if (G.Runs[Run].IsOpen)
        ++Truth.Edges[edge(Edge::Throw, G.root())];
      else if (M != Mutant::NoThrows)
        count(Elements.FirstOfRuns + Position);
      for (const SlotLoop &L : Loops)
        if (L.LeavesMethod && M != Mutant::KeepsLeft)
          flush(L);
      return;
    }
    const size_t H = *handlerAt(*To);
    const auto From = llvm::find(Positions, Run) - Positions.begin();
    ++Truth.Caught[H][size_t(From) - G.Handlers[H].First];
    if (M != Mutant::NoArrivals)
      count(Position + Elements.Delta[M == Mutant::OwnDelta ? 0 : H]);
    for (const SlotLoop &L : Loops)
      if (llvm::is_contained(L.Handlers, H) && M != Mutant::KeepsThrown)
        flush(L);
    begin(*To);
  }

  const CodeEdges &E;
  const EdgeGraph &G;
  const EdgeElements Elements;
  const Mutant M;
  const unsigned Rate;
  unsigned Next;
  const llvm::ArrayRef<SlotLoop> Loops;
  std::map<uint32_t, uint64_t> Slots; ///< of edges in loops
  std::map<uint32_t, uint32_t> At;    ///< runs by their offsets
  std::vector<uint32_t> Positions;
  uint32_t Run = 0;
  uint64_t Position = 0;
};

struct Tally {
  unsigned Activations = 0, Wrong = 0, Counted = 0, Edges = 0;
  int64_t Thrown = 0, Arrived = 0, InSlots = 0;
};

void check(const TestMethod &M, std::mt19937 &Random, Mutant How, Tally &T,
           bool Waits) {
  auto Edges = M.edges();
  ASSERT_TRUE(bool(Edges)) << toString(Edges.takeError());
  EdgeGraph &G = Edges->Graph;
  std::vector<double> Weights = guessWeights(G);
  if (Random() % 2)
    for (double &W : Weights)
      W = Random() % 5;
  chooseCounted(G, Weights);
  if (How == Mutant::OneTooFew)
    for (size_t I = 0; I + 1 < G.Edges.size(); ++I)
      std::swap(G.Edges[I].IsCounted, G.Edges[I + 1].IsCounted);
  const std::vector<SlotLoop> Loops = findSlotLoops(*Edges, Weights);
  Watcher W(*Edges, How, 1, 1, Loops);
  std::vector<int64_t> Passed(M.Points.size());
  for (unsigned N = 0; N < 12; ++N) {
    std::vector<Step> Steps;
    const unsigned Failing = N < 8 ? N / 2 : TestMethod::Never;
    auto Events =
        M.run(Random, N % 2 ? Failing : TestMethod::Never, N > 7, &Steps);
    if (!Events)
      continue;
    W.run(Steps, Waits && N % 3 == 0);
    for (const TestMethod::Event &E : *Events)
      if (E.Point)
        ++Passed[*E.Point];
    ++T.Activations;
  }
  // As a text, and back.
  auto Back = decodeEdges(encodeEdges({&G}));
  ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
  ASSERT_TRUE(Back->size() == 1 && Back->front().isLike(G));
  auto Found = solve(Back->front(), W.elements(), W.Values);
  if (!Found) {
    consumeError(Found.takeError());
    ++T.Wrong;
    return;
  }
  T.Wrong += Found->Edges != W.Truth.Edges || Found->Runs != W.Truth.Runs ||
             Found->Thrown != W.Truth.Thrown ||
             Found->Caught != W.Truth.Caught || probesOf(G, *Found) != Passed;
  for (const Edge &E : G.Edges)
    T.Counted += E.IsCounted;
  T.Edges += unsigned(G.Edges.size());
  T.InSlots += W.InSlots;
  for (int64_t N : Found->Thrown)
    T.Thrown += N;
  for (const auto &Of : Found->Caught)
    for (int64_t N : Of)
      T.Arrived += N;
}

unsigned numMethods() {
  const char *Given = std::getenv("JOPT_MODEL_METHODS");
  return Given ? unsigned(std::atoi(Given)) : 4000;
}

Tally model(unsigned Methods, Mutant How = Mutant::None,
            bool IsOutermost = false) {
  Tally T;
  for (unsigned Seed = 0; Seed < Methods; ++Seed) {
    std::mt19937 Random(Seed);
    TestMethod M;
    if (IsOutermost)
      M.outermost();
    else if (Seed % 2)
      M.quick();
    makeRandomMethod(M, Random, Seed % 3 ? 9 : 24);
    check(M, Random, How, T, IsOutermost);
  }
  return T;
}

/// The same of a loop that a handler is around, in another with a call.
Tally modelLoop(Mutant How) {
  Tally T;
  for (unsigned Seed = 0; Seed < 600; ++Seed) {
    std::mt19937 Random(Seed);
    TestMethod M;
    M.jumpIf(4).divide().jumpIf(0).jump(0).call().jumpIf(0).leave();
    M.jumpIf(0).leave();
    M.handler(0, Seed % 2 ? 4 : 2, 7, Seed % 4 < 2);
    M.finish();
    check(M, Random, How, T, false);
  }
  return T;
}

/// a: call, if; b: call; c: nothing that throws; d: call, return.
CodeEdges diamond(TestMethod &M) {
  M.call().jumpIf(4).call().jump(5).nop().call().leave();
  M.finish();
  return llvm::cantFail(M.edges());
}

} // namespace

TEST(EdgeGraph, SolvesADiamondThatThrows) {
  TestMethod M;
  CodeEdges E = diamond(M);
  EdgeGraph &G = E.Graph;
  // Entry; a to its jump, that to c and to b; b to its jump, that to d; c to d;
  // d to the return, that out.
  ASSERT_EQ(G.Edges.size(), 9u);
  for (size_t I : {2, 8})
    G.Edges[I].IsCounted = true;
  const EdgeElements Elements(G, FirstOfEdges);
  std::vector<uint64_t> Values(size_t(Elements.End));
  Values[size_t(Elements.OfEdge[2])] = 3;
  Values[size_t(Elements.OfEdge[8])] = 6;
  Values[size_t(Elements.OfRun[0])] = 1;
  Values[size_t(Elements.OfRun[2])] = 1;
  Values[size_t(Elements.OfRun[5])] = 2;
  const EdgeCounts C = llvm::cantFail(solve(G, Elements, Values));
  EXPECT_EQ(C.Edges, (std::vector<int64_t>{10, 9, 3, 6, 5, 5, 3, 6, 6}));
  EXPECT_EQ(C.Runs, (std::vector<int64_t>{10, 9, 6, 5, 3, 8, 6}));
}

static std::vector<size_t> counted(const EdgeGraph &G) {
  std::vector<size_t> All;
  for (size_t I = 0; I < G.Edges.size(); ++I)
    if (G.Edges[I].IsCounted)
      All.push_back(I);
  return All;
}

TEST(EdgeGraph, CountsBothArmsAndNothingElse) {
  TestMethod M;
  CodeEdges E = diamond(M);
  chooseCounted(E.Graph, guessWeights(E.Graph));
  EXPECT_EQ(counted(E.Graph), (std::vector<size_t>{2, 3}));
}

TEST(EdgeGraph, CountsTheEntryOfWhatHasNoArms) {
  TestMethod M;
  M.line().call().line().call().line().leave();
  M.finish();
  CodeEdges E = llvm::cantFail(M.edges());
  chooseCounted(E.Graph, guessWeights(E.Graph));
  EXPECT_EQ(counted(E.Graph), std::vector<size_t>{0});
}

TEST(EdgeGraph, CountsNothingInInnerLoopsThatItNeedNot) {
  TestMethod M;
  // while (..) { while (..) {} if (..) call(); }
  M.jumpIf(7).jumpIf(3).jump(1).jumpIf(5).call().nop().jump(0).leave();
  M.finish();
  CodeEdges E = llvm::cantFail(M.edges());
  chooseCounted(E.Graph, guessWeights(E.Graph));
  const std::vector<size_t> Counted = counted(E.Graph);
  EXPECT_EQ(Counted.size(), 4u); // the entry, each loop, the if
  EXPECT_EQ(llvm::count_if(Counted,
                           [&](size_t I) {
                             const Edge &Each = E.Graph.Edges[I];
                             return Each.From && Each.From < 3 && Each.To &&
                                    Each.To < 3;
                           }),
            1);
}

TEST(EdgeGraph, CountsInSlotsWhereNothingWaits) {
  // while (..) { call(); while (..) { if (..) nop; } }
  auto Loops = [](bool Calls) {
    TestMethod M;
    if (!Calls)
      M.quick();
    M.jumpIf(8).call().jumpIf(7).jumpIf(5).nop().nop().jump(2).jump(0).leave();
    M.finish();
    CodeEdges E = llvm::cantFail(M.edges());
    const std::vector<double> Weights = guessWeights(E.Graph);
    chooseCounted(E.Graph, Weights);
    std::vector<std::pair<size_t, bool>> Found;
    for (const SlotLoop &L : findSlotLoops(E, Weights)) {
      EXPECT_EQ(L.Out.size(), 1u);
      Found.push_back({L.Counted.size(), L.LeavesMethod});
    }
    return Found;
  };
  using Pairs = std::vector<std::pair<size_t, bool>>;
  EXPECT_EQ(Loops(true), (Pairs{{2, false}}));
  EXPECT_EQ(Loops(false), (Pairs{{3, true}}));
}

TEST(EdgeGraph, SaysHowOftenEachIsTaken) {
  const Tally T = model(numMethods());
  EXPECT_EQ(T.Wrong, 0u);
  EXPECT_GT(T.Activations, 5 * numMethods());
  EXPECT_GT(T.Thrown, T.Activations / 10);
  EXPECT_GT(T.Arrived, T.Activations / 50);
  EXPECT_LT(T.Counted, T.Edges / 2);
  EXPECT_GT(T.InSlots, numMethods() / 2);
  RecordProperty("activations", int(T.Activations));
  EXPECT_EQ(modelLoop(Mutant::None).Wrong, 0u);
}

TEST(EdgeGraph, SaysItOfThoseThatWaitInACallOfAnOutermostMethod) {
  EXPECT_EQ(model(numMethods() / 2, Mutant::None, true).Wrong, 0u);
}

/// Samples, which `nodup` takes, are right on average: all samples of one event
/// in three add up to the full count.
TEST(EdgeGraph, SaysItOfSamplesOnAverage) {
  constexpr unsigned Rate = 3;
  for (unsigned Seed = 0; Seed < numMethods() / 4; ++Seed) {
    std::mt19937 Random(Seed);
    TestMethod M;
    makeRandomMethod(M, Random, 16);
    CodeEdges E = llvm::cantFail(M.edges());
    chooseCounted(E.Graph, guessWeights(E.Graph));
    std::vector<std::vector<Step>> Activations;
    for (unsigned N = 0; N < 8; ++N) {
      std::vector<Step> Steps;
      if (M.run(Random, TestMethod::Never, true, &Steps))
        Activations.push_back(std::move(Steps));
    }
    EdgeCounts Sum;
    std::vector<int64_t> Truth;
    for (unsigned Next = 1; Next <= Rate; ++Next) {
      Watcher W(E, Mutant::None, Rate, Next);
      for (const std::vector<Step> &Steps : Activations)
        W.run(Steps);
      Sum += llvm::cantFail(solve(E.Graph, W.elements(), W.Values));
      Truth = W.Truth.Edges;
    }
    for (int64_t &N : Truth)
      N *= Rate;
    ASSERT_EQ(Sum.Edges, Truth) << Seed;
  }
}

TEST(EdgeGraph, MutantsAreFound) {
  for (Mutant M : {Mutant::NoThrows, Mutant::NoArrivals, Mutant::NoPositions,
                   Mutant::OwnDelta, Mutant::FallenInto, Mutant::ThrowsFall,
                   Mutant::OneTooFew})
    EXPECT_GT(model(500, M).Wrong, 10u) << int(M);
  for (Mutant M : {Mutant::KeepsOut, Mutant::KeepsThrown, Mutant::KeepsLeft,
                   Mutant::AddsAgain})
    EXPECT_GT(modelLoop(M).Wrong, 5u) << int(M);
}

TEST(EdgeGraph, RefusesTextsThatAreNone) {
  TestMethod M;
  CodeEdges E = diamond(M);
  const std::string Text = encodeEdges({&E.Graph});
  ASSERT_TRUE(isEdgesText(Text));
  for (size_t N = 6; N < Text.size(); ++N)
    EXPECT_FALSE(llvm::errorToBool([&] {
                   auto G = decodeEdges(llvm::StringRef(Text).take_front(N));
                   return G ? llvm::Error::success() : G.takeError();
                 }()) == false)
        << N;
  EXPECT_TRUE(llvm::errorToBool(decodeEdges(Text + "0").takeError()));
  // A graph of which nothing is counted has no solution.
  auto G = llvm::cantFail(decodeEdges(Text));
  const EdgeElements Elements(G[0], FirstOfEdges);
  EXPECT_TRUE(llvm::errorToBool(
      solve(G[0], Elements, std::vector<uint64_t>(size_t(Elements.End)))
          .takeError()));
  EXPECT_TRUE(llvm::errorToBool(solve(G[0], Elements, {}).takeError()));
}
