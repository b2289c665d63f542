//===- Session.cpp - A set of probes at work ------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Attach/Session.h"
#include "jopt/Advice/Sensitive.h"
#include "jopt/CoverageReport/EdgeReport.h"
#include "jopt/IR/Model/Annotations.h"
#include "jopt/IR/Model/MethodFlags.h"
#include "jopt/Passes/Analysis/CoveragePlan.h"
#include "jopt/Probes/Java/Javac.h"
#include "jopt/Probes/LoadProbes.h"
#include "jopt/Probes/ProbeModes.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/TF/PropertiesFile.h"
#include "jopt/Weave/ProbeMark.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

/// Fills in the release of \p S where it has none, for \p Compiler in a JVM of
/// \p Jvm.
static llvm::Error chooseRelease(WeaveSettings &S, const java::Javac &Compiler,
                                 unsigned Jvm) {
  if (!S.Release)
    S.Release = std::min(Jvm, Compiler.newestRelease());
  if (*S.Release > Jvm)
    return makeError("release=" + llvm::Twine(*S.Release) +
                     ": this JVM is of Java " + llvm::Twine(Jvm) +
                     ", and takes no class of a later release");
  return llvm::Error::success();
}

/// Extends the class path of \p S by further entries that the program has.
/// \returns whether there are any.
static bool addFurtherPath(WeaveSettings &S,
                           const Session::Surroundings &Around) {
  if (!Around.FurtherPath)
    return false;
  const size_t Before = S.ClassPath.size();
  for (std::string &Entry : Around.FurtherPath())
    if (!llvm::is_contained(S.ClassPath, Entry))
      S.ClassPath.push_back(std::move(Entry));
  return S.ClassPath.size() != Before;
}

/// Fills in the compiler and the class path of \p S.
static void addSurroundings(WeaveSettings &S,
                            const Session::Surroundings &Around) {
  llvm::append_range(S.ClassPath, Around.ClassPath);
  for (std::string &Entry : S.ClassPath) {
    llvm::SmallString<128> Path(Entry);
    if (!llvm::sys::fs::make_absolute(Path))
      Entry = Path.str().str();
  }
  if (Around.JavaHome.empty())
    return;
  // On Java 8 the home is the folder jre of the JDK.
  for (StringRef Below : {"/bin/javac", "/../bin/javac"})
    if (std::string Own = Around.JavaHome + Below.str();
        S.Javac.empty() && llvm::sys::fs::can_execute(Own))
      S.Javac = Own;
}

/// Decides what \p S leaves open about fragments that fail or call what they
/// probe; whether anything is other than it was. Code that is put in place of
/// calls can have neither, so whoever asks for that does without.
static bool protect(WeaveSettings &S, const Session::Surroundings &Around,
                    bool TargetsJdk) {
  const bool Default = Around.IsAttached && !S.Inline;
  const bool Guards = !S.Guard && (Default || TargetsJdk);
  const bool Isolates = !S.Isolate && Default;
  if (Guards)
    S.Guard = true; // In the JDK, fragments use what they probe.
  if (Isolates)
    S.Isolate = true;
  return Guards || Isolates;
}

/// Fails if a probe of \p Bundle, which came compiled, does not count its
/// events, so that nothing could bound them.
static llvm::Error checkCounts(const ProbeBundle &Bundle) {
  for (const Advice &A : Bundle.Advices.Advices) {
    auto At = llvm::find_if(Bundle.Classes, [&](const auto &C) {
      return C.first == A.Body.Owner + ".class";
    });
    if (At == Bundle.Classes.end())
      continue;
    auto Class = readClass(At->second);
    if (!Class)
      return Class.takeError();
    if (llvm::none_of((*Class)->Fields, [&](const Field &F) {
          return (*Class)->name(F) == (EventCount + A.Body.Name).str();
        }))
      return makeError(
          "probe '" + Bundle.Advices.Probes[A.Probe].Name +
          "' came compiled and does not count its events, which 'max-rate' and "
          "'max-overhead' need: make it with jopt -count-events");
  }
  return llvm::Error::success();
}

/// Compiles \p Loaded with the program's class path, and if that is not enough
/// with what its loaders have besides.
llvm::Error Session::compile(LoadedProbes &Loaded, const Surroundings &Around,
                             DiagnosticEngine &Diags) {
  WeaveSettings &S = Options.Weave;
  auto Compile = [&](DiagnosticEngine &To) {
    ProbeOptions PO = makeProbeOptions(S);
    PO.WhereClasses =
        Around.FurtherPath
            ? "classes are looked for on the program's class path, where its "
              "loaders have classes from, and where the option classpath= says"
            : "classes are looked for on the program's class path, and where "
              "the option classpath= says";
    return jopt::compileProbes(Loaded, PO, To);
  };
  std::vector<Diagnostic> Said;
  DiagnosticEngine First([&](const Diagnostic &D) { Said.push_back(D); });
  llvm::Error E = Compile(First);
  if (E && Loaded.needsCompiler() && addFurtherPath(S, Around)) {
    llvm::consumeError(std::move(E));
    return Compile(Diags);
  }
  for (Diagnostic &D : Said)
    Diags.report(std::move(D));
  return E;
}

/// Also of those that may be switched on later.
static ProbeOptions readingOptions(const WeaveSettings &S) {
  ProbeOptions O = makeProbeOptions(S);
  O.KeepsOff = true;
  return O;
}

llvm::Error Session::compileProbes(const Surroundings &Around,
                                   DiagnosticEngine &Diags) {
  WeaveSettings &S = Options.Weave;
  addSurroundings(S, Around);
  if (llvm::Error E = resolveCoverage(S, Around.Release))
    return E;
  // What links itself costs nothing where it stays.
  Options.RemovesCoverage &= S.Points == coverage::PointCode::Auto ||
                             S.Points == coverage::PointCode::Stores;
  S.CountEvents |= Options.boundsEvents();
  addClassPath(Diags);
  auto Loaded = readProbes(S.Probes, readingOptions(S), Diags);
  if (!Loaded)
    return Loaded.takeError();
  if (Loaded->needsCompiler() &&
      protect(S, Around,
              ClassFilter(Options, Loaded->Bundle, {}).targetsJdk())) {
    DiagnosticEngine Heard([](const Diagnostic &) {});
    Loaded = readProbes(S.Probes, readingOptions(S), Heard);
    if (!Loaded)
      return Loaded.takeError();
  }
  if (!Loaded->needsCompiler()) {
    // Compiled probes need none of these.
    S.ClassPath.clear();
    S.Javac.clear();
    S.Release.reset();
  } else {
    auto Compiler =
        java::findJavac(S.Javac, makeProbeOptions(S).TimeoutSeconds);
    if (!Compiler)
      return makeError(toMessage(Compiler.takeError()) +
                       "; compile the probes elsewhere, with "
                       "jopt -probes=X.xml -emit-bundle=X.jar, and give the "
                       "agent X.jar");
    if (llvm::Error E = chooseRelease(S, *Compiler, Around.Release))
      return E;
  }
  for (const Diagnostic &D : Loaded->LeftOut)
    Diags.report(Severity::Undone, D.Where, D.Message);
  if (llvm::Error E = compile(*Loaded, Around, Diags))
    return E;
  Given.Files = std::make_shared<const ProbeBundle>(std::move(Loaded->Bundle));
  Given.OwnClasses = Around.ProbeClasses;
  take({});
  return Options.boundsEvents() ? checkCounts(Bundle) : llvm::Error::success();
}

/// Puts to work the probes of the files that are on, and those that the program
/// registered.
void Session::take(const Choice &C) {
  llvm::append_range(Options.Weave.Modes, C.Modes);
  Bundle = *Given.Files;
  auto Stays = [&](const Probe &P) {
    return P.HasMode ? isOn(Options.Weave.Modes, P.Name) : !C.OnlyClasses;
  };
  Bundle.Advices = selectProbes(Given.Files->Advices, Stays);
  Bundle.Made.clear();
  for (auto [P, Made] :
       llvm::zip(Given.Files->Advices.Probes, Given.Files->Made))
    if (Stays(P))
      Bundle.Made.push_back(Made);
  Identities = probeIdentities(Bundle.Advices, Bundle.Made);
  auto Append = [](AdviceSet &To, const RegisteredProbe &R) {
    for (Advice A : R.Advices.Advices) {
      A.Probe = unsigned(To.Probes.size());
      A.Body.Owner = R.Owner;
      A.Body.Stub = R.Stub;
      A.Body.Token = R.Token;
      To.Advices.push_back(std::move(A));
    }
    To.Probes.push_back(R.Advices.Probes.front());
  };
  for (const RegisteredProbe *R : C.Registered) {
    llvm::append_range(Identities, probeIdentities(R->Advices));
    Append(Bundle.Advices, *R);
    Append(Registered.Advices, *R);
    Bundle.UsesApi = true;
    std::string Class = R->name().str();
    std::replace(Class.begin(), Class.end(), '.', '/');
    Given.OwnClasses.push_back(std::move(Class));
  }
  if (!C.Registered.empty())
    Registered.Match = std::make_unique<Matcher>(Registered.Advices);
  for (const auto &[Path, Data] : Bundle.Classes)
    if (StringRef Name = Path; Name.consume_back(".class"))
      Callees.try_emplace(Name, Data);
  Match = std::make_unique<Matcher>(Bundle.Advices);
  Filter = std::make_unique<ClassFilter>(Options, Bundle, Given.OwnClasses);
}

/// Probes of the class path are there, and off where no option names them.
void Session::addClassPath(DiagnosticEngine &Diags) {
  WeaveSettings &S = Options.Weave;
  std::vector<std::string> Off;
  for (const auto *Path :
       {&Options.ProbeClassPath, &Options.ProbeBootClassPath})
    for (const std::string &Entry : *Path) {
      auto Found = readProbes({Entry}, readingOptions(S), Diags);
      if (!Found) {
        Diags.report(Found.takeError(), Severity::Warning);
        continue;
      }
      for (const Probe &P : Found->Bundle.Advices.Probes)
        Off.push_back("off:" + P.Name);
      S.Probes.push_back(Entry);
    }
  S.Modes.insert(S.Modes.begin(), Off.begin(), Off.end());
  Given.PathModes = Off.size();
  if (!Options.ProbeBootClassPath.empty() && Options.Place == ProbePlace::Auto)
    Options.Place = ProbePlace::Boot;
  Options.ProbeClassPath.clear();
  Options.ProbeBootClassPath.clear();
}

llvm::Error Session::readTracing() {
  WeaveSettings &S = Options.Weave;
  if (S.TracingAnnotations.empty()) {
    S.TracingLibrary.reset(); // Nothing can use it.
    return llvm::Error::success();
  }
  S.TracingLibrary = S.tracingLibrary();
  auto Library = tf::Packages::named(S.tracingLibrary());
  if (!Library)
    return Library.takeError();
  Tracing.emplace();
  Tracing->Library = std::move(*Library);
  Tracing->Checks = Tracing->Library.rules();
  for (const std::string &Item : S.TracingAnnotations) {
    auto Names = tf::readAnnotationNames(Item);
    if (!Names)
      return Names.takeError();
    for (std::string &Name : *Names) {
      tf::TFAnnotation A;
      A.Name = std::move(Name);
      Tracing->Annotations.add(std::move(A));
    }
  }
  S.TracingAnnotations.clear();
  for (std::string Name : Tracing->Annotations.names()) {
    Annotations.push_back("L" + Name + ";");
    std::replace(Name.begin(), Name.end(), '/', '.');
    S.TracingAnnotations.push_back(std::move(Name));
  }
  return llvm::Error::success();
}

/// What classes get members for.
void Session::findMembers() {
  // Numbers of probes are in the names of members, so all probes stay.
  Members.Set.Probes = Bundle.Advices.Probes;
  for (const Advice &A : Bundle.Advices.Advices)
    if (A.Kind == AdviceKind::StaticInitializer)
      Members.Set.Advices.push_back(A);
  Members.Match = std::make_unique<Matcher>(Members.Set);
}

llvm::Expected<std::shared_ptr<const Session>>
Session::create(const AgentOptions &Options, const Surroundings &Around,
                DiagnosticEngine &Diags) {
  std::shared_ptr<Session> S(new Session);
  S->Options = Options;
  S->Given.Numbers = Around.Numbers;
  if (llvm::Error E = S->compileProbes(Around, Diags))
    return E;
  if (llvm::Error E = S->finish())
    return E;
  return S;
}

llvm::Expected<std::shared_ptr<const Session>>
Session::choose(const Session &Base, const Choice &C) {
  std::shared_ptr<Session> S(new Session);
  S->Options = Base.Options;
  S->Given = Base.Given;
  S->take(C);
  if (llvm::Error E = S->finish())
    return E;
  return S;
}

/// Any class of \p B may have that in its pool.
static bool anyContains(const ProbeBundle &B, StringRef Text) {
  return llvm::any_of(B.Classes, [&](const auto &Class) {
    return jopt::toStringRef(Class.second).contains(Text);
  });
}

bool Session::printsForClients() const {
  return anyContains(Bundle, "jopt/boot/Client");
}

bool Session::needsMethodOrder() const {
  return llvm::any_of(Bundle.Advices.Advices, [](const Advice &A) {
    return llvm::any_of(A.Data,
                        [](DataItem D) { return getInfo(D).OfMethodOrder; });
  });
}

bool Session::measures() const { return anyContains(Bundle, "jopt/probe/"); }

bool Session::asksForCost() const {
  return llvm::is_contained(Options.Weave.Params, "followed=true");
}

bool Session::readsFrames() const {
  return anyContains(Bundle, "jopt/probe/Throws");
}

bool Session::countsFailures() const {
  return anyContains(Bundle, FailureCount);
}

/// All that does not depend on where its probes came from.
llvm::Error Session::finish() {
  if (llvm::Error E = readTracing())
    return E;
  if (Options.Weave.Profile) {
    auto Read = coverage::readProfile(*Options.Weave.Profile);
    if (!Read)
      return Read.takeError();
    Profile = std::move(*Read);
  }
  findMembers();
  for (Purpose For : {Purpose::Weave, Purpose::Members, Purpose::Watch})
    for (Dispatch How : {Dispatch::Direct, Dispatch::Indy, Dispatch::Stub})
      for (bool Loaded : {false, true})
        for (bool Traced : {false, true})
          if (llvm::Error E = makeWork(For, {Loaded, How, Traced}))
            return E;
  llvm::raw_string_ostream OS(AdviceText);
  printAdviceSet(Bundle.Advices, OS);
  return openCache();
}

/// Not where results depend on what the program does, or on more files.
llvm::Error Session::openCache() {
  if (Options.CacheFolder.empty() || Tracing || Profile ||
      Options.CountPlaces || countOfFiles() != Bundle.Advices.Probes.size())
    return llvm::Error::success();
  KeyHash All;
  All.add(AdviceText);
  for (const auto &[Path, Class] : Bundle.Classes) {
    All.add(Path);
    All.add(Bytes(Class));
  }
  auto Opened = WeaveCache::open(Options.CacheFolder, All);
  if (!Opened)
    return Opened.takeError();
  Weaving.Kept = std::move(*Opened);
  for (auto &[Index, W] : Weaving.Works) {
    W.Key.add(uint64_t(Index));
    for (const std::string &Setting : W.Settings)
      W.Key.add(Setting);
  }
  return llvm::Error::success();
}

/// Of all that run() makes its result of.
KeyHash Session::keyOf(Purpose For, Bytes Data, const WeaveMode &Mode) const {
  KeyHash Key = Weaving.Works.find(indexOf(For, Mode))->second.Key;
  for (const llvm::BitVector *Bits : {&Mode.Without, &Mode.Known}) {
    Key.add(uint64_t(Bits->count()));
    for (unsigned I : Bits->set_bits())
      Key.add(uint64_t(I));
  }
  if (Mode.Ancestry) {
    std::vector<const ClassInfo *> Known(Mode.Ancestry->classes().begin(),
                                         Mode.Ancestry->classes().end());
    llvm::sort(Known, [](auto *A, auto *B) { return A->Name < B->Name; });
    for (const ClassInfo *C : Known) {
      Key.add(C->Name);
      Key.add(C->Super);
      Key.add(uint64_t(C->Interfaces.size()));
      for (StringRef I : C->Interfaces)
        Key.add(I);
    }
  }
  // By itself it is hashed several chunks at a time.
  Key.add(Bytes(llvm::BLAKE3::hash(Data)));
  return Key;
}

WeaveSettings Session::settingsFor(Purpose For, const WeaveMode &Mode) const {
  WeaveSettings S = Options.Weave;
  const bool Sites = Mode.How == Dispatch::Indy;
  S.How = Sites ? DispatchPolicy::Indy : DispatchPolicy::Direct;
  if (!Given.Bundle.empty()) {
    S.Probes = {Given.Bundle};
    S.ClassPath.clear();
    S.Javac.clear();
    S.Release.reset();
    S.Params.clear();
  }
  for (unsigned P : Mode.Without.set_bits())
    S.WithoutProbes.push_back(std::to_string(P));
  // Probes add nothing to classes that do not see theirs.
  if (Mode.Loaded || Sites)
    S.Schema = SchemaPolicy::Keep;
  switch (For) {
  case Purpose::Watch:
    S.Probes.clear();
    S.ClassPath.clear();
    S.Javac.clear();
    S.Release.reset();
    S.Passes = "tf-watch";
    // It does not see the classes of the probes, and keeps its members.
    S.How = DispatchPolicy::Indy;
    S.Schema = SchemaPolicy::Keep;
    break;
  case Purpose::Members:
    S.Idle = TracingIdle::None;
    if (Sites) // Of probes nothing adds members then.
      S.Probes.clear();
    break;
  case Purpose::Weave:
    // No file has these.
    for (const Probe &P : Registered.Advices.Probes)
      S.Probes.push_back("registered by the program: " + P.Name);
    // While a class is traced on demand, it gets its monitors from fields.
    if (Mode.Traced && S.Idle == TracingIdle::None)
      S.Idle = TracingIdle::Holder;
    // Stage 1 adds members, so a class that is there gets stage 2 alone.
    if (Tracing && Mode.Loaded)
      S.Passes = pipelineText(S, /*FirstStage=*/2);
    break;
  }
  return S;
}

unsigned Session::indexOf(Purpose For, const WeaveMode &Mode) {
  const bool Sites = Mode.How == Dispatch::Indy;
  switch (For) {
  case Purpose::Watch:
    return 0;
  case Purpose::Members:
    return 1 + Sites;
  case Purpose::Weave:
    break;
  }
  return 3 + 3 * (Mode.Loaded | Mode.Traced << 1) + unsigned(Mode.How);
}

llvm::Error Session::makeWork(Purpose For, const WeaveMode &Mode) {
  auto [At, IsNew] = Weaving.Works.try_emplace(indexOf(For, Mode));
  if (!IsNew)
    return llvm::Error::success();
  Work &W = At->second;
  WeaveSettings S = settingsFor(For, Mode);
  auto Passes = Pipeline::parse(pipelineText(S), Registry);
  if (!Passes)
    return Passes.takeError();
  W.Passes = std::move(*Passes);
  // Leave out files and paths: their content counts, and the session read it.
  for (const Setting<WeaveSettings> &Row : weaveSettings())
    if (Row.isFor(SettingTool::Dump) && Row.Type != SettingType::File &&
        Row.Type != SettingType::Files && Row.Type != SettingType::Paths)
      Row.Print(S, [&](StringRef Value) {
        W.Settings.push_back((Row.Name + "=" + Value).str());
      });
  ClassWork &C = W.Class;
  applySettings(S, C);
  C.Passes = &W.Passes;
  C.Run.Classes = &Callees;
  C.Run.Tracing = Tracing ? &*Tracing : nullptr;
  C.Run.Profile = Profile ? &*Profile : nullptr;
  C.Run.ReportDetails = For == Purpose::Weave;
  switch (For) {
  case Purpose::Watch:
    break;
  case Purpose::Members:
    C.Run.Advices = &Members.Set;
    C.Run.Match = Members.Match.get();
    break; // They leave no mark.
  case Purpose::Weave:
    C.Run.Advices = &Bundle.Advices;
    C.Run.Match = Match.get();
    C.Probes = Identities;
    if (Options.CountPlaces) {
      C.Run.Numbers = Given.Numbers;
      C.Run.Patch = false;
    }
    C.Run.How = Mode.How;
    break;
  }
  return llvm::Error::success();
}

llvm::SmallBitVector Session::annotationsIn(Bytes Pool) const {
  llvm::SmallBitVector Found(unsigned(Annotations.size()));
  for (auto [N, Descriptor] : llvm::enumerate(Annotations))
    if (jopt::toStringRef(Pool).contains(Descriptor))
      Found.set(unsigned(N));
  return Found;
}

llvm::Expected<ClassOutcome> Session::run(Purpose For, Bytes Data,
                                          const WeaveMode &Mode) const {
  const ClassWork &W = Weaving.Works.find(indexOf(For, Mode))->second.Class;
  if (!Mode.Ancestry && Mode.Without.none() && Mode.Known.none())
    return workOnClass(W, Data);
  ClassWork Own = W;
  KnownElements Known{Mode.Known};
  Own.Run.Known = &Known;
  Own.Run.Ancestry = Mode.Ancestry;
  Own.Run.Without = Mode.Without;
  Own.Run.CountMatches = Mode.Without.none();
  return workOnClass(Own, Data);
}

llvm::Expected<ClassOutcome>
Session::weave(Bytes Data, const WeaveMode &Mode,
               std::optional<std::string> *KeptRows) const {
  const Purpose For = Mode.Registry ? Purpose::Watch : Purpose::Weave;
  if (!Weaving.Kept || !KeptRows)
    return run(For, Data, Mode);
  const PackedCache::Key Key = keyOf(For, Data, Mode).result();
  if (auto Found = Weaving.Kept->find(Key, *Match)) {
    *KeptRows = std::move(Found->Rows);
    return std::move(Found->Outcome);
  }
  MatchTally Tally(*Match);
  auto Made = run(For, Data, Mode);
  if (Made)
    Weaving.Kept->put(Key, *Made, Tally);
  return Made;
}

llvm::Expected<ClassOutcome>
Session::addMembers(Bytes Data, Dispatch How,
                    const MemoryHierarchy *Ancestry) const {
  WeaveMode Mode;
  Mode.How = How;
  Mode.Ancestry = Ancestry;
  return run(Purpose::Members, Data, Mode);
}

/// Calls \p Use for each method of the class file \p Data, with the probes
/// whose rules match it.
static void
forEachMethod(const Matcher &Match, Bytes Data, const TypeHierarchy *Ancestry,
              llvm::function_ref<void(const ClassFile &, const Method &,
                                      llvm::ArrayRef<unsigned> Probes)>
                  Use) {
  auto Class = readClass(Data);
  if (!Class)
    return llvm::consumeError(Class.takeError());
  ClassFile &F = **Class;
  llvm::SmallVector<StringRef, 4> Interfaces;
  for (uint16_t I : F.Interfaces)
    Interfaces.push_back(F.Pool.className(I));
  ClassMatcher Rules(
      Match,
      {F.name(), Interfaces, F.isInterface(), F.superName(), {}, Ancestry});
  for (const Method &M : F.Methods)
    Use(F, M,
        Rules.match({F.name(M), F.descriptor(M), {}, isStatic(F, M)}, nullptr,
                    MatchCount::Ignore));
}

bool Session::putsIntoInitializer(Bytes Data,
                                  const TypeHierarchy *Ancestry) const {
  if (Members.Set.Advices.empty())
    return false;
  bool Has = false, Selected = false;
  forEachMethod(*Match, Data, Ancestry,
                [&](const ClassFile &F, const Method &M,
                    llvm::ArrayRef<unsigned> Probes) {
                  Has |= F.name(M) == "<clinit>";
                  Selected |= llvm::any_of(Members.Set.Advices, [&](auto &A) {
                    return llvm::is_contained(Probes, A.Probe);
                  });
                });
  return Has && Selected;
}

std::vector<std::string>
Session::probedIntrinsics(Bytes Data, const TypeHierarchy *Ancestry) const {
  std::vector<std::string> Found;
  auto Use = [&](const ClassFile &F, const Method &M,
                 llvm::ArrayRef<unsigned> Probes) {
    llvm::SmallVector<StringRef, 4> Names;
    findAnnotations(F.Pool, M.Attributes, Names);
    if (llvm::is_contained(Names,
                           "jdk/internal/vm/annotation/IntrinsicCandidate") &&
        !isSensitiveMethod(F.name(), F.name(M)) && !Probes.empty())
      Found.push_back(F.displayName(M));
  };
  forEachMethod(*Match, Data, Ancestry, Use);
  return Found;
}

std::string Session::joptOptions(const WeaveMode &Mode) const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  for (const std::string &Option : printSettings(settingsFor(
           Mode.Registry ? Purpose::Watch : Purpose::Weave, Mode))) {
    // A response file is split at blanks; backslashes and quotes are special.
    OS << '"';
    for (char C : Option) {
      if (C == '"' || C == '\\')
        OS << '\\';
      OS << C;
    }
    OS << "\"\n";
  }
  return Text;
}
