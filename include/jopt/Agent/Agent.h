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

#ifndef JOPT_AGENT_AGENT_H
#define JOPT_AGENT_AGENT_H

#include "jopt/Agent/BootLibrary.h"
#include "jopt/Agent/Counters.h"
#include "jopt/Agent/Dump.h"
#include "jopt/Agent/FlightEvents.h"
#include "jopt/Agent/Jvm.h"
#include "jopt/Agent/Log.h"
#include "jopt/Agent/ProbeClasses.h"
#include "jopt/Agent/Session.h"
#include "jopt/Agent/TracedClasses.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <memory>
#include <mutex>

namespace jopt::agent {

/// What an attach answers; `jcmd` prints the number. docs/Agent.md has them.
enum class AttachStatus : jint {
  Done = 0,
  BadOptions = 101,      ///< unknown, malformed, or a file that is not there
  BadProbes = 102,       ///< files that cannot be read, compiled or used
  NotCapable = 103,      ///< the JVM refuses what the agent needs
  BadProbeClasses = 104, ///< the JVM does not take the classes of the probes
  BadFile = 105,         ///< log, dump, stats or report cannot be written
  LeftUndone = 106,      ///< at work, but some loaded classes were not changed
};

class Agent {
public:
  /// The agent of this JVM. Never destroyed: threads of the JVM may be in it
  /// to the very end.
  static Agent &get();

  /// Agent_OnLoad: false stops the JVM. Says on standard error why.
  bool start(JavaVM *VM, const char *Options);
  /// Agent_OnAttach, also for options that come later.
  AttachStatus attach(JavaVM *VM, const char *Options);

  /// \name JVMTI's events
  /// @{
  void onVMInit(JNIEnv *Jni);
  void onVMDeath(JNIEnv *Jni);
  /// ClassFileLoadHook; \p Redefined is null at first load.
  void onClass(JNIEnv *Jni, jclass Redefined, jobject Loader, const char *Name,
               jobject Domain, Bytes Data, jint *NewSize,
               unsigned char **NewData);
  /// ClassPrepare: for hidden classes, which come no other way.
  void onPrepare(JNIEnv *Jni, jclass Class);
  /// @}

  /// A registry of the tracing facility may have changed monitors, of all
  /// classes if \p Class is null; returns when their code fits.
  void onMonitorsChanged(JNIEnv *Jni, jclass Registry, jclass Class);

private:
  Agent() = default;
  llvm::Error connect(JavaVM *VM);
  llvm::Error enable();
  llvm::Error openFiles(const AgentOptions &O, const Session *S);
  Session::Surroundings surroundings() const;
  llvm::Expected<std::shared_ptr<const Session>>
  makeSession(const AgentOptions &O);
  AttachStatus attachLocked(JavaVM *VM, JNIEnv *Jni, const char *Options);
  AttachStatus fail(JNIEnv *Jni, AttachStatus S, llvm::Error E);
  llvm::Error activate(JNIEnv *Jni, std::shared_ptr<const Session> New);
  unsigned retransform(JNIEnv *Jni, const Session *New);
  unsigned retransformPass(JNIEnv *Jni, const Session *New, jlong Tag);
  /// The classes that are changed at once: all threads stop for each batch.
  static constexpr size_t BatchSize = 64;
  unsigned retransformBatch(JNIEnv *Jni, llvm::ArrayRef<jclass> Batch);
  bool mayTrace(const Session &S, jclass Class) const;
  /// Whether probes can select something in the loaded class of that name.
  bool canMatch(JNIEnv *Jni, const Matcher &M, llvm::StringRef Name,
                jclass Class) const;
  bool isMeant(JNIEnv *Jni, const Session *New, jclass Class);
  bool acceptsOrigin(JNIEnv *Jni, const AgentOptions &O, jobject Loader,
                     jobject Domain);
  bool seesProbes(JNIEnv *Jni, jobject Loader);
  bool asksForProbes(JNIEnv *Jni, jobject Loader) const;
  bool seesLink(JNIEnv *Jni, jobject Loader, llvm::StringRef Name);
  void weave(JNIEnv *Jni, std::shared_ptr<const Session> S, jclass Redefined,
             jobject Loader, const char *Name, jobject Domain, Bytes Data,
             jint *NewSize, unsigned char **NewData);
  std::optional<Dispatch> howWanted(JNIEnv *Jni, const Session &S,
                                    llvm::StringRef Name, jobject Loader,
                                    jobject Domain, Bytes Data);
  llvm::SmallVector<uint8_t, 0> restoreLoaded(JNIEnv *Jni, const Session &S,
                                              jclass Class, jobject Loader,
                                              llvm::StringRef Name, Bytes Data);
  /// With what a class was loaded.
  struct Loaded {
    std::shared_ptr<const Session> By;
    Dispatch How = Dispatch::Direct;
  };
  /// \p Mode makes the class as it was when it was loaded, but for its methods.
  static bool inOneStep(const Session &S, const Loaded &Members,
                        const WeaveMode &Mode) {
    return !Members.By || (S.equals(*Members.By) && Mode.How == Members.How);
  }
  llvm::Expected<ClassOutcome> makeClass(const Session *S,
                                         const Loaded &Members, WeaveMode Mode,
                                         Bytes Data);
  bool hasOtherMembers(jclass Class, Bytes Data) const;
  bool handOver(llvm::StringRef Name, Bytes Data, jint *NewSize,
                unsigned char **NewData);
  void tellIntrinsics(const Session &S, llvm::StringRef Name, Bytes Data,
                      const TypeHierarchy *Ancestry);
  void tellInitialized(const Session &S, jclass Class, llvm::StringRef Name,
                       Bytes Data, const TypeHierarchy *Ancestry);
  void tell(const ClassOutcome &Outcome, llvm::StringRef Name);
  llvm::Error traceOnDemand(JNIEnv *Jni);
  bool isInOldRegistry(const Session &S) const;
  void findRegistries(JNIEnv *Jni, const Session &S);
  void findIdle(JNIEnv *Jni, const Session &S, jclass Registry);
  bool isToBeTraced(JNIEnv *Jni, const Session &S, jclass Redefined,
                    llvm::StringRef Name, Bytes Data);
  void fitCode(JNIEnv *Jni, jclass Only);
  void traceAlways(JNIEnv *Jni, const Session &S, llvm::StringRef Registry,
                   bool IsLoaded);
  void publishStatus(JNIEnv *Jni, const Session *S, llvm::StringRef Error);
  void countNow(JNIEnv *Jni, const Session *S);
  void writeStats(JNIEnv *Jni);
  void writeReport(const Session *S, const std::string &File);

  std::shared_ptr<const Session> current() const {
    return std::atomic_load(&Current);
  }

  JavaVM *VM = nullptr;
  jvmtiEnv *Jvmti = nullptr;
  Log TheLog;
  Counters Count;
  Dump TheDump;
  FlightEvents Flight;
  Loaders Known;
  TracedClasses Traced;
  BootLibrary Boot;
  /// What the thread is in the hook for; what it calls of Java may load
  /// classes.
  enum class InHook { No, ForLoading, ForChange };
  static thread_local InHook ThreadIs;
  /// While it lives, what Java code needs gets its probes.
  class OutOfHook {
  public:
    OutOfHook() : Was(std::exchange(ThreadIs, InHook::No)) {}
    ~OutOfHook() { ThreadIs = Was; }

  private:
    const InHook Was;
  };

  std::mutex AttachLock; ///< of what follows: one start or attach at a time
  ProbeClasses Probes;
  AgentOptions Options; ///< of the start or of the last attach
  std::shared_ptr<const Session> Waiting; ///< of a start, for VMInit
  jlong Sessions = 0;
  std::string StatsFile, ReportFile;

  /// The probes at work; null: none. Read by every hook.
  std::shared_ptr<const Session> Current;

  std::mutex ChangedLock;
  llvm::StringSet<> Changed; ///< names of classes that got probes
  /// Classes that got members when they were loaded, by name and a hash of the
  /// bytes that came: the JVM hands over the same ones whenever they are
  /// retransformed, and they must get the same members for good.
  std::map<std::pair<std::string, uint64_t>, Loaded> WithMembers;
  llvm::StringSet<> Hidden; ///< names of hidden classes that probes would match
};

} // namespace jopt::agent

#endif
