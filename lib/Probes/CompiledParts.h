//===- CompiledParts.h - Probes that came compiled --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What front-ends for compiled probes have in common.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PROBES_COMPILEDPARTS_H
#define JOPT_LIB_PROBES_COMPILEDPARTS_H

#include "jopt/Probes/FrontEnd.h"

namespace jopt {

/// The outer class of a nested one: it is on its own at the same place.
llvm::StringRef outerClass(llvm::StringRef Class);

/// Whether the classes of \p P, which \p File has, are what their paths say
/// and have what its advices call. Classes of which none is there are the
/// program's.
llvm::Error checkCalls(const ProbePart &P, llvm::StringRef File);

} // namespace jopt

#endif
