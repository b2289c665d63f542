//===- Job.h - A whole run of jopt ------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A run of jopt, from options to exit status, without a command line: inputs,
/// probes, pipeline, outputs, report.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_DRIVER_JOB_H
#define JOPT_DRIVER_JOB_H

#include "jopt/Archive/Outputs.h"
#include "jopt/Passes/StandardInstrumentations.h"
#include "jopt/Weave/Settings.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace jopt {

struct JobOptions {
  WeaveSettings Settings;
  std::vector<std::string> Inputs;
  OutputSpec Output;
  EmitKind Emit = EmitKind::Class;
  trace::Flavour Flavour = trace::Flavour::Seed; ///< of EmitKind::Trace
  unsigned Threads = 0; ///< 0: as many as the machine has

  std::string BundleFile; ///< `-emit-bundle`: probe classes go here
  /// `-emit-script`, `-emit-probeinfo`: the files of the original's compiler.
  /// With one of the three, there need be no input.
  std::string ScriptFile, ProbeInfoFile;
  bool emitsProbes() const {
    return !BundleFile.empty() || !ScriptFile.empty() || !ProbeInfoFile.empty();
  }

  StandardInstrumentationOptions Instrumentation;
  /// `-dot-cfg`: the folder for the control-flow graphs of all methods, as they
  /// are written.
  std::optional<std::string> DotFolder;
  ReportFormat Report = ReportFormat::None;
  bool Strict = false;

  bool inPlace() const { return Output.TheKind == OutputSpec::Kind::InPlace; }
  bool keepsOriginal() const {
    return Settings.KeepOriginal.value_or(inPlace()) && Emit == EmitKind::Class;
  }
  ProbedPolicy ifProbed() const {
    return Settings.IfProbed.value_or(inPlace() && !Settings.Reinstrument
                                          ? ProbedPolicy::Replace
                                          : ProbedPolicy::Error);
  }
};

/// Where a run tells what is neither output nor diagnostic.
struct JobListener {
  llvm::raw_ostream &Report; ///< what JobOptions::Report asks for
  llvm::raw_ostream &Trace;  ///< what JobOptions::Instrumentation prints
  /// If not empty: called now and then, by one thread, with the number of
  /// entries that are done and that are known so far; at the end with 0, 0.
  std::function<void(uint64_t Done, uint64_t Known)> Progress;
};

/// Exit status of a run.
enum class JobStatus : int {
  Done = 0,
  Unusable = 1,   ///< nothing was written (or, with Strict, something was left)
  LeftUndone = 2, ///< written, but something asked for is missing and named
};

/// Runs it. Messages go to \p Diags, all else to \p Listener. \p Registry knows
/// the passes, plugins included.
JobStatus runJob(const JobOptions &Options, const PassRegistry &Registry,
                 DiagnosticEngine &Diags, const JobListener &Listener);

/// Reads, checks and compiles the probe files alone, every finding of all of
/// them to \p Diags. Without a javac, fragments are not compiled.
JobStatus checkProbes(const JobOptions &Options, DiagnosticEngine &Diags);

} // namespace jopt

#endif
