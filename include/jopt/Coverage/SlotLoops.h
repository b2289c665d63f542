//===- SlotLoops.h - Loops whose counts wait in slots -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Within a loop an edge may be counted in a slot, which costs an addition to a
/// register, if the array gets what is there wherever the loop is left: by an
/// edge or an exception. What runs in such a loop is code that cannot wait, so
/// that it is left before long. Values; from any thread.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_COVERAGE_SLOTLOOPS_H
#define JOPT_COVERAGE_SLOTLOOPS_H

#include "jopt/Coverage/CodeEdges.h"

namespace jopt::coverage {

struct SlotLoop {
  std::vector<uint32_t> Counted;  ///< edges within it that have a slot
  std::vector<uint32_t> Out;      ///< edges by which it is left
  std::vector<uint32_t> Handlers; ///< to which exceptions may leave it
  bool LeavesMethod = false;      ///< exceptions do
};

/// The outermost loops of \p E in which nothing waits (CodeEdges::Range), and
/// where that pays: for edges that are taken more than twice as often as the
/// loop is left, by \p Weights. No two have an edge or run in common.
std::vector<SlotLoop> findSlotLoops(const CodeEdges &E,
                                    llvm::ArrayRef<double> Weights);

} // namespace jopt::coverage

#endif
