//===- PathLayout.h - Where the paths of a class are counted ----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The strategies that record paths, and which elements of the array of a class
/// count which paths. It follows from the bytes of the class file: who has them
/// reads what was recorded. From any thread.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGE_PATHLAYOUT_H
#define JOPT_COVERAGE_PATHLAYOUT_H

#include "jopt/Coverage/CodePaths.h"

namespace jopt::coverage {

/// `PathStrategy::Paths`, from Strategies.td.
#define GET_PathStrategyEnum_DECL
namespace pathstrategy {
#include "jopt/Coverage/Strategies.inc"
} // namespace pathstrategy
using PathStrategy = pathstrategy::PathStrategyEnum;

/// A row of Strategies.td; see StrategyInfo.
struct PathStrategyInfo {
  const char *Name, *Measures, *Exact, *InFlight;
  bool IsSampled; ///< each counts with the chance of 1 to the rate, as that
};
/// All rows; the index of a row is its PathStrategy.
llvm::ArrayRef<PathStrategyInfo> getPathStrategies();
std::optional<PathStrategy> findPathStrategy(llvm::StringRef Name);

/// The array of one class.
struct PathLayout {
  /// A method with more paths has a table.
  static constexpr uint32_t MostInArray = 4096;
  /// A table: how many counts found no place in it, then for each place the
  /// number of a path and one, or 0, and its count.
  static constexpr uint32_t TablePlaces = 2048,
                            TableLength = 1 + 2 * TablePlaces;

  struct OfMethod {
    uint32_t Index; ///< among the methods of the class
    CodePaths Paths;
    uint32_t First; ///< the element of its path 0, or of its table
    bool IsTable;
  };
  std::vector<OfMethod> Methods; ///< in the order of the file
  /// Elements. The first one is none of a method's.
  uint32_t Count = 1;

  /// The argument of Link: the word "paths", the number of paths that one count
  /// stands for, and the first element of each table; separated by blanks.
  std::string text(uint32_t Rate) const;

  /// That of \p F as it came. Fails, and names a method, where findBlocks does.
  static llvm::Expected<PathLayout> make(const ClassFile &F);
};

/// A path of a method that was taken.
struct TakenPath {
  uint32_t Number;
  uint64_t Count;
};
/// The paths of \p M in \p Values, which was recorded by the text \p Text. Adds
/// counts without a place to \p Lost.
llvm::Expected<std::vector<TakenPath>>
findTaken(const PathLayout::OfMethod &M, llvm::ArrayRef<uint64_t> Values,
          llvm::StringRef Text, uint64_t &Lost);

} // namespace jopt::coverage

#endif
