//===- BranchNames.h - What a branch is in the source -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_COVERAGE_BRANCHNAMES_H
#define JOPT_LIB_COVERAGE_BRANCHNAMES_H

#include "CodeFlow.h"

namespace jopt::coverage {

/// When instruction \p I takes its branch \p Branch, as in `< 0`, `null` or
/// `case 1, 7`; numbers are those of Replacements. Class files have no more:
/// whether a condition of the source is true there compilers decide.
std::string branchName(const CodeFlow &Flow, size_t I, uint32_t Branch);

} // namespace jopt::coverage

#endif
