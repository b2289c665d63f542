//===- Options.h - What stands behind -agentpath: ---------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The agent's options: `name=value` and `name`, separated by commas; a comma
/// in a value is written twice. `@FILE` stands for the options in a file, one
/// to a line, commas as they are; empty lines and those that begin with `#`
/// do not count.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_OPTIONS_H
#define JOPT_AGENT_OPTIONS_H

#include "jopt/Agent/Log.h"
#include "jopt/Passes/PassManager.h"
#include <optional>
#include <string>
#include <vector>

namespace jopt::agent {

/// Which bytes lib/Verify reads before the JVM gets them.
enum class VerifyPolicy { Off, Changed, All };

/// Where the classes of probes are defined.
enum class ProbePlace { Auto, Boot, System };

/// How hosts reach them; Auto: by call sites where their loader does not see
/// them.
enum class DispatchPolicy { Auto, Direct, Indy };

/// A value; immutable when the agent runs.
struct AgentOptions {
  std::vector<std::string> Probes;     ///< absolute paths
  std::vector<std::string> Tracing;    ///< TF annotations: names, `@` files
  std::string TracingLibrary = "jopt"; ///< as tf::Packages::named takes it
  /// None: classes get stage 2 while somebody monitors them.
  TracingIdle Idle = TracingIdle::Holder;
  std::vector<std::string> Include;   ///< patterns over internal names
  std::vector<std::string> Exclude;   ///< likewise
  std::vector<std::string> Loaders;   ///< patterns over loaders' classes
  std::vector<std::string> Sources;   ///< patterns over code sources
  std::vector<std::string> ClassPath; ///< what fragments may refer to
  std::string LogFile;                ///< empty: standard error
  LogLevel Level = LogLevel::Warning;
  std::string DumpFolder, StatsFile, ReportFile, Javac, CacheFolder;
  VerifyPolicy Verify = VerifyPolicy::Off;
  SchemaPolicy Schema = SchemaPolicy::Keep;
  ProbePlace Place = ProbePlace::Auto;
  DispatchPolicy Dispatch = DispatchPolicy::Auto;
  HugePolicy Huge = HugePolicy::Report;
  /// There is something to do with classes.
  bool weaves() const { return !Probes.empty() || !Tracing.empty(); }
  /// A start that fails goes on without probes.
  bool ContinueOnError = false;
  bool Isolate = false;
  bool Inline = false;
  /// Unset: as soon as a target names a package of the JDK.
  std::optional<bool> Guard;
  /// \name What an attach asks for
  /// @{
  bool Off = false;
  bool Status = false;
  /// @}
};

/// Reads \p Text, and the files that it names. The error holds every finding;
/// it names the nearest option where one is not known.
llvm::Expected<AgentOptions> parseAgentOptions(llvm::StringRef Text);

} // namespace jopt::agent

#endif
