//===- Probekit.h - The front-end -------------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Probekit files (XML, scripts, bundles of compiled probes) to probes, in two
/// steps: `readProbekit` needs only the files and finds everything that is
/// wrong with their text; `compileProbekit` needs to know the inputs, and runs
/// javac.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROBES_PROBEKIT_PROBEKIT_H
#define JOPT_PROBES_PROBEKIT_PROBEKIT_H

#include "jopt/Probes/ProbeBundle.h"
#include "jopt/Probes/Probekit/JavaSource.h"
#include "jopt/Probes/Probekit/Javac.h"

namespace jopt {

/// Options of both steps.
struct ProbekitOptions {
  /// The package of the generated classes, dotted. Unset: a reserved one with
  /// a hash of the probes. Empty: the unnamed package.
  std::optional<std::string> Package;
  /// See probekit::JavaOptions.
  bool Isolate = false, GuardRecursion = false;

  /// javac; empty: that of JAVA_HOME, else that on PATH.
  std::string Javac;
  /// The release to compile for; unset: the higher of 8 and LowestRelease, at
  /// most what javac knows.
  std::optional<unsigned> Release;
  /// The lowest release (class-file version minus 44) among the inputs.
  unsigned LowestRelease = 8;
  /// Folders and archives (.jar or .zip) that fragments may refer to.
  std::vector<std::string> ClassPath;
  /// Where compiled probes are kept: a folder, "off", or empty for
  /// `$XDG_CACHE_HOME/jopt` (else `~/.cache/jopt`).
  std::string CacheFolder;
  /// How long javac may take.
  unsigned TimeoutSeconds = 300;
};

/// Checked files, and the advices they mean: enough for matching.
struct ProbekitSources {
  std::vector<probekit::Document> Documents; ///< in the order of the files
  AdviceSet Advices;
  /// For each probe in Advices the class that javac makes of it; empty if it
  /// came compiled.
  std::vector<std::string> ProbeClasses;
  probekit::CompiledClasses Classes; ///< what came compiled
  probekit::JavaOptions Java;
};

/// Reads and checks \p Files. Several files add up, in their order. The error
/// holds every finding of all files; \p Diags gets warnings.
llvm::Expected<ProbekitSources> readProbekit(llvm::ArrayRef<std::string> Files,
                                             const ProbekitOptions &Options,
                                             DiagnosticEngine &Diags);

/// Compiles the fragments, or takes them from the cache. Errors of javac come
/// with the places in the XML they belong to, all of them in the error; its
/// warnings go to \p Diags.
llvm::Expected<ProbeBundle> compileProbekit(const ProbekitSources &Sources,
                                            const ProbekitOptions &Options,
                                            DiagnosticEngine &Diags);

/// Both steps.
llvm::Expected<ProbeBundle> loadProbekit(llvm::ArrayRef<std::string> Files,
                                         const ProbekitOptions &Options,
                                         DiagnosticEngine &Diags);

} // namespace jopt

#endif
