//===- AgentAttach.cpp - Probes come by an attach -------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Attach/AttachScope.h"
#include "jopt/Agent/Attach/ClassList.h"
#include "jopt/Agent/Lifetime/Agent.h"
#include "jopt/Agent/Lifetime/OtherCopies.h"
#include "jopt/Agent/Telemetry/UnmatchedTargets.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::Error;
using llvm::StringRef;

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

/// The options \p Text take all probes out.
static bool asksForOff(StringRef Text) {
  auto Parsed = parseAgentOptions(Text);
  if (Parsed)
    return Parsed->Off && Parsed->Leaving.empty();
  llvm::consumeError(Parsed.takeError());
  return false;
}

AttachStatus Agent::attach(JavaVM *TheVM, const char *Text) {
  JNIEnv *Jni = nullptr;
  if (TheVM->GetEnv(reinterpret_cast<void **>(&Jni), JNI_VERSION_1_8) != JNI_OK)
    return AttachStatus::NotCapable;
  const std::string Options = Text ? Text : "";
  auto Reply = std::make_shared<AttachReply>(Env.TheLog, Options);
  const bool IsOff = asksForOff(Options);
  if (IsOff)
    ++Stay.Offs;
  // The JVM takes one attach at a time. With a thread of its own `off` comes
  // through while another attach is under way; who is answered by a number
  // waits instead.
  auto Work = [=](JNIEnv *OfThread) {
    attachNow(TheVM, OfThread, Options.c_str(), *Reply, IsOff);
  };
  if (Reply->hasClient() && Env.Jvmti &&
      runOnThread(Env.Jvmti, Jni, "jopt attach", Work))
    return AttachStatus::UnderWay;
  return attachNow(TheVM, Jni, Options.c_str(), *Reply, IsOff);
}

AttachStatus Agent::attachNow(JavaVM *TheVM, JNIEnv *Jni, const char *Text,
                              AttachReply &Reply, bool IsOff) {
  AttachScope Guard(AttachLock);
  if (IsOff)
    --Stay.Offs;
  Reply.listen();
  Tell.answer(&Reply);
  const AttachStatus Status = attachLocked(TheVM, Jni, Text);
  Tell.answer(nullptr);
  Tell.follower().drop();
  Reply.write(Status);
  return Status;
}

static bool asksForClasses(const AgentOptions &O) {
  return !O.ListClasses.empty() || !O.ListMethods.empty() ||
         !O.ClassFile.empty();
}

/// What \p O asks about loaded classes.
AttachStatus Agent::tellClasses(JNIEnv *Jni, const AgentOptions &O) {
  std::string Told;
  if (!O.ClassFile.empty()) {
    Told = readClassFiles(Env, Jni, O.ClassFile);
  } else {
    const bool Methods = !O.ListMethods.empty();
    auto Query = ClassQuery::read(Methods ? O.ListMethods : O.ListClasses);
    if (!Query)
      return fail(Jni, AttachStatus::BadOptions, Query.takeError());
    Told = Methods ? listMethods(Env, Memory, Jni, *Query)
                   : listClasses(Env, Memory, Jni, *Query);
  }
  if (Tell.asked())
    Tell.asked()->print(Told);
  return Told.empty() ? AttachStatus::LeftUndone : AttachStatus::Done;
}

/// An attach that changes nothing: \p O asks how things are.
AttachStatus Agent::answer(JNIEnv *Jni, const AgentOptions &O, StringRef Text) {
  if (!O.Help && !O.Status && !O.Set && O.ReportFile.empty() &&
      O.StatsFile.empty() && O.Ask.empty() && !asksForClasses(O) &&
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
  if (asksForClasses(O))
    return tellClasses(Jni, O);
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
  if (Error E = checkOtherCopies())
    return fail(Jni, AttachStatus::NotCapable, std::move(E));
  // Of two clients that follow, the second takes the place of the first.
  const bool IsFollowed = Tell.follower().isThere() && Stay.Guests.empty();
  if (!O.Leaving.empty() ||
      (O.Adds && TheHook.current() && !(IsFollowed && !O.FollowSocket.empty())))
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

/// "1 class", "2 classes".
static std::string countOf(size_t N, StringRef Noun) {
  return (llvm::Twine(N) + " " + Noun + (N == 1 ? "" : "es")).str();
}

/// Replaces the session at work by \p New, or by none.
AttachStatus Agent::putToWork(JNIEnv *Jni, const AgentOptions &O,
                              const std::shared_ptr<const Session> &New,
                              Reason Why) {
  Env.TheLog.forget();
  const bool Had = bool(TheHook.current());
  const bool WereFromStart = Stay.AreFromStart;
  Stay.begin(parseTime(O.For), Why.Change);
  countNow(Jni, TheHook.current().get());
  ++Turn;
  if (New) {
    if (Had && !Why.Change) {
      if (WereFromStart)
        tellReplaced();
      Boot.endOutput(Jni); // Before those that come begin.
    }
    if (Error E = activate(Jni, New, Coming::ByAttach,
                           Why.Change ? &Why.Change->Concerned : nullptr))
      return fail(Jni, AttachStatus::BadProbeClasses, std::move(E));
    if (Why.Change)
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
  Classes.setLimits(
      {parseTime(O.MaxStop).value_or(std::chrono::milliseconds(0)),
       parseTime(O.MaxStops).value_or(std::chrono::milliseconds(0))});
  const Retransformer::Unchanged Not = changeLoaded(Jni, New.get(), Why.Change);
  if (New && (!O.MaxStop.empty() || !O.MaxStops.empty()))
    tellStops();
  if (New && Not.Left)
    return endEarly(Jni, Not.Left);
  const unsigned Refused = Not.Refused;
  if (New) {
    tellMissingParts(Env, Jni, *New);
    leaveLater(Jni, *New);
  }
  Probes.leaveOthers(Jni);
  if (New)
    Boot.settleOutput(Jni);
  else {
    Boot.endOutput(Jni);
    Boot.restRecorder(Jni);
  }
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
    Tell.asked()->print(
        New ? "probes at work; they changed " +
                  countOf(Memory.changedNames().size(), "class") + " so far"
        : Had ? "the probes are gone"
              : "no probes were at work");
  return Status;
}

/// Says how long the program stood still.
void Agent::tellStops() {
  const Retransformer::Stops &S = Classes.stops();
  auto Millis = [](std::chrono::nanoseconds Time) {
    return llvm::formatv("{0:f1} ms", double(Time.count()) / 1e6).str();
  };
  const std::string Text =
      "stops of all threads to put the probes in: " + std::to_string(S.Count) +
      ", the longest " + Millis(S.Longest) + ", " + Millis(S.Sum) + " in all";
  if (Tell.asked())
    Tell.asked()->warn(Text);
  else
    Env.TheLog.info(Text);
}

/// The probes at work were not put into \p Left classes, as the walk was ended:
/// they leave.
AttachStatus Agent::endEarly(JNIEnv *Jni, size_t Left) {
  const std::string Why = whyEnded();
  Env.TheLog.warning(llvm::Twine(Left) +
                     " loaded classes were not changed: " + Why);
  // Whoever asked for `off` takes them out.
  if (!Stay.Offs && !Stay.JvmEnds)
    leave(Jni, Why);
  return AttachStatus::LeftUndone;
}

/// Other probes come in place of those at work.
void Agent::tellReplaced() {
  llvm::ListSeparator Next("', '");
  std::string Names;
  const std::shared_ptr<const Session> S = TheHook.current();
  for (const Probe &P : S->files().Advices.Probes)
    Names += (StringRef(Next) + P.Name).str();
  if (S->covers())
    Names += StringRef(Next).str() + "coverage";
  if (!Names.empty())
    Env.TheLog.warning("what was at work leaves: '" + Names +
                       "'; with the option 'add' it would have stayed");
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
  auto Add = [&](const std::string &More) {
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
    tellUnmatched(Env, Jni, *S, [](jclass) { return false; });
  }
  if (const std::string Passed = TheHook.takePassed();
      S && Tell.asked() && !Passed.empty())
    Tell.asked()->warn(Passed);
  Tell.publish(Jni, S,
               Text + (Text.empty() || Said.empty() ? "" : "; ") + Said);
  if (Tell.asked())
    Tell.asked()->warn(Text);
  return Status;
}
