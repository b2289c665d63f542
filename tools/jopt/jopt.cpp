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

#include "jopt/Driver/Job.h"
#include "jopt/Support/Interrupt.h"
#include "jopt/Support/Statistics.h"
#include "jopt/TF/PropertiesFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"

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
static cl::list<std::string>
    Probes("probes", cl::value_desc("FILE"), cl::CommaSeparated, cl::cat(Cat),
           cl::desc("Probekit XML, engine script or bundle; may be given "
                    "several times"));
static cl::opt<std::string> Passes(
    "passes", cl::value_desc("PIPELINE"), cl::cat(Cat),
    cl::desc(
        "Run exactly these passes, for example 'place-advice,lower-advice'"));
static cl::opt<std::string>
    Tracing("tf", cl::value_desc("LIBRARY"), cl::cat(Cat),
            cl::desc("The tracing facility: have methods with TF annotations "
                     "tell monitors of the library pfl, orb or jopt, or of one "
                     "in a package laid out like jopt's"));
static cl::opt<tf::Rules> TracingRules(
    "tf-rules", cl::cat(Cat),
    cl::desc("By whose rules; default: those of the library"),
    cl::values(clEnumValN(tf::Rules::Seed, "seed",
                          "all that the documents state"),
               clEnumValN(tf::Rules::PFL, "pfl", "what the original does")));
static cl::opt<TracingIdle> Idle(
    "tf-idle", cl::init(TracingIdle::Holder), cl::cat(Cat),
    cl::desc("Where monitored methods get their monitor from"),
    cl::values(clEnumValN(TracingIdle::Holder, "holder", "a field"),
               clEnumValN(TracingIdle::Indy, "indy",
                          "a call site, which costs nothing while there is "
                          "no monitor"),
               clEnumValN(TracingIdle::None, "none",
                          "they do not ask: stage 1 alone")));
static cl::list<std::string> TracingAnnotations(
    "tf-annotations", cl::value_desc("NAME|@FILE"), cl::CommaSeparated,
    cl::cat(Cat),
    cl::desc("TF annotations that are not in the inputs, by name or by "
             "properties file"));
static cl::opt<EmitKind>
    Emit("emit", cl::init(EmitKind::Class), cl::cat(Cat),
         cl::desc("What to write"),
         cl::values(clEnumValN(EmitKind::Class, "class", "class files"),
                    clEnumValN(EmitKind::JIR, "jir", "textual IR"),
                    clEnumValN(EmitKind::None, "none", "nothing")));
static cl::opt<bool> Textual("S", cl::cat(Cat), cl::desc("Same as -emit=jir"));
static cl::opt<unsigned>
    Jobs("j", cl::value_desc("N"), cl::init(0), cl::Prefix, cl::cat(Cat),
         cl::desc("Threads; 0 (the default) for as many as there are cores"));
static cl::list<std::string>
    ClassPath("classpath", cl::value_desc("PATH"), cl::cat(Cat),
              cl::desc("Folders and archives with classes the inputs refer to, "
                       "separated by ':'"));
static cl::opt<bool>
    Strict("strict", cl::cat(Cat),
           cl::desc("Fail, and write nothing, where something asked for cannot "
                    "be done or matches nothing"));
static cl::opt<ReportFormat> ProbesReport(
    "probes-report", cl::init(ReportFormat::None), cl::cat(Cat),
    cl::desc("Say on standard error which probes applied where, and why not"),
    cl::values(clEnumValN(ReportFormat::Text, "text", "for people"),
               clEnumValN(ReportFormat::JSON, "json", "for programs")));
static cl::opt<std::string>
    ReportFile("report-file", cl::value_desc("FILE"), cl::cat(Cat),
               cl::desc("Write the report there instead"));
static cl::opt<HugePolicy> Huge(
    "huge", cl::init(HugePolicy::Report), cl::cat(Cat),
    cl::desc("Methods that would grow over 8,000 bytes, which HotSpot never "
             "compiles"),
    cl::values(clEnumValN(HugePolicy::Report, "report",
                          "name them in the report"),
               clEnumValN(HugePolicy::Skip, "skip", "leave them as they are"),
               clEnumValN(HugePolicy::Outline, "outline",
                          "put the code of their probes, and that of probes "
                          "of methods that would grow over 64 KB, into "
                          "methods of their own")));
static cl::opt<SchemaPolicy> Schema(
    "schema", cl::init(SchemaPolicy::Change), cl::cat(Cat),
    cl::desc("Fields and methods that probes need in the classes they probe"),
    cl::values(clEnumValN(SchemaPolicy::Change, "change", "add them"),
               clEnumValN(SchemaPolicy::Keep, "keep",
                          "add none: what they keep is beside the classes, and "
                          "needs jopt-runtime.jar")));
static cl::opt<Dispatch> How(
    "dispatch", cl::init(Dispatch::Direct), cl::cat(Cat),
    cl::desc("How probed classes call fragments"),
    cl::values(clEnumValN(Dispatch::Direct, "direct",
                          "by name: their loaders find the probe classes"),
               clEnumValN(Dispatch::Indy, "indy",
                          "by call sites that jopt-runtime.jar binds, so that "
                          "they need not")));
static cl::opt<bool> SkipSensitive(
    "skip-sensitive", cl::cat(Cat),
    cl::desc("Keep probes out of methods of the JDK in which they can end the "
             "JVM, as the agent does"));
static cl::opt<bool> Reinstrument(
    "reinstrument", cl::cat(Cat),
    cl::desc("Put probes again into classes that have them already"));
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
static cl::opt<std::string> ProbePackage(
    "probe-package", cl::value_desc("NAME"), cl::cat(Cat),
    cl::desc("Package of the probe classes; empty for the unnamed package"));
static cl::opt<bool> CheckProbes("check-probes", cl::cat(Cat),
                                 cl::desc("Only check the probe files"));
static cl::opt<bool>
    Isolate("isolate-probes", cl::cat(Cat),
            cl::desc("Keep what fragments throw from the program; each is "
                     "reported once, on standard error"));
static cl::opt<bool> GuardRecursion(
    "guard-recursion", cl::cat(Cat),
    cl::desc("Run no fragment while one runs on the same thread"));
static cl::opt<bool> InlineFragments(
    "inline-fragments", cl::cat(Cat),
    cl::desc("Put the code of fragments that any class may contain in place of "
             "their calls"));
static cl::opt<std::string> Javac(
    "javac", cl::value_desc("FILE"), cl::cat(Cat),
    cl::desc("The compiler for fragments; default: of JAVA_HOME or on PATH"));
static cl::opt<unsigned>
    Release("release", cl::value_desc("N"), cl::cat(Cat),
            cl::desc("Java release to compile fragments for"));
static cl::opt<std::string>
    ProbeCache("probe-cache", cl::value_desc("DIR|off"), cl::cat(Cat),
               cl::desc("Where compiled fragments are kept"));
static cl::opt<bool>
    VerifyInput("verify-input", cl::cat(Cat),
                cl::desc("Verify class files as they come in"));
static cl::opt<bool>
    VerifyOutput("verify-output", cl::cat(Cat),
                 cl::desc("Verify class files before they are written"));
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
static cl::opt<bool>
    PrintChanged("print-changed", cl::cat(Cat),
                 cl::desc("Print the IR after passes that changed it"));
static cl::opt<std::string>
    DotCFG("dot-cfg", cl::ValueOptional, cl::value_desc("FOLDER"), cl::cat(Cat),
           cl::desc("Write the control flow of each method, as it is after the "
                    "passes, as a .dot file of its own (default: here)"));
static cl::opt<bool> TimePasses("time-passes", cl::cat(Cat),
                                cl::desc("Print how long each pass took"));
static cl::opt<std::string>
    PassRemarks("pass-remarks", cl::value_desc("REGEX"), cl::cat(Cat),
                cl::desc("Print the remarks of these passes"));
static cl::opt<std::string>
    StatsFile("stats-file", cl::value_desc("FILE"), cl::cat(Cat),
              cl::desc("Write the counters there instead of standard error"));
static cl::opt<bool> PrintPipeline("print-pipeline-passes", cl::cat(Cat),
                                   cl::desc("Print the pipeline and stop"));
static cl::list<std::string>
    Plugins("load-pass-plugin", cl::value_desc("FILE"), cl::cat(Cat),
            cl::desc("Load passes from a shared object"));
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

static DefaultPipeline defaultPipeline() {
  return {Tracing.getNumOccurrences() ? tracingPasses(Idle) : "",
          !Probes.empty(), InlineFragments};
}

static JobOptions jobOptions() {
  JobOptions O;
  O.Inputs = Inputs;
  O.Emit = Textual ? EmitKind::JIR : Emit.getValue();
  if (InPlace)
    O.Output = OutputSpec::inPlace();
  else if (Output.getNumOccurrences())
    O.Output = OutputSpec::to(Output);
  O.Threads = Jobs;
  O.ProbeFiles = Probes;
  if (ProbePackage.getNumOccurrences())
    O.Probekit.Package = ProbePackage;
  O.Probekit.Isolate = Isolate;
  O.Probekit.GuardRecursion = GuardRecursion;
  O.Probekit.Javac = Javac;
  if (Release.getNumOccurrences())
    O.Probekit.Release = Release;
  O.Probekit.CacheFolder = ProbeCache;
  O.BundleFile = EmitBundle;
  O.ScriptFile = EmitScript;
  O.ProbeInfoFile = EmitProbeInfo;
  if (Passes.getNumOccurrences())
    O.Passes = Passes;
  O.InlineFragments = InlineFragments;
  if (Tracing.getNumOccurrences())
    O.Tracing = Tracing;
  O.Idle = Idle;
  if (TracingRules.getNumOccurrences())
    O.TracingRules = TracingRules;
  O.Huge = Huge;
  O.Schema = Schema;
  O.How = How;
  O.SkipSensitive = SkipSensitive;
  O.Reinstrument = Reinstrument;
  for (const std::string &List : ClassPath) {
    llvm::SmallVector<llvm::StringRef, 8> Parts;
    llvm::StringRef(List).split(Parts, ':', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef P : Parts)
      O.ClassPath.push_back(P.str());
  }
  O.VerifyInput = VerifyInput;
  O.VerifyOutput = VerifyOutput;
  O.Instrumentation.VerifyEach = VerifyEach;
  O.Instrumentation.PrintBefore = PrintBefore;
  O.Instrumentation.PrintAfter = PrintAfter;
  O.Instrumentation.PrintBeforeAll = PrintBeforeAll;
  O.Instrumentation.PrintAfterAll = PrintAfterAll;
  O.Instrumentation.PrintChanged = PrintChanged;
  O.Instrumentation.TimePasses = TimePasses;
  if (DotCFG.getNumOccurrences())
    O.DotFolder = DotCFG.empty() ? "." : DotCFG.getValue();
  O.Instrumentation.PassRemarks = PassRemarks;
  O.Report = ProbesReport;
  if (ReportFile.getNumOccurrences() && O.Report == ReportFormat::None)
    O.Report = ReportFormat::Text;
  O.Strict = Strict;
  O.Progress =
      !Quiet && llvm::sys::Process::StandardErrIsDisplayed() &&
      (Emit == EmitKind::None || Output.getNumOccurrences() || InPlace);
  return O;
}

/// Files for counters and reports; "-" is standard error.
static bool writeFile(llvm::StringRef Path, DiagnosticEngine &Diags,
                      llvm::function_ref<void(llvm::raw_ostream &)> Write) {
  if (Path == "-") {
    Write(llvm::errs());
    return true;
  }
  std::error_code EC;
  llvm::raw_fd_ostream OS(Path, EC);
  if (!EC) {
    Write(OS);
    OS.close();
    EC = OS.error();
    OS.clear_error();
  }
  if (EC)
    Diags.report(Severity::Error, Location(Path), EC.message());
  return !EC;
}

/// What stands wrong on the command line; empty if nothing.
static std::string usageError() {
  bool EmitsProbes = EmitBundle.getNumOccurrences() ||
                     EmitScript.getNumOccurrences() ||
                     EmitProbeInfo.getNumOccurrences();
  if (!Tracing.getNumOccurrences() &&
      (TracingRules.getNumOccurrences() ||
       TracingAnnotations.getNumOccurrences() || Idle.getNumOccurrences()))
    return "-tf-rules, -tf-annotations and -tf-idle need -tf";
  if (Probes.empty() && EmitsProbes)
    return "-emit-bundle, -emit-script and -emit-probeinfo need -probes";
  if (Inputs.empty() && EmitsProbes)
    return InPlace || Output.getNumOccurrences() ? "-o without input" : "";
  if (Inputs.empty())
    return "no input; see jopt -help";
  if (InPlace && Output.getNumOccurrences())
    return "-in-place and -o exclude each other";
  if (InPlace && (Textual || Emit != EmitKind::Class))
    return "-in-place writes class files";
  bool ToTerminal = !Output.getNumOccurrences() || Output == "-";
  if (!InPlace && ToTerminal && !Textual && Emit == EmitKind::Class &&
      llvm::sys::Process::StandardOutIsDisplayed())
    return "class files are not written to a terminal; use -o, or -S for text";
  return {};
}

int main(int Argc, char **Argv) {
  catchInterrupts();
  DiagnosticEngine Diags([](const Diagnostic &D) {
    if (Quiet && D.Level > Severity::Undone)
      return;
    if (D.Where.File.empty())
      llvm::errs() << "jopt: ";
    D.print(llvm::errs());
    llvm::errs() << '\n';
  });
  PassRegistry Registry;
  if (llvm::Error E = loadPlugins(Argc, Argv, Registry)) {
    Diags.report(std::move(E));
    return int(JobStatus::Unusable);
  }
  std::string PassHelp;
  llvm::raw_string_ostream HelpOS(PassHelp);
  HelpOS << "\nPASSES:\n";
  Registry.printHelp(HelpOS);
  cl::extrahelp Extra(HelpOS.str());
  cl::Option *Stats = statsOption("stats", "Print counters");
  cl::Option *StatsJSON = statsOption("stats-json", "Print counters as JSON");
  cl::HideUnrelatedOptions(Cat);
  cl::SetVersionPrinter(
      [](llvm::raw_ostream &OS) { OS << "jopt " JOPT_VERSION "\n"; });
  if (!cl::ParseCommandLineOptions(
          Argc, Argv, "jopt: passes over Java class files\n", &llvm::errs()))
    return int(JobStatus::Unusable);

  auto Fail = [&](const llvm::Twine &Message) {
    Diags.report(Severity::Error, Location(), Message);
    return int(JobStatus::Unusable);
  };
  if (PrintPipeline) {
    auto P =
        Pipeline::parse(Passes.getNumOccurrences() ? Passes.getValue()
                                                   : defaultPipeline().text(),
                        Registry);
    if (!P) {
      Diags.report(P.takeError());
      return int(JobStatus::Unusable);
    }
    P->print(llvm::outs());
    llvm::outs() << '\n';
    return 0;
  }
  JobOptions Options = jobOptions();
  for (const std::string &Item : TracingAnnotations) {
    auto Names = tf::readAnnotationNames(Item);
    if (!Names) {
      Diags.report(Names.takeError());
      return int(JobStatus::Unusable);
    }
    llvm::append_range(Options.TracingAnnotations, *Names);
  }
  if (CheckProbes) {
    if (Probes.empty())
      return Fail("-check-probes needs -probes");
    return int(checkProbes(Options, Diags));
  }
  std::string Usage = usageError();
  if (!Usage.empty())
    return Fail(Usage);

  const bool JSON = StatsJSON->getNumOccurrences();
  const bool Counts =
      JSON || Stats->getNumOccurrences() || StatsFile.getNumOccurrences();
  if (Counts)
    enableStatistics();
  std::string Report;
  llvm::raw_string_ostream ReportOS(Report);
  JobStatus Status = runJob(Options, Registry, Diags, ReportOS);
  bool Written = true;
  if (!ReportOS.str().empty())
    Written &= writeFile(ReportFile.empty() ? "-" : llvm::StringRef(ReportFile),
                         Diags, [&](llvm::raw_ostream &OS) { OS << Report; });
  if (Counts)
    Written &= writeFile(StatsFile.empty() ? "-" : llvm::StringRef(StatsFile),
                         Diags, JSON ? printStatisticsJSON : printStatistics);
  if (Verbose && Status == JobStatus::Done)
    Diags.report(Severity::Note, Location(), "done");
  return Written ? int(Status) : int(JobStatus::Unusable);
}
