//===- Inference.h - Which points tell of others ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds points that need nothing at run time, as others tell of them. Pure
/// functions on a graph; they decide in any order of nodes the same.
///
/// A point is said to be passed if and only if one of those that tell of it
/// was: in any union of activations, those included that have ended by an
/// exception. Of one that is still running it holds wherever it may throw.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGE_INFERENCE_H
#define JOPT_COVERAGE_INFERENCE_H

#include "jopt/Coverage/Graph.h"

namespace jopt::coverage {

/// By node of a PointGraph: those that tell of it; empty if none do, so that it
/// is to be recorded. Nodes Entry and Exit have none.
using Inference = Lists<uint32_t, 4>;

/// Makes \p Told: a point follows from what comes next, if nothing else comes
/// there and nothing else comes next (Agrawal 1994).
void inferByDominators(const PointGraph &K, Inference &Told);

/// Makes \p Told the fewest: a point follows from what comes before or next,
/// whichever lets more follow. \p K must have no way on which the exit cannot
/// be reached.
void inferFewest(const PointGraph &K, Inference &Told);

} // namespace jopt::coverage

#endif
