//===- ReportRow.h - What is said about a class -----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The lines of the report of a run, as passes and the runner make them.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_REPORTROW_H
#define JOPT_PASSES_REPORTROW_H

#include "jopt/Advice/Advice.h"
#include "jopt/Support/Diagnostics.h"

namespace jopt {

/// One line of the report (`-probes-report`). The driver sorts nothing: rows of
/// a class come in the order of its methods.
struct ReportRow {
  enum Kind : uint8_t {
    Applied,   ///< \p Probe was placed in the method, at \p Count sites
    LeftAlone, ///< asked for but not done: \p Reasons (exit status 2)
    Undone,    ///< a part was not done: \p Reasons (exit status 2)
    /// Was there already: \p Reasons. Who runs the pipeline makes Undone of
    /// it, or nothing.
    Present,
    Warned, ///< \p Reasons are what the user should know
    /// Outgrew a limit: \p Count methods got the code of its advices
    Outlined,
    NoSuperExit,      ///< exceptions out of super() or this() give no exit
    NoSuperAfterCall, ///< they run no advice behind that call
    CrossedOversize,  ///< grew over 8,000 bytes: HotSpot no longer compiles it
    CrossedInline,    ///< grew over 325 bytes: no longer inlined when hot
  };
  Kind What = Applied;
  std::string Class;  ///< internal name, standard UTF-8
  std::string Method; ///< name and descriptor; empty: the whole class
  unsigned Order = 0; ///< the number of the method in the class
  int Probe = -1;     ///< Applied: index in AdviceSet::Probes
  unsigned Count = 0; ///< Applied: sites
  struct Site {
    AdviceKind Kind;
    int32_t BCI;       ///< in the class as it came; -1: in no code of it
    uint16_t Line = 0; ///< of the source; 0: not known
    /// By which control that comes there is counted (PlaceNumbers); 0: not.
    uint32_t Number = 0;
  };
  /// Applied: where advices are, if RunOptions::ReportDetails.
  std::vector<Site> Sites;
  unsigned OldSize = 0, NewSize = 0; ///< Crossed*, Outlined: bytes of code
  std::string ProbeName;             ///< Applied
  /// LeftAlone, Undone, Warned: what is wrong, without the class and the
  /// method; CrossedOversize: why its advices are not outlined, or nothing.
  std::vector<Diagnostic> Reasons;

  /// A row of one of the kinds for which there are reasons.
  static ReportRow problem(Kind What, std::vector<Diagnostic> Reasons);
  /// With one reason.
  static ReportRow problem(Kind What, std::string Reason);
};

/// Rows that users see whether they ask for a report or not.
inline bool isProblem(ReportRow::Kind K) {
  return K == ReportRow::LeftAlone || K == ReportRow::Undone ||
         K == ReportRow::Present || K == ReportRow::Warned;
}

} // namespace jopt

#endif
