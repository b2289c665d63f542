//===- CodeEdges.h - The runs of a method's code ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes the EdgeGraphs of original code, and says which elements of the array
/// of a class are whose. From any thread.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGE_CODEEDGES_H
#define JOPT_COVERAGE_CODEEDGES_H

#include "jopt/Coverage/EdgeGraph.h"
#include "jopt/Coverage/Plan.h"
#include "jopt/Coverage/ProbePoints.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace jopt::coverage {

/// `EdgeStrategy::Edges`, from Strategies.td.
#define GET_EdgeStrategyEnum_DECL
namespace edgestrategy {
#include "jopt/Coverage/Strategies.inc"
} // namespace edgestrategy
using EdgeStrategy = edgestrategy::EdgeStrategyEnum;

/// A row of Strategies.td; see StrategyInfo.
struct EdgeStrategyInfo {
  const char *Name, *Measures, *Exact, *InFlight;
  Elements Kind;
  bool IsSampled; ///< each counts with the chance of 1 to the rate, as that
};
/// All rows; the index of a row is its EdgeStrategy.
llvm::ArrayRef<EdgeStrategyInfo> getEdgeStrategies();
std::optional<EdgeStrategy> findEdgeStrategy(llvm::StringRef Name);

/// A method's graph and code.
struct CodeEdges {
  /// By run. Offsets are bytecode indices.
  struct Range {
    uint32_t Start, Last; ///< its first and its last instruction
    int32_t Line;         ///< 0 if it is not known
    bool IsReached;       ///< the entry leads here, or an exception behind it
    bool IsSwitch;        ///< it ends with one
    bool MayWait;         ///< it takes a monitor, or calls what is not known to
                          ///< come back before long; of code with loops
    /// The slots that it loads and stores, as bits; those from 63 on share one.
    /// Of code with loops.
    uint64_t Loads = 0, Stores = 0;
  };
  EdgeGraph Graph;
  std::vector<Range> Code;

  /// Where edge \p I is, which is none of the entry, and no throw.
  ProbePoint place(size_t I) const;
  /// \p C has counts for all that is here.
  bool accepts(const EdgeCounts &C) const;
  /// Calls \p Use with each line that control comes to from elsewhere, or
  /// around a loop within it, and how often by one edge.
  void forEachArrival(const EdgeCounts &C,
                      llvm::function_ref<void(int32_t, int64_t)> Use) const;

private:
  bool isLoop(const EdgeGraph::Edge &Back) const;
};

/// Those of \p M, whose original code is \p Code. Fails, without a place, where
/// findProbePoints does. No edge is counted.
llvm::Expected<CodeEdges> findEdges(const ClassFile &F, const Method &M,
                                    const CodeView &Code);

/// Whether \p M still runs when a program ends by System.exit, since a program
/// or a thread began with it.
bool isOutermost(const ClassFile &F, const Method &M);

/// The array of one class.
struct EdgeLayout {
  struct OfMethod {
    uint32_t Index; ///< among the methods of the class
    CodeEdges Edges;
    EdgeElements Elements;
    std::vector<double> Weights; ///< how often edges are taken
  };
  std::vector<OfMethod> Methods; ///< those with code, in the order of the file
  uint32_t Count = FirstOfEdges; ///< elements

  /// How often edges of that method are taken; none: it is to be guessed.
  using WeightsFn = llvm::function_ref<std::optional<std::vector<double>>(
      const Method &, const EdgeGraph &)>;
  /// That of \p F as it came. Fails, and names a method, where findEdges does,
  /// or if there are more elements than an array has.
  static llvm::Expected<EdgeLayout> make(const ClassFile &F, WeightsFn Weights);
  std::string text() const;
};

} // namespace jopt::coverage

#endif
