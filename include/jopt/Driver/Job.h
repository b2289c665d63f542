//===- Job.h - A whole run of jopt ------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a run of jopt does, from options to exit status, without a command
/// line: inputs, probes, pipeline, outputs, report.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_DRIVER_JOB_H
#define JOPT_DRIVER_JOB_H

#include "jopt/Archive/Outputs.h"
#include "jopt/Passes/StandardInstrumentations.h"
#include "jopt/Probes/Probekit/Probekit.h"
#include "jopt/Weave/ClassWork.h"
#include <optional>
#include <string>
#include <vector>

namespace jopt {

enum class ReportFormat { None, Text, JSON };

struct JobOptions {
  std::vector<std::string> Inputs;
  OutputSpec Output;
  EmitKind Emit = EmitKind::Class;
  unsigned Threads = 0; ///< 0: as many as the machine has

  std::vector<std::string> ProbeFiles; ///< Probekit files, they add up
  ProbekitOptions Probekit;
  std::string BundleFile; ///< `-emit-bundle`: probe classes go here
  /// `-emit-script`, `-emit-probeinfo`: the files of the original's compiler.
  /// With one of the three, there need be no input.
  std::string ScriptFile, ProbeInfoFile;

  bool emitsProbes() const {
    return !BundleFile.empty() || !ScriptFile.empty() || !ProbeInfoFile.empty();
  }
  /// The library of the tracing facility that the inputs use, as
  /// tf::Packages::named takes it; TF annotations are collected from them.
  std::optional<std::string> Tracing;
  /// By whose rules; none: by those of the library.
  std::optional<tf::Rules> TracingRules;
  /// TF annotations that are not among the inputs, internal names.
  std::vector<std::string> TracingAnnotations;

  TracingIdle Idle = TracingIdle::Holder;

  std::optional<std::string> Passes;
  /// The default pipeline inlines what fragments do.
  bool InlineFragments = false;
  HugePolicy Huge = HugePolicy::Report;
  SchemaPolicy Schema = SchemaPolicy::Change;
  Dispatch How = Dispatch::Direct;
  /// Methods of the JDK in which a probe can end the JVM get none.
  bool SkipSensitive = false;
  /// Probes go into classes that have them already.
  bool Reinstrument = false;

  /// Folders and archives with classes the inputs refer to: for fragments, for
  /// the verifier, and for passes that look into what advices call.
  std::vector<std::string> ClassPath;
  bool VerifyInput = false, VerifyOutput = false;

  StandardInstrumentationOptions Instrumentation;
  /// `-dot-cfg`: the folder for the control-flow graphs of all methods, as they
  /// are written.
  std::optional<std::string> DotFolder;
  ReportFormat Report = ReportFormat::None;
  bool Strict = false;
  bool Progress = false; ///< a line on standard error for long runs
};

/// Exit status of a run.
enum class JobStatus : int {
  Done = 0,
  Unusable = 1,   ///< nothing was written (or, with Strict, something was left)
  LeftUndone = 2, ///< written, but something asked for is missing and named
};

/// Runs it. Everything for the user goes to \p Diags, the report to \p OS.
/// \p Registry knows the passes, plugins included.
JobStatus runJob(const JobOptions &Options, const PassRegistry &Registry,
                 DiagnosticEngine &Diags, llvm::raw_ostream &OS);

/// Reads, checks and compiles the probe files alone, every finding of all of
/// them to \p Diags. Without a javac, fragments are not compiled.
JobStatus checkProbes(const JobOptions &Options, DiagnosticEngine &Diags);

} // namespace jopt

#endif
