//===- Agent.h - The agent in a JVM -----------------------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Start, attach and end. One agent per JVM, however often it is attached.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_LIFETIME_AGENT_H
#define JOPT_AGENT_LIFETIME_AGENT_H

#include "jopt/Agent/Hook/Hook.h"
#include "jopt/Agent/Hosts/Registry.h"
#include "jopt/Agent/Lifetime/Leases.h"
#include "jopt/Agent/Telemetry/OverheadLimiter.h"
#include <mutex>

namespace jopt::agent {

/// Makes the parts, wires them together, and takes what the JVM and `jcmd` say
/// to them.
class Agent {
public:
  /// The agent of this JVM. Never destroyed: threads of the JVM may be in it
  /// to the very end.
  static Agent &get();

  /// Agent_OnLoad: false stops the JVM. Says on standard error why.
  bool start(JavaVM *VM, const char *Options);
  /// Agent_OnAttach, also for options that come later.
  AttachStatus attach(JavaVM *VM, const char *Options);

  /// \name What the JVM and registries report, on any thread
  /// @{
  void onVMInit(JNIEnv *Jni);
  void onVMDeath(JNIEnv *Jni);
  void onMonitorsChanged(JNIEnv *Jni, jclass Registry, jclass Class);
  /// A program asks for probes. Returns when it is done; at once where this
  /// thread is in the agent's own work, and after a bounded time where others
  /// are and wait for what this thread holds.
  void onProbeRequest(JNIEnv *Jni, ProbeRequest R);
  /// A class that asks for probes is being loaded.
  void onProbeControl(JNIEnv *Jni);
  Hook &hook() { return TheHook; }
  /// Probes are in, or will be when the JVM is up. Asked by other copies of the
  /// library.
  bool isAtWork() const;
  /// @}

private:
  Agent() = default;
  llvm::Error connect(JavaVM *VM);
  llvm::Error prepareStart(JavaVM *VM, const AgentOptions &O,
                           llvm::StringRef Text);
  bool mayRegister(const AgentOptions &O) const;
  bool mayAsk(JNIEnv *Jni);
  llvm::Error openLog(const AgentOptions &O);
  llvm::Error openFiles(const AgentOptions &O, const Session *S);
  Session::Surroundings surroundings() const;
  llvm::Expected<std::shared_ptr<const Session>>
  makeSession(const AgentOptions &O, JNIEnv *Attached);
  llvm::Error bindControl(JNIEnv *Jni);
  void control(JNIEnv *Jni, const ProbeRequest &R);
  void changeProbes(JNIEnv *Jni, const Registry::Change &C);
  AttachStatus attachLocked(JavaVM *VM, JNIEnv *Jni, const char *Options);
  AttachStatus answer(JNIEnv *Jni, const AgentOptions &O, llvm::StringRef Text);
  void tellStops();
  AttachStatus tellClasses(JNIEnv *Jni, const AgentOptions &O);
  AttachStatus attachNow(JavaVM *VM, JNIEnv *Jni, const char *Options,
                         AttachReply &Reply, bool IsOff);
  bool mayGoOn(const Session *New, size_t Left);
  std::string whyEnded();
  void tellReplaced();
  AttachStatus endEarly(JNIEnv *Jni, size_t Left);
  AttachStatus fail(JNIEnv *Jni, AttachStatus S, llvm::Error E);
  /// How probes come to work.
  enum class Coming {
    AtStart,
    ByAttach,
  };
  /// \p New comes in place of what was there; but for probes of \p Changed what
  /// is at work goes on, if that is given.
  llvm::Error activate(JNIEnv *Jni, std::shared_ptr<const Session> New,
                       Coming How, const Matcher *Changed = nullptr);
  AttachStatus changeAtWork(JNIEnv *Jni, AgentOptions O, llvm::StringRef Text);
  void deactivate();
  Retransformer::Unchanged
  changeLoaded(JNIEnv *Jni, const Session *New,
               const Retransformer::Change *Only = nullptr);
  void countNow(JNIEnv *Jni, const Session *S);
  void countTargets(const Session *S);
  void leaveSession(JNIEnv *Jni);
  /// An action of the agent, and the options that asked for it.
  struct Reason {
    llvm::StringRef What, Options;
    bool IsBound = false; ///< it was passed
    /// Not null: others than those that come or leave stay.
    const Retransformer::Change *Change = nullptr;
  };
  AttachStatus putToWork(JNIEnv *Jni, const AgentOptions &O,
                         const std::shared_ptr<const Session> &New, Reason Why);
  AttachStatus putToWork(JNIEnv *Jni, const AgentOptions &O,
                         const std::shared_ptr<const Session> &Base,
                         llvm::StringRef Options);
  void leaveLater(JNIEnv *Jni, const Session &S);
  void stayForNow();
  void later(TimerThread::Owner Of, std::chrono::milliseconds Delay,
             TimerThread::Task What);
  void lookAtBounds(JNIEnv *Jni);
  void removeLater(std::chrono::milliseconds Delay);
  void follow(JNIEnv *Jni);
  void serveEvents();
  void leave(JNIEnv *Jni, const std::string &What, bool IsBound = false);
  void leaveAt(TimerThread::Owner Of,
               std::chrono::steady_clock::time_point Time, std::string What);
  void tellCost(JNIEnv *Jni);
  void leaveGuests(JNIEnv *Jni, const std::string &What, bool IsBound);
  AttachStatus finishAttach(JNIEnv *Jni, const AgentOptions &O,
                            const Session *S, unsigned Refused);

  Environment Env;
  MemberMemory Memory;
  BootLibrary Boot;
  ProbeClasses Probes{Boot};
  Retransformer Classes{Env, Memory};
  OnDemand Demand{Env, Boot, Classes};
  Telemetry Tell{Env, Memory};
  OverheadLimiter Limits;
  Registry Programs{Env};
  Hook TheHook{Env, Memory, Boot, Probes, Demand, Tell};

  /// One start, attach or end at a time: of what follows, and of what the parts
  /// do for one thread at a time. Never taken by the hook or by registries.
  std::mutex AttachLock;
  std::atomic<unsigned> Turn{0}; ///< of starts, attaches and `off`
  using Clock = TimerThread::Clock;
  Leases Stay;
  /// A start, whose session waits for VMInit, and its options.
  struct Start {
    std::shared_ptr<const Session> Waiting;
    std::string Options;
    bool IsGiven = false;               ///< it is prepared
    std::atomic<bool> IsWaiting{false}; ///< there is a session, for VMInit
  };
  Start Begin;
  unsigned Unmatched = 0; ///< targets of the current session among the problems
};

} // namespace jopt::agent

#endif
