//===- Diagnostics.cpp - Messages to the user -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/SafeText.h"
#include "llvm/ADT/Twine.h"

using namespace jopt;

char DiagnosticError::ID;

std::string Diagnostic::text() const {
  return Method.empty() ? Message : Method + ": " + Message;
}

void Diagnostic::print(llvm::raw_ostream &OS) const {
  if (!Where.File.empty()) {
    OS << toSafeLine(Where.File);
    OS << ':';
    if (Where.Line) {
      OS << Where.Line << ':';
      if (Where.Column)
        OS << Where.Column << ':';
    }
    OS << ' ';
  }
  switch (Level) {
  case Severity::Error:
    OS << "error: ";
    break;
  case Severity::Undone:
  case Severity::Warning:
    OS << "warning: ";
    break;
  case Severity::Remark:
    OS << "remark: ";
    break;
  case Severity::Note:
    OS << "note: ";
    break;
  }
  OS << toSafeLine(text());
  if (!Pass.empty())
    OS << " [" << Pass << ']';
}

llvm::Error jopt::makeError(Location Where, const llvm::Twine &Message) {
  Diagnostic D;
  D.Where = std::move(Where);
  D.Message = Message.str();
  return llvm::make_error<DiagnosticError>(std::move(D));
}

llvm::Error jopt::makeError(const llvm::Twine &Message) {
  return makeError(Location(), Message);
}

llvm::Error jopt::inFile(llvm::Error E, llvm::StringRef File) {
  return llvm::handleErrors(
      std::move(E),
      [&](const DiagnosticError &D) {
        Diagnostic Copy = D.diagnostic();
        if (Copy.Where.File.empty())
          Copy.Where.File = File.str();
        return llvm::make_error<DiagnosticError>(std::move(Copy));
      },
      [&](const llvm::ErrorInfoBase &Other) {
        return makeError(Location(File), Other.message());
      });
}

std::vector<Diagnostic> jopt::toDiagnostics(llvm::Error E) {
  std::vector<Diagnostic> All;
  llvm::handleAllErrors(
      std::move(E),
      [&](const DiagnosticError &D) { All.push_back(D.diagnostic()); },
      [&](const llvm::ErrorInfoBase &Other) {
        All.emplace_back().Message = Other.message();
      });
  return All;
}

std::string jopt::toMessage(llvm::ArrayRef<Diagnostic> All) {
  std::string Result;
  for (const Diagnostic &D : All) {
    if (!Result.empty())
      Result += "; ";
    std::string Place = D.Where.File;
    if (D.Where.Line)
      Place += ":" + std::to_string(D.Where.Line);
    if (D.Where.Column)
      Place += ":" + std::to_string(D.Where.Column);
    Result += Place.empty() ? D.text() : Place + ": " + D.text();
  }
  return Result;
}

std::string jopt::toMessage(llvm::Error E) {
  return toMessage(toDiagnostics(std::move(E)));
}

void DiagnosticEngine::report(Diagnostic D) {
  std::lock_guard<std::mutex> Guard(Lock);
  Handle(D);
}

void DiagnosticEngine::report(Severity Level, Location Where,
                              const llvm::Twine &Message) {
  Diagnostic D;
  D.Level = Level;
  D.Where = std::move(Where);
  D.Message = Message.str();
  report(std::move(D));
}

void DiagnosticEngine::report(llvm::Error E, Severity Level) {
  for (Diagnostic &D : toDiagnostics(std::move(E))) {
    D.Level = Level;
    report(std::move(D));
  }
}
