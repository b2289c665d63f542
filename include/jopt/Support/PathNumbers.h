//===- PathNumbers.h - Numbers for the ways through a graph -----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each path of a graph without loops gets a number, from 0 on, none left out
/// (Ball and Larus 1996): the sum of what its edges add, which is found while
/// one goes along. Immutable once made; any thread may read.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_PATHNUMBERS_H
#define JOPT_SUPPORT_PATHNUMBERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace jopt {

/// Goes through a graph depth first, each node behind all that it leads to.
class DepthFirstWalk {
public:
  /// Values in place of a node: a path ends here; there is no such edge.
  static constexpr uint32_t End = ~0u, NoEdge = ~0u - 1;
  /// Where the edge of that index leads.
  using NextFn = llvm::function_ref<uint32_t(uint32_t Node, size_t Edge)>;

  /// Calls \p Loop with each edge that leads back to a node that the walk has
  /// not left yet, and \p Done with each of \p Size nodes when the walk leaves
  /// it. Both may make edges lead to End that the walk has not come to.
  static void run(uint32_t Size, NextFn Next,
                  llvm::function_ref<void(uint32_t Node, size_t Edge)> Loop,
                  llvm::function_ref<void(uint32_t Node)> Done);
};

class PathNumbers {
public:
  static constexpr uint32_t End = DepthFirstWalk::End;
  /// Where the edges of a node lead: to nodes, or End.
  using Edges = llvm::SmallVector<uint32_t, 4>;

  /// Those of the paths that begin at \p Beginnings, ascending: those of one
  /// follow those of the one before. Of the paths that come to a node first are
  /// those that go on by its first edge. None if there is a loop, or more than
  /// \p Limit, at most 2^31, go on from a node or are there in all.
  static std::optional<PathNumbers> number(std::vector<Edges> Next,
                                           llvm::ArrayRef<uint32_t> Beginnings,
                                           uint32_t Limit);

  uint32_t size() const { return Size; }
  /// The number of the first path that begins at \p Node, one of the
  /// beginnings.
  uint32_t first(uint32_t Node) const;
  /// The step of that edge of \p Node.
  uint32_t step(uint32_t Node, size_t Edge) const;
  /// Calls \p Use with each node of the path \p Number and the index of the
  /// edge by which it goes on.
  void follow(uint32_t Number,
              llvm::function_ref<void(uint32_t Node, size_t Edge)> Use) const;

private:
  uint32_t waysBy(uint32_t To) const { return To == End ? 1 : Ways[To]; }

  std::vector<Edges> Next;
  std::vector<uint32_t> Ways; ///< how many paths go on from a node
  struct Beginning {
    uint32_t Number, Node;
  };
  std::vector<Beginning> Beginnings; ///< both ascend
  uint32_t Size = 0;
};

} // namespace jopt

#endif
