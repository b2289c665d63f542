//===- TFJob.cpp - A whole run of jopt-tf ---------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks over the inputs three times. The first walk finds the annotations, the
// second the callers of other classes' info methods, and the last changes the
// classes. Nothing is written before the first two are done.
//
//===----------------------------------------------------------------------===//

#include "jopt/Driver/TFJob.h"
#include "NestCalls.h"
#include "TFLog.h"
#include "jopt/Archive/Signatures.h"
#include "jopt/Driver/TFAnnotations.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/TF/TimingPoints.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using Mode = TFJobOptions::Mode;

/// Archives are worked on only where the user named them: one that lies in a
/// folder of classes is somebody else's.
static EntryPlan planEntry(const EntryInfo &E) {
  EntryPlan P = planByName(E);
  bool InFolder = E.Container->TheKind == ContainerInfo::Kind::Folder;
  return InFolder && P == EntryPlan::Descend ? EntryPlan::Copy : P;
}

/// Remarks of passes are printed from this level on.
static constexpr unsigned RemarksLevel = 4;

static ProcessOptions processOptions(const TFJobOptions &O) {
  ProcessOptions P;
  P.Threads = O.Verbose >= RemarksLevel ? 1 : O.Threads; // one has an order
  return P;
}

static StringRef modeName(Mode M) {
  switch (M) {
  case Mode::TimingPoints:
    return "TimingPoints";
  case Mode::UpdateSchemas:
    return "UpdateSchemas";
  case Mode::TraceEnhance:
    return "TraceEnhance";
  case Mode::StripTrace:
    return "StripTrace";
  case Mode::Strip:
    return "Strip";
  }
  llvm_unreachable("all are above");
}

static bool strips(Mode M) { return M == Mode::StripTrace || M == Mode::Strip; }

/// The settings of \p M, which changes classes.
static WeaveSettings settingsOf(const TFJobOptions &Options, Mode M) {
  WeaveSettings S = Options.Settings;
  S.TracingLibrary = S.tracingLibrary(); // whichever it is
  if (Options.Debug)
    S.VerifyOutput = true;
  if (M == Mode::Strip)
    S.Passes = "tf-strip";
  else if (M == Mode::StripTrace)
    S.Passes = "tf-strip<to=schema>";
  else if (M != Mode::TraceEnhance) // Without stage 2 nothing is idle.
    S.Idle = TracingIdle::None;
  return S;
}

namespace {

/// The last walk.
class Enhance : public ContainerClient {
public:
  Enhance(const TFJobOptions &O, const tf::Program &P,
          const EntrySet &Candidates, const ClassWork *Work, StringRef Done,
          TFLog &Log)
      : Options(O), Program(P), Candidates(Candidates), Work(Work), Done(Done),
        Log(Log) {}

  EntryPlan plan(const EntryInfo &E) override;
  Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override;
  Error finish(ContainerEditor &C) override;
  Error unreadable(const EntryInfo &E, Error Why) override {
    if (E.Container->TheKind == ContainerInfo::Kind::File)
      return Why;
    Log.error(E, std::move(Why));
    return Error::success();
  }

  /// Of traced classes, in the order of the inputs.
  std::vector<tf::ClassData> takeClasses();

private:
  Expected<EntryResult> work(const EntryInfo &E, Bytes Data);

  const TFJobOptions &Options;
  const tf::Program &Program;
  const EntrySet &Candidates;
  const ClassWork *const Work; ///< null: classes are only looked at
  const StringRef Done;        ///< what a class is that was changed
  TFLog &Log;
  std::mutex Lock;
  std::map<uint64_t, tf::ClassData> Classes;
};

} // namespace

std::vector<tf::ClassData> Enhance::takeClasses() {
  std::vector<tf::ClassData> All;
  for (auto &[Ordinal, Data] : Classes)
    All.push_back(std::move(Data));
  return All;
}

EntryPlan Enhance::plan(const EntryInfo &E) {
  EntryPlan P = planEntry(E);
  // Level 3 also reports the classes that are passed over, so it reads them.
  return P == EntryPlan::Transform && Options.Verbose < 3 &&
                 !Candidates.contains(E)
             ? EntryPlan::Copy
             : P;
}

Expected<EntryResult> Enhance::transform(const EntryInfo &E, Bytes Data) {
  if (!tf::mayUseTF(Data, Program)) {
    Log.line(E, 3, "skipped: it has no TF annotation");
    return EntryResult::unchanged();
  }
  bool Knows = !Work || Options.Verbose >= 2 || Options.Debug ||
               !Options.TimingClass.empty();
  if (!Knows)
    return work(E, Data);
  auto Class = readClass(Data);
  if (!Class) {
    if (Error Fatal = unreadable(E, inFile(Class.takeError(), E.display())))
      return Fatal;
    return EntryResult::unchanged();
  }
  auto Known = tf::collectClass(**Class, Program);
  if (!Known) {
    Log.error(E, Known.takeError());
    return EntryResult::unchanged();
  }
  if (!Known->traced())
    Log.line(E, 3, "skipped: it is not traced");
  else
    Log.describe(E, **Class, *Known, Options.Debug ? 1 : 2);
  if (!Work)
    for (const std::string &W : Known->Warnings)
      Log.warning(E, W);
  if (Known->traced()) {
    std::lock_guard<std::mutex> Guard(Lock);
    Classes[E.Ordinal] = std::move(*Known);
  }
  return Work ? work(E, Data) : EntryResult::unchanged();
}

Expected<EntryResult> Enhance::work(const EntryInfo &E, Bytes Data) {
  auto Outcome = workOnClass(*Work, Data);
  if (!Outcome) {
    if (Error Fatal = unreadable(E, inFile(Outcome.takeError(), E.display())))
      return Fatal;
    return EntryResult::unchanged();
  }
  bool Failed = !Outcome->Left.empty();
  for (Diagnostic &Why : Outcome->Left)
    Log.error(E, std::move(Why));
  for (const Finding &F : Outcome->OutputFindings)
    Log.error(E, makeError(F.str()));
  for (ReportRow &R : Outcome->Rows.Other) {
    if (!isProblem(R.What))
      continue;
    // Reject the class if a method failed: nobody would notice an untraced
    // method until its events are missing in a trace.
    const bool Left = R.What == ReportRow::LeftAlone;
    Failed |= Left;
    for (Diagnostic &Why : R.Reasons) {
      Why.Method = R.Method;
      if (Left)
        Log.error(E, std::move(Why));
      else
        Log.warning(E, Why.text());
    }
  }
  if (Failed || !Outcome->Changed)
    return EntryResult::unchanged();
  Log.changed(E, Done);
  return EntryResult::replaced(std::move(Outcome->Data));
}

Error Enhance::finish(ContainerEditor &C) {
  if (C.info().TheKind != ContainerInfo::Kind::Archive || !C.entriesChanged())
    return Error::success();
  auto Dropped = dropSignatures(C);
  if (!Dropped)
    return Dropped.takeError();
  if (!Dropped->empty())
    Log.note(1, llvm::formatv("{0}: {1} signature file{2} dropped, since "
                              "classes changed",
                              C.info().Display, Dropped->size(),
                              Dropped->size() == 1 ? "" : "s"));
  return Error::success();
}

namespace {
/// The run, step by step.
class TFJob {
public:
  TFJob(const TFJobOptions &O, const PassRegistry &R, DiagnosticEngine &D,
        llvm::raw_ostream &OS)
      : Options(O), Registry(R), Diags(D), OS(OS),
        Log(O.Verbose, O.DryRun, D, OS) {}

  Expected<JobStatus> run();

private:
  Error collect(const InputSet &In);
  Error prepareWork();
  Error makeTimingFiles(llvm::ArrayRef<tf::ClassData> Classes);
  Error writeTimingFiles();
  Error writeProperties();

  const TFJobOptions &Options;
  const PassRegistry &Registry;
  DiagnosticEngine &Diags;
  llvm::raw_ostream &OS;
  TFLog Log;

  tf::Program Program;
  std::vector<std::string> Listed; ///< annotations of the inputs, internal
  EntrySet Candidates;
  bool InfoInNests = false;
  Mode TheMode = Mode::TimingPoints;
  Pipeline Passes;
  PassInstrumentation Callbacks;
  std::unique_ptr<StandardInstrumentations> Standard;
  ClassWork Work;
  std::vector<std::pair<std::string, std::string>> TimingFiles;
};
} // namespace

Error TFJob::collect(const InputSet &In) {
  std::optional<tf::Packages> Named;
  if (Options.Settings.TracingLibrary) {
    auto P = tf::Packages::named(*Options.Settings.TracingLibrary);
    if (!P)
      return P.takeError();
    Named = std::move(*P);
  }
  auto Found = collectTFAnnotations(In, std::move(Named),
                                    processOptions(Options), Diags, planEntry);
  if (!Found)
    return Found.takeError();
  Listed = Found->Annotations.names();
  Candidates = std::move(Found->Candidates);
  InfoInNests = Found->InfoInNests;
  std::optional<tf::Packages> Library = std::move(Found->Library);
  Program.Annotations = std::move(Found->Annotations);
  if (!Options.Settings.ClassPath.empty()) {
    auto Path = InputSet::open(Options.Settings.ClassPath);
    if (!Path)
      return Path.takeError();
    auto More =
        collectTFAnnotations(*Path, Library, processOptions(Options), Diags);
    if (!More)
      return More.takeError();
    Library = std::move(More->Library);
    // Of two of one name that of the inputs counts.
    for (const std::string &Name : More->Annotations.names())
      Program.Annotations.add(*More->Annotations.find(Name));
  }
  Program.Library = Library ? std::move(*Library) : tf::Packages::pfl();
  Program.Checks =
      Options.Settings.TracingRules.value_or(Program.Library.rules());
  // The last version of the original tool changes classes only on request; the
  // documented version always changes them.
  TheMode = Options.TheMode.value_or(Program.Checks == tf::Rules::PFL
                                         ? Mode::TimingPoints
                                         : Mode::TraceEnhance);
  Log.note(1, "library " + Program.Library.name() + ", rules of " +
                  (Program.Checks == tf::Rules::PFL ? "pfl" : "the seed") +
                  ", mode " + modeName(TheMode));
  for (const std::string &Name : Program.Annotations.names())
    Log.note(3, "annotation " + Name);
  return Error::success();
}

Error TFJob::prepareWork() {
  const WeaveSettings Settings = settingsOf(Options, TheMode);
  auto P = Pipeline::parse(pipelineText(Settings), Registry);
  if (!P)
    return P.takeError();
  Passes = std::move(*P);
  StandardInstrumentationOptions SO;
  SO.VerifyEach = Options.Debug;
  if (Options.Verbose >= RemarksLevel)
    SO.PassRemarks = ".*";
  auto S = StandardInstrumentations::create(SO, Registry, Callbacks, OS, Diags);
  if (!S)
    return S.takeError();
  Standard = std::move(*S);
  applySettings(Settings, Work);
  Work.Passes = &Passes;
  Work.Run.Tracing = &Program;
  Work.Run.Instrumentation = &Callbacks;
  Work.Run.ReportDetails = false;
  return Error::success();
}

/// Whether the file at \p Path is there with that content.
static bool hasContent(StringRef Path, StringRef Content) {
  auto Old = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                         /*RequiresNullTerminator=*/false);
  return Old && (*Old)->getBuffer() == Content;
}

/// Fills TimingFiles.
Error TFJob::makeTimingFiles(llvm::ArrayRef<tf::ClassData> Classes) {
  if (Options.TimingClass.empty())
    return Error::success();
  auto Points =
      tf::makeTimingPoints(Options.TimingClass, Program.Annotations, Classes);
  if (!Points)
    return Points.takeError();
  if (Options.TimingFolder.empty())
    return Error::success();
  auto Add = [&](StringRef Extension, StringRef Content) {
    llvm::SmallString<128> Path(Options.TimingFolder);
    llvm::sys::path::append(Path, Points->Class + Extension);
    if (!hasContent(Path, Content))
      TimingFiles.emplace_back(std::string(Path), Content.str());
  };
  if (Options.TimingSource) {
    auto Source = tf::printTimingSource(*Points, Program.Library);
    if (!Source)
      return Source.takeError();
    Add(".java", *Source);
  }
  if (Options.TimingClassFile) {
    auto Class = tf::makeTimingClass(*Points, Program.Library);
    if (!Class)
      return Class.takeError();
    Add(".class", toStringRef(*Class));
  }
  return Error::success();
}

Error TFJob::writeTimingFiles() {
  Transaction T;
  if (!Options.DryRun)
    for (const auto &[Path, Content] : TimingFiles)
      if (Error E = T.stage(Path, Rope(toBytes(Content)), /*Mode=*/0))
        return E;
  if (Error E = T.commit())
    return E;
  for (const auto &[Path, Content] : TimingFiles)
    Log.wrote(Path);
  return Error::success();
}

Error TFJob::writeProperties() {
  if (Options.PropertiesFile.empty())
    return Error::success();
  tf::KeyPrefix Prefix = Options.Prefix.value_or(
      StringRef(Program.Library.Runtime).starts_with("com/sun/corba/")
          ? tf::KeyPrefix::ORB
          : tf::KeyPrefix::GlassFish);
  if (tf::isUpToDate(Options.PropertiesFile, Listed, Prefix))
    return Error::success();
  if (!Options.DryRun)
    if (Error E = tf::updateProperties(Options.PropertiesFile, Listed, Prefix)
                      .takeError())
      return E;
  Log.wrote(Options.PropertiesFile);
  return Error::success();
}

Expected<JobStatus> TFJob::run() {
  auto In = InputSet::open(Options.Inputs, Options.Threads);
  if (!In)
    return In.takeError();
  if (Error E = collect(*In))
    return E;
  bool Works = TheMode != Mode::TimingPoints;
  if (Works)
    if (Error E = prepareWork())
      return E;
  auto Out = OutputSet::create(*In, Options.Beside ? OutputSpec::beside(".new")
                                                   : OutputSpec::inPlace());
  if (!Out)
    return Out.takeError();
  if (InfoInNests)
    if (Error E = findForeignInfoCalls(*In, Program, processOptions(Options),
                                       planEntry))
      return E;
  Enhance Client(Options, Program, Candidates, Works ? &Work : nullptr,
                 strips(TheMode) ? "stripped" : "enhanced", Log);
  if (Error E =
          processInputs(*In, Client, Works && !Options.DryRun ? &*Out : nullptr,
                        processOptions(Options)))
    return E;

  bool Failed = Log.flush();
  if (Error E = makeTimingFiles(Client.takeClasses())) {
    Diags.report(std::move(E));
    Failed = true;
  }
  if (Failed && Options.Strict)
    return JobStatus::Unusable;
  std::vector<const InputFile *> Left;
  if (Error E = Out->commit(&Left))
    return E;
  for (const InputFile *File : Left)
    Diags.report(Severity::Undone, Location(File->Display),
                 "changed during the run, and is left as it is now; run "
                 "jopt-tf again");
  Failed |= !Left.empty();
  // The classes are there: what cannot be written beside them is named.
  for (auto Write : {&TFJob::writeTimingFiles, &TFJob::writeProperties})
    if (Error E = (this->*Write)()) {
      Diags.report(std::move(E));
      Failed = true;
    }
  return Failed ? JobStatus::LeftUndone : JobStatus::Done;
}

JobStatus jopt::runTFJob(const TFJobOptions &Options,
                         const PassRegistry &Registry, DiagnosticEngine &Diags,
                         llvm::raw_ostream &OS) {
  auto Status = TFJob(Options, Registry, Diags, OS).run();
  if (Status)
    return *Status;
  Diags.report(Status.takeError());
  return JobStatus::Unusable;
}
