//===- Agent.cpp - The agent in a JVM -------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Lifetime/Agent.h"
#include "../Attach/AttachScope.h"
#include "jopt/Agent/Hosts/LoaderPaths.h"
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
  // Of Java 9 or later, as JVMTI 9 is.
  (void)llvm::to_integer(
      earlyProperty(Env.Jvmti, "java.vm.specification.version"),
      Around.Release);
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
  if (Error E = connect(TheVM))
    return E;
  StartOptions = Text.str();
  if (!O.Off) {
    auto S = makeSession(O, /*Attached=*/nullptr);
    if (!S)
      return S.takeError();
    if (Error E = openFiles(O, S->get()))
      return E;
    Waiting = std::move(*S);
  }
  if (jvmtiError E = Env.Jvmti->SetEventNotificationMode(
          JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, nullptr))
    return jvmtiFailed(Env.Jvmti, E, "say when it is ready");
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

/// Where and how much traces and tables of probe classes record, if \p O says.
static void setUpRecording(JNIEnv *Jni, const AgentOptions &O) {
  if (!O.DataFolder.empty())
    setProperty(Jni, "jopt.data", StringRef(O.DataFolder));
  if (O.TableLength)
    setProperty(Jni, "jopt.probetablelengthlimit",
                StringRef(std::to_string(*O.TableLength)));
}

/// Puts \p New to work in place of the session before.
Error Agent::activate(JNIEnv *Jni, std::shared_ptr<const Session> New,
                      Coming How) {
  if (New->tracesOnDemand())
    if (Error E = Demand.start(Jni, monitorsChanged))
      return E;
  if (New->usesLink() || New->printsForClients() ||
      !New->options().FollowSocket.empty())
    if (Error E = Boot.define(Jni))
      return E;
  if (New->bundle().UsesApi || New->records())
    setUpRecording(Jni, New->options());
  if (New->records())
    if (Error E = Boot.defineRecorder(Jni))
      return E;
  if (New->measures())
    if (Error E = Boot.defineProbeLibrary(Jni))
      return E;
  if (New->bundle().UsesApi)
    if (Error E = bindControl(Jni))
      return E;
  ProbeClasses::Request R = {
      New->options().Place,        New->filter().targetsJdk(),
      whyNotHosted(*New),          How != Coming::AtStart,
      New->filter().targetsCore(), &New->files().Advices};
  // Where those are that are at work, which stay there.
  if (How == Coming::ByChange && Probes.areHosted())
    R.Place = ProbePlace::Host;
  else if (How == Coming::ByChange && R.WhyNotHosted.empty())
    R.WhyNotHosted = "the probes at work are not hosted";
  if (Error E = Probes.define(Env, Jni, New->bundle(), R))
    return E;
  if (How != Coming::ByChange)
    Probes.forgetParams(Env, Jni, &New->bundle());
  return TheHook.start(Jni, std::move(New));
}

/// No probes are at work any more, and fragments that are called do nothing.
void Agent::deactivate() {
  TheHook.stop();
  if (Error E = Probes.disable(Env.Jvmti))
    Env.TheLog.warning(toMessage(std::move(E)));
}

/// Takes loaded classes to \p New, or to no probes; how many could not be
/// changed.
unsigned Agent::changeLoaded(JNIEnv *Jni, const Session *New) {
  unsigned Refused = Classes.walk(Jni, New);
  if (New && New->tracesOnDemand())
    Demand.findRegistries(Jni, *New);
  return Refused;
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
  tellUnmatched(Env, Jni, *S);
  TheHook.declareTraced(Jni);
  countTargets(S.get());
  Unmatched = 0; // They stay counted.
}

void Agent::onVMInit(JNIEnv *Jni) {
  AttachScope Guard(AttachLock);
  Env.Known.find(Jni);
  ++Turn;
  std::shared_ptr<const Session> S = std::move(Waiting);
  std::string Failed;
  Programs.setBase(S);
  if (S && S->isIdle() && S->bundle().Classes.empty()) {
    // All there is comes from the program.
    setUpRecording(Jni, S->options());
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
  if (S)
    Classes.setPolicy(S->options().InFlight);
  Tell.record({Jni, "start", StartOptions, S.get()});
  if (unsigned Refused = S ? changeLoaded(Jni, S.get()) : 0)
    Env.TheLog.warning(llvm::Twine(Refused) +
                       " classes that were loaded already are as they were");
  if (S)
    leaveLater(Jni, *S);
  countNow(Jni, S.get());
  Tell.publish(Jni, S.get(), Failed);
}

AttachStatus Agent::fail(JNIEnv *Jni, AttachStatus Status, Error E) {
  std::string Text;
  for (const Diagnostic &D : toDiagnostics(std::move(E))) {
    Env.TheLog.error(toMessage(D));
    Text += (Text.empty() ? "" : "\n") + toMessage(D);
  }
  std::shared_ptr<const Session> S = TheHook.current();
  countNow(Jni, S.get());
  Tell.publish(Jni, S.get(), Text);
  return Status;
}

AttachStatus Agent::attach(JavaVM *TheVM, const char *Text) {
  AttachScope Guard(AttachLock);
  AttachReply A(Env.TheLog, Text ? Text : "");
  Tell.answer(&A);
  const AttachStatus Status = attachHere(TheVM, Text);
  Tell.answer(nullptr);
  Tell.follower().drop();
  A.write(Status);
  return Status;
}

AttachStatus Agent::attachHere(JavaVM *TheVM, const char *Text) {
  JNIEnv *Jni = nullptr;
  if (TheVM->GetEnv(reinterpret_cast<void **>(&Jni), JNI_VERSION_1_8) != JNI_OK)
    return AttachStatus::NotCapable;
  return attachLocked(TheVM, Jni, Text);
}

/// An attach that changes nothing: \p O asks how things are.
AttachStatus Agent::answer(JNIEnv *Jni, const AgentOptions &O, StringRef Text) {
  if (!O.Help && !O.Status && !O.Set && O.ReportFile.empty() &&
      O.StatsFile.empty() && O.Ask.empty() &&
      O.PrintReport == ReportFormat::None)
    return fail(Jni, AttachStatus::BadOptions,
                makeError("nothing to do: give probes=FILE, off, set, status, "
                          "report=FILE, stats=FILE or help"));
  if (Error E = openFiles(O, nullptr))
    return fail(Jni, AttachStatus::BadFile, std::move(E));
  if (!O.Ask.empty()) {
    auto Told = Boot.askCalls(Jni, O.Ask);
    if (!Told)
      return fail(Jni, AttachStatus::BadOptions,
                  makeError("no probes at work keep calls"));
    Tell.asked()->print(*Told);
    if (!Told->empty())
      return AttachStatus::Done;
    Tell.asked()->warn("no such call is kept");
    return AttachStatus::LeftUndone;
  }
  if (O.Help)
    Env.TheLog.writePage(describeOptions());
  std::shared_ptr<const Session> S = TheHook.current();
  if (O.Set && !S)
    return fail(Jni, AttachStatus::BadOptions,
                makeError("'set': no probes are at work"));
  if (O.Set)
    if (Error E = Probes.setParams(Env, Jni, S->bundle(), O.Weave.Params))
      return fail(Jni, AttachStatus::BadOptions, std::move(E));
  if (O.Status)
    Classes.lookAgain(Jni);
  if (O.Set)
    Env.TheLog.info(AuditEntry(Jni, "set", Text, nullptr).line());
  countTargets(S.get());
  countNow(Jni, S.get());
  Tell.publish(Jni, S.get(), "");
  if (!O.StatsFile.empty())
    Tell.writeStats();
  if (!O.ReportFile.empty())
    Tell.writeReport(S.get());
  if (O.PrintReport == ReportFormat::JSON)
    Tell.asked()->print(Tell.reportJSON(Jni, S.get()));
  else if (O.PrintReport == ReportFormat::Text)
    Tell.asked()->print(Tell.report(S.get()));
  else if (O.Status)
    Tell.asked()->print(Tell.published());
  else if (O.Set)
    Tell.asked()->print("parameters: " + describeParams(Jni, *S));
  return AttachStatus::Done;
}

/// \p E of the options \p Text, with what jcmd may have done to them.
static Error addQuotes(Error E, StringRef Text) {
  if (Text.contains('='))
    return E;
  std::string Message = toMessage(std::move(E));
  if (StringRef(Message).contains("needs a value"))
    Message +=
        "; jcmd hands on no value, unless the options stand in quotes of "
        "their own: '\"" +
        Text.str() + "=...\"'";
  return makeError(Message);
}

AttachStatus Agent::attachLocked(JavaVM *TheVM, JNIEnv *Jni, const char *Text) {
  Env.Known.find(Jni);
  auto Parsed = parseAgentOptions(Text ? Text : "");
  if (!Parsed)
    return fail(Jni, AttachStatus::BadOptions,
                addQuotes(Parsed.takeError(), Text));
  const AgentOptions &O = *Parsed;
  if (Error E = connect(TheVM))
    return fail(Jni, AttachStatus::NotCapable, std::move(E));
  if (Error E = openLog(O))
    return fail(Jni, AttachStatus::BadFile, std::move(E));
  if (!O.Off && !O.weaves())
    return answer(Jni, O, Text);
  if (!O.Leaving.empty() || (O.Adds && TheHook.current()))
    return changeAtWork(Jni, O, Text);
  std::shared_ptr<const Session> New;
  if (!O.Off) {
    auto S = makeSession(O, Jni);
    if (!S)
      return fail(Jni, AttachStatus::BadProbes, S.takeError());
    New = std::move(*S);
  }
  if (Error E = openFiles(O, New.get()))
    return fail(Jni, AttachStatus::BadFile, std::move(E));
  if (!O.FollowSocket.empty())
    if (Error E = Tell.follower().connect(O.FollowSocket))
      return fail(Jni, AttachStatus::BadFile, std::move(E));
  return putToWork(Jni, O, New, Text);
}

/// What start or attach asked for is \p Base from now on; null: nothing.
AttachStatus Agent::putToWork(JNIEnv *Jni, const AgentOptions &O,
                              const std::shared_ptr<const Session> &Base,
                              StringRef Options) {
  if (!Base)
    return putToWork(Jni, O, nullptr, Reason{"off", Options});
  auto New = Programs.compose(Base);
  if (!New)
    return fail(Jni, AttachStatus::BadProbes, New.takeError());
  AttachStatus Status = putToWork(Jni, O, *New, Reason{"attach", Options});
  if (Status != AttachStatus::BadProbeClasses)
    Programs.setBase(Base);
  return Status;
}

/// Replaces the session at work by \p New, or by none.
AttachStatus Agent::putToWork(JNIEnv *Jni, const AgentOptions &O,
                              std::shared_ptr<const Session> New, Reason Why) {
  Env.TheLog.forget();
  const bool Had = bool(TheHook.current());
  countNow(Jni, TheHook.current().get());
  ++Turn;
  if (New) {
    if (Had && !Why.IsChange)
      Boot.endOutput(Jni); // Before those that come begin.
    if (Error E = activate(Jni, New,
                           Why.IsChange ? Coming::ByChange : Coming::ByAttach))
      return fail(Jni, AttachStatus::BadProbeClasses, std::move(E));
    if (Why.IsChange)
      Tell.follower().goOn(Turn);
    else
      Tell.follower().end(Jni, "others put in other probes", /*IsBound=*/false);
    stayForNow();
    if (mayAsk(Jni))
      if (Error E = bindControl(Jni))
        Env.TheLog.info(toMessage(std::move(E)));
  } else {
    stayForNow();
    leaveSession(Jni);
    deactivate();
    Programs.clear(Jni);
    Probes.forgetParams(Env, Jni, nullptr);
  }
  Tell.record({Jni, Why.What, Why.Options, New.get()});
  Hook::takeUnlinked();
  // What changed with activations in its loops is restored with them: they are
  // as slow already as that makes them.
  if (New || Classes.policy() == InFlightPolicy::Skip)
    Classes.setPolicy(O.InFlight);
  unsigned Refused = changeLoaded(Jni, New.get());
  if (New)
    leaveLater(Jni, *New);
  Probes.leaveOthers(Jni);
  if (New)
    Boot.settleOutput(Jni);
  else
    Boot.endOutput(Jni);
  if (New && New->measures())
    Probes.beginAgain(Env, Jni, New->bundle().Advices);
  // Whoever asks for a class with members of ours must get them.
  if (!New)
    TheHook.disable(/*Needed=*/!Memory.forget(
        /*Everywhere=*/!Refused && Classes.left().empty()));
  follow(Jni); // Those of before print nothing any more.
  const AttachStatus Status = finishAttach(Jni, O, New.get(), Refused);
  if (!New)
    Tell.follower().end(
        Jni, Why.What == "off" ? "the probes were taken out" : Why.What,
        Why.IsBound);
  if (Tell.asked())
    Tell.asked()->print(New ? "probes at work; they changed " +
                                  std::to_string(Memory.changedNames().size()) +
                                  " classes so far"
                        : Had ? "the probes are gone"
                              : "no probes were at work");
  return Status;
}

/// Cancels all tasks that would take probes out.
void Agent::stayForNow() {
  Env.Later.cancel(&StartOptions);
  Env.Later.cancel(&Limits);
  Env.Later.cancel(&Boot); // removeLater
  Env.Later.cancel(&Tell.follower());
}

/// Does \p What for the probes at work, if they still are then, on the agent's
/// own thread.
void Agent::later(TimerThread::Owner Of, std::chrono::milliseconds Delay,
                  TimerThread::Task What) {
  Env.Later.schedule(
      Of, Delay, [this, Of, For = Turn.load(), What](JNIEnv *Jni) {
        // Do not wait: the holder of the lock may keep it for long, and may
        // replace the session.
        std::unique_lock<std::mutex> Guard(AttachLock, std::try_to_lock);
        if (For != Turn || !TheHook.current())
          return;
        if (Guard)
          What(Jni);
        else
          later(Of, std::chrono::milliseconds(100), What);
      });
}

/// \p S is at work, in all that was loaded: from now on its time counts, after
/// which it leaves by itself, and what its probes do, which may pass a bound.
void Agent::leaveLater(JNIEnv *Jni, const Session &S) {
  const AgentOptions &O = S.options();
  Limits.start(Env, Jni, S, Probes);
  if (O.boundsEvents())
    later(&Limits, OverheadLimiter::Second,
          [this](JNIEnv *Jni) { lookAtBounds(Jni); });
  if (O.Weave.Coverage && O.RemovesCoverage)
    removeLater(FirstLookAtSaturated);
  if (auto Time = parseTime(O.For))
    later(&StartOptions, *Time,
          [this, What = "for=" + O.For + " is over"](JNIEnv *Jni) {
            leave(Jni, What);
          });
}

/// Probes of coverage that have nothing more to tell leave from then on.
void Agent::removeLater(std::chrono::milliseconds Delay) {
  later(&Boot, Delay, [this, Delay](JNIEnv *Jni) {
    if (TheHook.current()->onlyCovers())
      removeLater(removeSaturated(Env, Jni, Classes, Delay));
  });
}

void Agent::lookAtBounds(JNIEnv *Jni) {
  std::string Passed = Limits.look(Env, Jni, *TheHook.current(), Probes);
  if (!Passed.empty())
    return leave(Jni, Passed, /*IsBound=*/true);
  later(&Limits, OverheadLimiter::Second,
        [this](JNIEnv *Jni) { lookAtBounds(Jni); });
}

/// Who is connected follows the probes that are at work now.
void Agent::follow(JNIEnv *Jni) {
  Tell.follower().begin(Jni, Turn);
  if (Tell.follower().isThere())
    serveEvents();
}

void Agent::serveEvents() {
  Env.Later.schedule(
      &Tell.follower(), Tell.follower().pause(), [this](JNIEnv *Jni) {
        if (Tell.follower().serve(Jni))
          return Tell.follower().isThere() ? serveEvents() : void();
        later(&Tell.follower(), std::chrono::milliseconds(0),
              [this](JNIEnv *Jni) {
                if (Tell.follower().turn() == Turn)
                  leave(Jni, "the client that followed has gone");
              });
      });
}

void Agent::leave(JNIEnv *Jni, const std::string &What, bool IsBound) {
  Env.TheLog.announce(What + ": the probes leave", LogLevel::Warning);
  putToWork(Jni, AgentOptions(), nullptr, Reason{What, "off", IsBound});
}

/// \p S, or nothing, is at work, and \p Refused loaded classes are as they
/// were.
AttachStatus Agent::finishAttach(JNIEnv *Jni, const AgentOptions &O,
                                 const Session *S, unsigned Refused) {
  countTargets(S);
  countNow(Jni, S);
  if (!O.ReportFile.empty())
    Tell.writeReport(S);
  AttachStatus Status = AttachStatus::Done;
  std::string Text, Said; // Said: what a warning of the log says
  const std::vector<std::string> Left = Classes.left();
  if (!Left.empty())
    Said = std::to_string(Left.size()) +
           " loaded classes have activations in loops and are left for later, "
           "when these have ended" +
           (Retransformer::areNamed(Left.size()) ? ": " + llvm::join(Left, ", ")
                                                 : "");
  // Without probes nothing of theirs is done any more, wherever their code is.
  if (!Left.empty() && S)
    Status = AttachStatus::LeftUndone;
  auto Add = [&](std::string More) {
    Status = AttachStatus::LeftUndone;
    Text = More + (Text.empty() ? "" : "; ") + Text;
  };
  const Hook::Unlinked Unlinked = Hook::takeUnlinked();
  if (Unlinked.Partly)
    Add(std::to_string(Unlinked.Partly) +
        " loaded classes have not all their probes: their loaders do not have "
        "what these refer to, as the log says");
  if (unsigned AsTheyWere = Refused + Unlinked.Whole)
    Add(std::to_string(AsTheyWere) + " loaded classes are as they were" +
        (Unlinked.Whole
             ? ": their loaders do not have what probes refer to, as "
               "the log says"
             : ""));
  if (S && !Refused && !Unlinked.Whole && !Unlinked.Partly && Left.empty() &&
      matchesNothing(*S)) {
    Status = AttachStatus::NothingMatches;
    Text = "no probe matches a loaded class: the log says what is nearest";
    tellUnmatched(Env, Jni, *S);
  }
  Tell.publish(Jni, S,
               Text + (Text.empty() || Said.empty() ? "" : "; ") + Said);
  if (Tell.asked())
    Tell.asked()->warn(Text);
  return Status;
}

void Agent::onMonitorsChanged(JNIEnv *Jni, jclass Registry, jclass Class) {
  if (std::shared_ptr<const Session> S = TheHook.current();
      S && S->tracesOnDemand())
    Demand.monitorsChanged(Jni, *S, Registry, Class);
}

void Agent::onVMDeath(JNIEnv *Jni) {
  // After Runtime.halt no shutdown hook did.
  Boot.flushCoverage(Jni);
  Boot.endOutput(Jni);
  AttachScope Guard(AttachLock);
  leaveSession(Jni);
  Tell.follower().end(Jni, "the JVM has ended", /*IsBound=*/false);
  std::shared_ptr<const Session> S = TheHook.current();
  countNow(Jni, S.get());
  Tell.writeAll(S.get());
}
