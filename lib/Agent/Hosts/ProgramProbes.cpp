//===- ProgramProbes.cpp - What programs ask of the agent -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Attach/AttachScope.h"
#include "jopt/Agent/Hook/HookScope.h"
#include "jopt/Agent/Lifetime/Agent.h"
#include "jopt/Probes/ProbeOptions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <condition_variable>

using namespace jopt;
using namespace jopt::agent;
using llvm::Error;
using llvm::StringRef;

thread_local bool AttachScope::IsHere = false;

static void JNICALL controlProbes(JNIEnv *Jni, jclass, jint What,
                                  jobjectArray Names, jobjectArray Classes,
                                  jobjectArray Files) {
  Agent::get().onProbeRequest(Jni, {Jni, What, Names, Classes, Files});
}

/// The program may register probes: it has what it needs for that, or the
/// options speak of it.
bool Agent::mayRegister(const AgentOptions &O) const {
  if (!O.Weave.Modes.empty() || !O.DataFolder.empty() || O.TableLength)
    return true;
  return llvm::any_of(surroundings().ClassPath, [](StringRef Entry) {
    return llvm::sys::path::filename(Entry) ==
               llvm::sys::path::filename(ProbeApiJar) ||
           llvm::sys::fs::exists(Entry + "/jopt/probes/Probes.class");
  });
}

/// A program that runs has what asks for probes already. Others need none of
/// it, and get nothing that stays.
bool Agent::mayAsk(JNIEnv *Jni) {
  bool Found = false;
  forEachLoadedClass(Env.Jvmti, Jni, [&](jclass Class) {
    Found = Found || className(Env.Jvmti, Class) == ProbeControlClass;
  });
  return Found;
}

/// Programs find the agent from now on.
Error Agent::bindControl(JNIEnv *Jni) {
  if (Error E = Boot.defineProbeApi(Jni))
    return E;
  LocalFrame Frame(Jni, 8);
  BootLibrary::readBoot(Env.Jvmti, Jni);
  jclass Class = BootLibrary::find(Jni, ProbeControlClass);
  const JNINativeMethod Method = {
      const_cast<char *>("control"),
      const_cast<char *>("(I[Ljava/lang/String;[Ljava/lang/Class;[[B)V"),
      reinterpret_cast<void *>(controlProbes)};
  if (Class && Jni->RegisterNatives(Class, &Method, 1) == 0)
    return Error::success();
  return makeError("jopt.boot.record.ProbeControl cannot be bound: " +
                   takeException(Jni));
}

void Agent::onProbeControl(JNIEnv *Jni) {
  if (Error E = bindControl(Jni))
    Env.TheLog.warning(toMessage(std::move(E)));
}

/// How long a program waits for its request. The request is done as soon as
/// activations in loops and other attaches allow. But the thread that does it
/// may wait for a lock of a class loader that the program's thread has.
static constexpr std::chrono::seconds LongestWait(10);

void Agent::onProbeRequest(JNIEnv *Jni, ProbeRequest R) {
  struct Asked {
    explicit Asked(ProbeRequest R) : R(std::move(R)) {}
    ProbeRequest R;
    std::mutex Lock; ///< for the members below
    std::condition_variable Changed;
    bool IsDone = false;
  };
  auto It = std::make_shared<Asked>(std::move(R));
  // On the agent's own thread, which has no lock of the program.
  if (!Env.Later.start(Env.Jvmti, Jni)) {
    Env.TheLog.announce("the JVM has no thread for what the program asks for");
    return It->R.release(Jni);
  }
  Env.Later.schedule(It.get(), std::chrono::milliseconds(0),
                     [this, It](JNIEnv *Jni) {
                       control(Jni, It->R);
                       It->R.release(Jni);
                       std::lock_guard<std::mutex> Guard(It->Lock);
                       It->IsDone = true;
                       It->Changed.notify_all();
                     });
  if (AttachScope::isHere() || TimerThread::isHere() ||
      HookScope::current() != InHook::No)
    return;
  std::unique_lock<std::mutex> Guard(It->Lock);
  if (!It->Changed.wait_for(Guard, LongestWait, [&] { return It->IsDone; }))
    Env.TheLog.announce("what the program asks of its probes takes more than " +
                            llvm::Twine(LongestWait.count()) +
                            " s, and goes on while the program does",
                        LogLevel::Warning);
}

void Agent::control(JNIEnv *Jni, const ProbeRequest &R) {
  AttachScope Guard(AttachLock);
  LocalFrame Frame(Jni, 64);
  if (!Programs.base()) {
    auto S = makeSession(AgentOptions(), Jni);
    if (!S)
      return Env.TheLog.announce(toMessage(S.takeError()));
    Programs.setBase(std::move(*S));
  }
  auto C = Programs.apply(Jni, R);
  if (!C)
    return Env.TheLog.announce(toMessage(C.takeError()));
  if (*C)
    changeProbes(Jni, **C);
}

/// The program's probes are others now.
void Agent::changeProbes(JNIEnv *Jni, const Registry::Change &C) {
  const std::shared_ptr<const Session> Before = TheHook.current();
  countNow(Jni, Before.get());
  if (!Before) {
    if (Error E = activate(Jni, C.New, Coming::ByAttach))
      return Env.TheLog.announce(toMessage(std::move(E)));
    Classes.setPolicy(C.New->options().InFlight);
  } else {
    BootLibrary::readBoot(Env.Jvmti, Jni);
    TheHook.change(C.New, C.Concerned->matcher());
  }
  Hook::takeUnlinked();
  auto GoesOn = [this](size_t) { return !Stay.JvmEnds; };
  const Retransformer::Change Only = {Before.get(), C.Concerned->matcher()};
  const unsigned Refused =
      Classes.walk(Jni, C.New.get(), GoesOn, &Only).Refused;
  Programs.close(Jni, C.Gone);
  Tell.record({Jni, "program", "", C.New.get()});
  if (unsigned AsTheyWere = Refused + Hook::takeUnlinked().Whole)
    Env.TheLog.announce(llvm::Twine(AsTheyWere) +
                            " loaded classes are as they were, as the log says",
                        LogLevel::Warning);
  countTargets(C.New.get());
  countNow(Jni, C.New.get());
  Tell.publish(Jni, C.New.get(), "");
}
