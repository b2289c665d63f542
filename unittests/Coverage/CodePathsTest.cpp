//===- CodePathsTest.cpp - The paths of a method, as numbers --------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The numbers that are counted while random methods run, each call throwing in
/// turn, are the paths that an observer of the instructions saw.
/// JOPT_MODEL_METHODS sets how many methods there are.
///
//===----------------------------------------------------------------------===//

#include "TestMethods.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <map>

using namespace jopt::coverage;
using Step = TestMethod::Step;

namespace {

/// What a path is to an observer: where its blocks start, and how it ends.
struct Seen {
  std::vector<uint32_t> Starts;
  int64_t End; ///< -1 by an exception, -2 by a return, else where it goes on
  bool operator<(const Seen &O) const {
    return std::tie(Starts, End) < std::tie(O.Starts, O.End);
  }
  bool operator==(const Seen &O) const {
    return Starts == O.Starts && End == O.End;
  }
};
using Profile = std::map<Seen, unsigned>;

Seen seen(const CodePaths &P, uint32_t Number) {
  const CodePaths::Path Path = P.path(Number);
  Seen S;
  for (uint32_t B : Path.Blocks)
    S.Starts.push_back(P.blocks()[B].Start);
  S.End = P.blocks()[Path.Next].Start;
  if (Path.End != CodePaths::Path::Cut)
    S.End = Path.End == CodePaths::Path::Throws ? -1 : -2;
  return S;
}

/// The error of a mutant.
enum class Mutant {
  None,
  ThrowAdds,      ///< an exception is not the first way on
  NoNewBeginning, ///< the number goes on in a handler
  NoStepAtCut,    ///< an edge that is cut adds nothing
  NoNewNumber,    ///< behind such an edge the number goes on
  NoReturnStep,   ///< a return adds nothing
  // Of samples in a copy of the code.
  NotAskedAgain,  ///< who comes back from what counts is not asked there
  NotAskedThrown, ///< who comes to a handler is not asked there
  ThrownUnseen,   ///< what is thrown where paths are counted is not
  OldNumber,      ///< the number is not set where a path comes to be counted
};

/// One activation, as its probes and as an observer see it.
class Watcher {
public:
  /// \p Chance: of a sample; none: all are counted.
  Watcher(const CodePaths &P, Mutant M, std::mt19937 *Chance = nullptr)
      : P(P), M(M), Chance(Chance) {
    for (uint32_t B = 0; B < P.blocks().size(); ++B)
      At[P.blocks()[B].Start] = B;
  }

  void run(const std::vector<Step> &Steps) {
    uint32_t Block = 0;
    begin(0);
    for (size_t I = 0; I < Steps.size(); ++I) {
      if (Steps[I].Throws) {
        end(M == Mutant::ThrowAdds, -1);
        if (I + 1 == Steps.size())
          return;
        Block = At.at(Steps[I + 1].BCI);
        M == Mutant::NoNewBeginning ? keep(Block)
                                    : begin(Block, M != Mutant::NotAskedThrown);
        continue;
      }
      if (I + 1 == Steps.size())
        break;
      if (!leaves(Block, Steps[I], Steps[I + 1]))
        continue;
      const uint32_t To = At.at(Steps[I + 1].BCI);
      go(Block, To);
      Block = To;
    }
    end(M == Mutant::NoReturnStep ? 0 : P.stepToReturn(Block), -2);
  }

  std::map<uint32_t, unsigned> Counts;
  Profile Truth; ///< of the sample

private:
  bool leaves(uint32_t Block, const Step &Now, const Step &Next) const {
    return Now.BCI == P.blocks()[Block].Last && At.count(Next.BCI);
  }
  void go(uint32_t From, uint32_t To) {
    const auto &Next = P.blocks()[From].Next;
    size_t Edge = 0;
    while (Next[Edge].To != To)
      ++Edge;
    if (!Next[Edge].IsCut) {
      Number += P.step(From, Edge);
      Starts.push_back(P.blocks()[To].Start);
      return;
    }
    end(M == Mutant::NoStepAtCut ? 0 : P.step(From, Edge),
        P.blocks()[To].Start);
    M == Mutant::NoNewNumber ? keep(To) : begin(To);
  }
  /// As by `dup`: whether the path is counted is asked where it begins.
  void begin(uint32_t Block, bool Asks = true) {
    IsSampled = !Chance || (*Chance)() % 3 == 0;
    const bool CameBack = WasCounted && M == Mutant::NotAskedAgain;
    if (Asks)
      IsCounted = IsSampled && !CameBack;
    WasCounted = IsCounted;
    if (IsCounted && M != Mutant::OldNumber)
      Number = P.first(Block);
    keep(Block);
  }
  void keep(uint32_t Block) { Starts = {P.blocks()[Block].Start}; }
  void end(uint32_t Step, int64_t How) {
    if (IsCounted && !(How == -1 && M == Mutant::ThrownUnseen))
      ++Counts[Number + Step];
    if (IsSampled)
      ++Truth[{Starts, How}];
  }

  const CodePaths &P;
  const Mutant M;
  std::mt19937 *const Chance;
  bool IsSampled = true, IsCounted = true, WasCounted = false;
  std::map<uint32_t, uint32_t> At; ///< blocks by their offsets
  uint32_t Number = 0;
  std::vector<uint32_t> Starts;
};

struct Tally {
  unsigned Activations = 0, Wrong = 0, Paths = 0, Thrown = 0, Cut = 0;
};

/// \p Most paths a method.
void check(const TestMethod &M, std::mt19937 &Random, uint32_t Most, Mutant How,
           bool OfSample, Tally &T) {
  auto Blocks = M.blocks();
  ASSERT_TRUE(bool(Blocks)) << toString(Blocks.takeError());
  const CodePaths P = CodePaths::number(std::move(*Blocks), Most);
  T.Cut += P.numCut();
  std::mt19937 Chance(P.size());
  Watcher W(P, How, OfSample ? &Chance : nullptr);
  for (unsigned N = 0; N < 12; ++N) {
    std::vector<Step> Steps;
    const unsigned Failing = N < 8 ? N / 2 : TestMethod::Never;
    if (!M.run(Random, N % 2 ? Failing : TestMethod::Never, N > 7, &Steps))
      continue;
    W.run(Steps);
    ++T.Activations;
  }
  Profile Found;
  for (auto [Number, Count] : W.Counts) {
    if (Number >= P.size()) {
      ++T.Wrong;
      return;
    }
    Found[seen(P, Number)] += Count;
  }
  T.Wrong += Found != W.Truth;
  for (const auto &[Path, Count] : W.Truth) {
    T.Paths += Count;
    T.Thrown += Path.End == -1 ? Count : 0;
  }
}

unsigned numMethods() {
  const char *Given = std::getenv("JOPT_MODEL_METHODS");
  return Given ? unsigned(std::atoi(Given)) : 4000;
}

Tally model(unsigned Methods, uint32_t Most, Mutant How = Mutant::None,
            bool OfSample = false) {
  Tally T;
  for (unsigned Seed = 0; Seed < Methods; ++Seed) {
    std::mt19937 Random(Seed);
    TestMethod M;
    makeRandomMethod(M, Random, Seed % 3 ? 9 : 24);
    check(M, Random, Most, How, OfSample, T);
  }
  return T;
}

} // namespace

/// a: call, if; b: call; c: nothing that throws; d: call, return.
static CodePaths diamond(TestMethod &M) {
  M.call().jumpIf(4).call().jump(5).nop().call().leave();
  M.finish();
  return CodePaths::number(llvm::cantFail(M.blocks()));
}

TEST(CodePaths, OfADiamondThatThrows) {
  TestMethod M;
  const CodePaths P = diamond(M);
  const uint32_t A = 0, B = P.blocks()[1].Start, C = P.blocks()[2].Start,
                 D = P.blocks()[3].Start;
  const Seen All[] = {{{A}, -1},       {{A, B}, -1},    {{A, B, D}, -1},
                      {{A, B, D}, -2}, {{A, C, D}, -1}, {{A, C, D}, -2}};
  ASSERT_EQ(P.size(), std::size(All));
  for (uint32_t N = 0; N < P.size(); ++N)
    EXPECT_EQ(seen(P, N), All[N]) << N;
  EXPECT_EQ(P.step(0, 0), 1u); // a to b
  EXPECT_EQ(P.step(0, 1), 4u); // a to c
  EXPECT_EQ(P.step(1, 0), 1u); // b to d
  EXPECT_EQ(P.step(2, 0), 0u); // c to d
  EXPECT_EQ(P.stepToReturn(3), 1u);
}

TEST(CodePaths, HaveEachNumberOnce) {
  for (unsigned Seed = 0; Seed < 2000; ++Seed) {
    std::mt19937 Random(Seed);
    TestMethod M;
    makeRandomMethod(M, Random, 16);
    const CodePaths P = CodePaths::number(llvm::cantFail(M.blocks()));
    if (P.size() > 2000)
      continue;
    for (uint32_t N = 0; N < P.size(); ++N) {
      const CodePaths::Path Path = P.path(N);
      // What the probes of that path add up to.
      uint32_t Sum = P.first(Path.Blocks.front());
      auto Add = [&](uint32_t From, uint32_t To, bool IsCut) {
        const auto &Next = P.blocks()[From].Next;
        size_t Edge = 0;
        while (Next[Edge].To != To)
          ++Edge;
        EXPECT_EQ(Next[Edge].IsCut, IsCut);
        Sum += P.step(From, Edge);
      };
      for (size_t I = 1; I < Path.Blocks.size(); ++I)
        Add(Path.Blocks[I - 1], Path.Blocks[I], false);
      if (Path.End == CodePaths::Path::Returns)
        Sum += P.stepToReturn(Path.Blocks.back());
      else if (Path.End == CodePaths::Path::Cut)
        Add(Path.Blocks.back(), Path.Next, true);
      EXPECT_EQ(Sum, N) << Seed;
    }
  }
}

TEST(CodePaths, AreThoseThatWereTaken) {
  const Tally T = model(numMethods(), CodePaths::MostPaths);
  EXPECT_EQ(T.Wrong, 0u);
  EXPECT_EQ(T.Cut, 0u);
  EXPECT_GT(T.Activations, 5 * numMethods());
  EXPECT_GT(T.Thrown, T.Activations / 5);
  RecordProperty("paths", int(T.Paths));
}

TEST(CodePaths, AreThoseThatWereTakenWhereTheyAreCut) {
  const Tally T = model(numMethods() / 2, 12);
  EXPECT_EQ(T.Wrong, 0u);
  EXPECT_GT(T.Cut, numMethods() / 40);
}

TEST(CodePaths, MutantsAreFound) {
  for (Mutant M :
       {Mutant::ThrowAdds, Mutant::NoNewBeginning, Mutant::NoStepAtCut,
        Mutant::NoNewNumber, Mutant::NoReturnStep})
    EXPECT_GT(model(500, CodePaths::MostPaths, M).Wrong, 10u) << int(M);
}

/// Those of a sample that the copy of the code counts, and no others.
TEST(CodePaths, OfASampleAreThoseThatWereTaken) {
  const Tally All = model(numMethods(), CodePaths::MostPaths);
  const Tally T = model(numMethods(), CodePaths::MostPaths, Mutant::None, true);
  EXPECT_EQ(T.Wrong, 0u);
  EXPECT_GT(T.Paths, All.Paths / 4);
  EXPECT_LT(T.Paths, All.Paths / 2);
}

TEST(CodePaths, MutantsOfSamplesAreFound) {
  for (Mutant M : {Mutant::NotAskedAgain, Mutant::NotAskedThrown,
                   Mutant::ThrownUnseen, Mutant::OldNumber})
    EXPECT_GT(model(500, CodePaths::MostPaths, M, true).Wrong, 10u) << int(M);
}

TEST(CodePaths, AreCutWhereTheyAreTooMany) {
  TestMethod M;
  for (unsigned I = 0; I < 40; ++I) // 2 to the 40
    M.jumpIf(2 * I + 2).nop();
  M.leave();
  M.finish();
  const CodePaths P = CodePaths::number(llvm::cantFail(M.blocks()));
  EXPECT_LE(P.size(), CodePaths::MostPaths);
  EXPECT_GE(P.numCut(), 1u);
  EXPECT_LE(P.numCut(), 4u);
}
