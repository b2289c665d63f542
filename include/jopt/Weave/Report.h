//===- Report.h - What a run tells of itself --------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Collects the rows of all classes, in the order of the inputs, and prints
/// them as text, JSON, or a page for a browser. The tools make one of a run,
/// the agent one whenever it is asked what its probes do.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_WEAVE_REPORT_H
#define JOPT_WEAVE_REPORT_H

#include "jopt/Advice/Matcher.h"
#include "jopt/Advice/Unmatched.h"
#include "jopt/Passes/ReportRow.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <mutex>
#include <optional>

namespace jopt {

/// How often a fragment ran, and how long it took.
struct FragmentCalls {
  uint64_t Number = 0, Nanoseconds = 0;
};

/// The line of the text about \p R, without its class and its method. \p Ran:
/// how often control came to places, by their numbers.
std::string describeRow(const ReportRow &R, llvm::ArrayRef<uint64_t> Ran = {});

/// A line for each fragment of \p Probe, with how often it ran by \p Calls;
/// none if that is empty.
void printCalls(const AdviceSet &A, unsigned Probe,
                llvm::ArrayRef<std::optional<FragmentCalls>> Calls,
                llvm::raw_ostream &OS);

/// Writes the page (Report.html) with \p JSON, as Report::printJSON() makes it.
void printReportPage(llvm::StringRef JSON, llvm::raw_ostream &OS);

class Report {
public:
  /// Rows of one class; \p Place is its display name. Thread-safe.
  void add(uint64_t Ordinal, std::string Place, std::vector<ReportRow> Rows);
  /// A class that was left as it was as a whole.
  void leaveClass(uint64_t Ordinal, std::string Place,
                  std::vector<Diagnostic> Why);
  /// These probes have a place in some class. Thread-safe.
  void applied(const llvm::BitVector &Probes);
  /// \p Text says what was asked for at \p Where and is not done in any class.
  void undone(Location Where, std::string Text);
  /// The file \p Place, in which or in the archive that it is there are classes
  /// with rows, stays as it is after all: \p Why. Their rows go.
  void leaveFile(llvm::StringRef Place, std::string Why);
  /// A line about the run: dropped signatures, where the probes went.
  void note(std::string Text);
  /// Adds the counts of fragments in a running program, by the advices that
  /// call them; nothing for those that do not count. Without this the report
  /// has no calls.
  void counted(std::vector<std::optional<FragmentCalls>> ByAdvice);
  /// How often control came to places there, by their numbers; of others the
  /// report does not say it.
  void countedPlaces(std::vector<uint64_t> ByNumber);

  bool leftUndone() const;
  /// Warnings, or errors if \p Strict, for what was left undone and, if \p
  /// Match, for probes and targets that matched nothing, with the \p Reasons
  /// known, for probes with no place in what they matched, and for ancestors
  /// that were not found; true if there was any of the latter three.
  bool diagnose(const AdviceSet &A, const Matcher *Match,
                const UnmatchedReasons &Reasons, bool Strict,
                DiagnosticEngine &Diags) const;
  void printText(const AdviceSet &A, const Matcher *Match,
                 const UnmatchedReasons &Reasons, llvm::raw_ostream &OS) const;
  void printJSON(const AdviceSet &A, const Matcher *Match,
                 const UnmatchedReasons &Reasons, llvm::raw_ostream &OS,
                 unsigned Indent = 2) const;
  /// One page that needs nothing else (Report.html), with that JSON in it.
  void printHTML(const AdviceSet &A, const Matcher *Match,
                 const UnmatchedReasons &Reasons, llvm::raw_ostream &OS) const;

private:
  void diagnoseLeft(Severity Left, DiagnosticEngine &Diags) const;
  void diagnoseOversize(DiagnosticEngine &Diags) const;
  /// Where a probe that is at no calls was put, as the rows have it.
  struct Placed {
    uint64_t Methods = 0, Places = 0;
  };
  /// By probe, of so many.
  std::vector<Placed> placed(size_t Probes) const;
  void printCalls(const AdviceSet &A, unsigned Probe,
                  llvm::json::OStream &J) const;
  bool diagnoseWithoutPlace(const AdviceSet &A, const Matcher &Match,
                            Severity Missed, DiagnosticEngine &Diags) const;

  struct ClassRows {
    std::string Place;
    std::vector<ReportRow> Rows;
  };
  mutable std::mutex Lock;
  std::map<uint64_t, ClassRows> Classes;
  std::vector<std::pair<Location, std::string>> Undone;
  std::vector<std::string> Notes;
  std::vector<std::optional<FragmentCalls>> Calls; ///< by advice; or empty
  std::vector<uint64_t> Ran; ///< by the numbers of places; or empty
  llvm::BitVector Applied;
};

} // namespace jopt

#endif
