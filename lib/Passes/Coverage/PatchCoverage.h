//===- PatchCoverage.h - What records, put into original code ---*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Places coverage in patched bodies (Body::Patch): stores of elements and
/// positions, which need no more than two slots of the method's own.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_COVERAGE_PATCHCOVERAGE_H
#define JOPT_LIB_PASSES_COVERAGE_PATCHCOVERAGE_H

#include "LinkedPoints.h"

namespace jopt {

/// How many of each were placed, for statistics.
struct CoverageSites {
  unsigned NumStores = 0, NumLinks = 0, NumMarks = 0, NumHandlers = 0;
};

/// Places the plan \p M in \p F, a patched body with nothing in it, whose class
/// gets its array by \p Load; null: no point of \p M asks for it. \p M has
/// stores, links by \p Links, and positions alone, into a `boolean[]`. False,
/// and \p F is good for nothing more, if only a lifted body shows the places.
bool patchCoverage(Body &F, const CoveragePlan::OfMethod &M,
                   const ArrayLoad *Load, llvm::ArrayRef<PointLink> Links,
                   CoverageSites &Placed);

} // namespace jopt

#endif
