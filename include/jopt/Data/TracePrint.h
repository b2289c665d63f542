//===- TracePrint.h - Events as lines of text -------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The lines of execution traces: what classes declare, and what was executed.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_DATA_TRACEPRINT_H
#define JOPT_DATA_TRACEPRINT_H

#include "jopt/Data/TraceFilter.h"
#include "jopt/Trace/Lines.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>

namespace jopt::data {

/// The lines to print.
struct TracePrintOptions {
  trace::Flavour Flavour = trace::Flavour::Seed;
  bool Declarations = true;
  bool Executions = true;
  /// Of executions.
  TraceFilterOptions Filter;
};

/// Writes the lines of \p T to \p OS, as they are read.
llvm::Error printTrace(const Traces &T, const TracePrintOptions &Options,
                       llvm::raw_ostream &OS, LeftOut Tell);

/// Writes each stack of calls of \p T with the number of its events, for flame
/// graphs: "main;p.A.main;p.A.work 12".
llvm::Error exportCollapsed(const Traces &T, llvm::raw_ostream &OS,
                            LeftOut Tell);

/// Writes each stack of calls with the number of its events and its time, as a
/// profile of pprof: a packed message of its profile.proto.
llvm::Error exportPprof(const Traces &T, llvm::raw_ostream &OS, LeftOut Tell);

/// Writes the calls of each thread as events in a file of speedscope.
llvm::Error exportSpeedscope(const Traces &T, llvm::raw_ostream &OS,
                             LeftOut Tell);

/// Writes calls as slices and threads as tracks: Chrome's JSON trace events.
llvm::Error exportPerfetto(const Traces &T, llvm::raw_ostream &OS,
                           LeftOut Tell);

/// Writes calls as spans of OpenTelemetry: a line of OTLP's JSON for 1000
/// spans.
llvm::Error exportOTLP(const Traces &T, llvm::raw_ostream &OS, LeftOut Tell);

/// Writes the events into \p Folder, in version 1.8 of the Common Trace Format.
llvm::Error exportCTF(const Traces &T, llvm::StringRef Folder, LeftOut Tell);

/// Writes what is in \p T, with the number of execution lines that
/// printTrace() writes.
llvm::Error showTrace(const Traces &T, llvm::raw_ostream &OS, LeftOut Tell);

/// Says of an event of \p T, which must live as long, whether printTrace()
/// writes a line of it. IDs of executions count those that have one.
std::function<bool(const TracedEvent &)> linesOf(const Traces &T);

} // namespace jopt::data

#endif
