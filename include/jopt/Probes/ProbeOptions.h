//===- ProbeOptions.h - How probes are read and compiled --------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROBES_PROBEOPTIONS_H
#define JOPT_PROBES_PROBEOPTIONS_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace jopt {

class InputSet;

/// The installed jar that probe classes are compiled against, and that they
/// call.
constexpr llvm::StringLiteral ProbeApiJar = "lib/jopt-probes.jar";

/// The installed jar with which fragments print and measure (jopt.boot.Client,
/// jopt.probe), for findInstalled.
constexpr llvm::StringLiteral RuntimeJar = "lib/jopt-runtime.jar";

/// A value, the same for all inputs of a run.
struct ProbeOptions {
  /// The package of the generated classes, dotted. Unset: a reserved one with
  /// a hash of the probes. Empty: the unnamed package.
  std::optional<std::string> Package;
  /// See java::JavaOptions.
  bool Isolate = false, GuardRecursion = false, CountEvents = false;

  /// Paths are recorded of a trace, and its events rebuilt from them.
  bool ReconstructsTrace = false;

  /// Packages (dotted) whose annotations are read like those of our API.
  std::vector<std::string> ProbeApi;
  /// "MODE:GLOB" for names of probe classes: on, off, auto or disable. The last
  /// that matches counts; without one they are on.
  std::vector<std::string> Modes;
  /// Those that are off are read as well: they may be switched on later.
  bool KeepsOff = false;
  /// Values of parameters, "NAME=VALUE"; see java::checkParams.
  std::vector<std::string> Params;
  /// javac; empty: that of JAVA_HOME, else that on PATH.
  std::string Javac;
  /// The release to compile for; unset: the higher of 8 and LowestRelease, at
  /// most what javac knows.
  std::optional<unsigned> Release;
  /// The lowest release (class-file version minus 44) among the inputs.
  unsigned LowestRelease = 0;
  /// Folders and archives that probes may refer to, with what is in archives
  /// in them.
  std::vector<std::string> ClassPath;
  /// More folders for it, in which packages begin; archives below them are not
  /// looked for.
  std::vector<std::string> Roots;
  /// Inputs among them, of which the files need not be listed again; may be
  /// null.
  const InputSet *Listed = nullptr;
  /// Where they are looked for, for whoever has to add some: a clause.
  llvm::StringRef WhereClasses =
      "classes of the program are found among the inputs and by -classpath";
  /// Where compiled probes are kept: a folder, "off", or empty for
  /// `$XDG_CACHE_HOME/jopt` (else `~/.cache/jopt`).
  std::string CacheFolder;
  /// How long javac may take.
  unsigned TimeoutSeconds = 300;
};

} // namespace jopt

#endif
