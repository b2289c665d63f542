//===- Hook.h - A class on its way into the JVM -----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The class-file load hook. It runs on whatever thread loads the class, holds
/// no lock while it weaves, and whatever goes wrong leaves the class as it is.
///
///     class ── decide() ──> Decision ── prepare() ──> WeaveRequest
///                                                         │ weave()
///     JVM <── handOver() ── ClassOutcome, told and remembered <┘
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_HOOK_HOOK_H
#define JOPT_AGENT_HOOK_HOOK_H

#include "jopt/Agent/Hook/CompilerLimits.h"
#include "jopt/Agent/Hook/Dump.h"
#include "jopt/Agent/Hook/PassedLimits.h"
#include "jopt/Agent/Hosts/DeclaredClasses.h"
#include "jopt/Agent/Hosts/ProbeAccess.h"
#include "jopt/Agent/Retransform/FlightEvents.h"
#include "jopt/Agent/Retransform/OnDemand.h"
#include "jopt/Agent/Telemetry/Telemetry.h"
#include <chrono>

namespace jopt::agent {

/// Thread-safe: any number of threads load classes at once. It has no lock; the
/// session is swapped atomically and kept by the threads that are at it, and
/// what is remembered of classes is in the parts that guard it.
class Hook {
public:
  Hook(Environment &Env, MemberMemory &Memory, BootLibrary &Boot,
       const ProbeClasses &Probes, OnDemand &Demand, Telemetry &Tell)
      : Env(Env), Memory(Memory), Access(Env, Boot, Probes), Demand(Demand),
        Tell(Tell) {}

  /// Where the JVM takes the class file from that replaces its own.
  struct Place {
    jint *Size;
    unsigned char **Data;
  };
  /// ClassFileLoadHook; \p C has no name where the JVM gives none.
  void onClass(LoadedClass C, Place Out);
  /// ClassPrepare: for hidden classes, which come no other way.
  void onPrepare(JNIEnv *Jni, jclass Class);

  /// \name For one thread at a time
  /// @{
  /// Puts \p New to work in place of what was there, and has the JVM hand over
  /// classes.
  llvm::Error start(JNIEnv *Jni, std::shared_ptr<const Session> New);
  /// The same where others are at work, which go on but for those that \p
  /// Changed has: the memory of their classes stays.
  void change(const std::shared_ptr<const Session> &New,
              const Matcher &Changed);
  /// No class gets probes any more, and none is dumped.
  void stop();
  /// The JVM hands over hidden classes no more, and the others only if they are
  /// \p Needed, as some must get members. The agent's thread goes when it has
  /// nothing left to do.
  void disable(bool Needed);
  /// From now on classes are dumped into that folder.
  llvm::Error dumpTo(llvm::StringRef Folder) { return TheDump.open(Folder); }
  /// @}

  /// The methods that passed limits of HotSpot since it was last called, as a
  /// sentence; empty if there are none, or nobody follows.
  std::string takePassed() { return Limits.take(); }

  /// Declares the traced classes that have not run a method.
  void declareTraced(JNIEnv *Jni) { Traced.declare(Jni); }

  /// How many loaded classes, whose change this thread asked for since it last
  /// called this, have none, or not all, of their probes because these cannot
  /// link there.
  struct Unlinked {
    unsigned Whole = 0, Partly = 0;
  };
  static Unlinked takeUnlinked();

  /// The probes at work; null: none.
  std::shared_ptr<const Session> current() const {
    return std::atomic_load(&Current);
  }

private:
  using Clock = std::chrono::steady_clock;
  void handle(const LoadedClass &C, std::shared_ptr<const Session> S,
              Place Out);
  std::optional<llvm::Expected<WeaveResult>> work(const LoadedClass &C,
                                                  WeaveRequest &R);
  void tellUnlinked(const LoadedClass &C, const Session &S,
                    const std::map<unsigned, std::string> &Unlinked,
                    bool HasOthers);
  void keepRows(llvm::StringRef Name, const WeaveRequest &R,
                WeaveResult &Result);
  bool replace(const LoadedClass &C, WeaveRequest &R, Place Out,
               Clock::time_point Begin);
  std::optional<WeaveRequest> prepare(const LoadedClass &C,
                                      std::shared_ptr<const Session> S);
  std::optional<Dispatch> open(const LoadedClass &C, const Session &S,
                               ClassFacts &Facts, Decision What);
  void adopt(const LoadedClass &C, WeaveRequest &R);
  llvm::SmallVector<uint8_t, 0> restoreLoaded(const LoadedClass &C,
                                              const Session &S);
  bool handOver(llvm::StringRef Name, Bytes Data, Place Out);
  void remember(const LoadedClass &C, const WeaveRequest &R);
  void dump(const LoadedClass &C, const WeaveRequest &R,
            const WeaveResult &Result);
  void tell(const ClassOutcome &Outcome, llvm::StringRef Name);
  void countNewer(llvm::StringRef Name, unsigned Major, llvm::StringRef Done);
  void compileHuge(llvm::StringRef Name, const WeaveRequest &R, Bytes After);
  void raiseInlining(const WeaveRequest &R);
  void tellIntrinsics(const WeaveRequest &R, llvm::StringRef Name);
  void tellInitialized(const LoadedClass &C, const WeaveRequest &R);

  Environment &Env;
  MemberMemory &Memory;
  ProbeAccess Access;
  OnDemand &Demand;
  Telemetry &Tell;
  Dump TheDump;
  DeclaredClasses Traced;
  FlightEvents Flight{Env.Later};
  CompilerLimits Compilers;
  PassedLimits Limits;
  std::shared_ptr<const Session> Current; ///< by atomic operations alone
};

} // namespace jopt::agent

#endif
