//===- TraceDiff.h - Where two runs part ------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compares what the threads of two runs did, event by event.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_DATA_TRACEDIFF_H
#define JOPT_DATA_TRACEDIFF_H

#include "jopt/Data/TraceFilter.h"
#include "llvm/Support/raw_ostream.h"

namespace jopt::data {

/// Prints for each thread of \p A, and the one of \p B that has its name, the
/// first event that is not the same, with what came before and comes behind.
/// The same are events of equal places in methods of one name, with equal
/// operands, and of arrays equal lengths and indices; identity hashes, times
/// and numbers of threads are of a run. Bounded in memory; reads each run twice
/// at most.
llvm::Error diffTraces(const Traces &A, const Traces &B,
                       const TraceFilterOptions &Options, llvm::raw_ostream &OS,
                       LeftOut Tell);

} // namespace jopt::data

#endif
