//===- TracedSegments.h - Events that happen together -----------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds the segments (jopt/Trace/Paths.h) of a method in its original code,
/// for traces whose events are rebuilt from paths. On any thread.
///
/// JVM specification: what initialises a class 5.5.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_LIB_PASSES_TRACE_TRACEDSEGMENTS_H
#define JOPT_LIB_PASSES_TRACE_TRACEDSEGMENTS_H

#include "jopt/Bytecode/ControlFlow.h"
#include "jopt/Passes/Analysis/TracedEvents.h"
#include "llvm/ADT/BitVector.h"

namespace jopt {

/// Other methods may run before \p I, of \p F, completes: it calls them, or
/// initialises a class.
bool runsOtherCode(const ClassFile &F, const DecodedInst &I);

/// The segments of \p M, whose code is \p Code, with the events \p Events; none
/// if each event has to be told: code with subroutines, or that leads back into
/// what comes before super(), or has too many paths. \p Before: the
/// instructions of a constructor that have no events; empty: there are none.
///
/// Paths end where something else may have events (runsOtherCode); where a loop
/// begins; and at handlers.
std::vector<trace::Segment> findSegments(const ClassFile &F, const Method &M,
                                         const CodeView &Code,
                                         const llvm::BitVector &Before,
                                         TracedEvents::MethodEvents &Events);

} // namespace jopt

#endif
