//===- EdgeGraph.cpp - Which edges are counted, and the others ------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Coverage/EdgeGraph.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace jopt;
using namespace jopt::coverage;
using Edge = EdgeGraph::Edge;

std::vector<uint32_t> EdgeGraph::positions() const {
  std::vector<uint32_t> At;
  for (uint32_t R = 0; R < root(); ++R)
    if (Runs[R].HasPosition)
      At.push_back(R);
  return At;
}

bool EdgeGraph::isLike(const EdgeGraph &O) const {
  auto SameRun = [](const Run &A, const Run &B) {
    return A.HasPosition == B.HasPosition && A.IsThrow == B.IsThrow &&
           A.IsOpen == B.IsOpen;
  };
  auto SameEdge = [](const Edge &A, const Edge &B) {
    return A.Kind == B.Kind && A.From == B.From && A.To == B.To &&
           A.HasProbe == B.HasProbe;
  };
  auto SameHandler = [](const Handler &A, const Handler &B) {
    return A.Run == B.Run && A.First == B.First && A.Last == B.Last;
  };
  return Hash == O.Hash && llvm::equal(Runs, O.Runs, SameRun) &&
         llvm::equal(Edges, O.Edges, SameEdge) &&
         llvm::equal(Handlers, O.Handlers, SameHandler);
}

EdgeElements::EdgeElements(const EdgeGraph &G, uint64_t First)
    : OfEdge(G.Edges.size()), OfRun(G.Runs.size()), End(First) {
  for (size_t I = 0; I < G.Edges.size(); ++I)
    if (G.Edges[I].IsCounted)
      OfEdge[I] = End++;
  FirstOfRuns = End;
  for (size_t R = 0; R < G.Runs.size(); ++R)
    if (G.Runs[R].HasPosition)
      OfRun[R] = End++;
  const uint64_t NumPositions = End - FirstOfRuns;
  Reach = End;
  for (const EdgeGraph::Handler &H : G.Handlers) {
    Delta.push_back(End - H.First);
    Reach = std::max(Reach, End - H.First + NumPositions);
    End += H.Last - H.First + 1;
  }
}

/// Tells which edges would have a block of their own.
static void findCritical(const EdgeGraph &G, llvm::SmallVectorImpl<bool> &Is) {
  llvm::SmallVector<std::pair<uint32_t, uint32_t>, 32> InOut(G.root() + 1);
  for (const Edge &E : G.Edges) {
    ++InOut[E.To].first;
    ++InOut[E.From].second;
  }
  for (const EdgeGraph::Handler &H : G.Handlers)
    ++InOut[H.Run].first;
  for (const Edge &E : G.Edges)
    Is.push_back(E.To != G.root() && InOut[E.To].first > 1 &&
                 InOut[E.From].second > 1);
}

void coverage::chooseCounted(EdgeGraph &G, llvm::ArrayRef<double> Weights) {
  llvm::SmallVector<uint32_t, 32> Order(G.Edges.size());
  std::iota(Order.begin(), Order.end(), 0);
  llvm::SmallVector<bool, 32> IsCritical;
  findCritical(G, IsCritical);
  // Throws cannot be counted. They make no circle. Of edges that are taken as
  // often the first is counted that needs no block: what is updated before a
  // call has long been stored when the next activation comes to it.
  llvm::sort(Order, [&](uint32_t A, uint32_t B) {
    if (Weights[A] != Weights[B])
      return Weights[A] > Weights[B];
    return IsCritical[A] != IsCritical[B] ? IsCritical[A] : A > B;
  });
  std::stable_partition(Order.begin(), Order.end(), [&](uint32_t I) {
    return G.Edges[I].Kind == Edge::Throw;
  });
  llvm::IntEqClasses Trees(G.root() + 1);
  for (uint32_t I : Order) {
    Edge &E = G.Edges[I];
    E.IsCounted = Trees.findLeader(E.From) == Trees.findLeader(E.To);
    Trees.join(E.From, E.To);
  }
}

/// Wraps around: damaged data may have any counts.
static void addTo(int64_t &Sum, int64_t N) {
  Sum = int64_t(uint64_t(Sum) + uint64_t(N));
}
static int64_t negated(int64_t N) { return int64_t(-uint64_t(N)); }

EdgeCounts &EdgeCounts::operator+=(const EdgeCounts &O) {
  auto Add = [](std::vector<int64_t> &To, const std::vector<int64_t> &From) {
    To.resize(From.size());
    for (size_t I = 0; I < From.size(); ++I)
      addTo(To[I], From[I]);
  };
  Add(Edges, O.Edges);
  Add(Runs, O.Runs);
  Add(Thrown, O.Thrown);
  Caught.resize(O.Caught.size());
  for (size_t H = 0; H < Caught.size(); ++H)
    Add(Caught[H], O.Caught[H]);
  return *this;
}

//===----------------------------------------------------------------------===//
// Solving
//===----------------------------------------------------------------------===//

namespace {
class Solver {
public:
  Solver(const EdgeGraph &G, const EdgeElements &E,
         llvm::ArrayRef<uint64_t> Values)
      : G(G), E(E), Values(Values), Balance(G.root() + 1),
        Unknown(G.root() + 1) {
    C.Edges.resize(G.Edges.size());
    C.Runs.resize(G.root());
    C.Thrown.resize(G.root());
  }

  llvm::Expected<EdgeCounts> run();

private:
  int64_t value(uint64_t Element) const { return int64_t(Values[Element]); }
  void addThrown();
  void know(uint32_t I, int64_t Count);
  void take(uint32_t Run);

  const EdgeGraph &G;
  const EdgeElements &E;
  const llvm::ArrayRef<uint64_t> Values;
  EdgeCounts C;
  std::vector<int64_t> Balance; ///< what came by known edges less what left
  /// Edges of a run that are not known: how many, and all of them at once.
  struct Rest {
    uint32_t Count = 0, Sum = 0;
  };
  std::vector<Rest> Unknown;
  std::vector<uint32_t> Work;
};
} // namespace

void Solver::addThrown() {
  for (uint32_t R = 0; R < G.root(); ++R)
    if (G.Runs[R].HasPosition && !G.Runs[R].IsOpen) {
      C.Thrown[R] = value(E.OfRun[R]);
      addTo(Balance[R], negated(C.Thrown[R]));
    }
  const std::vector<uint32_t> At = G.positions();
  for (auto [H, Delta] : llvm::zip(G.Handlers, E.Delta)) {
    std::vector<int64_t> &Caught = C.Caught.emplace_back();
    for (uint32_t P = H.First; P <= H.Last; ++P) {
      Caught.push_back(value(Delta + P));
      addTo(Balance[At[P]], negated(Caught.back()));
      addTo(Balance[H.Run], Caught.back());
      addTo(C.Runs[H.Run], Caught.back());
    }
  }
}

/// Edge \p I is taken \p Count times.
void Solver::know(uint32_t I, int64_t Count) {
  const Edge &Known = G.Edges[I];
  C.Edges[I] = Count;
  addTo(Balance[Known.From], negated(Count));
  addTo(Balance[Known.To], Count);
  if (Known.Kind == Edge::Throw)
    C.Thrown[Known.From] = Count;
  if (Known.To != G.root())
    addTo(C.Runs[Known.To], Count);
}

/// If one edge of \p Run is unknown, it has the rest of the count.
void Solver::take(uint32_t Run) {
  if (Unknown[Run].Count != 1)
    return;
  const uint32_t I = Unknown[Run].Sum;
  const Edge &Last = G.Edges[I];
  know(I, Last.From == Run ? Balance[Run] : negated(Balance[Run]));
  for (uint32_t End : {Last.From, Last.To}) {
    --Unknown[End].Count;
    Unknown[End].Sum -= I;
    if (End != G.root() && Unknown[End].Count == 1)
      Work.push_back(End);
  }
}

llvm::Expected<EdgeCounts> Solver::run() {
  addThrown();
  uint32_t Left = 0;
  for (uint32_t I = 0; I < G.Edges.size(); ++I) {
    const Edge &Each = G.Edges[I];
    if (Each.IsCounted) {
      know(I, value(E.OfEdge[I]));
      continue;
    }
    ++Left;
    for (uint32_t End : {Each.From, Each.To}) {
      ++Unknown[End].Count;
      Unknown[End].Sum += I;
    }
  }
  for (uint32_t R = 0; R < G.root(); ++R)
    if (Unknown[R].Count == 1)
      Work.push_back(R);
  while (!Work.empty()) {
    const uint32_t R = Work.back();
    Work.pop_back();
    Left -= Unknown[R].Count == 1;
    take(R);
  }
  if (Left)
    return makeError("the edges that were not counted do not follow from those "
                     "that were");
  return std::move(C);
}

llvm::Expected<EdgeCounts> coverage::solve(const EdgeGraph &G,
                                           const EdgeElements &E,
                                           llvm::ArrayRef<uint64_t> Values) {
  if (E.End > Values.size())
    return makeError("another class file was recorded");
  return Solver(G, E, Values).run();
}

std::vector<int64_t> coverage::probesOf(const EdgeGraph &G,
                                        const EdgeCounts &C) {
  std::vector<int64_t> Probes;
  size_t I = 0;
  for (uint32_t R = 0; R < G.root(); ++R) {
    if (G.Runs[R].IsThrow)
      Probes.push_back(C.Runs[R]);
    for (; I < G.Edges.size() && (!I || G.Edges[I].From == R); ++I)
      if (G.Edges[I].HasProbe)
        Probes.push_back(C.Edges[I]);
  }
  return Probes;
}
