//===- jopt-data.cpp - What running programs recorded ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The verbs and their options; reading and writing is lib/Data.
///
//===----------------------------------------------------------------------===//

#include "../CommandLine.h"
#include "jopt/Data/Export.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::data;
namespace cl = llvm::cl;
using llvm::Error;

static cl::OptionCategory Cat("jopt-data options");

static cl::opt<std::string> Verb(cl::Positional,
                                 cl::desc("show|export|report|check"),
                                 cl::Required, cl::cat(Cat));
static cl::opt<std::string> Folder(cl::Positional, cl::desc("FOLDER"),
                                   cl::Required, cl::cat(Cat));
static cl::opt<std::string> Output("o", cl::value_desc("OUT"), cl::cat(Cat),
                                   cl::desc("Output: a folder for csv and "
                                            "report, else a file"));
static cl::opt<std::string>
    Format("format", cl::value_desc("FORMAT"), cl::cat(Cat),
           cl::desc("For export: csv, jfr, json, sqlite"));
static cl::opt<std::string>
    Kind("kind", cl::value_desc("KIND"), cl::init("tables"), cl::cat(Cat),
         cl::desc("What of the record: tables, which is all there is"));
static cl::opt<uint64_t>
    MaxRows("rows", cl::value_desc("N"), cl::init(100000), cl::cat(Cat),
            cl::desc("For report: no more rows than this (100000)"));

namespace {
/// Prints what is left out, each once, and keeps the exit status.
class Messages {
public:
  void leftOut(const llvm::Twine &What) {
    if (!Told.insert(What.str()).second)
      return;
    if (Told.size() <= Most)
      llvm::errs() << "jopt-data: left out: " << What << '\n';
  }

  int status() const {
    if (Told.size() > Most)
      llvm::errs() << "jopt-data: left out: " << Told.size() - Most
                   << " more parts\n";
    return Told.empty() ? 0 : 2;
  }

private:
  static constexpr size_t Most = 20;
  llvm::StringSet<> Told;
};
} // namespace

static void showRun(const Run &R, const Definitions &D) {
  llvm::raw_ostream &OS = llvm::outs();
  OS << "run " << R.get("run") << ": " << R.size() << " bytes in " << R.folder()
     << '\n';
  for (const auto &[Key, Value] : R.entries())
    if (Key != "run" && Key != "argument")
      OS << "  " << Key << ": " << Value << '\n';
  OS << "  command line:";
  for (const auto &[Key, Value] : R.entries())
    if (Key == "argument")
      OS << ' ' << Value;
  OS << '\n';
  for (const std::string &Note : D.notes())
    OS << "  note: " << Note << '\n';
}

static Error show(const Recording &All, LeftOut Tell) {
  llvm::raw_ostream &OS = llvm::outs();
  for (size_t I = 0; I < All.runs().size(); ++I)
    showRun(All.runs()[I], All.definitions(I));
  std::vector<RowCounts> Counts;
  if (Error E = All.forEachRow(
          Tell, [](size_t, const Row &) { return Error::success(); }, &Counts))
    return E;
  for (size_t I = 0; I < All.tables().size(); ++I) {
    const Table &T = All.tables()[I];
    const RowCounts &C = Counts[I];
    OS << "table " << T.Title << ": " << C.Rows << " rows";
    if (C.Open)
      OS << ", " << C.Open << " open";
    if (C.Deleted)
      OS << ", " << C.Deleted << " taken out";
    if (C.Lost)
      OS << ", " << C.Lost << " whose beginning is not there";
    if (T.Parent >= 0)
      OS << "; below " << All.tables()[T.Parent].Title;
    if (!T.Holder.empty())
      OS << "; of " << T.Holder;
    OS << '\n';
  }
  return Error::success();
}

static Error check(const Recording &All, LeftOut Tell) {
  std::vector<RowCounts> Counts;
  if (Error E = All.forEachRow(
          Tell, [](size_t, const Row &) { return Error::success(); }, &Counts))
    return E;
  uint64_t Rows = 0;
  for (const RowCounts &C : Counts)
    Rows += C.Rows;
  llvm::outs() << Rows << " rows in " << Counts.size() << " tables of "
               << All.runs().size() << " runs\n";
  return Error::success();
}

static Error exportAs(const Recording &All, LeftOut Tell) {
  using Writer = Error (*)(const Recording &, llvm::StringRef, LeftOut);
  const Writer Write = llvm::StringSwitch<Writer>(Format)
                           .Case("csv", exportCSV)
                           .Case("jfr", exportJFR)
                           .Case("json", exportJSON)
                           .Case("sqlite", exportSQLite)
                           .Default(nullptr);
  if (!Write)
    return makeError("-format= wants csv, jfr, json or sqlite, not '" + Format +
                     "'");
  return Write(All, Output, Tell);
}

static Error run(LeftOut Tell) {
  const bool Writes = Verb == "export" || Verb == "report";
  if (!Writes && Verb != "show" && Verb != "check")
    return makeError("unknown verb '" + Verb +
                     "': there are show, export, report and check");
  if (Kind != "tables")
    return makeError("-kind= wants tables, not '" + Kind + "'");
  if (Writes && Output.empty())
    return makeError(Verb + " wants -o=OUT");
  auto All = Recording::open(Folder, Tell);
  if (!All)
    return All.takeError();
  if (Verb == "show")
    return show(*All, Tell);
  if (Verb == "check")
    return check(*All, Tell);
  if (Verb == "report")
    return writeReport(*All, Output, MaxRows, Tell);
  return exportAs(*All, Tell);
}

int main(int Argc, char **Argv) {
  cl::HideUnrelatedOptions(Cat);
  if (!parseCommandLine(Argc, Argv,
                        "jopt-data: what running programs recorded\n"))
    return 1;
  Messages Told;
  Error E = run([&](const llvm::Twine &What) { Told.leftOut(What); });
  const bool Failed = bool(E);
  DiagnosticEngine Diags([](const Diagnostic &D) {
    if (D.Where.File.empty())
      llvm::errs() << "jopt-data: ";
    D.print(llvm::errs());
    llvm::errs() << '\n';
  });
  Diags.report(std::move(E));
  const int Status = Told.status();
  return Failed ? 1 : Status;
}
