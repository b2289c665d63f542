//===- BegunLines.h - Lines that something was thrown in --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds covered lines that PointSet::ProbesAndLines shows and JaCoCo's probes
/// do not.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_COVERAGE_BEGUNLINES_H
#define JOPT_LIB_COVERAGE_BEGUNLINES_H

#include "FilterOutput.h"

namespace jopt::coverage {

/// Adds to \p Lines what became of the lines of a method that were begun, by
/// \p Ran, which has recorded lines. \p FirstProbe is the number of the
/// method's first probe, \p Line that of its first line in \p Ran, then that
/// behind its last. An error if \p Ran has fewer lines.
llvm::Error addBegunLines(const FilterInput &In, const FilterOutput &Filtered,
                          const ClassCoverage &Ran, uint32_t FirstProbe,
                          uint32_t &Line, LineTable &Lines);

} // namespace jopt::coverage

#endif
