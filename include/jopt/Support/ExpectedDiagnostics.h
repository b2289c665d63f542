//===- ExpectedDiagnostics.h - Messages that a test asks for ----*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_EXPECTEDDIAGNOSTICS_H
#define JOPT_SUPPORT_EXPECTEDDIAGNOSTICS_H

#include "jopt/Support/Diagnostics.h"
#include <vector>

namespace jopt {

/// Compares the diagnostics of a run with those that comments of its input
/// announce (`-verify-diagnostics`), in the manner of MLIR:
/// \code
///   ireturn (%0) ; expected-error {{returns int}}
///   ; expected-error@+1 {{no block is named b9}}
///   goto b9
/// \endcode
/// `expected-error`, `-warning`, `-remark` and `-note` stand on the line of the
/// diagnostic, or `@+N` and `@-N` say how many lines below or above it is;
/// `@unknown` is for those without a line. Between the braces is a part of the
/// message. Each is for one diagnostic.
class ExpectedDiagnostics {
public:
  /// Adds what \p Text announces, whose diagnostics name \p File. Fails where
  /// an announcement is malformed.
  llvm::Error read(llvm::StringRef Text, llvm::StringRef File);
  /// A diagnostic came.
  void handle(const Diagnostic &D);
  /// The diagnostics that were not announced, then the announced ones that did
  /// not come, each as an error at its place.
  std::vector<Diagnostic> finish() const;

private:
  struct Expectation {
    Severity Level;
    Location Where; ///< Line 0: unknown
    std::string Part;
    Location Announced;
    bool Came = false;
  };
  std::vector<Expectation> Expected;
  std::vector<Diagnostic> Unexpected;
};

} // namespace jopt

#endif
