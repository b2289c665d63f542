//===- AgentLeave.cpp - Probes leave by themselves ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Lifetime/Agent.h"
#include "jopt/Agent/Retransform/SaturatedClasses.h"

using namespace jopt;
using namespace jopt::agent;

/// `off` is answered after that, though classes are still changed back.
static constexpr std::chrono::milliseconds TimeForOff(500);
/// The client says how many classes are changed, if there are so many.
static constexpr size_t ManyClasses = 1000;

static constexpr llvm::StringLiteral TimeIsOver = "the time of for= is over";

/// Why a walk that puts probes in has to end; empty if it has not.
std::string Agent::whyEnded() {
  if (Stay.JvmEnds)
    return "the JVM ends";
  if (Stay.Offs)
    return "'off' was asked for";
  if (Stay.AreLeaving)
    return {};
  if (Stay.isOver())
    return TimeIsOver.str();
  if (Classes.stops().PassedAll)
    return "their stops would take longer than max-stops allows";
  if (Tell.follower().isGone() ||
      (Tell.asked() && Tell.asked()->isClientGone()))
    return "the client has gone";
  return {};
}

/// A walk, which has \p Left classes still to change, may go on; 0: it is in a
/// batch.
bool Agent::mayGoOn(const Session *New, size_t Left) {
  if (New)
    return whyEnded().empty();
  if (Left)
    Stay.Left = Left;
  if (Tell.asked() && !Tell.asked()->isWritten() &&
      Clock::now() - Tell.asked()->asked() > TimeForOff) {
    Tell.asked()->print("the probes do nothing any more; " +
                        std::to_string(Stay.Left) +
                        " classes are still to be changed back");
    Tell.asked()->write(AttachStatus::Done);
  }
  return !Stay.JvmEnds;
}

/// Takes loaded classes to \p New, or to no probes; only those that \p Only
/// concerns, if it is given.
Retransformer::Unchanged
Agent::changeLoaded(JNIEnv *Jni, const Session *New,
                    const Retransformer::Change *Only) {
  Stay.Began = Clock::now();
  if (Only && Probes.hosted().areReplaced(New->bundle().Advices))
    Only = nullptr; // The others need other call sites.
  bool IsBegin = New && Tell.asked();
  auto GoesOn = [&](size_t Left) {
    if (std::exchange(IsBegin, false) && Left >= ManyClasses)
      Tell.asked()->announce(llvm::Twine(Left) +
                             " loaded classes get probes: they are slow until "
                             "they are compiled again; Ctrl-C ends it");
    return mayGoOn(New, Left);
  };
  const Retransformer::Unchanged Not = Classes.walk(Jni, New, GoesOn, Only);
  if (New && New->tracesOnDemand() && !Not.Left)
    Demand.findRegistries(Jni, *New);
  return Not;
}

/// Cancels all tasks that would take probes out.
void Agent::stayForNow() {
  Env.Later.cancel(&Begin);
  Env.Later.cancel(&Stay.Guests);
  Env.Later.cancel(&Limits);
  Env.Later.cancel(&Boot); // removeLater
  Env.Later.cancel(&Tell.follower());
}

/// Does \p What for the probes at work, if they still are then, on the agent's
/// own thread.
void Agent::later(TimerThread::Owner Of, std::chrono::milliseconds Delay,
                  TimerThread::Task What) {
  Env.Later.schedule(
      Of, Delay,
      [this, Of, For = Turn.load(), What = std::move(What)](JNIEnv *Jni) {
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

/// \p S is at work, in all that was loaded: from now on what its probes do
/// counts, which may pass a bound. It leaves by itself when its time is over,
/// which counts from the first change on.
void Agent::leaveLater(JNIEnv *Jni, const Session &S) {
  const AgentOptions &O = S.options();
  Limits.start(Env, Jni, S, Probes);
  if (O.boundsEvents())
    later(&Limits, OverheadLimiter::Second,
          [this](JNIEnv *Jni) { lookAtBounds(Jni); });
  if (O.Weave.Coverage && O.RemovesCoverage)
    removeLater(FirstLookAtSaturated);
  if (Stay.End)
    leaveAt(&Begin, *Stay.End, "for=" + O.For + " is over");
}

/// Probes leave at \p Time, as \p What says.
void Agent::leaveAt(TimerThread::Owner Of, Clock::time_point Time,
                    std::string What) {
  later(Of,
        std::chrono::ceil<std::chrono::milliseconds>(
            std::max(Clock::duration(0), Time - Clock::now())),
        [this, What = std::move(What)](JNIEnv *Jni) { leave(Jni, What); });
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

/// Tells who follows what the probes have cost that are about to leave.
void Agent::tellCost(JNIEnv *Jni) {
  const std::shared_ptr<const Session> S = TheHook.current();
  if (S && Tell.follower().isThere())
    Tell.follower().say(Limits.summary(Env, Jni, *S, Probes, Stay.Guests));
}

void Agent::leave(JNIEnv *Jni, const std::string &What, bool IsBound) {
  tellCost(Jni);
  if (!Stay.Guests.empty())
    return leaveGuests(Jni, What, IsBound);
  Env.TheLog.announce(What + ": the probes leave", LogLevel::Warning);
  putToWork(Jni, AgentOptions(), nullptr, Reason{What, "off", IsBound});
}

/// The probes that came beside others leave, and these stay.
void Agent::leaveGuests(JNIEnv *Jni, const std::string &What, bool IsBound) {
  Env.TheLog.announce(What + ": the probes that came for a while leave",
                      LogLevel::Warning);
  AgentOptions O;
  O.Off = true;
  O.Leaving = std::exchange(Stay.Guests, {});
  Stay.AreLeaving = true;
  changeAtWork(Jni, std::move(O), "off");
  Stay.AreLeaving = false;
  Tell.follower().end(Jni, What, IsBound);
}
