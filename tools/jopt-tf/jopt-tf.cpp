//===- jopt-tf.cpp - The command line of the tracing facility -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Options, and nothing else: what they do is lib/Driver. Those of the original
/// tool are pairs `-keyword value`, of which the last counts.
///
//===----------------------------------------------------------------------===//

#include "../CommandLine.h"
#include "../SettingOptions.h"
#include "../ToolProcess.h"
#include "jopt/Driver/TFJob.h"
#include "jopt/Support/Interrupt.h"
#include "jopt/Support/SafeText.h"
#include "llvm/Support/CommandLine.h"

using namespace jopt;
namespace cl = llvm::cl;
using Mode = TFJobOptions::Mode;

static cl::OptionCategory Cat("Options of the original tool");
static cl::OptionCategory Own("Options of its own");

static cl::list<std::string> Inputs(cl::Positional, cl::desc("[INPUT...]"),
                                    cl::cat(Own));

static cl::opt<std::string>
    Dir("dir", cl::value_desc("PATH"), cl::ZeroOrMore, cl::cat(Cat),
        cl::desc("What to work on, in place: a folder, an archive or a class "
                 "file; one of several INPUTs"));
static cl::opt<Mode> TheMode(
    "mode", cl::ZeroOrMore, cl::cat(Cat),
    cl::desc("What becomes of classes (default: TraceEnhance by the rules "
             "seed, TimingPoints by the rules pfl)"),
    cl::values(clEnumValN(Mode::TimingPoints, "TimingPoints",
                          "they are checked, and stay as they are"),
               clEnumValN(Mode::UpdateSchemas, "UpdateSchemas",
                          "stage 1: fields, registration, info methods"),
               clEnumValN(Mode::TraceEnhance, "TraceEnhance",
                          "stages 1 and 2, or what is missing of them"),
               clEnumValN(Mode::StripTrace, "StripTrace",
                          "stage 2 is taken out again"),
               clEnumValN(Mode::Strip, "Strip",
                          "both stages are taken out again")));
static cl::opt<bool>
    TraceGen("tracegen", cl::ValueRequired, cl::ZeroOrMore, cl::cat(Cat),
             cl::desc("true: -mode TraceEnhance; false: -mode UpdateSchemas"));
static cl::opt<std::string> PropertiesFile(
    "rf", cl::value_desc("FILE"), cl::init("tfannotations.properties"),
    cl::ZeroOrMore, cl::cat(Cat),
    cl::desc(
        "Where to list the TF annotations of the inputs (default: "
        "tfannotations.properties in the current folder; '' for nowhere)"));
static cl::opt<std::string> TimingClass(
    "timingPointClass", cl::value_desc("NAME"), cl::ZeroOrMore, cl::cat(Cat),
    cl::desc("Full name of the class of timing points to generate"));
static cl::opt<std::string>
    TimingDir("timingPointDir", cl::value_desc("PATH"), cl::ZeroOrMore,
              cl::cat(Cat),
              cl::desc("The folder in which its package begins; without one "
                       "the timing points are only checked"));
static cl::opt<bool>
    NewOut("newout", cl::ValueRequired, cl::ZeroOrMore, cl::cat(Cat),
           cl::desc("true: the result goes beside the input, with .new behind "
                    "its name"));
static cl::opt<bool>
    DryRun("dryrun", cl::ValueRequired, cl::ZeroOrMore, cl::cat(Cat),
           cl::desc("true: say what would be done, write nothing"));
static cl::opt<bool>
    Debug("debug", cl::ValueRequired, cl::ZeroOrMore, cl::cat(Cat),
          cl::desc("true: tell what is known of each traced class, verify "
                   "everything; at least -verbose 1"));
static cl::opt<unsigned> Verbose(
    "verbose", cl::value_desc("N"), cl::init(0), cl::ZeroOrMore, cl::cat(Cat),
    cl::desc("1: what is written; 2: traced classes and methods; 3: also "
             "annotations and skipped files; 4: also remarks of passes"));

static cl::opt<tf::KeyPrefix>
    Keys("keys", cl::ZeroOrMore, cl::cat(Own),
         cl::desc("Keys of the properties file (default: orb for the ORB)"),
         cl::values(clEnumValN(tf::KeyPrefix::GlassFish, "glassfish",
                               "org.glassfish.tf"),
                    clEnumValN(tf::KeyPrefix::ORB, "orb", "com.sun.corba.tf")));
enum class TimingForm { Source, Class, Both };
static cl::opt<TimingForm> TimingEmit(
    "timingPointEmit", cl::init(TimingForm::Source), cl::ZeroOrMore,
    cl::cat(Own), cl::desc("What to generate of the timing points"),
    cl::values(clEnumValN(TimingForm::Source, "source",
                          "Java source (the default)"),
               clEnumValN(TimingForm::Class, "class", "a class file"),
               clEnumValN(TimingForm::Both, "both", "both")));
static cl::opt<bool>
    Strict("strict", cl::cat(Own),
           cl::desc("Write nothing, and fail, if a class has an error"));
static cl::opt<unsigned>
    Jobs("j", cl::value_desc("N"), cl::init(0), cl::Prefix, cl::cat(Own),
         cl::desc("Threads; 0 (the default) for as many as there are cores"));

/// Fills \p O; what stands wrong on the command line, empty if nothing.
static std::string makeOptions(TFJobOptions &O, const SettingOptions &Given) {
  O.Inputs = Inputs;
  if (Dir.getNumOccurrences())
    O.Inputs.push_back(Dir);
  if (O.Inputs.empty())
    return "no input: name what to change in place, or -dir . for the current "
           "folder; see jopt-tf -help";
  if (TheMode.getNumOccurrences() && TraceGen.getNumOccurrences())
    return "-mode and -tracegen exclude each other";
  if (TheMode.getNumOccurrences())
    O.TheMode = TheMode;
  if (TraceGen.getNumOccurrences())
    O.TheMode = TraceGen ? Mode::TraceEnhance : Mode::UpdateSchemas;
  if (O.Settings.TracingLibrary) {
    auto P = tf::Packages::named(*O.Settings.TracingLibrary);
    if (!P)
      return ("-" + Given.spelling("tf-library") + ": ").str() +
             toMessage(P.takeError());
  }
  O.PropertiesFile = PropertiesFile;
  if (Keys.getNumOccurrences())
    O.Prefix = Keys;
  O.TimingClass = TimingClass;
  O.TimingFolder = TimingDir;
  if (!O.TimingFolder.empty() && O.TimingClass.empty())
    return "-timingPointDir needs -timingPointClass";
  O.TimingSource = TimingEmit != TimingForm::Class;
  O.TimingClassFile = TimingEmit != TimingForm::Source;
  O.Beside = NewOut;
  O.DryRun = DryRun;
  O.Debug = Debug;
  O.Strict = Strict;
  O.Verbose = Debug && !Verbose ? 1 : Verbose.getValue();
  O.Threads = Jobs;
  return {};
}

int main(int Argc, char **Argv) {
  beginTool("jopt-tf");
  catchInterrupts();
  TFJobOptions Options;
  SettingOptions Given(SettingTool::JoptTF, Options.Settings, Own);
  cl::HideUnrelatedOptions({&Cat, &Own});
  if (!parseCommandLine(
          Argc, Argv,
          "jopt-tf: the tracing facility's tool: makes annotated methods of "
          "Java class files traceable\n"))
    return int(JobStatus::Unusable);
  DiagnosticEngine Diags([](const Diagnostic &D) {
    if (D.Where.File.empty())
      llvm::errs() << "jopt-tf: ";
    D.print(llvm::errs());
    llvm::errs() << '\n';
  });
  std::string Usage = makeOptions(Options, Given);
  if (!Usage.empty()) {
    Diags.report(Severity::Error, Location(), Usage);
    return int(JobStatus::Unusable);
  }
  return int(runTFJob(Options, PassRegistry(), Diags, safeOuts()));
}
