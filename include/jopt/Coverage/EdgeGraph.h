//===- EdgeGraph.h - Which edges are counted, and the others ----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How control goes between the runs of a method's code, and how often: what
/// comes to a run leaves it, so that of each circle of edges one may be left
/// out (Knuth 1973; Ball and Larus 1994). Edges that are not counted are a
/// forest, the heaviest there is.
///
/// A run is a part of a block that lies on one line and in the same ranges of
/// the exception table, and of which the last instruction alone may throw: so
/// control arrived at all of it. Exceptions are counted where they arrive, by
/// the position of the run that they come from, which a slot holds: one that is
/// not thrown costs nothing else. Values; from any thread.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGE_EDGEGRAPH_H
#define JOPT_COVERAGE_EDGEGRAPH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace jopt::coverage {

/// The runs of a method, in the order of its code, and its edges. Root, behind
/// all runs, is where callers are: it leads to the first run, and returns and
/// what is thrown out of the method lead to it.
struct EdgeGraph {
  struct Run {
    /// The slot says so when it is begun: it may throw, or a handler covers it.
    bool HasPosition = false;
    /// What it throws out of the method cannot be counted where it arrives: so
    /// it is an edge, of the forest.
    bool IsOpen = false;
    /// An athrow alone, at which JaCoCo has a probe.
    bool IsThrow = false;
  };
  struct Edge {
    enum Kinds : uint8_t {
      Entry,  ///< the first of all
      Jump,   ///< of a jump or a switch
      Fall,   ///< into the next run
      Return, ///< to Root
      Throw   ///< of an open run, to Root
    };
    Kinds Kind;
    bool HasProbe = false;  ///< JaCoCo has one on it
    bool IsCounted = false; ///< it has an element
    uint32_t From, To;      ///< runs, or Root
  };
  /// Where exceptions arrive that were thrown in runs with the positions First
  /// to Last, though not in all of them.
  struct Handler {
    uint32_t Run, First, Last;
  };

  /// Stands for the method's name and descriptor.
  uint32_t Hash = 0;
  std::vector<Run> Runs;
  /// The entry; then, by runs, jumps (of a switch the default first), the
  /// return or the fall, the throw.
  std::vector<Edge> Edges;
  std::vector<Handler> Handlers; ///< by their runs

  uint32_t root() const { return uint32_t(Runs.size()); }
  /// The runs with positions, by these.
  std::vector<uint32_t> positions() const;
  /// The other is of the same code, though other edges may be counted.
  bool isLike(const EdgeGraph &O) const;
};

/// Where in the array of a class the counts of a method are.
struct EdgeElements {
  std::vector<uint64_t> OfEdge; ///< those that are counted
  /// By run: the element for exceptions that it throws out of the method. The
  /// elements of runs with a position begin at FirstOfRuns.
  std::vector<uint64_t> OfRun;
  uint64_t FirstOfRuns;
  /// By handler: what it adds to the position to have the element of an
  /// exception.
  std::vector<uint64_t> Delta;
  uint64_t End;   ///< behind the last one
  uint64_t Reach; ///< behind the last one that any handler may add up to
  /// The value of the slot in \p Run, which has a position.
  uint32_t position(uint32_t Run) const {
    return uint32_t(OfRun[Run] - FirstOfRuns);
  }

  /// Those of a method whose elements begin at \p First.
  EdgeElements(const EdgeGraph &G, uint64_t First);
};

/// How often each edge of \p G is taken, guessed from it: ten times around each
/// loop, seldom what always throws.
std::vector<double> guessWeights(const EdgeGraph &G);
/// Has edges of \p G counted so that those of the largest \p Weights are not.
void chooseCounted(EdgeGraph &G, llvm::ArrayRef<double> Weights);

/// The counts of a method. A running activation counts as one that goes on by
/// edges that are not counted; counts may be negative where threads lost some.
struct EdgeCounts {
  std::vector<int64_t> Edges;
  std::vector<int64_t> Runs;   ///< how often it was begun
  std::vector<int64_t> Thrown; ///< by run: out of the method
  /// By handler: what arrived there, by the positions that it came from.
  std::vector<std::vector<int64_t>> Caught;

  /// Adds those of a graph that is like it; to those of none, they are these.
  EdgeCounts &operator+=(const EdgeCounts &O);
};
/// That of \p G, from \p Values of its class. Fails if the edges that are not
/// counted are no forest, or elements are not there.
llvm::Expected<EdgeCounts> solve(const EdgeGraph &G, const EdgeElements &E,
                                 llvm::ArrayRef<uint64_t> Values);
/// By JaCoCo's probes of the method, in their order.
std::vector<int64_t> probesOf(const EdgeGraph &G, const EdgeCounts &C);

/// \name The text of a class
/// The argument of Link: the word "edges", a blank, and the graphs of its
/// methods with code in the order of the file, as numbers (Rules.h).
/// @{
std::string encodeEdges(llvm::ArrayRef<const EdgeGraph *> Methods);
bool isEdgesText(llvm::StringRef Text);
/// Fails on what encodeEdges does not write.
llvm::Expected<std::vector<EdgeGraph>> decodeEdges(llvm::StringRef Text);
/// @}

/// Element 0 is none's: what cannot be told apart is counted there.
inline constexpr uint32_t FirstOfEdges = 1;

} // namespace jopt::coverage

#endif
