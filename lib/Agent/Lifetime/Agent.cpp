//===- Agent.cpp - The agent in a JVM -------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Lifetime/Agent.h"
#include "../Attach/AttachScope.h"
#include "jopt/Agent/Hosts/LoaderPaths.h"
#include "jopt/Agent/Lifetime/OtherCopies.h"
#include "jopt/Agent/Retransform/SaturatedClasses.h"
#include "jopt/Agent/Telemetry/UnmatchedTargets.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::Error;
using llvm::StringRef;

Agent &Agent::get() {
  static Agent *TheAgent = new Agent;
  return *TheAgent;
}

static void JNICALL classFileLoadHook(jvmtiEnv *, JNIEnv *Jni, jclass Redefined,
                                      jobject Loader, const char *Name,
                                      jobject Domain, jint Size,
                                      const unsigned char *Data, jint *NewSize,
                                      unsigned char **NewData) {
  if (Loader && !Redefined && Name && Name == ProbeControlClass)
    Agent::get().onProbeControl(Jni);
  Agent::get().hook().onClass({Jni, Redefined, Loader,
                               Name ? StringRef(Name) : StringRef(), Domain,
                               Bytes(Data, size_t(Size))},
                              {NewSize, NewData});
}

static void JNICALL classPrepare(jvmtiEnv *, JNIEnv *Jni, jthread,
                                 jclass Class) {
  Agent::get().hook().onPrepare(Jni, Class);
}

static void JNICALL vmInit(jvmtiEnv *, JNIEnv *Jni, jthread) {
  Agent::get().onVMInit(Jni);
}

static void JNICALL vmDeath(jvmtiEnv *, JNIEnv *Jni) {
  Agent::get().onVMDeath(Jni);
}

static void JNICALL monitorsChanged(JNIEnv *Jni, jclass, jclass Registry,
                                    jclass Class) {
  Agent::get().onMonitorsChanged(Jni, Registry, Class);
}

/// Asks the JVM for what the agent needs; once.
Error Agent::connect(JavaVM *TheVM) {
  if (Env.Jvmti)
    return Error::success();
  Env.VM = TheVM;
  auto Asked = askForInterface(TheVM);
  if (!Asked)
    return Asked.takeError();
  jvmtiEnv *New = *Asked;
  jvmtiCapabilities Wanted = {};
  Wanted.can_generate_all_class_hook_events = 1;
  Wanted.can_retransform_classes = 1;
  Wanted.can_redefine_classes = 1; // those of probes
  Wanted.can_tag_objects = 1;
  Wanted.can_get_constant_pool = 1;
  if (jvmtiError E = New->AddCapabilities(&Wanted)) {
    Error Failed = jvmtiFailed(New, E, "let classes be changed");
    New->DisposeEnvironment();
    return Failed;
  }
  jvmtiEventCallbacks Callbacks = {};
  Callbacks.ClassFileLoadHook = classFileLoadHook;
  Callbacks.ClassPrepare = classPrepare;
  Callbacks.VMInit = vmInit;
  Callbacks.VMDeath = vmDeath;
  New->SetEventCallbacks(&Callbacks, sizeof(Callbacks));
  New->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, nullptr);
  Env.Jvmti = New;
  return Error::success();
}

/// The log that \p O names has all that is said from now on.
Error Agent::openLog(const AgentOptions &O) {
  if (!O.LogFile.empty())
    if (Error E = Env.TheLog.open(O.LogFile))
      return E;
  Env.TheLog.setLevel(O.Level);
  return Error::success();
}

/// The other files that \p O names, so that what cannot be written is known at
/// once.
Error Agent::openFiles(const AgentOptions &O, const Session *S) {
  if (Error E = Tell.open(O))
    return E;
  return S && !O.DumpFolder.empty() ? TheHook.dumpTo(O.DumpFolder)
                                    : Error::success();
}

Session::Surroundings Agent::surroundings() const {
  Session::Surroundings Around;
  Around.JavaHome = earlyProperty(Env.Jvmti, "java.home");
  if (unsigned Release = javaRelease(Env.Jvmti))
    Around.Release = Release;
  std::string Path = earlyProperty(Env.Jvmti, "java.class.path") + ":" +
                     earlyProperty(Env.Jvmti, "jdk.module.path");
  llvm::SmallVector<StringRef> Parts;
  StringRef(Path).split(Parts, ':', -1, /*KeepEmpty=*/false);
  for (StringRef P : Parts)
    if (llvm::sys::fs::exists(P))
      Around.ClassPath.push_back(P.str());
  Around.ProbeClasses = Probes.names();
  return Around;
}

llvm::Expected<std::shared_ptr<const Session>>
Agent::makeSession(const AgentOptions &O, JNIEnv *Attached) {
  DiagnosticEngine Diags([&](const Diagnostic &D) {
    Env.TheLog.write(D.Level == Severity::Error     ? LogLevel::Error
                     : D.Level <= Severity::Warning ? LogLevel::Warning
                                                    : LogLevel::Info,
                     toMessage(D));
  });
  Session::Surroundings Around = surroundings();
  Around.IsAttached = Attached;
  Around.Numbers = &Env.Numbers;
  if (Attached)
    Around.FurtherPath = [this, Attached] {
      std::vector<std::string> Found = findLoaderPaths(Env, Attached);
      Env.TheLog.info("fragments are compiled with what loaders have classes "
                      "from: " +
                      llvm::Twine(Found.size()) + " files and folders");
      Env.TheLog.debug("these are " + llvm::join(Found, ":"));
      return Found;
    };
  return Session::create(O, Around, Diags);
}

/// All of a start that comes before there is Java.
Error Agent::prepareStart(JavaVM *TheVM, const AgentOptions &O,
                          StringRef Text) {
  if (!O.weaves() && !O.Off && !O.Help) {
    if (Error E = connect(TheVM))
      return E;
    if (!mayRegister(O))
      return makeError("no probes: probes=FILE names them; the option 'help' "
                       "lists all options");
  }
  if (Error E = openLog(O))
    return E;
  if (O.Help)
    Env.TheLog.writePage(describeOptions());
  if (!O.weaves() && !O.Off && O.Help)
    return Error::success();
  if (O.Off)
    Env.TheLog.announce(
        "'off' does nothing at a start: no probes are there yet",
        LogLevel::Warning);
  if (Begin.IsGiven)
    return O.Off ? Error::success()
                 : makeError("the agent is given twice, with '" +
                             Begin.Options + "' and with '" + Text.str() +
                             "'; give it once, with all probes");
  if (O.weaves())
    if (Error E = checkOtherCopies())
      return E;
  if (Error E = connect(TheVM))
    return E;
  Begin.Options = Text.str();
  if (!O.Off) {
    auto S = makeSession(O, /*Attached=*/nullptr);
    if (!S)
      return S.takeError();
    if (Error E = openFiles(O, S->get()))
      return E;
    Begin.Waiting = std::move(*S);
  }
  if (jvmtiError E = Env.Jvmti->SetEventNotificationMode(
          JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, nullptr))
    return jvmtiFailed(Env.Jvmti, E, "say when it is ready");
  Begin.IsGiven = true;
  Begin.IsWaiting = bool(Begin.Waiting);
  return Error::success();
}

bool Agent::start(JavaVM *TheVM, const char *Text) {
  AttachScope Guard(AttachLock);
  auto Parsed = parseAgentOptions(Text ? Text : "");
  const bool Continue = Parsed ? Parsed->ContinueOnError
                               : StringRef(Text).contains("on-error=continue");
  Error E = Parsed ? prepareStart(TheVM, *Parsed, Text ? Text : "")
                   : Parsed.takeError();
  if (!E)
    return true;
  for (const Diagnostic &D : toDiagnostics(std::move(E)))
    Env.TheLog.announce(toMessage(D));
  if (Continue)
    Env.TheLog.announce("going on without probes");
  return Continue;
}

/// Why classes cannot call those of probes that they do not see; empty if they
/// can.
static std::string whyNotHosted(const Session &S) {
  const WeaveSettings &W = S.options().Weave;
  if (W.How == DispatchPolicy::Direct)
    return "with dispatch=direct classes call those of probes by name";
  if (W.Inline)
    return "inlined fragments may name classes of probes";
  if (W.Schema == SchemaPolicy::Change)
    return "with schema=change classes get members of the types of probes";
  if (S.filter().targetsCore())
    return "classes of java.*, jdk.* and sun.* cannot reach probes there";
  return {};
}

/// Puts \p New to work in place of the session before.
Error Agent::activate(JNIEnv *Jni, std::shared_ptr<const Session> New,
                      Coming How, const Matcher *Changed) {
  if (New->tracesOnDemand() && !Changed)
    if (Error E = Demand.start(Jni, monitorsChanged))
      return E;
  if (New->usesLink() || New->printsForClients() ||
      !New->options().FollowSocket.empty())
    if (Error E = Boot.define(Jni))
      return E;
  if (New->bundle().UsesApi || New->records())
    if (Error E = Boot.setUpRecording(Jni, New->options()))
      return E;
  if (New->records())
    if (Error E = Boot.defineRecorder(Jni))
      return E;
  if (New->measures())
    if (Error E = Boot.defineProbeLibrary(Jni))
      return E;
  if (New->readsFrames())
    BootLibrary::openTo(Env.Jvmti, Jni, "java/lang/StackWalker",
                        "jopt/probe/Stacks");
  if (New->bundle().UsesApi)
    if (Error E = bindControl(Jni))
      return E;
  ProbeClasses::Request R = {
      New->options().Place,        New->filter().targetsJdk(),
      whyNotHosted(*New),          How != Coming::AtStart,
      New->filter().targetsCore(), &New->files().Advices};
  // Where those are that are at work, which stay there.
  if (Changed && Probes.areHosted())
    R.Place = ProbePlace::Host;
  else if (Changed && R.WhyNotHosted.empty())
    R.WhyNotHosted = "the probes at work are not hosted";
  if (Error E = Probes.define(Env, Jni, New->bundle(), R))
    return E;
  if (!Changed)
    Probes.forgetParams(Env, Jni, &New->bundle());
  if (!Changed || Probes.hosted().areReplaced(New->bundle().Advices))
    return TheHook.start(Jni, std::move(New));
  TheHook.change(New, *Changed);
  return Error::success();
}

/// No probes are at work any more, and fragments that are called do nothing.
void Agent::deactivate() {
  TheHook.stop();
  if (Error E = Probes.disable(Env.Jvmti))
    Env.TheLog.warning(toMessage(std::move(E)));
}

/// Sets the counters that show a state instead of counting actions.
void Agent::countNow(JNIEnv *Jni, const Session *S) {
  Env.Count.Traced =
      S && S->tracesOnDemand() ? Demand.count(Jni) : Counters::None;
  if (S && S->countsFailures())
    Tell.addIsolated(*S, Probes.takeIsolated(Env, Jni, S->bundle().Advices));
  Tell.know(S ? Limits.count(Env, Jni, *S, Probes)
              : std::vector<std::optional<FragmentCalls>>(),
            S && S->options().CountPlaces
                ? Boot.readPlaces(Jni, Env.Numbers.end())
                : std::vector<uint64_t>(),
            Classes.describeLeft());
  Env.Count.LogLost = Env.TheLog.lost();
}

/// Counts targets of \p S that matched nothing so far as problems, in place of
/// those of the session before.
void Agent::countTargets(const Session *S) {
  unsigned Now = S ? countUnmatched(*S) : 0;
  Env.Count.Problems += Now;
  Env.Count.Problems -= Unmatched;
  Unmatched = Now;
}

/// Sums up the session at work, if there is one: it matches no more classes.
void Agent::leaveSession(JNIEnv *Jni) {
  std::shared_ptr<const Session> S = TheHook.current();
  if (!S)
    return;
  tellUnmatched(Env, Jni, *S, [&](jclass C) { return Classes.isLeft(Jni, C); });
  TheHook.declareTraced(Jni);
  countTargets(S.get());
  Unmatched = 0; // They stay counted.
}

bool Agent::isAtWork() const { return Begin.IsWaiting || TheHook.current(); }

void Agent::onVMInit(JNIEnv *Jni) {
  AttachScope Guard(AttachLock);
  Env.Known.find(Jni);
  ++Turn;
  std::shared_ptr<const Session> S = std::move(Begin.Waiting);
  std::string Failed;
  Programs.setBase(S);
  if (S && S->isIdle() && S->bundle().Classes.empty()) {
    // All there is comes from the program.
    if (Error E = Boot.setUpRecording(Jni, S->options()))
      Env.TheLog.warning(toMessage(std::move(E)));
    if (Error E = bindControl(Jni))
      Env.TheLog.warning(toMessage(std::move(E)));
    Env.Later.start(Env.Jvmti, Jni);
    S = nullptr;
  }
  if (S)
    if (Error E = activate(Jni, S, Coming::AtStart)) {
      Failed = toMessage(std::move(E));
      Env.TheLog.announce(Failed + "; going on without probes");
      S = nullptr;
    }
  if (S) {
    Classes.setPolicy(S->options().InFlight);
    Stay.begin(parseTime(S->options().For), /*Beside=*/false);
    Stay.AreFromStart = true;
  }
  Begin.IsWaiting = false; // The hook has the session now, if it has one.
  Tell.record({Jni, "start", Begin.Options, S.get()});
  if (unsigned Refused = S ? changeLoaded(Jni, S.get()).Refused : 0)
    Env.TheLog.warning(llvm::Twine(Refused) +
                       " classes that were loaded already are as they were");
  if (S) {
    tellMissingParts(Env, Jni, *S);
    leaveLater(Jni, *S);
  }
  countNow(Jni, S.get());
  Tell.publish(Jni, S.get(), Failed);
}

void Agent::onMonitorsChanged(JNIEnv *Jni, jclass Registry, jclass Class) {
  if (std::shared_ptr<const Session> S = TheHook.current();
      S && S->tracesOnDemand())
    Demand.monitorsChanged(Jni, *S, Registry, Class);
}

void Agent::onVMDeath(JNIEnv *Jni) {
  Stay.JvmEnds = true;
  // After Runtime.halt no shutdown hook did.
  Boot.endRecording(Jni);
  Boot.endOutput(Jni);
  AttachScope Guard(AttachLock);
  leaveSession(Jni);
  Tell.follower().end(Jni, "the JVM has ended", /*IsBound=*/false,
                      /*JvmEnds=*/true);
  std::shared_ptr<const Session> S = TheHook.current();
  countNow(Jni, S.get());
  Tell.writeAll(S.get());
}
