//===- EdgeProfile.h - How often edges were taken before --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Counts of edges that runs recorded, for whatever chooses places by how hot
/// they are. A method is known by its class, name, descriptor and graph, so
/// that those are found again which did not change in a class that did.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGE_EDGEPROFILE_H
#define JOPT_COVERAGE_EDGEPROFILE_H

#include "jopt/Coverage/EdgeGraph.h"
#include <map>
#include <string>

namespace jopt::coverage {

/// Filled by one thread; then read by any.
class EdgeProfile {
public:
  /// Counts of methods that are equal add up. \p Class is an internal name.
  void add(llvm::StringRef Class, const EdgeGraph &G, const EdgeCounts &C);
  bool empty() const { return Methods.empty(); }

  struct Found {
    /// By edge; none if the method was not recorded, or has other code since.
    std::optional<std::vector<double>> Weights;
    bool HasChanged = false; ///< only other code of it was recorded
  };
  /// How often edges of that method were taken; null if it was not recorded, or
  /// has other code since.
  const EdgeCounts *counts(llvm::StringRef Class, const EdgeGraph &G) const;
  /// Finds the counts of the method of \p Class with the graph \p G. Where
  /// nothing ran, the estimate of guessWeights decides.
  Found find(llvm::StringRef Class, const EdgeGraph &G) const;

private:
  struct Recorded {
    EdgeGraph Graph;
    EdgeCounts Counts;
  };
  /// By class and EdgeGraph::Hash; several builds of a method.
  std::map<std::pair<std::string, uint32_t>, std::vector<Recorded>> Methods;
};

} // namespace jopt::coverage

#endif
