//===- Job.cpp - A whole run of jopt --------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Driver/Job.h"
#include "BundleChoice.h"
#include "ClassPath.h"
#include "DotFiles.h"
#include "Jdk.h"
#include "LeftWoven.h"
#include "NestCalls.h"
#include "ProbeFiles.h"
#include "Unmatched.h"
#include "Walks.h"
#include "jopt/CoverageReport/EdgeReport.h"
#include "jopt/Driver/TFAnnotations.h"
#include "jopt/Probes/Bundle/BundleArchive.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/TF/PropertiesFile.h"
#include "jopt/Weave/Original.h"
#include "jopt/Weave/ProbeMark.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {
/// The run, step by step; each step says whether to go on.
class Job {
public:
  Job(const JobOptions &O, const PassRegistry &R, DiagnosticEngine &D,
      const JobListener &L)
      : Options(O), Settings(O.Settings), Registry(R), Diags(D), Listener(L) {}

  Expected<JobStatus> run();

private:
  Error readProbes();
  Error makePipeline();
  Error makeDotFiles(ClassWork &W);
  Error compileProbes(const InputSet &In);
  Error chooseProbeClasses(const InputSet &In);
  Error markProbeClasses();
  Error findCallees();
  Error collectTracing(const InputSet &In);
  Error readHierarchies(const InputSet &In);
  ClassWork makeWork() const;
  Expected<JobStatus> workOnInputs(const InputSet &In, OutputSet *Out);
  std::string looseFolder(const InputSet &In, const OutputSet &Out,
                          size_t Input) const;
  Error placeLooseBundle(const InputSet &In, OutputSet &Out);
  Error placeLooseBeside(const WeaveWalk &W, const InputSet &In,
                         OutputSet &Out);
  Expected<std::unique_ptr<BundlePlacement>> makePlacement();
  Error removeStale(OutputSet &Out);
  Expected<JobStatus> strip(const InputSet &In, OutputSet &Out);
  Error writeProbeFiles(OutputSet *Out);
  Expected<JobStatus> compileOnly();
  Expected<JobStatus> conclude(const WritingWalk &W, const InputSet &In);
  Expected<JobStatus> commit(JobStatus Status, OutputSet &Out);
  void printReport();
  void noteModules(const WeaveWalk &W);
  bool probing() const { return !Settings.Probes.empty(); }
  bool onlyOptimizes() const;
  /// A run that only optimises leaves woven classes woven, unless an option
  /// says otherwise.
  ProbedPolicy ifProbed() const {
    return !Settings.IfProbed && onlyOptimizes() ? ProbedPolicy::OK
                                                 : Options.ifProbed();
  }
  /// Those of the probe files; a text may bring others.
  const AdviceSet &advices() const {
    static const AdviceSet None;
    return Probes.Loaded ? Probes.Loaded->Bundle.Advices : None;
  }
  ProcessOptions processOptions() const;

  const JobOptions &Options;
  const WeaveSettings &Settings;
  const PassRegistry &Registry;
  DiagnosticEngine &Diags;
  const JobListener &Listener;

  /// Empty if there is no probe file.
  struct {
    std::optional<LoadedProbes> Loaded;
    std::unique_ptr<Matcher> Match; ///< of its advices
    llvm::StringSet<> CameCompiled; ///< paths of classes
    BundleChoice Choice;
    ProbeBundle Written; ///< what goes beside woven classes
    UnmatchedReasons Reasons;
  } Probes;
  /// The classes that advices call; ClassPath has the bytes of those that are
  /// not in the bundle.
  struct {
    ClassContents ClassPath;
    ClassBytes ByName;
  } Callees;
  std::optional<tf::Program> Tracing;
  std::optional<coverage::EdgeProfile> Profile;
  Pipeline Passes;
  PassInstrumentation Callbacks;
  std::unique_ptr<StandardInstrumentations> Standard;
  std::unique_ptr<DotFiles> Dot;
  /// Class hierarchies, from inputs, class path and JDK, for the verifier and
  /// for target rules.
  struct {
    std::unique_ptr<TypeHierarchy> Jdk;
    std::unique_ptr<MemoryHierarchy> Verified, Related;
    std::optional<HierarchyChain> ForVerifier, ForTargets;
  } Others;
  Report Rep;
};
} // namespace

ProcessOptions Job::processOptions() const {
  ProcessOptions PO;
  PO.Threads =
      Options.Instrumentation.printsAsPassesRun() ? 1 : Options.Threads;
  PO.Progress = Listener.Progress;
  return PO;
}

Error Job::readProbes() {
  if (!probing())
    return Error::success();
  auto P = jopt::readProbes(Settings.Probes, makeProbeOptions(Options), Diags);
  if (!P)
    return P.takeError();
  Probes.Loaded = std::move(*P);
  for (const Diagnostic &D : Probes.Loaded->LeftOut)
    Rep.undone(D.Where, D.Message);
  Probes.Match = std::make_unique<Matcher>(
      advices(), Options.Report == ReportFormat::None ? RuleCounts::OfIncludes
                                                      : RuleCounts::All);
  return Error::success();
}

Error Job::makePipeline() {
  const bool Declares = Options.Emit == EmitKind::Trace && !Settings.Passes;
  auto P = Pipeline::parse(Declares ? "trace-declare" : pipelineText(Settings),
                           Registry);
  if (!P)
    return P.takeError();
  Passes = std::move(*P);
  if (Options.Emit == EmitKind::Class)
    if (Error E = Passes.checkWritable())
      return E;
  auto S = StandardInstrumentations::create(Options.Instrumentation, Registry,
                                            Callbacks, Listener.Trace, Diags);
  if (!S)
    return S.takeError();
  Standard = std::move(*S);
  for (llvm::StringRef Number : Settings.WithoutProbes)
    if (size_t N = 0;
        Number.getAsInteger(10, N) || N >= advices().Probes.size())
      return makeError("-without-probes: '" + Number +
                       "' is no number of a probe: these begin with 0, and "
                       "there are " +
                       llvm::Twine(advices().Probes.size()));
  if (!Declares)
    for (auto &[Probe, What] : findUnplaced(Passes, advices()))
      Rep.undone(advices().Probes[Probe].Where, std::move(What));
  return Error::success();
}

bool Job::onlyOptimizes() const {
  auto Weaves = [](const Pipeline::Element &E) {
    return !E.Info->Places.empty() ||
           E.Info->Requires.test(unsigned(Property::OriginalCode));
  };
  return llvm::none_of(Passes.elements(), Weaves) &&
         llvm::any_of(Passes.elements(), [](const Pipeline::Element &E) {
           return E.Info->Optimizes;
         });
}

Error Job::makeDotFiles(ClassWork &W) {
  if (!Options.DotFolder)
    return Error::success();
  auto Files = DotFiles::create(*Options.DotFolder, Diags,
                                Profile ? &*Profile : nullptr);
  if (!Files)
    return Files.takeError();
  Dot = std::move(*Files);
  W.Inspect = [&](ClassFile &Class) { Dot->write(Class); };
  return Error::success();
}

Error Job::compileProbes(const InputSet &In) {
  ProbeOptions PO = makeProbeOptions(Options);
  if (!PO.Release && Probes.Loaded->needsCompiler()) {
    auto Lowest = findLowestRelease(In, *Probes.Match, advices(),
                                    PO.CacheFolder, processOptions());
    if (!Lowest)
      return Lowest.takeError();
    PO.LowestRelease = *Lowest;
  }
  PO.Listed = &In;
  for (const auto &[Path, Data] : Probes.Loaded->Bundle.Classes)
    Probes.CameCompiled.insert(Path);
  if (Error E = jopt::compileProbes(*Probes.Loaded, PO, Diags))
    return E;
  if (Error E = chooseProbeClasses(In))
    return E;
  if (Error E = markProbeClasses())
    return E;
  const ProbeBundle &All = Probes.Loaded->Bundle;
  Probes.Written.Advices = All.Advices;
  for (const auto &Class : All.Classes)
    if (!Probes.Choice.LeftOut.contains(Class.first))
      Probes.Written.Classes.push_back(Class);
  return Error::success();
}

/// Which of the probe classes go into the output.
Error Job::chooseProbeClasses(const InputSet &In) {
  if (!Options.BundleFile.empty())
    return Error::success();
  auto Chosen = chooseClasses(Probes.Loaded->Bundle, Probes.CameCompiled, In,
                              processOptions());
  if (!Chosen)
    return Chosen.takeError();
  Probes.Choice = std::move(*Chosen);
  for (const std::string &Path : Probes.Choice.Different)
    Rep.undone(Location(),
               "the probes' class " + Path +
                   " is not written: the inputs have another one of that name, "
                   "which stays; compile one of them into another package");
  return Error::success();
}

/// Probe classes say in the output that they were woven: a program that
/// registers them has them already.
Error Job::markProbeClasses() {
  ProbeBundle &B = Probes.Loaded->Bundle;
  llvm::StringSet<> Marked;
  for (const Advice &A : B.Advices.Advices)
    if (B.Advices.Probes[A.Probe].HasMode)
      Marked.insert(A.Body.Owner + ".class");
  for (auto &[Path, Data] : B.Classes)
    if (Marked.contains(Path)) {
      auto New = markWoven(Data, Settings.How == DispatchPolicy::Indy);
      if (!New)
        return inFile(New.takeError(), Path);
      Data = std::move(*New);
    }
  return Error::success();
}

/// The classes that advices call: those of the bundle; where text brings
/// advices of its own, all of the class path.
Error Job::findCallees() {
  auto Add = [&](StringRef Path, Bytes Data) {
    if (Path.consume_back(".class"))
      Callees.ByName.try_emplace(Path, Data);
  };
  if (Probes.Loaded) {
    for (const auto &[Path, Data] : Probes.Loaded->Bundle.Classes)
      Add(Path, Data);
    return Error::success();
  }
  if (llvm::none_of(Passes.elements(), [](const Pipeline::Element &E) {
        return E.Info->NeedsCallees;
      }))
    return Error::success();
  auto Contents = readClassPath(Settings.ClassPath, Options.Threads);
  if (!Contents)
    return Contents.takeError();
  Callees.ClassPath = std::move(*Contents);
  for (const auto &[Path, Data] : Callees.ClassPath)
    Add(Path, Data);
  return Error::success();
}

/// The collect stage of the tracing facility.
Error Job::collectTracing(const InputSet &In) {
  if (!Settings.traces())
    return Error::success();
  auto Library = tf::Packages::named(Settings.tracingLibrary());
  if (!Library)
    return Library.takeError();
  auto Found = collectTFAnnotations(In, *Library, processOptions(), Diags);
  if (!Found)
    return Found.takeError();
  tf::AnnotationSet &Known = Found->Annotations;
  for (const std::string &Item : Settings.TracingAnnotations) {
    auto Names = tf::readAnnotationNames(Item);
    if (!Names)
      return Names.takeError();
    for (std::string &Name : *Names)
      if (!Known.contains(Name)) {
        tf::TFAnnotation A;
        A.Name = std::move(Name);
        Known.add(std::move(A));
      }
  }
  tf::Rules Checks = Settings.TracingRules.value_or(Library->rules());
  Tracing = tf::Program{std::move(*Library), Checks, std::move(Known), {}};
  if (!Found->InfoInNests)
    return Error::success();
  return findForeignInfoCalls(In, *Tracing, processOptions());
}

/// Where files go that are to be beside the output of a single class file; in
/// the current folder without -o.
std::string Job::looseFolder(const InputSet &In, const OutputSet &Out,
                             size_t Input) const {
  if (Options.Output.TheKind == OutputSpec::Kind::Path &&
      Options.Output.Path != "-")
    return llvm::sys::path::parent_path(Out.destination(In.inputs()[Input]))
        .str();
  if (Options.Output.TheKind == OutputSpec::Kind::InPlace)
    return llvm::sys::path::parent_path(Options.Inputs[Input]).str();
  return {};
}

/// What single class files need beside them.
Error Job::placeLooseBeside(const WeaveWalk &W, const InputSet &In,
                            OutputSet &Out) {
  for (const auto &[Input, Files] : W.LooseBeside)
    for (const auto &[Name, Data] : Files) {
      llvm::SmallString<128> Path(looseFolder(In, Out, Input));
      llvm::sys::path::append(Path, Name);
      Diags.report(Severity::Note, Location(),
                   "a class that it needs is in " + Path);
      if (Error E = Out.addFile(Path, Rope(Data)))
        return E;
    }
  return Error::success();
}

/// The probe classes of a single class file, which no container takes.
Error Job::placeLooseBundle(const InputSet &In, OutputSet &Out) {
  llvm::SmallString<128> Path(looseFolder(In, Out, 0));
  llvm::sys::path::append(Path, llvm::sys::path::stem(Settings.Probes[0]) +
                                    "-probes.jar");
  auto Archive = makeBundleArchive(Probes.Written);
  if (!Archive)
    return Archive.takeError();
  Diags.report(Severity::Note, Location(), "probe classes are in " + Path);
  return Out.addFile(Path, *Archive);
}

/// What named modules need to see classes on the class path.
void Job::noteModules(const WeaveWalk &W) {
  StringRef What;
  if (Probes.Loaded && !Options.BundleFile.empty())
    What = "the probe classes";
  else if (Settings.Coverage || hasTrace(advices()) ||
           Settings.How == DispatchPolicy::Indy)
    What = "jopt-runtime.jar";
  else if (Settings.traces())
    What = "the library of the tracing facility";
  else if (Probes.Loaded && Probes.Loaded->Bundle.UsesApi)
    What = "jopt-probes.jar";
  else
    return;
  constexpr size_t Most = 3;
  for (const auto &[Id, Name] : W.Modules) {
    const std::string Text = "module " + Name + " needs --add-reads " + Name +
                             "=ALL-UNNAMED to see " + What.str() +
                             " on the class path";
    Rep.note(Text);
    if (W.Modules.size() <= Most)
      Diags.report(Severity::Note, Location(), Text);
  }
  // Many are libraries of a program, which may well be on its class path.
  if (W.Modules.size() > Most)
    Diags.report(
        Severity::Note, Location(),
        std::to_string(W.Modules.size()) + " modules, as " +
            W.Modules.begin()->second +
            ", each need --add-reads MODULE=ALL-UNNAMED where they are "
            "on the module path, to see " +
            What + " on the class path; -probes-report= names them");
}

Expected<JobStatus> Job::conclude(const WritingWalk &W, const InputSet &In) {
  if (Probes.Match) {
    auto R = explainUnmatched(advices(), *Probes.Match, In, Options.Threads);
    if (!R)
      return R.takeError();
    Probes.Reasons = std::move(*R);
    // These were not even asked for.
    for (const auto &[Probe, What] : findUnplaced(Passes, advices()))
      for (auto &[Rule, Reason] : Probes.Reasons)
        if (Rule.first == Probe)
          Reason = "the pipeline does not place its probe";
  }
  bool Unmatched = Rep.diagnose(advices(), Probes.Match.get(), Probes.Reasons,
                                Options.Strict, Diags);
  if (Options.Instrumentation.TimePasses)
    Standard->printTimes(Listener.Trace);
  if (Options.Emit == EmitKind::None && W.anyFinding())
    return JobStatus::Unusable;
  if (Rep.leftUndone())
    return Options.Strict ? JobStatus::Unusable : JobStatus::LeftUndone;
  return Unmatched && Options.Strict ? JobStatus::Unusable : JobStatus::Done;
}

void Job::printReport() {
  if (Options.Report == ReportFormat::None)
    return;
  if (Options.Report == ReportFormat::JSON)
    Rep.printJSON(advices(), Probes.Match.get(), Probes.Reasons,
                  Listener.Report);
  else if (Options.Report == ReportFormat::HTML)
    Rep.printHTML(advices(), Probes.Match.get(), Probes.Reasons,
                  Listener.Report);
  else
    Rep.printText(advices(), Probes.Match.get(), Probes.Reasons,
                  Listener.Report);
}

/// Makes the outputs of a run appear that came to \p Status. Files that
/// somebody changed meanwhile are newer than what was made of them.
Expected<JobStatus> Job::commit(JobStatus Status, OutputSet &Out) {
  static constexpr StringRef Why =
      "changed during the run, and is left as it is now; run jopt again";
  if (Options.Strict) {
    Error Errors = Error::success();
    for (const InputFile *File : Out.changed())
      Errors = llvm::joinErrors(std::move(Errors),
                                makeError(Location(File->Display), Why));
    if (Errors)
      return Errors;
  }
  std::vector<const InputFile *> Left;
  if (Error E = Out.commit(&Left))
    return E;
  for (const InputFile *File : Left) {
    Diags.report(Severity::Undone, Location(File->Display), Why);
    Rep.leaveFile(File->Display, Why.str());
  }
  return Left.empty() ? Status : JobStatus::LeftUndone;
}

/// Writes the probe files that options ask for, to \p Out or, if that is null,
/// at once.
Error Job::writeProbeFiles(OutputSet *Out) {
  auto Files = makeProbeFiles(Options, *Probes.Loaded);
  if (!Files)
    return Files.takeError();
  Transaction Alone;
  for (const auto &[Path, Content] : *Files)
    if (Path == "-")
      Alone.stageStandardOutput(Content);
    else if (Error E = Out ? Out->addFile(Path, Content)
                           : Alone.stage(Path, Content, /*Mode=*/0))
      return E;
  return Alone.commit();
}

/// Without inputs: the work of the original's compiler.
Expected<JobStatus> Job::compileOnly() {
  if (Error E =
          jopt::compileProbes(*Probes.Loaded, makeProbeOptions(Options), Diags))
    return E;
  if (Error E = writeProbeFiles(nullptr))
    return E;
  return JobStatus::Done;
}

/// The classes that the verifier and target rules ask about.
Error Job::readHierarchies(const InputSet &In) {
  const bool Verifies =
      Settings.VerifyInput || Settings.VerifyOutput.value_or(false);
  const bool Relates = Probes.Match && Probes.Match->needsHierarchy();
  if (!Settings.Jdk.empty() || Verifies || Relates) {
    auto Home = findJdk(Settings.Jdk, Settings.Javac);
    if (!Home)
      return Home.takeError();
    if (!Home->empty()) {
      auto Opened = openJdk(*Home);
      if (!Opened)
        return Opened.takeError();
      Others.Jdk = std::move(*Opened);
    }
  }
  if (Verifies) {
    std::vector<std::string> Entries = Options.Inputs;
    llvm::erase(Entries, "-");
    llvm::append_range(Entries, Settings.ClassPath);
    auto H = readHierarchy(Entries, Options.Threads);
    if (!H)
      return H.takeError();
    Others.Verified = std::move(*H);
    Others.ForVerifier.emplace(Others.Verified.get(), Others.Jdk.get());
  }
  if (Relates) {
    auto H = readAncestry(In, Settings.ClassPath, Options.Threads);
    if (!H)
      return H.takeError();
    Others.Related = std::move(*H);
    Others.ForTargets.emplace(Others.Related.get(), Others.Jdk.get());
  }
  return Error::success();
}

/// The view of \p In, which is an OriginalView, shows classes that an earlier
/// run added.
static bool keepsAdded(const InputSet &In) {
  return In.view() && static_cast<const OriginalView *>(In.view())->keepsAny();
}

/// What happens to each class.
ClassWork Job::makeWork() const {
  ClassWork W;
  applySettings(Settings, W);
  W.IfProbed = ifProbed();
  W.KeepOriginal = Options.keepsOriginal();
  W.Passes = &Passes;
  W.Run.Advices = Probes.Loaded ? &Probes.Loaded->Bundle.Advices : nullptr;
  W.Run.Match = Probes.Match.get();
  W.Run.Ancestry = Others.ForTargets ? &*Others.ForTargets : nullptr;
  W.Run.Instrumentation = &Callbacks;
  W.Run.Classes = &Callees.ByName;
  W.Run.Tracing = Tracing ? &*Tracing : nullptr;
  W.Run.Profile = Profile ? &*Profile : nullptr;
  W.Run.ReportDetails = Options.Report != ReportFormat::None;
  W.Run.KeepIR = Options.Emit == EmitKind::JIR;
  if (Probes.Loaded)
    W.Probes = probeIdentities(advices(), Probes.Loaded->Bundle.Made);
  W.Emit = Options.Emit;
  W.Flavour = Options.Flavour;
  W.Hierarchy = Others.ForVerifier ? &*Others.ForVerifier : nullptr;
  return W;
}

/// All classes; the outputs are staged then.
Expected<JobStatus> Job::workOnInputs(const InputSet &In, OutputSet *Out) {
  ClassWork W = makeWork();
  if (Error E = makeDotFiles(W))
    return E;
  // With exactly the default pipeline for probes, what none of them can match
  // need not even be inflated.
  bool OnlyProbes = probing() && !Settings.Passes && !Settings.traces() &&
                    !Settings.VerifyInput && Options.Emit == EmitKind::Class &&
                    !Dot && !In.view();
  auto Placement = makePlacement();
  if (!Placement)
    return Placement.takeError();
  WeaveWalk Client(Options, OnlyProbes ? Probes.Match.get() : nullptr, W, Rep,
                   Diags, Placement->get());
  Client.KeepsAdded = keepsAdded(In);
  Client.HasOthers = Settings.weaves() &&
                     (In.inputs().size() > 1 || In.inputs().front().IsFolder);
  Error Stopped = processInputs(In, Client, Out, processOptions());
  Client.reportFindings();
  Client.reportNewer();
  if (Stopped)
    return Stopped;
  if (Dot)
    if (Error E = Dot->takeError())
      return E;
  if (Listener.Progress)
    Listener.Progress(0, 0);
  if (Out)
    if (Error E = placeLooseBeside(Client, In, *Out))
      return E;
  if (Probes.Loaded && Out) {
    bool Loose = In.inputs().size() == 1 && !In.inputs()[0].IsFolder &&
                 Client.ChangedFile && !Probes.Written.Classes.empty();
    if (Options.BundleFile.empty() && Loose)
      if (Error E = placeLooseBundle(In, *Out))
        return E;
    if (Error E = writeProbeFiles(Out))
      return E;
  }
  if (Out)
    if (Error E = removeStale(*Out))
      return E;
  noteModules(Client);
  if (*Placement)
    (*Placement)->reportCopies(Diags);
  return conclude(Client, In);
}

/// What puts probe classes into containers; null if there is nothing to put.
Expected<std::unique_ptr<BundlePlacement>> Job::makePlacement() {
  if (!Probes.Loaded || !Options.BundleFile.empty() ||
      (Probes.Written.Classes.empty() && Probes.Choice.OfInputs.empty()))
    return nullptr;
  auto P =
      BundlePlacement::create(Probes.Written, Options.keepsOriginal(), Rep);
  if (!P)
    return P.takeError();
  llvm::StringSet<> Switched;
  for (const Advice &A : advices().Advices)
    if (advices().Probes[A.Probe].HasMode)
      Switched.insert(A.Body.Owner + ".class");
  for (const std::string &Path : Probes.Choice.OfInputs)
    if (Switched.contains(Path))
      (*P)->markOwn(Path, Settings.How == DispatchPolicy::Indy);
  return P;
}

/// Classes that an earlier run put into the output folder are of no use any
/// more, unless there are classes that it wove and this one does not.
Error Job::removeStale(OutputSet &Out) {
  std::vector<std::string> Stale;
  for (const std::string &Path : Out.otherFiles(".class")) {
    llvm::SmallVector<uint8_t, 0> Data;
    auto Range = ByteRange::openFile(Path, Path);
    if (Error E = Range ? Range->readAll(Data) : Range.takeError())
      return E;
    auto Class = readClass(Data);
    if (!Class)
      llvm::consumeError(Class.takeError());
    else if (isAdded(Data))
      Stale.push_back(Path);
    else if (isWoven(**Class))
      return Error::success();
  }
  for (const std::string &Path : Stale)
    Out.removeOther(Path);
  return Error::success();
}

/// Only takes back.
Expected<JobStatus> Job::strip(const InputSet &In, OutputSet &Out) {
  StripWalk Client(Options, Rep, Diags);
  Client.KeepsAdded = keepsAdded(In);
  if (Error E = processInputs(In, Client, &Out, processOptions()))
    return E;
  if (Listener.Progress)
    Listener.Progress(0, 0);
  if (Error E = removeStale(Out))
    return E;
  return conclude(Client, In);
}

Expected<JobStatus> Job::run() {
  if (Error E = readProbes())
    return E;
  if (Options.Inputs.empty() && Options.emitsProbes())
    return compileOnly();
  if (Error E = makePipeline())
    return E;
  auto In = InputSet::open(Options.Inputs, Options.Threads);
  if (!In)
    return In.takeError();
  OriginalView Originals;
  if (Settings.StripProbes || Options.ifProbed() == ProbedPolicy::Replace) {
    if (!Settings.StripProbes && ifProbed() != ProbedPolicy::Replace)
      Originals.keepWoven();
    if (Error E = keepForLeftWoven(*In, Originals, processOptions()))
      return E;
    In->setView(&Originals);
  }
  std::optional<OutputSet> Out;
  if (Options.Emit != EmitKind::None) {
    auto O = OutputSet::create(*In, Options.Output);
    if (!O)
      return O.takeError();
    Out.emplace(std::move(*O));
  }
  auto Commit = [&](Expected<JobStatus> Status) -> Expected<JobStatus> {
    if (Status && *Status != JobStatus::Unusable && Out)
      Status = commit(*Status, *Out);
    if (Status)
      printReport();
    return Status;
  };
  if (Settings.StripProbes)
    return Commit(strip(*In, *Out));
  if (probing())
    if (Error E = compileProbes(*In))
      return E;
  if (Error E = findCallees())
    return E;
  if (Settings.Profile) {
    auto Read = coverage::readProfile(*Settings.Profile);
    if (!Read)
      return Read.takeError();
    Profile = std::move(*Read);
  }
  if (Error E = collectTracing(*In))
    return E;
  if (Error E = readHierarchies(*In))
    return E;
  return Commit(workOnInputs(*In, Out ? &*Out : nullptr));
}

JobStatus jopt::runJob(const JobOptions &Options, const PassRegistry &Registry,
                       DiagnosticEngine &Diags, const JobListener &Listener) {
  auto Status = Job(Options, Registry, Diags, Listener).run();
  if (Status)
    return *Status;
  Diags.report(Status.takeError());
  return JobStatus::Unusable;
}
