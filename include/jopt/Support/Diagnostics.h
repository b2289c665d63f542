//===- Diagnostics.h - Messages to the user ---------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Messages of jopt to its user: errors, warnings, remarks and notes, each with
/// a place. Libraries return llvm::Error for problems that stop them, and
/// report the others through a DiagnosticEngine; only tools print.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_SUPPORT_DIAGNOSTICS_H
#define JOPT_SUPPORT_DIAGNOSTICS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace jopt {

enum class Severity {
  Error,
  Undone, ///< a warning that something asked for is not done; the exit status
          ///< of a tool says so too, so it is always shown
  Warning,
  Remark,
  Note
};

/// Where a diagnostic belongs. Every part may be missing; lines and columns
/// count from 1, 0 says "none".
struct Location {
  std::string File; ///< as the user wrote it; "outer.jar!/a/B.class" inside
  unsigned Line = 0;
  unsigned Column = 0;

  Location() = default;
  Location(llvm::StringRef File, unsigned Line = 0, unsigned Column = 0)
      : File(File), Line(Line), Column(Column) {}
};

struct Diagnostic {
  Severity Level = Severity::Error;
  Location Where;
  /// The method that it is about, as `a/B.m()V`; empty: none, or it is clear
  /// from where the diagnostic stands.
  std::string Method;
  /// Lower case first, no full stop, what was found and what was expected.
  std::string Message;
  /// For remarks: the pass; empty otherwise.
  std::string Pass;
  /// For remarks: what the pass did not do.
  bool IsMissed = false;

  /// `method: message`, or the message alone.
  std::string text() const;
  /// `file:line:column: error: method: message`, one line, no newline at the
  /// end. Control characters in the parts are escaped, so it stays one line.
  void print(llvm::raw_ostream &OS) const;
};

/// The llvm::Error of jopt: one diagnostic. Join several with llvm::joinErrors.
class DiagnosticError : public llvm::ErrorInfo<DiagnosticError> {
public:
  static char ID;
  explicit DiagnosticError(Diagnostic D) : D(std::move(D)) {}
  const Diagnostic &diagnostic() const { return D; }
  void log(llvm::raw_ostream &OS) const override { D.print(OS); }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  Diagnostic D;
};

/// An error at \p Where. Cold, so that what leads to errors is out of the way
/// of code that has none.
[[gnu::cold]] llvm::Error makeError(Location Where, const llvm::Twine &Message);
/// An error without a place, which the caller may add.
[[gnu::cold]] llvm::Error makeError(const llvm::Twine &Message);
/// Gives every diagnostic in \p E that has no file the file of \p File.
llvm::Error inFile(llvm::Error E, llvm::StringRef File);

/// The diagnostics in \p E, in their order; errors of others by their message.
std::vector<Diagnostic> toDiagnostics(llvm::Error E);

/// The messages of \p All, joined by "; ", with their places and without the
/// word "error": to stand in a sentence of somebody else.
std::string toMessage(llvm::ArrayRef<Diagnostic> All);
/// The same of what \p E holds.
std::string toMessage(llvm::Error E);

/// Collects or forwards diagnostics. Thread-safe: the handler is called under
/// a lock, and must not report again.
class DiagnosticEngine {
public:
  using Handler = std::function<void(const Diagnostic &)>;
  explicit DiagnosticEngine(Handler H) : Handle(std::move(H)) {}

  void report(Diagnostic D);
  void report(Severity Level, Location Where, const llvm::Twine &Message);
  /// Reports every diagnostic of \p E (other errors by their message).
  void report(llvm::Error E, Severity Level = Severity::Error);

private:
  Handler Handle;
  std::mutex Lock;
};

} // namespace jopt

#endif
