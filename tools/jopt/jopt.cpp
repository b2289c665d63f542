//===- jopt.cpp - The command line ----------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Options, and nothing else: what they do is lib/Driver.
///
//===----------------------------------------------------------------------===//

#include "../CommandLine.h"
#include "../SettingOptions.h"
#include "../ToolProcess.h"
#include "ClientVerbs.h"
#include "Help.h"
#include "Servers.h"
#include "jopt/Coverage/CodeEdges.h"
#include "jopt/Coverage/PathLayout.h"
#include "jopt/Coverage/Plan.h"
#include "jopt/Driver/Job.h"
#include "jopt/Driver/ValidateJob.h"
#include "jopt/Probes/ReadyProbes.h"
#include "jopt/Support/ExpectedDiagnostics.h"
#include "jopt/Support/Interrupt.h"
#include "jopt/Support/SafeText.h"
#include "jopt/Support/StagedFile.h"
#include "jopt/Support/Statistics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include <cstring>

using namespace jopt;
namespace cl = llvm::cl;

static cl::OptionCategory Cat("jopt options");

static cl::list<std::string> Inputs(cl::Positional, cl::desc("INPUT..."),
                                    cl::cat(Cat));
static cl::opt<std::string> Output(
    "o", cl::value_desc("OUT"), cl::cat(Cat),
    cl::desc(
        "Output: a file, a folder for several inputs, - for standard output"));
static cl::opt<bool> InPlace("in-place", cl::cat(Cat),
                             cl::desc("Replace the inputs"));
static cl::opt<EmitKind>
    Emit("emit", cl::init(EmitKind::Class), cl::cat(Cat),
         cl::desc("What to write"),
         cl::values(clEnumValN(EmitKind::Class, "class", "class files"),
                    clEnumValN(EmitKind::JIR, "jir", "textual IR"),
                    clEnumValN(EmitKind::Trace, "trace",
                               "the lines that -trace declares"),
                    clEnumValN(EmitKind::None, "none", "nothing")));
static cl::opt<trace::Flavour> TraceFlavour(
    "trace-flavour", cl::init(trace::Flavour::Seed), cl::cat(Cat),
    cl::desc("How -emit=trace writes lines"),
    cl::values(clEnumValN(trace::Flavour::Seed, "seed", "as documented"),
               clEnumValN(trace::Flavour::Blinky, "blinky",
                          "as the original does")));
static cl::opt<bool> Textual("S", cl::cat(Cat), cl::desc("Same as -emit=jir"));
static cl::opt<unsigned>
    Jobs("j", cl::value_desc("N"), cl::init(0), cl::Prefix, cl::cat(Cat),
         cl::desc("Threads; 0 (the default) for as many as there are cores"));
static cl::opt<bool>
    Strict("strict", cl::cat(Cat),
           cl::desc("Fail, and write nothing, where something asked for cannot "
                    "be done or matches nothing"));
static cl::opt<ReportFormat> ProbesReport(
    "probes-report", cl::init(ReportFormat::None), cl::cat(Cat),
    cl::desc("Say on standard error which probes applied where, and why not"),
    cl::values(clEnumValN(ReportFormat::Text, "text", "for people"),
               clEnumValN(ReportFormat::JSON, "json", "for programs"),
               clEnumValN(ReportFormat::HTML, "html", "a page for browsers")));
static cl::opt<std::string>
    ReportFile("report-file", cl::value_desc("FILE"), cl::cat(Cat),
               cl::desc("Write the report there instead"));
static cl::opt<std::string>
    EmitBundle("emit-bundle", cl::value_desc("FILE"), cl::cat(Cat),
               cl::desc("Write the probe classes, with a script, to a jar of "
                        "their own"));
static cl::opt<std::string>
    EmitScript("emit-script", cl::value_desc("FILE"), cl::cat(Cat),
               cl::desc("Write the probes as a .probescript"));
static cl::opt<std::string>
    EmitProbeInfo("emit-probeinfo", cl::value_desc("FILE"), cl::cat(Cat),
                  cl::desc("Write the probe file without its fragments"));
static cl::opt<bool>
    CheckProbes("check-probes", cl::cat(Cat),
                cl::desc("Only check the probe files: those of -probes, "
                         "and all inputs are such"));
static cl::opt<bool> Validate(
    "validate", cl::cat(Cat),
    cl::desc("Only compare two versions of a class, an archive or a folder, IN "
             "and OUT, and name each method that may not do the same"));
static cl::opt<bool> VerifyEach("verify-each", cl::cat(Cat),
                                cl::desc("Verify the IR after each pass"));
static cl::list<std::string>
    PrintBefore("print-before", cl::CommaSeparated, cl::value_desc("PASS"),
                cl::cat(Cat), cl::desc("Print the IR before these passes"));
static cl::list<std::string>
    PrintAfter("print-after", cl::CommaSeparated, cl::value_desc("PASS"),
               cl::cat(Cat), cl::desc("Print the IR after these passes"));
static cl::opt<bool> PrintBeforeAll("print-before-all", cl::cat(Cat),
                                    cl::desc("Print the IR before every pass"));
static cl::opt<bool> PrintAfterAll("print-after-all", cl::cat(Cat),
                                   cl::desc("Print the IR after every pass"));
static cl::opt<ChangedText> PrintChanged(
    "print-changed", cl::init(ChangedText::None), cl::ValueOptional,
    cl::cat(Cat), cl::desc("Print the IR after passes that changed it"),
    cl::values(clEnumValN(ChangedText::Whole, "", "all of it"),
               clEnumValN(ChangedText::Diff, "diff", "what changed")));
static cl::opt<bool>
    PrintClassScope("print-class-scope", cl::cat(Cat),
                    cl::desc("Print whole classes, where methods would be "
                             "printed: text that jopt reads"));
static cl::list<std::string>
    FilterMethods("filter-methods", cl::CommaSeparated, cl::value_desc("GLOB"),
                  cl::cat(Cat),
                  cl::desc("Passes see these methods alone, by the pattern of "
                           "binary.Class.method; * stands for any characters"));
static cl::opt<int64_t> BisectLimit(
    "opt-bisect-limit", cl::value_desc("N"), cl::cat(Cat),
    cl::desc("Number the executions of passes on standard error, and leave out "
             "all after the first N; -1 leaves out none. One thread"));
static cl::opt<std::string>
    DotCFG("dot-cfg", cl::ValueOptional, cl::value_desc("FOLDER"), cl::cat(Cat),
           cl::desc("Write the control flow of each method, as it is after the "
                    "passes, as a .dot file of its own (default: here), with "
                    "the counts of -profile"));
static cl::opt<bool> TimePasses("time-passes", cl::cat(Cat),
                                cl::desc("Print how long each pass took"));
static cl::opt<std::string>
    PassRemarks("Rpass", cl::value_desc("REGEX"), cl::cat(Cat),
                cl::desc("Print what these passes say that they did"));
static cl::alias OldPassRemarks("pass-remarks", cl::aliasopt(PassRemarks),
                                cl::desc("As -Rpass"));
static cl::opt<std::string> MissedRemarks(
    "Rpass-missed", cl::value_desc("REGEX"), cl::cat(Cat),
    cl::desc("Print what these passes say that they did not do, and why"));
static cl::opt<bool>
    CoveragePlan("coverage-plan", cl::cat(Cat),
                 cl::desc("Print how each method is covered: the strategy, how "
                          "its points record, and how many there are of each"));
static cl::opt<std::string>
    StatsFile("stats-file", cl::value_desc("FILE"), cl::cat(Cat),
              cl::desc("Write the counters there instead of standard error"));
static cl::opt<bool> PrintPipeline("print-pipeline-passes", cl::cat(Cat),
                                   cl::desc("Print the pipeline and stop"));
static cl::list<std::string>
    Plugins("load-pass-plugin", cl::value_desc("FILE"), cl::cat(Cat),
            cl::desc("Load passes from a shared object"));
static cl::opt<bool> VerifyDiagnostics(
    "verify-diagnostics", cl::cat(Cat),
    cl::desc("End with 0 if the messages are those that comments of the .jir "
             "inputs announce: '; expected-error {{part of the message}}'"));
static cl::opt<bool> Quiet("q", cl::cat(Cat),
                           cl::desc("Only errors and what was left undone"));
static cl::opt<bool> Verbose("v", cl::cat(Cat), cl::desc("Say more"));

/// Plugins bring passes that -help and the parser must know, so they are
/// loaded before the command line is read as a whole.
static llvm::Error loadPlugins(int Argc, char **Argv, PassRegistry &Registry) {
  for (int I = 1; I < Argc; ++I) {
    llvm::StringRef A = Argv[I];
    if (A == "--")
      break;
    if (!A.consume_front("--") && !A.consume_front("-"))
      continue;
    if (!A.consume_front("load-pass-plugin"))
      continue;
    if (!A.consume_front("=")) {
      if (!A.empty() || I + 1 == Argc)
        continue;
      A = Argv[++I];
    }
    if (llvm::Error E = Registry.loadPlugin(A))
      return E;
  }
  return llvm::Error::success();
}

/// LLVMSupport has options -stats and -stats-json of its own, which it
/// registers when the command line is parsed and which do nothing in release
/// builds. jopt gives them a meaning.
static cl::Option *statsOption(llvm::StringRef Name, llvm::StringRef Help) {
  cl::Option *O = cl::getRegisteredOptions().lookup(Name);
  O->addCategory(Cat);
  O->setHiddenFlag(cl::NotHidden);
  O->setDescription(Help);
  return O;
}

static bool writesClasses() { return !Textual && Emit == EmitKind::Class; }

static JobOptions jobOptions(WeaveSettings Settings) {
  JobOptions O;
  O.Settings = std::move(Settings);
  O.Inputs = Inputs;
  O.Emit = Textual ? EmitKind::JIR : Emit.getValue();
  O.Flavour = TraceFlavour;
  if (InPlace)
    O.Output = OutputSpec::inPlace();
  else if (Output.getNumOccurrences())
    O.Output = OutputSpec::to(Output);
  O.Threads = Jobs;
  O.BundleFile = EmitBundle;
  O.ScriptFile = EmitScript;
  O.ProbeInfoFile = EmitProbeInfo;
  O.Instrumentation.VerifyEach = VerifyEach;
  O.Instrumentation.PrintBefore = PrintBefore;
  O.Instrumentation.PrintAfter = PrintAfter;
  O.Instrumentation.PrintBeforeAll = PrintBeforeAll;
  O.Instrumentation.PrintAfterAll = PrintAfterAll;
  O.Instrumentation.PrintChanged = PrintChanged;
  O.Instrumentation.PrintClassScope = PrintClassScope;
  O.Instrumentation.FilterMethods = FilterMethods;
  if (BisectLimit.getNumOccurrences())
    O.Instrumentation.BisectLimit = BisectLimit;
  O.Instrumentation.TimePasses = TimePasses;
  if (DotCFG.getNumOccurrences())
    O.DotFolder = DotCFG.empty() ? "." : DotCFG.getValue();
  O.Instrumentation.PassRemarks = PassRemarks;
  if (CoveragePlan && PassRemarks.empty())
    O.Instrumentation.PassRemarks = "^place-(coverage|edges|paths)$";
  O.Instrumentation.MissedRemarks = MissedRemarks;
  O.Report = ProbesReport;
  if (ReportFile.getNumOccurrences() && O.Report == ReportFormat::None)
    O.Report = ReportFormat::Text;
  O.Strict = Strict;
  return O;
}

/// A line on standard error for long runs, where somebody sees it.
static std::function<void(uint64_t, uint64_t)> progressLine() {
  bool Free = Emit == EmitKind::None || Output.getNumOccurrences() || InPlace;
  if (Quiet || !Free || !llvm::sys::Process::StandardErrIsDisplayed())
    return {};
  return [](uint64_t Done, uint64_t Known) {
    if (Known)
      llvm::errs() << '\r' << Done << '/' << Known << " classes";
    else
      llvm::errs() << "\r\033[K";
  };
}

/// Files for counters and reports; "-" is standard error.
static bool writeFile(llvm::StringRef Path, DiagnosticEngine &Diags,
                      llvm::function_ref<void(llvm::raw_ostream &)> Write) {
  if (Path == "-") {
    Write(safeErrs());
    return !llvm::errs().has_error();
  }
  llvm::Error E = writeStaged(Path, Write);
  const bool IsThere = !E;
  if (E)
    Diags.report(std::move(E));
  return IsThere;
}

/// Reads what the inputs announce.
static llvm::Error readExpected(ExpectedDiagnostics &Expected) {
  for (const std::string &Name : Inputs) {
    auto Buffer = llvm::MemoryBuffer::getFile(Name);
    if (!Buffer)
      return makeError(Location(Name), Buffer.getError().message());
    if (llvm::Error E = Expected.read((*Buffer)->getBuffer(), Name))
      return E;
  }
  return llvm::Error::success();
}

/// The error in the command line; empty if there is none.
static std::string usageError(const WeaveSettings &S) {
  bool EmitsProbes = EmitBundle.getNumOccurrences() ||
                     EmitScript.getNumOccurrences() ||
                     EmitProbeInfo.getNumOccurrences();
  if (!S.traces() && (S.TracingRules || S.Idle != TracingIdle::Holder))
    return "-tf-rules and -tf-idle need -tf-library";
  if (S.Profile && !DotCFG.getNumOccurrences() &&
      !coverage::findEdgeStrategy(S.Coverage.value_or(std::string())))
    return "-profile is for -coverage=edges and -dot-cfg";
  if (CoveragePlan && !S.Coverage)
    return "-coverage-plan needs -coverage=STRATEGY";
  if (S.Passes && S.optimizes())
    return "-O and -passes exclude each other: default<O1> is a name for "
           "passes, too";
  if (S.isRateWrong())
    return "-coverage-rate is a number from 1 to 2147483647";
  auto IsEmpty = [](const std::string &Name) { return Name.empty(); };
  if (llvm::any_of(S.Probes, IsEmpty) || llvm::any_of(Inputs, IsEmpty))
    return "the name of an input or of a probe file is empty";
  if (S.lacksTrace())
    return "-trace-reconstruct needs -trace=LETTERS";
  if (S.Probes.empty() && EmitsProbes)
    return "-emit-bundle, -emit-script and -emit-probeinfo need -probes";
  if (Inputs.empty() && EmitsProbes)
    return InPlace || Output.getNumOccurrences() ? "-o without input" : "";
  if (Inputs.empty())
    return (S.Probes.empty() ? "no input"
                             : "no input beside -probes=" + S.Probes.back()) +
           "; see jopt help";
  if (InPlace && Output.getNumOccurrences())
    return "-in-place and -o exclude each other";
  if (InPlace && !writesClasses())
    return "-in-place writes class files";
  if (S.StripProbes && (S.weaves() || !writesClasses()))
    return "-strip-probes does nothing else: -if-probed=replace takes back "
           "what "
           "there is and weaves";
  bool ToTerminal = !Output.getNumOccurrences() || Output == "-";
  if (!InPlace && ToTerminal && writesClasses() &&
      llvm::sys::Process::StandardOutIsDisplayed())
    return "class files are not written to a terminal; use -o, or -S for text";
  return {};
}

/// What -coverage= may be given.
static int printStrategies() {
  auto Print = [](const auto &All) {
    for (const auto &S : All)
      llvm::outs() << llvm::left_justify(S.Name, 15) << S.Measures << '\n'
                   << std::string(15, ' ') << "right for: " << S.Exact
                   << "; lacks of what runs: " << S.InFlight << '\n';
  };
  Print(coverage::getStrategies());
  Print(coverage::getEdgeStrategies());
  Print(coverage::getPathStrategies());
  llvm::outs()
      << "once           as min, by points that cost nothing when they "
         "have been reached\n"
         "               (-coverage-points); as pos where they are "
         "stores, which leave under the agent\n";
  return 0;
}

/// The part of the plan that is the same for all classes.
static void printCoveragePlan(const WeaveSettings &S) {
  using coverage::PointCode;
  const char *How = "stores";
  if (S.Points == PointCode::Sites)
    How = "call sites that record when they are linked, in classes from "
          "version 51 on; stores in class initialisers, in code that only "
          "handlers reach and at borders of exception ranges";
  else if (S.Points == PointCode::Constants)
    How = "dynamic constants that record when they are resolved, in classes "
          "from version 52 on, to be run by Java 19 or later; call sites in "
          "those from 51 on; stores in class initialisers, in code that only "
          "handlers reach and at borders of exception ranges";
  llvm::errs() << "coverage: strategy " << *S.Coverage << ", points are " << How
               << '\n';
}

/// Nothing would be done to the classes; they may be wanted elsewhere.
static bool onlyCopies(const WeaveSettings &S) {
  return writesClasses() && !S.weaves() && !S.StripProbes && !S.VerifyInput &&
         !S.VerifyOutput.value_or(false);
}

static int printPipeline(const WeaveSettings &S, const PassRegistry &Registry,
                         DiagnosticEngine &Diags) {
  auto P = Pipeline::parse(pipelineText(S), Registry);
  if (!P) {
    Diags.report(P.takeError());
    return int(JobStatus::Unusable);
  }
  P->print(llvm::outs());
  llvm::outs() << '\n';
  return 0;
}

/// Runs the job, and writes the files that describe the run.
static int run(const JobOptions &Options, const PassRegistry &Registry,
               bool JSON, bool Counts, DiagnosticEngine &Diags) {
  if (Counts)
    enableStatistics();
  std::string Report;
  llvm::raw_string_ostream ReportOS(Report);
  JobStatus Status =
      runJob(Options, Registry, Diags, {ReportOS, safeErrs(), progressLine()});
  bool Written = true;
  if (!ReportOS.str().empty())
    Written &= writeFile(ReportFile.empty() ? "-" : llvm::StringRef(ReportFile),
                         Diags, [&](llvm::raw_ostream &OS) { OS << Report; });
  if (Counts)
    Written &= writeFile(StatsFile.empty() ? "-" : llvm::StringRef(StatsFile),
                         Diags, JSON ? printStatisticsJSON : printStatistics);
  if (Verbose && Status == JobStatus::Done)
    Diags.report(Severity::Note, Location(), "done");
  // The output is there, if there is any: what is missing is what describes it.
  if (!Written && Status == JobStatus::Done)
    Status = Options.Emit == EmitKind::None ? JobStatus::Unusable
                                            : JobStatus::LeftUndone;
  return int(Status);
}

/// A run that is only to give the diagnostics that its inputs announce.
static int runAnnounced(const JobOptions &Options, const PassRegistry &Registry,
                        bool JSON, bool Counts, DiagnosticEngine &Diags) {
  ExpectedDiagnostics Expected;
  if (llvm::Error E = readExpected(Expected)) {
    Diags.report(std::move(E));
    return int(JobStatus::Unusable);
  }
  DiagnosticEngine Announced([&](const Diagnostic &D) { Expected.handle(D); });
  run(Options, Registry, JSON, Counts, Announced);
  const std::vector<Diagnostic> Wrong = Expected.finish();
  for (const Diagnostic &D : Wrong)
    Diags.report(D);
  return Wrong.empty() ? int(JobStatus::Done) : int(JobStatus::Unusable);
}

static void printDiagnostic(const Diagnostic &D) {
  if (Quiet && D.Level > Severity::Undone)
    return;
  if (D.Where.File.empty())
    llvm::errs() << "jopt: ";
  D.print(llvm::errs());
  llvm::errs() << '\n';
}

/// Takes -param.NAME=VALUE, an option for each parameter that a probe may have,
/// off the command line.
static std::vector<std::string> takeParams(int &Argc, char **Argv) {
  std::vector<std::string> Params;
  auto Take = [&](llvm::StringRef A) {
    if (!(A.consume_front("--") || A.consume_front("-")) ||
        !A.consume_front("param.") || !A.contains('='))
      return false;
    Params.push_back(A.str());
    return true;
  };
  char **End = std::remove_if(Argv + 1, Argv + Argc, Take);
  *End = nullptr;
  Argc = int(End - Argv);
  return Params;
}

/// `jopt lib`: the probes that come with jopt.
static int listLibrary(DiagnosticEngine &Diags) {
  auto Text = listReadyProbes();
  if (!Text) {
    Diags.report(Text.takeError());
    return int(JobStatus::Unusable);
  }
  llvm::outs() << *Text;
  return 0;
}

/// The first option given, by name, that says nothing about -validate; null if
/// there is none.
static const cl::Option *findOtherThanValidate() {
  const cl::Option *First = nullptr;
  for (const auto &[Name, O] : cl::getRegisteredOptions())
    if (O->getNumOccurrences() && O != &Validate && O != &Jobs && O != &Quiet &&
        O != &Verbose && (!First || O->ArgStr < First->ArgStr))
      First = O;
  return First;
}

/// `-validate IN OUT`.
static int validate(DiagnosticEngine &Diags) {
  if (const cl::Option *Other = findOtherThanValidate()) {
    Diags.report(Severity::Error, Location(),
                 "-validate only compares, and does nothing else: leave out -" +
                     Other->ArgStr);
    return int(JobStatus::Unusable);
  }
  if (Inputs.size() != 2) {
    Diags.report(
        Severity::Error, Location(),
        "-validate needs two inputs: what there was, and what was made "
        "of it");
    return int(JobStatus::Unusable);
  }
  ValidateCounts Counts;
  const JobStatus Status =
      validateInputs(Inputs[0], Inputs[1], Jobs, Diags, Counts);
  if (!Quiet &&
      Counts.Equal + Counts.Proved + Counts.NotProved + Counts.Different)
    llvm::outs() << Counts.Equal << " methods are equal, " << Counts.Proved
                 << " were proved to do the same, " << Counts.NotProved
                 << " were not proved, " << Counts.Different << " differ\n";
  return int(Status);
}

/// A one-liner about files in place of \p Argc and \p Argv, as what it is
/// without its verb; else its exit status.
static std::optional<int> takeOneLiner(int &Argc, char **&Argv,
                                       DiagnosticEngine &Diags) {
  static std::vector<std::string> Words;
  static std::vector<char *> Pointers;
  if (auto Status = runOneLiner({Argv + 1, size_t(Argc - 1)}, Words, Diags))
    return Status;
  Words.insert(Words.begin(), Argv[0]);
  for (std::string &Word : Words)
    Pointers.push_back(Word.data());
  Pointers.push_back(nullptr);
  Argc = int(Words.size());
  Argv = Pointers.data();
  return std::nullopt;
}

/// The first word, a verb, is one: no file has that name, or the number of a
/// process is behind it. Many builds have a folder `classes`.
static bool isMeantAsVerb(int Argc, char **Argv) {
  unsigned Pid = 0;
  return !llvm::sys::fs::exists(Argv[1]) ||
         (Argc > 2 && llvm::to_integer(llvm::StringRef(Argv[2]), Pid, 10) &&
          !llvm::sys::fs::exists(Argv[2]));
}

/// Carries out what the first argument names, if that is a verb: the exit
/// status.
static std::optional<int> takeVerb(int &Argc, char **&Argv,
                                   DiagnosticEngine &Diags) {
  if (std::optional<int> Status = takeHelp(Argc, Argv))
    return Status;
  if (Argc == 2 && llvm::StringRef(Argv[1]) == "lib")
    return listLibrary(Diags);
  if (Argc > 1 && isClientVerb(Argv[1]) && isMeantAsVerb(Argc, Argv))
    return runClientVerb({Argv + 1, size_t(Argc - 1)}, Diags);
  if (Argc > 1 && isServerVerb(Argv[1]) && isMeantAsVerb(Argc, Argv))
    return runServer({Argv + 1, size_t(Argc - 1)}, Diags);
  if (Argc > 1 && isOneLinerVerb(Argv[1]) && isMeantAsVerb(Argc, Argv))
    if (auto Status = takeOneLiner(Argc, Argv, Diags))
      return Status;
  if (Argc > 1 && !std::strpbrk(Argv[1], "-./") &&
      !llvm::sys::fs::exists(Argv[1]))
    if (llvm::StringRef Verb = nearestVerb(Argv[1]); !Verb.empty()) {
      Diags.report(Severity::Error, Location(),
                   llvm::Twine("'") + Argv[1] +
                       "' is no verb, and there is no such file; did you "
                       "mean 'jopt " +
                       Verb + "'?");
      return int(JobStatus::Unusable);
    }
  return std::nullopt;
}

int main(int Argc, char **Argv) {
  beginTool("jopt");
  catchInterrupts();
  DiagnosticEngine Diags(printDiagnostic);
  if (std::optional<int> Status = takeVerb(Argc, Argv, Diags))
    return *Status;
  PassRegistry Registry;
  if (llvm::Error E = loadPlugins(Argc, Argv, Registry)) {
    Diags.report(std::move(E));
    return int(JobStatus::Unusable);
  }
  const std::vector<std::string> Params = takeParams(Argc, Argv);
  std::string PassHelp;
  llvm::raw_string_ostream HelpOS(PassHelp);
  HelpOS << "\nPASSES:\n";
  Registry.printHelp(HelpOS);
  cl::extrahelp Extra(HelpOS.str());
  WeaveSettings Settings;
  SettingOptions Options(SettingTool::Jopt, Settings, Cat);
  cl::Option *Stats = statsOption("stats", "Print counters");
  cl::Option *StatsJSON = statsOption("stats-json", "Print counters as JSON");
  cl::HideUnrelatedOptions(Cat);
  if (!parseCommandLine(Argc, Argv, "jopt: passes over Java class files\n",
                        {{&Emit, &Emit.getParser()},
                         {&ProbesReport, &ProbesReport.getParser()},
                         {&PrintChanged, &PrintChanged.getParser()}}))
    return int(JobStatus::Unusable);

  auto Fail = [&](const llvm::Twine &Message) {
    Diags.report(Severity::Error, Location(), Message);
    return int(JobStatus::Unusable);
  };
  if (PrintPipeline)
    return printPipeline(Settings, Registry, Diags);
  llvm::append_range(Settings.Params, Params);
  if (CheckProbes)
    llvm::append_range(Settings.Probes, Inputs);
  if (CheckProbes && Settings.Probes.empty())
    return Fail("-check-probes needs the probe files");
  if (CheckProbes)
    return int(checkProbes(jobOptions(Settings), Diags));
  if (Validate)
    return validate(Diags);
  if (Settings.Coverage && *Settings.Coverage == "help")
    return printStrategies();
  std::string Usage = usageError(Settings);
  if (llvm::Error E = resolveCoverage(Settings))
    Usage = toMessage(std::move(E));
  if (!Usage.empty())
    return Fail(Usage);
  if (CoveragePlan)
    printCoveragePlan(Settings);
  if (onlyCopies(Settings))
    Diags.report(Severity::Warning, Location(),
                 "nothing to do but to copy: -probes, -coverage, -passes, "
                 "-tf-library and -O are not given");
  const bool JSON = StatsJSON->getNumOccurrences();
  const bool Counts =
      JSON || Stats->getNumOccurrences() || StatsFile.getNumOccurrences();
  return (VerifyDiagnostics ? runAnnounced : run)(
      jobOptions(std::move(Settings)), Registry, JSON, Counts, Diags);
}
