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
/// do not count. They are the settings of Weave/Settings.td and the rows of
/// Agent/Options.td.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_ATTACH_OPTIONS_H
#define JOPT_AGENT_ATTACH_OPTIONS_H

#include "jopt/Agent/Telemetry/Log.h"
#include "jopt/Weave/Settings.h"
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace jopt::agent {

/// Where the classes of probes are defined.
enum class ProbePlace { Auto, Boot, System, Host };

/// How to treat loaded classes that have activations in loops.
enum class InFlightPolicy { Skip, Include };

/// For which methods of more than 8,000 bytes HotSpot is to compile such.
enum class HugePolicy { Auto, Compile, Leave };

/// Whether HotSpot's limits of inlining grow as the code does.
enum class InliningPolicy { Auto, Leave };

/// A value; immutable when the agent runs.
struct AgentOptions {
  WeaveSettings Weave = WeaveSettings::ofAgent();
#define GET_SETTING_FIELDS
#include "jopt/Agent/Options.inc"
  /// A start that fails goes on without probes.
  bool ContinueOnError = false;

  /// By which names options were given, in their order.
  std::vector<std::string> GivenNames;

  /// Probes leave if they have too much to do: their events are counted.
  bool boundsEvents() const { return MaxRate || !MaxOverhead.empty(); }
  /// There is something to do with classes.
  bool weaves() const {
    return !Weave.Probes.empty() || Weave.Coverage || !ProbeClassPath.empty() ||
           !ProbeBootClassPath.empty() || !Weave.TracingAnnotations.empty();
  }
};

/// "500ms", "30s", "5m", "2h"; nothing if \p Text is none of that form, or is
/// more than ten years.
std::optional<std::chrono::milliseconds> parseTime(llvm::StringRef Text);

/// "5%", "0.5%" or without the sign; nothing if \p Text is none of that form.
std::optional<double> parsePercent(llvm::StringRef Text);

/// Reads \p Text, and the files that it names. The error holds every finding;
/// it names the nearest option where one is not known.
llvm::Expected<AgentOptions> parseAgentOptions(llvm::StringRef Text);

/// The text of `help`: all options, two lines each.
std::string describeOptions();

} // namespace jopt::agent

#endif
