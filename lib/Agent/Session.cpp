//===- Session.cpp - A set of probes at work ------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Session.h"
#include "jopt/Advice/Sensitive.h"
#include "jopt/IR/Annotations.h"
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

/// The release that fragments are compiled for: classes of any version may
/// come, and so the oldest that javac can.
static constexpr unsigned FragmentRelease = 8;

/// What the tracing facility does with a class; stage 1 adds members, so one
/// that is there gets stage 2 alone.
static StringRef stages(TracingIdle Idle, WeaveMode Mode) {
  if (Idle != TracingIdle::None)
    return tracingPasses(Idle, Mode.Loaded ? 2 : 1);
  if (Mode.Traced)
    return tracingPasses(TracingIdle::Holder, Mode.Loaded ? 2 : 1);
  return tracingPasses(TracingIdle::None, Mode.Loaded ? 2 : 1);
}

/// What is done with the registry.
static constexpr StringRef Watch = "tf-watch";

static ProbekitOptions
makeProbekitOptions(const AgentOptions &Options,
                    const Session::Surroundings &Around) {
  ProbekitOptions PO;
  PO.Isolate = Options.Isolate;
  PO.Release = FragmentRelease;
  PO.ClassPath = Options.ClassPath;
  llvm::append_range(PO.ClassPath, Around.ClassPath);
  PO.CacheFolder = Options.CacheFolder;
  PO.Javac = Options.Javac;
  if (PO.Javac.empty() && !Around.JavaHome.empty())
    if (std::string Own = Around.JavaHome + "/bin/javac";
        llvm::sys::fs::can_execute(Own))
      PO.Javac = Own;
  return PO;
}

/// What \p Options says of the tracing facility, if it says anything.
static llvm::Expected<std::optional<tf::Program>>
readTracing(const AgentOptions &Options) {
  if (Options.Tracing.empty())
    return std::nullopt;
  tf::Program Program;
  auto Library = tf::Packages::named(Options.TracingLibrary);
  if (!Library)
    return Library.takeError();
  Program.Library = std::move(*Library);
  Program.Checks = Program.Library.rules();
  for (const std::string &Item : Options.Tracing) {
    auto Names = tf::readAnnotationNames(Item);
    if (!Names)
      return Names.takeError();
    for (std::string &Name : *Names) {
      tf::TFAnnotation A;
      A.Name = std::move(Name);
      Program.Annotations.add(std::move(A));
    }
  }
  return Program;
}

/// The default pipeline of jopt, with \p Tracing.
static std::string pipelineText(const AgentOptions &Options,
                                StringRef Tracing) {
  DefaultPipeline Default;
  if (!Options.Tracing.empty())
    Default.Tracing = Tracing;
  Default.Probes = !Options.Probes.empty();
  Default.Inline = Options.Inline;
  return Default.text();
}

llvm::Expected<std::shared_ptr<const Session>>
Session::create(const AgentOptions &Options, const Surroundings &Around,
                DiagnosticEngine &Diags) {
  std::shared_ptr<Session> S(new Session);
  S->Options = Options;
  ProbekitOptions PO = makeProbekitOptions(Options, Around);
  PO.GuardRecursion = Options.Guard.value_or(false);
  auto Sources = readProbekit(Options.Probes, PO, Diags);
  if (!Sources)
    return Sources.takeError();
  ProbeBundle Read{{}, Sources->Advices};
  if (!Options.Guard && ClassFilter(Options, Read, {}).targetsJdk() &&
      !Sources->Documents.empty()) {
    // Fragments use what they probe.
    PO.GuardRecursion = true;
    DiagnosticEngine Heard([](const Diagnostic &) {});
    Sources = readProbekit(Options.Probes, PO, Heard);
    if (!Sources)
      return Sources.takeError();
  }
  S->Guards = PO.GuardRecursion;
  if (!Sources->Documents.empty()) {
    auto Compiler = probekit::findJavac(PO.Javac, PO.TimeoutSeconds);
    if (!Compiler)
      return makeError(toMessage(Compiler.takeError()) +
                       "; compile the probes elsewhere, with "
                       "jopt -probes=X.xml -emit-bundle=X.jar, and give the "
                       "agent X.jar");
  }
  // What is compiled already needs no class path.
  if (!Sources->Documents.empty())
    for (const std::string &Entry : PO.ClassPath) {
      llvm::SmallString<128> Path(Entry);
      (void)llvm::sys::fs::make_absolute(Path);
      S->ClassPath.push_back(Path.str().str());
    }
  auto Bundle = compileProbekit(*Sources, PO, Diags);
  if (!Bundle)
    return Bundle.takeError();
  S->Bundle = std::move(*Bundle);
  auto Tracing = readTracing(Options);
  if (!Tracing)
    return Tracing.takeError();
  S->Tracing = std::move(*Tracing);
  if (S->Tracing)
    for (const std::string &Name : S->Tracing->Annotations.names())
      S->Annotations.push_back("L" + Name + ";");
  if (llvm::Error E = S->makePipelines())
    return E;
  for (const auto &[Path, Data] : S->Bundle.Classes)
    if (StringRef Name = Path; Name.consume_back(".class"))
      S->Callees.try_emplace(Name, Data);
  S->Match = std::make_unique<Matcher>(S->Bundle.Advices);
  S->Filter =
      std::make_unique<ClassFilter>(Options, S->Bundle, Around.ProbeClasses);

  // Numbers of probes are in the names of members, so all probes stay.
  S->Members.Probes = S->Bundle.Advices.Probes;
  for (const Advice &A : S->Bundle.Advices.Advices)
    if (A.Kind == AdviceKind::StaticInitializer)
      S->Members.Advices.push_back(A);
  // Loaded classes keep their schema whatever the policy is.
  S->UsesLink = !S->Members.Advices.empty() ||
                llvm::any_of(S->Members.Probes, [](const Probe &P) {
                  return !P.StaticField.empty();
                });
  S->MembersMatch = std::make_unique<Matcher>(S->Members);
  S->makeWorks();
  llvm::raw_string_ostream OS(S->Identity);
  OS << S->joptOptions({/*Loaded=*/false, Dispatch::Direct, /*Traced=*/false});
  printAdviceSet(S->Bundle.Advices, OS);
  OS.flush();
  return S;
}

llvm::Error Session::makePipelines() {
  auto Make = [&](Pipeline &Into, StringRef Text) -> llvm::Error {
    if (Text.empty())
      return llvm::Error::success();
    auto P = Pipeline::parse(Text, Registry);
    if (!P)
      return P.takeError();
    Into = std::move(*P);
    return llvm::Error::success();
  };
  for (bool Loaded : {false, true})
    for (bool Traced : {false, true})
      if (llvm::Error E =
              Make(Passes[Loaded][Traced],
                   pipelineText(Options,
                                stages(Options.Idle, {Loaded, {}, Traced}))))
        return E;
  if (llvm::Error E = Make(WatchPasses, Watch))
    return E;
  StringRef Stage = tracingPasses(TracingIdle::None);
  for (Dispatch How : {Dispatch::Direct, Dispatch::Indy})
    if (llvm::Error E =
            Make(MembersPasses[How == Dispatch::Indy],
                 How == Dispatch::Direct ? pipelineText(Options, Stage)
                 : Tracing               ? Stage.str()
                                         : std::string()))
      return E;
  return llvm::Error::success();
}

void Session::makeWorks() {
  ClassWork W;
  W.Run.Advices = &Bundle.Advices;
  W.Run.Match = Match.get();
  W.Run.Classes = &Callees;
  W.Run.Tracing = Tracing ? &*Tracing : nullptr;
  W.Run.Huge = Options.Huge;
  W.Run.SkipSensitive = true;
  W.Run.ReportDetails = false;
  W.Probes = probeIdentities(Bundle.Advices);
  W.VerifyInput = Options.Verify == VerifyPolicy::All;
  W.VerifyOutput = Options.Verify != VerifyPolicy::Off;
  for (bool Sites : {false, true}) {
    W.Run.How = Sites ? Dispatch::Indy : Dispatch::Direct;
    for (bool Loaded : {false, true})
      for (bool Traced : {false, true}) {
        // Probes add nothing to classes that do not see theirs.
        W.Run.Schema = Loaded || Sites ? SchemaPolicy::Keep : Options.Schema;
        W.Passes = &Passes[Loaded][Traced];
        Works[Sites][Loaded][Traced] = W;
      }
    ClassWork &M = MembersWorks[Sites];
    M = W;
    M.Run.Schema = Sites ? SchemaPolicy::Keep : Options.Schema;
    M.Passes = &MembersPasses[Sites];
    M.Run.Advices = &Members;
    M.Run.Match = MembersMatch.get();
    M.Probes.clear(); // They leave no mark.
  }
  WatchWork = MembersWorks[true];
  WatchWork.Passes = &WatchPasses;
  WatchWork.Run.Advices = nullptr;
  WatchWork.Run.Match = nullptr;
}

llvm::SmallBitVector Session::annotationsIn(Bytes Pool) const {
  llvm::SmallBitVector Found(unsigned(Annotations.size()));
  for (auto [N, Descriptor] : llvm::enumerate(Annotations))
    if (jopt::toStringRef(Pool).contains(Descriptor))
      Found.set(unsigned(N));
  return Found;
}

/// workOnClass, with what is known of the class's ancestors.
static llvm::Expected<ClassOutcome> workOn(const ClassWork &W, Bytes Data,
                                           const TypeHierarchy *Ancestry) {
  if (!Ancestry)
    return workOnClass(W, Data);
  ClassWork Own = W;
  Own.Run.Ancestry = Ancestry;
  return workOnClass(Own, Data);
}

llvm::Expected<ClassOutcome> Session::weave(Bytes Data, WeaveMode Mode) const {
  return workOn(
      Mode.Registry
          ? WatchWork
          : Works[Mode.How == Dispatch::Indy][Mode.Loaded][Mode.Traced],
      Data, Mode.Ancestry);
}

llvm::Expected<ClassOutcome>
Session::addMembers(Bytes Data, Dispatch How,
                    const TypeHierarchy *Ancestry) const {
  return workOn(MembersWorks[How == Dispatch::Indy], Data, Ancestry);
}

/// Calls \p Use for each method of the class file \p Data, with what its rules
/// say of it.
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
        Rules.match(F.name(M), F.descriptor(M), {}, nullptr,
                    /*Count=*/false));
}

bool Session::putsIntoInitializer(Bytes Data,
                                  const TypeHierarchy *Ancestry) const {
  if (Members.Advices.empty())
    return false;
  bool Has = false, Selected = false;
  forEachMethod(*Match, Data, Ancestry,
                [&](const ClassFile &F, const Method &M,
                    llvm::ArrayRef<unsigned> Probes) {
                  Has |= F.name(M) == "<clinit>";
                  Selected |= llvm::any_of(Members.Advices, [&](auto &A) {
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

std::string Session::joptOptions(WeaveMode Mode) const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  auto Add = [&](const llvm::Twine &Option) {
    // A response file is split at blanks; backslashes and quotes are special.
    OS << '"';
    for (char C : Option.str()) {
      if (C == '"' || C == '\\')
        OS << '\\';
      OS << C;
    }
    OS << "\"\n";
  };
  const bool Sites = Mode.How == Dispatch::Indy;
  if (!Mode.Registry)
    for (const std::string &P : Options.Probes)
      Add("-probes=" + P);
  if (!Mode.Registry && !ClassPath.empty())
    Add("-classpath=" + llvm::join(ClassPath, ":"));
  if (Tracing) {
    Add("-tf=" + Tracing->Library.name());
    for (std::string Name : Tracing->Annotations.names()) {
      std::replace(Name.begin(), Name.end(), '/', '.');
      Add("-tf-annotations=" + Name);
    }
    if (Mode.Registry)
      Add("-passes=" + Watch);
    else if (Mode.Loaded || Options.Idle != TracingIdle::Holder)
      Add("-passes=" + pipelineText(Options, stages(Options.Idle, Mode)));
  }
  Add(llvm::Twine("-release=") + llvm::Twine(FragmentRelease));
  Add(Mode.Loaded || Sites || Options.Schema == SchemaPolicy::Keep
          ? "-schema=keep"
          : "-schema=change");
  Add(Sites ? "-dispatch=indy" : "-dispatch=direct");
  Add(Options.Huge == HugePolicy::Skip ? "-huge=skip" : "-huge=report");
  Add("-skip-sensitive");
  if (Options.Isolate)
    Add("-isolate-probes");
  if (Guards)
    Add("-guard-recursion");
  if (Options.Inline)
    Add("-inline-fragments");
  if (Options.Verify == VerifyPolicy::All)
    Add("-verify-input");
  if (Options.Verify != VerifyPolicy::Off)
    Add("-verify-output");
  return Text;
}
