//===- StandardInstrumentations.h - print-after... --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The clients of PassInstrumentation that every tool wants: printing IR
/// between passes, verifying after each, timing, remarks, leaving passes out.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_STANDARDINSTRUMENTATIONS_H
#define JOPT_PASSES_STANDARDINSTRUMENTATIONS_H

#include "jopt/Passes/PassManager.h"

namespace jopt {

/// How a unit is printed after a pass that changed it.
enum class ChangedText : uint8_t {
  None,
  Whole, ///< all of it
  Diff,  ///< a unified diff
};

/// Plain options; tools fill them from their command line.
struct StandardInstrumentationOptions {
  bool VerifyEach = false;
  std::vector<std::string> PrintBefore, PrintAfter; ///< names of passes
  bool PrintBeforeAll = false, PrintAfterAll = false;
  ChangedText PrintChanged = ChangedText::None;
  /// Whole classes are printed, never methods alone, so that the text parses.
  bool PrintClassScope = false;
  bool TimePasses = false;
  /// Regular expression over pass names; remarks of others are not shown.
  std::string PassRemarks;
  /// The same for remarks about what passes did not do.
  std::string MissedRemarks;
  /// Passes see these methods alone: patterns over `binary.Class.method`, in
  /// which `*` stands for any characters. Empty: all methods.
  std::vector<std::string> FilterMethods;
  /// Only so many executions of passes that are not PassInfo::Required; -1 for
  /// all. Each is numbered.
  std::optional<int64_t> BisectLimit;

  /// Whether something is printed while passes run. It comes in the order of
  /// the classes, and numbers are those of that order, if there is one thread.
  bool printsAsPassesRun() const {
    return !PrintBefore.empty() || !PrintAfter.empty() || PrintBeforeAll ||
           PrintAfterAll || PrintChanged != ChangedText::None ||
           !PassRemarks.empty() || !MissedRemarks.empty() || BisectLimit;
  }
};

/// Registers callbacks and owns their state. Must outlive the runs. Output of
/// one callback is never torn by another thread's.
class StandardInstrumentations {
public:
  /// IR and numbers of executions go to \p OS, remarks to \p Diags. Fails if a
  /// pass name is unknown or the regular expression is bad.
  static llvm::Expected<std::unique_ptr<StandardInstrumentations>>
  create(const StandardInstrumentationOptions &O, const PassRegistry &R,
         PassInstrumentation &PI, llvm::raw_ostream &OS,
         DiagnosticEngine &Diags);
  ~StandardInstrumentations();

  /// Wall time per pass, longest first; nothing without TimePasses.
  void printTimes(llvm::raw_ostream &OS) const;

private:
  struct State;
  explicit StandardInstrumentations(std::unique_ptr<State> S);
  void addPrinting(const StandardInstrumentationOptions &O,
                   PassInstrumentation &PI);
  void addTiming(PassInstrumentation &PI);
  llvm::Error addRemarks(const StandardInstrumentationOptions &O,
                         PassInstrumentation &PI);
  std::unique_ptr<State> S;
};

} // namespace jopt

#endif
