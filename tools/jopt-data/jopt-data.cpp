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
#include "../ToolProcess.h"
#include "../VerbHelp.h"
#include "CoverageVerbs.h"
#include "MetricVerbs.h"
#include "SQLVerbs.h"
#include "SourceVerbs.h"
#include "TestVerbs.h"
#include "TraceVerbs.h"
#include "ViewerVerbs.h"
#include "jopt/Data/Coverage.h"
#include "jopt/Data/Diff.h"
#include "jopt/Data/Export.h"
#include "jopt/Data/Merge.h"
#include "jopt/Data/Tests.h"
#include "jopt/Data/TraceCalls.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/SafeText.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::data;
namespace cl = llvm::cl;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

cl::OptionCategory data::ToolOptions("jopt-data options");
static cl::OptionCategory &Cat = ToolOptions;

static cl::opt<std::string> Verb(
    cl::Positional,
    cl::desc("show|print|export|report|check|merge|diff|tests|callgraph|slice|"
             "replay|sql"),
    cl::Required, cl::cat(Cat));
static cl::list<std::string> Folders(cl::Positional, cl::desc("FOLDER..."),
                                     cl::cat(Cat));
static cl::opt<std::string> Output("o", cl::value_desc("OUT"), cl::cat(Cat),
                                   cl::desc("Output: a folder for csv, ctf, "
                                            "report and merge, else a file; "
                                            "for otlp also an address"));
static cl::opt<std::string>
    Format("format", cl::value_desc("FORMAT"), cl::cat(Cat),
           cl::desc("For export: csv, jfr, json, otlp-metrics, parquet, "
                    "sqlite; of traces collapsed, ctf, otlp, perfetto, pprof, "
                    "speedscope; of coverage dot, exec, probes. For callgraph: "
                    "dot (default), json. For sql: text (default), csv, json"));
static cl::opt<std::string>
    Kind("kind", cl::value_desc("KIND"), cl::cat(Cat),
         cl::desc("What of the record: tables (default: "
                  "all that the verb knows)"));
static cl::opt<std::string>
    RunId("run", cl::value_desc("ID"), cl::cat(Cat),
          cl::desc("Only the run whose id begins with ID"));
static cl::opt<uint64_t> MaxRows(
    "rows", cl::value_desc("N"), cl::init(1000000), cl::cat(Cat),
    cl::desc("For report: no more rows of tables, and calls of a trace, "
             "than this (1000000)"));

namespace {
/// Prints messages on data that are left out, each once, and keeps the exit
/// status.
class Messages {
public:
  void leftOut(const llvm::Twine &What) {
    if (!Told.insert(What.str()).second)
      return;
    if (Told.size() <= Most)
      safeErrs() << "jopt-data: left out: " << What << '\n';
  }

  int status() const {
    if (Told.size() > Most)
      safeErrs() << "jopt-data: left out: " << Told.size() - Most
                 << " more parts\n";
    return Told.empty() ? 0 : 2;
  }

private:
  static constexpr size_t Most = 20;
  llvm::StringSet<> Told;
};
} // namespace

namespace {
/// The runs that a verb is about, folder by folder.
class RunInput {
public:
  static Expected<RunInput> open(LeftOut Tell) {
    RunInput In(Tell);
    for (const std::string &Folder : Folders) {
      auto Runs = openRuns(Folder, Tell);
      if (!Runs)
        return Runs.takeError();
      if (RunId.getNumOccurrences()) {
        auto One = takeRun(std::move(*Runs), RunId);
        if (!One)
          return One.takeError();
        Runs->clear();
        Runs->push_back(std::move(*One));
      }
      llvm::move(*Runs, std::back_inserter(In.Runs));
      In.First = In.First ? In.First : In.Runs.size();
    }
    return In;
  }

  const LeftOut Tell;
  std::vector<Run> Runs;
  /// How many of them are of the first folder.
  size_t First = 0;
  /// Their traces were looked at.
  bool HasTraces = false;

  /// The tables of all runs.
  Expected<const Recording *> tables() {
    if (!Tables) {
      auto All = Recording::open(Runs, Tell);
      if (!All)
        return All.takeError();
      Tables.emplace(std::move(*All));
    }
    return &*Tables;
  }

private:
  explicit RunInput(LeftOut Tell) : Tell(Tell) {}

  std::optional<Recording> Tables;
};
} // namespace

static Error showRuns(RunInput &In) {
  llvm::raw_ostream &OS = safeOuts();
  for (const Run &R : In.Runs) {
    OS << "run " << R.id() << ": " << R.size() << " bytes in " << R.folder()
       << '\n';
    for (const auto &[Key, Value] : R.entries())
      if (Key != "run" && Key != "argument")
        OS << "  " << Key << ": " << Value << '\n';
    OS << "  command line:";
    for (const auto &[Key, Value] : R.entries())
      if (Key == "argument")
        OS << ' ' << Value;
    OS << '\n';
  }
  return Error::success();
}

static Error showTables(RunInput &In, const Recording &All) {
  llvm::raw_ostream &OS = safeOuts();
  for (size_t I = 0; I < In.Runs.size(); ++I)
    for (const std::string &Note : All.definitions(I).notes())
      OS << "note of run " << In.Runs[I].id() << ": " << Note << '\n';
  std::vector<RowCounts> Counts;
  if (Error E = All.countRows(In.Tell, Counts))
    return E;
  for (size_t I = 0; I < Counts.size(); ++I) {
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

static Error checkTables(RunInput &In, const Recording &All) {
  std::vector<RowCounts> Counts;
  if (Error E = All.countRows(In.Tell, Counts))
    return E;
  uint64_t Rows = 0;
  for (const RowCounts &C : Counts)
    Rows += C.Rows;
  safeOuts() << Rows << " rows in " << Counts.size() << " tables of "
             << In.Runs.size() << " runs\n";
  return Error::success();
}

static Error showTraces(RunInput &In) { return showTraces(In.Runs, In.Tell); }

static Error showCoverage(RunInput &In) {
  for (const Run &R : In.Runs) {
    auto Classes = readCoverage(R, In.Tell);
    if (!Classes)
      return Classes.takeError();
    showCoverage(*Classes, safeOuts());
    size_t Tests = 0, Open = 0;
    if (Error E = forEachTest(R, In.Tell, [&](const RecordedTest &T) {
          if (!T.IsAround)
            ++(T.HasEnded ? Tests : Open);
          return Error::success();
        }))
      return E;
    if (Tests || Open)
      safeOuts() << "tests: " << Tests << ", and " << Open
                 << " that did not end\n";
  }
  return Error::success();
}

static Error printTraces(RunInput &In) {
  return printTraces(In.Runs, Output, In.Tell);
}

static Error sliceTraces(RunInput &In) {
  return sliceTraces(In.Runs, Output, In.Tell);
}

static Error replayTraces(RunInput &In) {
  return replayTraces(In.Runs, Output, In.Tell);
}

template <auto Write> static Error exportTraces(RunInput &In) {
  return exportTraces(Write, In.Runs, Output, In.Tell);
}

static Error diffTraces(RunInput &In) {
  auto HasTraces = diffTraces(In.Runs, In.First, In.Tell);
  if (!HasTraces)
    return HasTraces.takeError();
  In.HasTraces = *HasTraces;
  return Error::success();
}

static Error diffTables(RunInput &In, const Recording &All) {
  if (In.HasTraces && All.tables().empty())
    return Error::success();
  return diffTables(All, In.First, safeOuts(), In.Tell);
}

static Error merge(RunInput &In) {
  return mergeRuns(std::move(In.Runs), Output);
}

template <Error (*Write)(const Recording &, StringRef, LeftOut)>
static Error exportTables(RunInput &In, const Recording &All) {
  if (All.tables().empty())
    In.Tell("no run has a table; for traces there are -format=collapsed, "
            "ctf, otlp, perfetto, pprof and speedscope, for coverage exec");
  return Write(All, Output, In.Tell);
}

/// What a verb does with the tables of all runs.
template <Error (*Do)(RunInput &, const Recording &)>
static Error ofTables(RunInput &In) {
  auto All = In.tables();
  return All ? Do(In, **All) : All.takeError();
}

namespace {
/// What a verb does with a kind of record.
struct VerbAction {
  StringRef Verb;
  StringRef Kind;   ///< empty: whatever is there
  StringRef Format; ///< empty if the verb has none
  Error (*Do)(RunInput &);
};

/// A verb, and what it wants.
struct VerbInfo {
  StringRef Name;
  unsigned Folders; ///< 0: one or more
  bool WantsOutput;
  StringRef Format = {}; ///< unless another is asked for
};
} // namespace

static const VerbInfo Verbs[] = {
    {"show", 1, false},  {"export", 1, true},
    {"report", 0, true}, {"check", 1, false},
    {"merge", 0, true},  {"diff", 2, false},
    {"print", 1, false}, {"callgraph", 1, false, "dot"},
    {"slice", 1, false}, {"replay", 1, true},
    {"tests", 0, false}, // runTests() does it
    {"sql", 0, false},   // runSQL() does it
};

/// In the order in which a verb without -kind= does them.
static const VerbAction AuditEntries[] = {
    {"show", "", "", showRuns},
    {"show", "tables", "", ofTables<showTables>},
    {"show", "traces", "", showTraces},
    {"show", "coverage", "", showCoverage},
    {"print", "traces", "", printTraces},
    {"check", "tables", "", ofTables<checkTables>},
    {"export", "tables", "csv", ofTables<exportTables<exportCSV>>},
    {"export", "tables", "jfr", ofTables<exportTables<exportJFR>>},
    {"export", "tables", "json", ofTables<exportTables<exportJSON>>},
    {"export", "tables", "sqlite", ofTables<exportTables<exportSQLite>>},
    {"export", "traces", "collapsed", exportTraces<exportCollapsed>},
    {"export", "traces", "ctf", exportTraces<exportCTF>},
    {"export", "traces", "otlp", exportTraces<exportOTLP>},
    {"export", "traces", "perfetto", exportTraces<exportPerfetto>},
    {"export", "traces", "pprof", exportTraces<exportPprof>},
    {"export", "traces", "speedscope", exportTraces<exportSpeedscope>},
    {"merge", "", "", merge},
    {"diff", "traces", "", diffTraces},
    {"diff", "tables", "", ofTables<diffTables>},
    {"slice", "traces", "", sliceTraces},
    {"replay", "traces", "", replayTraces},
    {"callgraph", "traces", "dot", exportTraces<printCallGraphDot>},
    {"callgraph", "traces", "json", exportTraces<printCallGraphJSON>},
};

/// What \p Of names of \p All, as "a, b or c".
template <typename Range, typename Name>
static std::string listed(const Range &All, Name Of) {
  llvm::SetVector<StringRef> Names;
  for (const auto &Each : All)
    if (StringRef N = Of(Each); !N.empty())
      Names.insert(N);
  std::string Text;
  for (size_t I = 0; I < Names.size(); ++I)
    Text += (I == 0                  ? ""
             : I + 1 == Names.size() ? " or "
                                     : ", ") +
            Names[I].str();
  return Text;
}

/// The row of \p Word, if it is a verb.
static Expected<const VerbInfo *> findVerb(StringRef Word) {
  auto Name = [](const VerbInfo &V) { return V.Name; };
  for (const VerbInfo &V : Verbs)
    if (V.Name == Word)
      return &V;
  const StringRef Near = nearestName(Word, llvm::map_range(Verbs, Name));
  return makeError("unknown verb '" + Word + "': " +
                   (Near.empty() ? "there is " + listed(Verbs, Name)
                                 : "did you mean '" + Near.str() + "'?"));
}

/// The command has what its verb wants.
static Error checkCommand(const VerbInfo &V) {
  if (V.Folders ? Folders.size() != V.Folders : Folders.empty())
    return makeError(Verb + " wants " +
                     (V.Folders == 1   ? "a folder"
                      : V.Folders == 2 ? "two folders"
                                       : "folders"));
  if (V.WantsOutput && Output.empty())
    return makeError(Verb + " wants -o=OUT");
  return Error::success();
}

static Error run(LeftOut Tell) {
  auto V = findVerb(Verb);
  if (!V)
    return V.takeError();
  if (Verb == "tests")
    return runTests(Folders, RunId, Tell);
  const bool IsPage = Verb == "report" && !Output.empty();
  if (IsPage && !Folders.empty()) {
    if (Format.getNumOccurrences() || Kind.getNumOccurrences())
      return makeError("-format= and -kind= are not for report");
    if (Error E = writeViewer(Folders, Output, RunId, MaxRows, Tell))
      return E;
    if (!hasReportOutputs())
      return Error::success();
  }
  if (isAboutCoverage(Folders, Format))
    return runCoverage(Verb, Folders, Output, Format, RunId, Tell);
  if (Error E = checkCommand(**V))
    return E;
  llvm::SmallVector<VerbAction> Own;
  llvm::copy_if(AuditEntries, std::back_inserter(Own),
                [](const VerbAction &D) { return D.Verb == StringRef(Verb); });
  auto ChooseBy = [&](StringRef Option, const std::string &Given,
                      StringRef VerbAction::*Field) -> Error {
    llvm::SmallVector<VerbAction> Left;
    bool IsKnown = false;
    for (const VerbAction &D : Own) {
      IsKnown |= D.*Field == Given && !Given.empty();
      if ((D.*Field).empty() || D.*Field == Given)
        Left.push_back(D);
    }
    llvm::SmallVector<StringRef> There = llvm::to_vector(
        llvm::map_range(Own, [&](const VerbAction &D) { return D.*Field; }));
    if (llvm::all_of(There, [](StringRef S) { return S.empty(); }))
      return makeError("-" + Option + "= is not for " + Verb);
    // Those that are not for one kind of record.
    if (Verb == "export" && Option == "format")
      There.append({"exec", "otlp-metrics", "parquet", "probes"});
    if (!IsKnown)
      return makeError("-" + Option + "= wants " +
                       listed(There, [](StringRef S) { return S; }) +
                       ", not '" + Given + "'");
    Own = std::move(Left);
    return Error::success();
  };
  const bool HasFormats =
      llvm::any_of(Own, [](const VerbAction &D) { return !D.Format.empty(); });
  if (HasFormats || Format.getNumOccurrences())
    if (Error E =
            ChooseBy("format", Format.empty() ? (*V)->Format.str() : Format,
                     &VerbAction::Format))
      return E;
  if (Kind.getNumOccurrences())
    if (Error E = ChooseBy("kind", Kind, &VerbAction::Kind))
      return E;
  auto In = RunInput::open(Tell);
  if (!In)
    return In.takeError();
  for (const VerbAction &D : Own)
    if (Error E = D.Do(*In))
      return E;
  return Error::success();
}

namespace {
/// A row of Verbs.def.
struct VerbRow {
  VerbHelp Help;
  StringRef Options; ///< their names
};
} // namespace

static constexpr VerbRow HelpRows[] = {
#define VERB(NAME, ARGUMENTS, SHORT, WHAT, OPTIONS, FIRST, SECOND)             \
  {{NAME, ARGUMENTS, SHORT, WHAT, {FIRST, SECOND}}, OPTIONS},
#include "Verbs.def"
};

static void printScreen() {
  llvm::SmallVector<VerbHelp> Rows;
  for (const VerbRow &Row : HelpRows)
    Rows.push_back(Row.Help);
  llvm::outs() << "jopt-data shows what running programs recorded, and makes "
                  "reports of it.\n\n"
                  "usage: jopt-data VERB FOLDER... [OPTION...]\n";
  printVerbs(llvm::outs(), Rows);
  llvm::outs() << "\njopt-data help VERB     usage, options and two examples\n"
                  "jopt-data help options  all options\n";
}

static void printVerbOf(const VerbRow &Row) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  for (StringRef Name : llvm::split(Row.Options, ' ')) {
    const cl::Option *O = cl::getRegisteredOptions().lookup(Name);
    OS << "  -" << Name << (O->ValueStr.empty() ? "" : "=") << O->ValueStr
       << "\n      " << O->HelpStr << '\n';
  }
  printVerb(llvm::outs(), "jopt-data", Row.Help, Text);
}

/// Answers `--help` and `help`; false if the command asks for something else.
/// `help options` is turned into what LLVM's command line answers.
static bool takeHelp(int Argc, char **Argv) {
  const llvm::ArrayRef<char *> Words(Argv + 1, size_t(Argc - 1));
  if (Words.size() == 1 &&
      (isHelpOption(Words[0]) || StringRef(Words[0]) == "help")) {
    printScreen();
    return true;
  }
  if (Words.size() != 2)
    return false;
  const bool IsHelp = StringRef(Words[0]) == "help";
  if (!IsHelp && !isHelpOption(Words[1]))
    return false;
  for (const VerbRow &Row : HelpRows)
    if (Row.Help.Name == Words[IsHelp]) {
      printVerbOf(Row);
      return true;
    }
  static char Help[] = "--help";
  if (IsHelp && StringRef(Words[1]) == "options")
    Argv[2] = Help;
  if (IsHelp)
    Argv[1] = Argv[2]; // an unknown verb is named
  return false;
}

int main(int Argc, char **Argv) {
  beginTool("jopt-data");
  if (takeHelp(Argc, Argv))
    return 0;
  cl::HideUnrelatedOptions(Cat);
  if (!parseCommandLine(Argc, Argv,
                        "jopt-data: what running programs recorded\n"))
    return 1;
  Messages Told;
  Error E = Error::success();
  const bool IsSQL = isForSQL(Verb, Format);
  if (IsSQL || isForOpenTelemetry(Verb, Format, Output)) {
    auto Status = IsSQL ? runSQL(Verb, Folders, Output, Format, RunId)
                        : runOpenTelemetry(Folders, Output, Format, RunId);
    if (Status)
      return *Status;
    E = joinErrors(std::move(E), Status.takeError());
  } else {
    E = joinErrors(std::move(E),
                   run([&](const llvm::Twine &What) { Told.leftOut(What); }));
  }
  const bool Failed = bool(E);
  DiagnosticEngine Diags([](const Diagnostic &D) {
    if (D.Where.File.empty())
      safeErrs() << "jopt-data: ";
    D.print(safeErrs());
    safeErrs() << '\n';
  });
  Diags.report(std::move(E));
  const int Status = Told.status();
  return Failed ? 1 : Status;
}
