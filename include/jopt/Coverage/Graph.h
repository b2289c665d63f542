//===- Graph.h - What probe points tell of each other -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The ways of control through a method with the probe points on them, and what
/// is left of it when all but points is taken out. What a strategy may leave
/// out it finds on these graphs alone. Values; nothing here fails or prints.
///
/// An activation is a way from the entry to the exit, or the beginning of one
/// that is still running. It ends where it is when it throws, so a graph
/// without the ways of exceptions would say too much: docs/Placement.md.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGE_GRAPH_H
#define JOPT_COVERAGE_GRAPH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <utility>
#include <vector>

namespace jopt::coverage {

/// A way that an exception takes: to the handler at this bytecode index.
enum class Thrown : int32_t { No = -2, OutOfMethod = -1 };

/// Lists by number. Those that are emptied keep their memory for the next
/// method.
template <typename T, unsigned N> class Lists {
public:
  explicit Lists(size_t Count = 0) { reset(Count); }
  Lists(const Lists &) = default;
  Lists &operator=(const Lists &) = default;
  Lists(Lists &&O) : All(std::move(O.All)), Count(std::exchange(O.Count, 0)) {
    O.All.clear();
  }
  Lists &operator=(Lists &&O) {
    std::swap(All, O.All);
    std::swap(Count, O.Count);
    return *this;
  }

  /// Has \p Of lists, all empty.
  void reset(size_t Of) {
    for (size_t I = 0; I < Count; ++I)
      All[I].clear();
    if (All.size() < Of)
      All.resize(Of);
    Count = Of;
  }
  void addList() {
    if (Count == All.size())
      All.emplace_back();
    ++Count;
  }
  size_t size() const { return Count; }
  llvm::SmallVector<T, N> &operator[](size_t I) { return All[I]; }
  const llvm::SmallVector<T, N> &operator[](size_t I) const { return All[I]; }
  auto begin() { return All.begin(); }
  auto end() { return All.begin() + ptrdiff_t(Count); }
  auto begin() const { return All.begin(); }
  auto end() const { return All.begin() + ptrdiff_t(Count); }

private:
  std::vector<llvm::SmallVector<T, N>> All; ///< those from Count on are empty
  size_t Count = 0;
};

/// The ways through a method. Nodes are points and runs of instructions: what
/// is come to at its first alone, and whose exceptions lead to the same
/// handlers. A point has one way on, and is passed whenever control comes to
/// it.
struct ProbeGraph {
  static constexpr uint32_t Entry = 0, Exit = 1;

  struct Edge {
    uint32_t To;
    Thrown By = Thrown::No;
  };
  /// By node; those of Entry and Exit come first.
  Lists<Edge, 4> Next;
  /// The node of each point.
  std::vector<uint32_t> Points;
  /// By node: the number of its point, or NoPoint.
  static constexpr uint32_t NoPoint = ~0u;
  std::vector<uint32_t> PointAt;
  /// By point: only falling through comes to it, and there is none but what its
  /// line may throw that it tells of.
  std::vector<bool> IsLine;
  /// By point: the method has an object that is not initialised yet, and no
  /// handler may stand around its initialisation.
  std::vector<bool> BeforeSuper;
  /// Each node has a way on, and none leads back: whoever is in the method
  /// comes to the exit.
  bool Ends = false;

  explicit ProbeGraph(size_t Count = 0) { reset(Count); }
  /// Has Entry, Exit, and room for the \p Count points of a method.
  void reset(size_t Count) {
    Next.reset(2);
    Points.assign(Count, 0);
    PointAt.assign(2, NoPoint);
    IsLine.assign(Count, false);
    BeforeSuper.assign(Count, false);
    Ends = false;
  }
  uint32_t addNode() {
    Next.addList();
    PointAt.push_back(NoPoint);
    return uint32_t(Next.size() - 1);
  }
  /// Makes point \p Number, which leads to \p To. Returns its node.
  uint32_t addPoint(uint32_t Number, uint32_t To) {
    const uint32_t Node = addNode();
    Next[Node].push_back({To});
    PointAt[Node] = Number;
    Points[Number] = Node;
    return Node;
  }
};

/// The points of a ProbeGraph, and which follow on which without another
/// between them. Node 0 is the entry, 1 the exit, and 2 + n the nth of the
/// points that are kept. What the entry does not lead to has no edges.
struct PointGraph {
  static constexpr uint32_t Entry = 0, Exit = 1, First = 2;

  Lists<uint32_t, 4> Next, Previous;

  size_t size() const { return Next.size(); }
  bool isReached(uint32_t Node) const {
    return Node == Entry || !Previous[Node].empty();
  }
};

/// Makes \p K of the points \p Kept (numbers, ascending) of \p G. False if that
/// would be more work than methods are worth: where exceptions lead from
/// thousands of points to code without any.
bool contract(const ProbeGraph &G, llvm::ArrayRef<uint32_t> Kept,
              PointGraph &K);

/// From all that the entry leads to the exit can be reached: if not, an
/// activation may go on for ever, and what it passes later says nothing.
bool canAlwaysLeave(const ProbeGraph &G);

/// An exception may leave the method behind one of \p Points.
bool mayThrowBehind(const ProbeGraph &G, llvm::ArrayRef<uint32_t> Points);

/// The points that come next behind a point, without an exception or a point
/// between, by number; and the places where exceptions lead until then.
struct PointSuccessors {
  llvm::SmallVector<uint32_t, 2> Points;
  llvm::SmallVector<Thrown, 4> Handlers;
};
/// The successors of each of \p Points.
std::vector<PointSuccessors> follow(const ProbeGraph &G,
                                    llvm::ArrayRef<uint32_t> Points);

} // namespace jopt::coverage

#endif
