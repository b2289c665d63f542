//===- TFLog.cpp - The messages of a run of jopt-tf -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TFLog.h"
#include "jopt/Support/ModifiedUTF8.h"

using namespace jopt;
using llvm::StringRef;
using llvm::Twine;

void TFLog::print(unsigned Level, StringRef Text) {
  if (Level > Verbose)
    return;
  if (Level)
    OS.indent(4 * (Level - 1)) << '>';
  OS << Text << '\n';
}

void TFLog::note(unsigned Level, const Twine &Text) {
  print(Level, Text.str());
}

void TFLog::wrote(StringRef Path) {
  note(DryRun ? 0 : 1, (DryRun ? "would write " : "wrote ") + Path);
}

void TFLog::add(const EntryInfo &E, Message M) {
  std::lock_guard<std::mutex> Guard(Lock);
  Entries[E.Ordinal].push_back(std::move(M));
}

void TFLog::line(const EntryInfo &E, unsigned Level, const Twine &Text) {
  if (Level <= Verbose)
    add(E, {Level, std::nullopt, E.display() + ": " + Text.str()});
}

void TFLog::changed(const EntryInfo &E, StringRef What) {
  line(E, DryRun ? 0 : 1, (DryRun ? "would be " : "") + What);
}

void TFLog::warning(const EntryInfo &E, const Twine &Text) {
  Diagnostic D;
  D.Level = Severity::Warning;
  D.Where = Location(E.display());
  D.Message = Text.str();
  add(E, {0, std::move(D), {}});
}

void TFLog::error(const EntryInfo &E, Diagnostic Why) {
  Why.Level = Severity::Error;
  if (Why.Where.File.empty())
    Why.Where = Location(E.display());
  add(E, {0, std::move(Why), {}});
}

void TFLog::error(const EntryInfo &E, llvm::Error Why) {
  for (Diagnostic &D : toDiagnostics(std::move(Why)))
    error(E, std::move(D));
}

void TFLog::describe(const EntryInfo &E, const ClassFile &Class,
                     const tf::ClassData &Data, unsigned Level) {
  if (Level > Verbose)
    return;
  std::string Holders;
  for (size_t K = 0; K < Data.Annotations.size(); ++K)
    Holders += ", " + tf::ClassData::holderField(unsigned(K)) + " for " +
               Data.Annotations[K];
  line(E, Level,
       "class " + toDisplayUTF8(Data.Name) + ", level " +
           levelName(Data.Enhanced) + toDisplayUTF8(Holders));
  for (size_t I = 0; I < Data.Methods.size(); ++I) {
    const tf::MethodData &D = Data.Methods[I];
    const Method &M = Class.Methods[I];
    bool Monitored = D.Kind == tf::MethodKind::Monitored;
    if (!Monitored && D.Kind != tf::MethodKind::Info)
      continue;
    const tf::NameEntry &N = Data.Names[D.Identifier];
    std::string Text =
        (Class.name(M) + Class.descriptor(M) + ": " +
         (Monitored ? "monitored by " + Data.Annotations[D.Holder] : "info") +
         ", identifier " + Twine(D.Identifier) + " " + N.Name)
            .str();
    if (N.Type != tf::TimingType::None)
      Text +=
          (", timer " + N.TimingName + " " + tf::timingTypeName(N.Type)).str();
    line(E, Level, toDisplayUTF8(Text));
  }
}

bool TFLog::flush() {
  bool Failed = false;
  for (auto &[Ordinal, Messages] : Entries)
    for (Message &M : Messages) {
      if (!M.Problem) {
        print(M.Level, M.Text);
        continue;
      }
      Failed |= M.Problem->Level == Severity::Error;
      Diags.report(std::move(*M.Problem));
    }
  Entries.clear();
  return Failed;
}
