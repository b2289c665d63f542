//===- TFJob.h - A whole run of jopt-tf -------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A run of the tracing facility's tool, from options to exit status, without a
/// command line: annotations, classes, the properties file, the class of timing
/// points.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_DRIVER_TFJOB_H
#define JOPT_DRIVER_TFJOB_H

#include "jopt/Driver/Job.h"
#include "jopt/TF/Program.h"
#include "jopt/TF/PropertiesFile.h"

namespace jopt {

struct TFJobOptions {
  std::vector<std::string> Inputs;
  /// Those of SettingTool::JoptTF. TracingLibrary: if unset, the one that the
  /// inputs use. ClassPath: folders and archives whose TF annotations count
  /// too; nothing else is done with them.
  WeaveSettings Settings;

  enum class Mode {
    TimingPoints,
    UpdateSchemas,
    TraceEnhance,
    StripTrace, ///< back to what UpdateSchemas made
    Strip,      ///< and to what was there before
  };
  /// None: what the rules say.
  std::optional<Mode> TheMode;

  std::string PropertiesFile; ///< empty: none
  std::optional<tf::KeyPrefix> Prefix;

  std::string TimingClass;  ///< dotted; empty: none
  std::string TimingFolder; ///< empty: its names are checked, that is all
  bool TimingSource = true, TimingClassFile = false;

  bool Beside = false; ///< X.class.new instead of X.class
  bool DryRun = false; ///< say what would be done
  bool Debug = false;  ///< verify the output, print all that is known
  bool Strict = false;
  unsigned Verbose = 0; ///< 0 to 4
  unsigned Threads = 0; ///< 0: as many as the machine has
};

/// Runs it. Errors, warnings and remarks go to \p Diags, the log to \p OS.
JobStatus runTFJob(const TFJobOptions &Options, const PassRegistry &Registry,
                   DiagnosticEngine &Diags, llvm::raw_ostream &OS);

} // namespace jopt

#endif
