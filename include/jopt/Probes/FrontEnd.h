//===- FrontEnd.h - What reads probes ---------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A front-end is a folder of lib/Probes, with a FrontEnd in it, and a row of
/// lib/Probes/FrontEnds.def. It knows the inputs that it reads by their names
/// and contents, and makes of each a ProbePart. What the parts of a run have in
/// common is done by readProbes and compileProbes (LoadProbes.h), so that
/// inputs of several kinds add up and nobody behind them knows which they were.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PROBES_FRONTEND_H
#define JOPT_PROBES_FRONTEND_H

#include "jopt/Probes/Java/Fragments.h"
#include "jopt/Probes/ProbeBundle.h"
#include "jopt/Probes/ProbeOptions.h"

namespace jopt {

/// The file or folder that one `-probes` names.
struct ProbeInput {
  std::string Path; ///< as the user wrote it
  bool IsFolder = false;
  /// Of a file: all of it, or one byte more than MaxProbeFileSize.
  std::string Content;

  /// It is a file of this extension (".xml"), in any case of letters.
  bool hasExtension(llvm::StringRef Extension) const;
  bool isTooLarge() const { return Content.size() > MaxProbeFileSize; }
};

/// The probes that a front-end makes of one input: compiled, or to be compiled.
struct ProbePart {
  /// Probes that are complete: classes have the methods that they call.
  AdviceSet Advices;
  /// These classes, where the input has them; else the program must.
  CompiledClasses Classes;
  bool UsesApi = false; ///< see ProbeBundle
  /// The errors in probes that are left out, where others are good.
  std::vector<Diagnostic> LeftOut;
  /// Probes whose code is Java. Those of all parts are compiled together when
  /// the inputs of the run are known, and completed by what javac makes of the
  /// types in them. The part has none but these then.
  std::optional<java::SourceFile> Fragments;
  /// The text that `-emit-probeinfo` writes of it; empty if it has none.
  std::string Info;
};

/// Immutable, without state: used from any thread.
struct FrontEnd {
  /// Whether it reads \p In: the first row that does is asked to.
  bool (*Recognises)(const ProbeInput &In);
  /// Reads and checks \p In; what only the inputs of the run can tell is left
  /// open. A front-end of which the probes are known only when they are
  /// compiled (annotated Java source, say) compiles them here, as \p Options
  /// says. The error holds every finding, each with its place; \p Diags gets
  /// warnings.
  llvm::Expected<ProbePart> (*Read)(const ProbeInput &In,
                                    const ProbeOptions &Options,
                                    DiagnosticEngine &Diags);
};

} // namespace jopt

#endif
