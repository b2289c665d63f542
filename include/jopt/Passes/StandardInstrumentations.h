//===- StandardInstrumentations.h - print-after... --------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The clients of PassInstrumentation that every tool wants: printing IR
/// between passes, verifying after each, timing, remarks.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_PASSES_STANDARDINSTRUMENTATIONS_H
#define JOPT_PASSES_STANDARDINSTRUMENTATIONS_H

#include "jopt/Passes/PassManager.h"

namespace jopt {

/// Plain options; tools fill them from their command line.
struct StandardInstrumentationOptions {
  bool VerifyEach = false;
  std::vector<std::string> PrintBefore, PrintAfter; ///< names of passes
  bool PrintBeforeAll = false, PrintAfterAll = false;
  bool PrintChanged = false; ///< after passes that changed the unit
  bool TimePasses = false;
  /// Regular expression over pass names; remarks of others are not shown.
  std::string PassRemarks;
};

/// Registers callbacks and owns their state. Must outlive the runs. Output of
/// one callback is never torn by another thread's; for output in the order of
/// the classes run with one thread.
class StandardInstrumentations {
public:
  /// IR goes to \p OS, remarks to \p Diags. Fails if a pass name is unknown or
  /// the regular expression is bad.
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
  std::unique_ptr<State> S;
};

} // namespace jopt

#endif
