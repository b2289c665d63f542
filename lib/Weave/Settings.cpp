//===- Settings.cpp - What may be set about weaving -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Weave/Settings.h"
#include "jopt/Coverage/CodeEdges.h"
#include "jopt/Coverage/PathLayout.h"
#include "jopt/Coverage/Plan.h"
#include "jopt/Probes/ReadyProbes.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/Nearest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using llvm::StringRef;

WeaveSettings WeaveSettings::ofAgent() {
  WeaveSettings S;
#define GET_SETTING_AGENT_DEFAULTS
#include "jopt/Weave/Settings.inc"
  return S;
}

bool jopt::askForSameBytes(const WeaveSettings &A, const WeaveSettings &B) {
#define GET_SETTING_EQUALITY
#include "jopt/Weave/Settings.inc"
}

llvm::ArrayRef<Setting<WeaveSettings>> jopt::weaveSettings() {
  static const Setting<WeaveSettings> Table[] = {
#define GET_SETTINGS
#include "jopt/Weave/Settings.inc"
  };
  return Table;
}

/// Stands for a strategy whose probes cost nothing when they have been reached.
static constexpr StringRef Once = "once";

/// The first release whose compilers know dynamic constants that are not
/// resolved yet (JDK-8280473): before, they give up their methods.
static constexpr unsigned FirstWithFreeConstants = 19;

/// The strategy \p Name counts a sample of what runs.
static bool isSampled(StringRef Name) {
  if (const auto Paths = coverage::findPathStrategy(Name))
    return coverage::getPathStrategies()[*Paths].IsSampled;
  const auto Edges = coverage::findEdgeStrategy(Name);
  return Edges && coverage::getEdgeStrategies()[*Edges].IsSampled;
}

/// The names of all strategies.
static llvm::SmallVector<StringRef, 16> strategyNames() {
  llvm::SmallVector<StringRef, 16> Names = {Once};
  for (const auto &S : coverage::getStrategies())
    Names.push_back(S.Name);
  for (const auto &S : coverage::getEdgeStrategies())
    Names.push_back(S.Name);
  for (const auto &S : coverage::getPathStrategies())
    Names.push_back(S.Name);
  return Names;
}

/// Chooses how `once` records in a JVM of \p Release; 0: it is not known.
static void resolveOnce(WeaveSettings &S, unsigned Release) {
  using coverage::PointCode;
  if (S.Points == PointCode::Auto)
    S.Points = Release == 0                        ? PointCode::Sites
               : Release >= FirstWithFreeConstants ? PointCode::Constants
                                                   : PointCode::Stores;
  // Stores leave by removal, and pos has the fewest; no slot links itself.
  S.Coverage = S.Points == PointCode::Stores ? "pos" : "min";
}

llvm::Error jopt::resolveCoverage(WeaveSettings &S, unsigned Release) {
  if (!S.Coverage && S.CoverageRate)
    return makeError("coverage-rate needs coverage=STRATEGY");
  if (!S.Coverage && S.Points != coverage::PointCode::Auto)
    return makeError("coverage-points needs coverage=STRATEGY");
  if (!S.Coverage)
    return llvm::Error::success();
  const std::string Name = *S.Coverage;
  if (Name == Once)
    resolveOnce(S, Release);
  else if (!coverage::findStrategy(Name) && !coverage::findEdgeStrategy(Name) &&
           !coverage::findPathStrategy(Name)) {
    const auto Names = strategyNames();
    const StringRef Near = nearestName(Name, Names);
    return makeError("coverage=" + Name + " is no strategy; " +
                     (Near.empty() ? "there are " + llvm::join(Names, ", ")
                                   : "did you mean '" + Near.str() + "'?"));
  }
  const auto Of = coverage::findStrategy(*S.Coverage);
  const bool SetsBits =
      Of && coverage::getStrategyInfo(*Of).Kind == coverage::Elements::Bits;
  if (!SetsBits && S.Points != coverage::PointCode::Auto &&
      S.Points != coverage::PointCode::Stores)
    return makeError("coverage-points is for strategies that record whether a "
                     "place was reached; coverage=" +
                     Name +
                     " counts, or keeps bits of several places in one "
                     "word");
  if (S.CoverageRate && !isSampled(*S.Coverage))
    return makeError("coverage-rate is for strategies that count a sample; "
                     "coverage=" +
                     Name + " records all");
  return llvm::Error::success();
}

/// The option of place-coverage for \p Points.
static StringRef pointsOption(coverage::PointCode Points) {
  switch (Points) {
  case coverage::PointCode::Auto:
  case coverage::PointCode::Stores:
    return "";
  case coverage::PointCode::Sites:
    return ";points=sites";
  case coverage::PointCode::Constants:
    return ";points=constants";
  }
  llvm_unreachable("all are listed");
}

/// The pass that places what is recorded by the strategy \p Name.
static std::string coveragePass(StringRef Name, std::optional<unsigned> Rate,
                                coverage::PointCode Points) {
  const auto Paths = coverage::findPathStrategy(Name);
  const auto Edges = coverage::findEdgeStrategy(Name);
  const std::string Option = Rate             ? ";rate=" + llvm::utostr(*Rate)
                             : Paths || Edges ? ""
                                              : pointsOption(Points).str();
  return llvm::formatv("place-{0}<strategy={1}{2}>",
                       Paths   ? "paths"
                       : Edges ? "edges"
                               : "coverage",
                       Name, Option);
}

/// The name of the passes of \p L, a level.
static StringRef pipelineOf(OptimizationLevel L) {
  switch (L) {
  case OptimizationLevel::None:
    break;
  case OptimizationLevel::O1:
    return "default<O1>";
  case OptimizationLevel::O2:
    return "default<O2>";
  case OptimizationLevel::Os:
    return "default<Os>";
  case OptimizationLevel::Oz:
    return "default<Oz>";
  }
  return {};
}

static DebugTables debugTablesOf(OptimizationLevel L) {
  switch (L) {
  case OptimizationLevel::O2:
  case OptimizationLevel::Os:
    return DebugTables::Lines;
  case OptimizationLevel::Oz:
    return DebugTables::None;
  default:
    return DebugTables::Keep;
  }
}

std::string jopt::pipelineText(const WeaveSettings &S, unsigned FirstStage) {
  if (S.Passes)
    return *S.Passes;
  llvm::SmallVector<StringRef, 4> Parts;
  std::string Coverage;
  // First, since it is of the class file as it came.
  if (S.Coverage)
    Parts.push_back(Coverage =
                        coveragePass(*S.Coverage, S.CoverageRate, S.Points));
  if (S.traces())
    if (StringRef Stages = tracingPasses(S.Idle, FirstStage); !Stages.empty())
      Parts.push_back(Stages);
  if (!S.Probes.empty())
    Parts.push_back("insert-probes");
  if (!S.Probes.empty() && S.Inline)
    Parts.push_back("inline-advice");
  if (S.optimizes())
    Parts.push_back(pipelineOf(S.Level));
  else if (S.Optimize == OptimizePolicy::Limits && !Parts.empty())
    Parts.push_back(pipelineOf(OptimizationLevel::O2));
  return llvm::join(Parts, ",");
}

void jopt::applySettings(const WeaveSettings &S, ClassWork &W) {
  W.Run.Oversize = S.Oversize;
  W.Run.OptimizesOverLimits =
      S.Optimize == OptimizePolicy::Limits && !S.optimizes() && !S.Passes;
  W.Run.Debug = S.Debug.value_or(debugTablesOf(S.Level));
  W.Run.Schema = S.Schema;
  W.Run.How = S.How == DispatchPolicy::Indy ? Dispatch::Indy : Dispatch::Direct;
  W.Run.SkipSensitive = S.SkipSensitive;
  for (const std::string &Text : S.WithoutProbes)
    if (unsigned N = 0; llvm::to_integer(Text, N)) {
      W.Run.Without.resize(std::max(W.Run.Without.size(), N + 1));
      W.Run.Without.set(N);
    }
  W.Patch = S.Patch;
  W.Run.Patch = S.Patch != PatchPolicy::Never;
  W.Reinstrument = S.Reinstrument;
  W.Newer = S.Newer;
  W.VerifyInput = S.VerifyInput;
  using Check = ClassWork::OutputCheck;
  W.Output = !S.VerifyOutput   ? Check::Changes
             : *S.VerifyOutput ? Check::Everything
                               : Check::Nothing;
}

ProbeOptions jopt::makeProbeOptions(const WeaveSettings &S) {
  ProbeOptions O;
  O.Package = S.Package;
  O.Isolate = S.Isolate.value_or(false);
  O.GuardRecursion = S.Guard.value_or(false);
  O.CountEvents = S.CountEvents;
  O.ReconstructsTrace = S.ReconstructTrace;
  O.Params = S.Params;
  O.ProbeApi = S.ProbeApi;
  O.Modes = S.Modes;
  O.Javac = S.Javac;
  O.Release = S.Release;
  O.ClassPath = S.ClassPath;
  O.CacheFolder = S.CacheFolder;
  return O;
}

bool SettingInfo::isNamed(StringRef Given, SettingTool T) const {
  std::string Dashed = Given.str();
  std::replace(Dashed.begin(), Dashed.end(), '_', '-');
  return isFor(T) && (Name == Dashed ||
                      llvm::any_of(OldNames, [&](const OldSettingName &O) {
                        return O.By == T && O.Name == Dashed;
                      }));
}

static bool mayGive(const SettingValue &V, SettingTool T) {
  return !V.By || V.By & unsigned(T);
}

std::string SettingInfo::valuesFor(SettingTool T) const {
  if (Type == SettingType::Flag)
    return "on|off";
  if (Type != SettingType::Choice)
    return Argument.str();
  std::string Text;
  for (const SettingValue &V : Values)
    if (mayGive(V, T))
      Text += (Text.empty() ? "" : "|") + V.Name.str();
  return Text;
}

bool WeaveSettings::isRateWrong() const {
  return CoverageRate &&
         (!*CoverageRate || *CoverageRate > unsigned(INT32_MAX));
}

bool WeaveSettings::lacksTrace() const {
  return ReconstructTrace && llvm::none_of(Probes, [](StringRef Given) {
           return Given.starts_with(TracePrefix);
         });
}

/// The parts of \p Text between single commas; two of them are one in a part.
static std::vector<std::string> splitAtCommas(StringRef Text) {
  std::vector<std::string> Parts(1);
  for (size_t I = 0; I < Text.size(); ++I) {
    if (Text[I] != ',') {
      Parts.back() += Text[I];
    } else if (Text.substr(I).starts_with(",,")) {
      Parts.back() += ',';
      ++I;
    } else {
      Parts.emplace_back();
    }
  }
  return Parts;
}

/// The agent's files are named relative to the folder that the JVM runs in.
static std::string absolute(StringRef Path) {
  if (isNoProbeFile(Path))
    return Path.str();
  llvm::SmallString<128> Absolute(Path);
  (void)llvm::sys::fs::make_absolute(Absolute);
  return Absolute.str().str();
}

/// The files that an entry of a class path names: itself, or for `FOLDER/*` the
/// jars in that folder, as java does.
static llvm::Expected<std::vector<std::string>> findEntry(std::string Path) {
  StringRef Folder = Path;
  if (!Folder.consume_back("/*")) {
    if (!llvm::sys::fs::exists(Path))
      return makeError(Path + ": no such file");
    return std::vector<std::string>{std::move(Path)};
  }
  std::vector<std::string> Jars;
  std::error_code EC;
  for (llvm::sys::fs::directory_iterator It(Folder, EC), End; It != End && !EC;
       It.increment(EC))
    if (llvm::sys::path::extension(It->path()).equals_insensitive(".jar"))
      Jars.push_back(It->path());
  if (EC)
    return makeError(Path + ": " + EC.message());
  if (Jars.empty())
    return makeError(Path + ": there is no .jar in that folder");
  llvm::sort(Jars);
  return Jars;
}

llvm::Expected<std::vector<std::string>>
SettingInfo::read(StringRef Value, SettingTool T) const {
  const bool Agent = T == SettingTool::Agent;
  auto MakePath = [&](StringRef P) { return Agent ? absolute(P) : P.str(); };
  auto Wrong = [&](const llvm::Twine &What) {
    return makeError("'" + Value + "' is " + What);
  };
  unsigned Number;
  std::vector<std::string> Texts;
  switch (Type) {
  case SettingType::Flag:
    if (!Value.empty() && Value != "on" && Value != "off")
      return Wrong("none of on|off");
    return std::vector<std::string>{Value.empty() ? "on" : Value.str()};
  case SettingType::Choice:
    if (llvm::none_of(Values, [&](const SettingValue &V) {
          return V.Name == Value && mayGive(V, T);
        }))
      return Wrong("none of " + valuesFor(T));
    break;
  case SettingType::Number:
    if (!llvm::to_integer(Value, Number))
      return Wrong("no number");
    break;
  case SettingType::File:
    if (Value != NoFile)
      return std::vector<std::string>{MakePath(Value)};
    break;
  case SettingType::Paths: {
    llvm::SmallVector<StringRef, 8> Parts;
    Value.split(Parts, ':', -1, /*KeepEmpty=*/false);
    for (StringRef P : Parts) {
      auto Found = findEntry(MakePath(P));
      if (!Found)
        return Found.takeError();
      llvm::append_range(Texts, std::move(*Found));
    }
    return Texts;
  }
  case SettingType::List:
  case SettingType::Files:
    // The agent's options are parted by commas themselves.
    Texts =
        Agent ? std::vector<std::string>{Value.str()} : splitAtCommas(Value);
    for (std::string &Text : Texts) {
      StringRef Item = Text;
      if (Type == SettingType::Files)
        Text = MakePath(Item);
      else if (Item.consume_front("@"))
        Text = "@" + MakePath(Item);
    }
    return Texts;
  case SettingType::Patterns:
    Texts.push_back(Value.str());
    std::replace(Texts[0].begin(), Texts[0].end(), '.', '/');
    return Texts;
  case SettingType::Text:
  case SettingType::Item:
  case SettingType::Command:
    break;
  }
  return std::vector<std::string>{Value.str()};
}

std::vector<std::string> jopt::printSettings(const WeaveSettings &S) {
  std::vector<std::string> Options;
  for (const Setting<WeaveSettings> &Row : weaveSettings()) {
    if (!Row.isFor(SettingTool::Dump))
      continue;
    std::vector<std::string> Texts;
    Row.Print(S, [&](StringRef Value) { Texts.push_back(Value.str()); });
    if (Texts.empty())
      continue;
    if (Row.Type == SettingType::Paths)
      Texts = {llvm::join(Texts, ":")};
    for (std::string Text : Texts) {
      if (Row.isList() && Row.Type != SettingType::Paths)
        for (size_t At = 0; (At = Text.find(',', At)) != std::string::npos;)
          Text.insert(At, 1, ','), At += 2;
      Options.push_back(("-" + Row.Name + "=" + Text).str());
    }
  }
  return Options;
}
