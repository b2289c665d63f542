//===- Diagnostics.cpp - Messages to the user -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace jopt;

char DiagnosticError::ID;

static void printOneLine(llvm::raw_ostream &OS, llvm::StringRef S) {
  for (char C : S) {
    if (uint8_t(C) >= 0x20 && C != 0x7f) {
      OS << C;
      continue;
    }
    if (C == '\n')
      OS << "\\n";
    else if (C == '\t')
      OS << "\\t";
    else
      OS << "\\x" << llvm::hexdigit(uint8_t(C) >> 4, true)
         << llvm::hexdigit(C & 15, true);
  }
}

void Diagnostic::print(llvm::raw_ostream &OS) const {
  if (!Where.File.empty()) {
    printOneLine(OS, Where.File);
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
  printOneLine(OS, Message);
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

std::string jopt::toMessage(llvm::Error E) {
  std::string Result;
  auto Append = [&](const llvm::Twine &Text) {
    if (!Result.empty())
      Result += "; ";
    Result += Text.str();
  };
  llvm::handleAllErrors(
      std::move(E),
      [&](const DiagnosticError &D) {
        const Location &W = D.diagnostic().Where;
        std::string Place = W.File;
        if (W.Line)
          Place += ":" + std::to_string(W.Line);
        if (W.Column)
          Place += ":" + std::to_string(W.Column);
        Append(Place.empty() ? D.diagnostic().Message
                             : Place + ": " + D.diagnostic().Message);
      },
      [&](const llvm::ErrorInfoBase &Other) { Append(Other.message()); });
  return Result;
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
  llvm::handleAllErrors(
      std::move(E),
      [&](const DiagnosticError &D) {
        Diagnostic Copy = D.diagnostic();
        Copy.Level = Level;
        report(std::move(Copy));
      },
      [&](const llvm::ErrorInfoBase &Other) {
        report(Level, Location(), Other.message());
      });
}
