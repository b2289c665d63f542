//===- CoveragePlan.h - What coverage records of a class --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The points of a class as it came, what a strategy does at them, and which
/// elements its array has. Made before anything of the class changes (`begin`);
/// used by the thread of the class.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_ANALYSIS_COVERAGEPLAN_H
#define JOPT_PASSES_ANALYSIS_COVERAGEPLAN_H

#include "jopt/Coverage/EdgeProfile.h"
#include "jopt/Coverage/Plan.h"
#include "jopt/Coverage/ProbePoints.h"
#include "jopt/Passes/Pass.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace jopt {

/// A service: what the code of a class that runs already has recorded, so that
/// it need not again. Used by the thread of the class.
struct KnownElements {
  static ServiceKey Key;
  llvm::BitVector Elements; ///< of the array; those behind the last are not
};

/// A service: how often edges were taken before. Used by any thread.
struct MeasuredEdges {
  static ServiceKey Key;
  const coverage::EdgeProfile &Profile;
};

/// How a class gets its array: what loads it, with its index in the pool, and
/// the class that is cast to; 0: none.
struct ArrayLoad {
  uint8_t Op = 0; ///< ldc, invokedynamic or invokestatic
  uint16_t Index = 0, Cast = 0;
  uint16_t Bootstrap = 0; ///< number of the method that binds it
  CPEntry Entry;          ///< at Index
};

/// The plan of one strategy for a class.
struct CoveragePlan {
  struct OfMethod {
    llvm::SmallVector<coverage::ProbePoint, 4> Points;
    uint32_t NumProbes = 0; ///< of the points
    coverage::MethodPlan Plan;
    /// By point: its element, if it has an action.
    llvm::SmallVector<uint32_t, 4> Elements;

    /// Its code writes to the array of the class.
    bool usesArray() const {
      return llvm::any_of(Plan.Actions, [](coverage::MethodPlan::Action A) {
        return A != coverage::MethodPlan::Nothing &&
               A != coverage::MethodPlan::Link;
      });
    }
    /// Point \p N is stored in front of all code, not at the first
    /// instruction: a loop may go back there, and what it would store is known
    /// then.
    bool isAtEntry(size_t N) const {
      const coverage::ProbePoint &P = Points[N];
      return P.Kind == coverage::ProbePoint::Arrive && P.From == 0 &&
             Plan.Actions[N] == coverage::MethodPlan::Store;
    }
  };
  /// Methods with points. Those that the class had when it came.
  llvm::DenseMap<const Method *, OfMethod> Methods;
  uint64_t Id = 0;    ///< of the class file; 0 of one that is text
  uint32_t Count = 0; ///< elements of the array
  coverage::Elements Kind = coverage::Elements::Bits; ///< what they are
  std::string Rules; ///< how JaCoCo's array follows; empty: it is that
  /// Why the class has none; empty if it has.
  std::string Problem;
  ReportRow::Kind ProblemKind = ReportRow::Undone; ///< what that is
  /// Once a method asked, as long as the pool has it (CoverageHolder.h).
  mutable std::optional<ArrayLoad> Load;

  /// That of the class of \p C; text is settled (CodeUnits.h). Forces no other
  /// analysis.
  static const CoveragePlan &get(coverage::Strategy S, PassContext &C);
  /// Whether \p F can get no array at all; then Problem says why, or is empty
  /// if there is nothing to report.
  bool isRefused(const ClassFile &F);
};

} // namespace jopt

#endif
