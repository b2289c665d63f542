//===- LoadProbes.h - The probes of a run -----------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes probes of the values of `-probes`, in two steps, whatever front-ends
/// read them: `readProbes` needs only the files and finds everything that is
/// wrong with their text; `compileProbes` needs to know the inputs, and runs
/// javac.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROBES_LOADPROBES_H
#define JOPT_PROBES_LOADPROBES_H

#include "jopt/Probes/FrontEnd.h"
#include "jopt/Probes/Java/JavaSource.h"

namespace jopt {

/// The probes of a run. There is one set of advices: its rules are final once
/// it is read, so a Matcher may refer to it from then on; compiling completes
/// what it calls. Owns its parts.
struct LoadedProbes {
  ProbeBundle Bundle;
  /// Sources to compile; the names and numbers of their probes are given.
  std::vector<java::SourceFile> Fragments;
  java::JavaOptions Java;
  /// ProbePart::Info of those that have one, in the order of the files.
  std::vector<std::string> Infos;

  /// Of all files: ProbePart::LeftOut.
  std::vector<Diagnostic> LeftOut;

  bool needsCompiler() const { return !Fragments.empty(); }
};

/// Reads and checks \p Files. Several files add up, in their order. The error
/// holds every finding of all files; \p Diags gets warnings.
llvm::Expected<LoadedProbes> readProbes(llvm::ArrayRef<std::string> Files,
                                        const ProbeOptions &Options,
                                        DiagnosticEngine &Diags);

/// Completes \p Probes, once: compiles the fragments, or takes them from the
/// cache. Errors of javac come with the places in the probe files they belong
/// to, all of them in the error; its warnings go to \p Diags. After an error \p
/// Probes are good for nothing.
llvm::Error compileProbes(LoadedProbes &Probes, const ProbeOptions &Options,
                          DiagnosticEngine &Diags);

/// \name Probes that are complete
/// @{
/// Appends \p From, whose probes come behind those of \p To.
void append(AdviceSet &To, AdviceSet From);
/// Adds \p More to \p Classes, which have no two of one path and are sorted.
/// Fails where one has a path of another with other content.
llvm::Error addClasses(CompiledClasses &Classes, CompiledClasses More);
/// @}

} // namespace jopt

#endif
