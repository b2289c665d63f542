//===- Plan.h - What a strategy does at which point -------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The strategies of -coverage, and what each records of a method. A strategy
/// is a row of Strategies.def and a function over a ProbeGraph.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGE_PLAN_H
#define JOPT_COVERAGE_PLAN_H

#include "jopt/Coverage/Graph.h"
#include "jopt/Coverage/ProbePoints.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace jopt::coverage {

/// `Strategy::Min` and `Elements::Counts`, from Strategies.td.
#define GET_StrategyEnum_DECL
#define GET_ElementEnum_DECL
namespace strategy {
#include "jopt/Coverage/Strategies.inc"
} // namespace strategy
using Strategy = strategy::StrategyEnum;
using Elements = strategy::ElementEnum;

/// A row of Strategies.td.
struct StrategyInfo {
  const char *Name;     ///< as it is given
  const char *Measures; ///< what it records
  const char *Exact;    ///< of which activations it says what they passed
  const char *InFlight; ///< what it lacks of those that are running
  Elements Kind;        ///< what a class records into
  PointSet Points;      ///< what it tells of
};
/// All rows; the index of a row is its Strategy.
llvm::ArrayRef<StrategyInfo> getStrategies();
inline const StrategyInfo &getStrategyInfo(Strategy S) {
  return getStrategies()[S];
}

/// The strategy of that name.
std::optional<Strategy> findStrategy(llvm::StringRef Name);

/// JaCoCo's probes follow from what the strategy of that name recorded.
bool tellsOfProbes(llvm::StringRef Name);

/// The code with which a point sets its element (docs/Placement.md).
enum class PointCode : uint8_t {
  Auto,     ///< as the strategy and the JVM say
  Stores,   ///< stores into the array of the class
  Sites,    ///< call sites (invokedynamic) that set it when they are linked
  Constants ///< dynamic constants (JVM specification, 5.4.3.6) that set it
            ///< when they are resolved
};

/// The actions at the points of one method.
struct MethodPlan {
  enum Action : uint8_t {
    Nothing, ///< other points imply this one, or it is never reached
    Store,   ///< sets its element
    Link,    ///< sets its element when it is linked, which happens once
    Mark,    ///< leaves the number of its element in a slot, for handlers
    Bit,     ///< sets its bit of a mask in a slot, which exits record
  };
  /// Bits in one mask.
  static constexpr unsigned MostBits = 64;
  /// By point. One with an action has an element.
  llvm::SmallVector<Action, 8> Actions;
  /// By point: those that tell of it as well.
  llvm::SmallVector<llvm::SmallVector<uint32_t, 2>, 1> Told;
  /// Where the element is set that the slot names. OutOfMethod: in a handler
  /// that throws again what the method throws; masks are recorded there, too.
  llvm::SmallVector<Thrown, 4> Handlers;

  bool has(Action A) const { return llvm::is_contained(Actions, A); }
};

/// The actions of \p S in a method. If nothing can be left out, every reachable
/// point has one: an activation may stay for ever, or the method is too large
/// to find out.
MethodPlan planMethod(Strategy S, const ProbeGraph &G);

/// The result of planMethod by `pos` for \p Count points that
/// findStraightPoints found.
MethodPlan planStraight(size_t Count);

} // namespace jopt::coverage

#endif
