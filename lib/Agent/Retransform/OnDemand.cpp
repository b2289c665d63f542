//===- OnDemand.cpp - Classes are traced while somebody monitors them -----===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Retransform/OnDemand.h"
#include "jopt/Agent/Hook/HookScope.h"
#include <chrono>
#include <thread>

using namespace jopt;
using namespace jopt::agent;
using llvm::Error;
using llvm::StringRef;

/// Binds jopt.boot.Monitors to the agent before it reports the first change.
Error OnDemand::start(JNIEnv *Jni, Listener Changed) {
  if (Error E = Traced.connect(Env.VM))
    return E;
  // A registry that could not be changed is not that of other options.
  Traced.restart();
  if (Error E = Boot.define(Jni))
    return E;
  LocalFrame Frame(Jni, 8);
  jclass Class = BootLibrary::find(Jni, "jopt/boot/Monitors");
  const JNINativeMethod Method = {
      const_cast<char *>("changed"),
      const_cast<char *>("(Ljava/lang/Class;Ljava/lang/Class;)V"),
      reinterpret_cast<void *>(Changed)};
  if (Class && Jni->RegisterNatives(Class, &Method, 1) == 0)
    return Error::success();
  return makeError("jopt.boot.Monitors cannot be bound: " + takeException(Jni));
}

/// Asks the library of \p Registry for a monitor that does nothing: that of pfl
/// leaves one where a monitor was taken away.
void OnDemand::findIdle(JNIEnv *Jni, const Session &S, jclass Registry) {
  if (!Traced.addRegistry(Jni, Registry))
    return;
  LocalFrame Frame(Jni, 16);
  const tf::Packages &P = S.tracing()->Library;
  const std::string Factory = P.runtime("MethodMonitorFactory"),
                    Defaults = P.runtime("MethodMonitorFactoryDefaults");
  jobject Loader = nullptr;
  Env.Jvmti->GetClassLoader(Registry, &Loader);
  jclass Class = Loader ? loadClass(Jni, Loader, Defaults)
                        : BootLibrary::find(Jni, Defaults);
  jmethodID NoOp = Class ? Jni->GetStaticMethodID(
                               Class, "noOp", ("()L" + Factory + ";").c_str())
                         : nullptr;
  jobject Maker = NoOp ? Jni->CallStaticObjectMethod(Class, NoOp) : nullptr;
  if (Jni->ExceptionCheck())
    Maker = nullptr;
  jmethodID Create =
      Maker ? Jni->GetMethodID(
                  Jni->GetObjectClass(Maker), "create",
                  ("(Ljava/lang/Class;)L" + P.runtime("MethodMonitor") + ";")
                      .c_str())
            : nullptr;
  jobject Monitor =
      Create ? Jni->CallObjectMethod(Maker, Create, Registry) : nullptr;
  std::string Thrown = takeException(Jni);
  if (Monitor && Thrown.empty())
    return Traced.addIdle(Jni, Monitor);
  Env.TheLog.once(LogLevel::Info,
                  className(Env.Jvmti, Registry) +
                      ": monitors that do nothing are not known "
                      "and count like others: " +
                      Thrown);
}

bool OnDemand::isToBeTraced(const Session &S, const LoadedClass &C) {
  if (!C.Class) {
    llvm::SmallBitVector Annotations = S.annotationsIn(C.Data);
    return Annotations.any() && Traced.comes(C.Name, std::move(Annotations));
  }
  // One that is not at stage 1 is named by stage 2.
  return !Traced.add(C.Jni, C.Class, S.tracing()->Library) ||
         Traced.isTraced(C.Class);
}

/// Changes the classes, or the class \p Only, whose code does not fit.
void OnDemand::fitCode(JNIEnv *Jni, jclass Only) {
  // Monitors changed on this thread while the JVM was changing classes on it.
  // No other thread reads or writes the flag.
  static thread_local bool AskedInHook = false;
  // The JVM is changing classes on this thread. The call that asked for that
  // looks again.
  if (HookScope::current() == InHook::ForChange) {
    AskedInHook = true;
    return;
  }
  HookScope ToChange(InHook::No);
  size_t Changed = 0;
  do {
    AskedInHook = false;
    std::vector<TracedClasses::Change> Changes = Traced.decide(Jni, Only);
    Changed += Changes.size();
    for (llvm::ArrayRef<TracedClasses::Change> Rest = Changes; !Rest.empty();) {
      auto Now = Rest.take_front(Retransformer::SmallBatch);
      Rest = Rest.drop_front(Now.size());
      std::vector<jclass> Batch;
      for (const TracedClasses::Change &C : Now)
        Batch.push_back(C.Class);
      Classes.change(Jni, Batch);
      Traced.done(Now);
      for (jclass C : Batch)
        Jni->DeleteGlobalRef(C);
    }
    Only = nullptr;
  } while (AskedInHook);
  if (Changed)
    Env.TheLog.info(llvm::Twine(Changed) +
                    " classes changed with their monitors, " +
                    llvm::Twine(Traced.count(Jni)) + " are traced now");
}

void OnDemand::monitorsChanged(JNIEnv *Jni, const Session &S, jclass Registry,
                               jclass Class) {
  findIdle(Jni, S, Registry);
  if (Class) {
    jboolean CanChange = false;
    Env.Jvmti->IsModifiableClass(Class, &CanChange);
    if (!CanChange)
      return;
    Traced.add(Jni, Class, S.tracing()->Library);
  }
  fitCode(Jni, Class);
}

/// A thread still runs old code of a registry, which does not report changes.
bool OnDemand::isInOldRegistry(JNIEnv *Jni, const Session &S) const {
  constexpr jint Deepest = 1024;
  LocalFrame Frame(Jni, 16);
  jint Threads = 0;
  JvmtiMemory<jvmtiStackInfo> Stacks(Env.Jvmti);
  if (Env.Jvmti->GetAllStackTraces(Deepest, &Stacks, &Threads) !=
      JVMTI_ERROR_NONE)
    return false;
  for (const jvmtiStackInfo &Stack : llvm::ArrayRef(Stacks.get(), Threads))
    for (const jvmtiFrameInfo &F :
         llvm::ArrayRef(Stack.frame_buffer, Stack.frame_count)) {
      jboolean IsOld = false;
      jclass Class = nullptr;
      if (Env.Jvmti->IsMethodObsolete(F.method, &IsOld) == JVMTI_ERROR_NONE &&
          IsOld &&
          Env.Jvmti->GetMethodDeclaringClass(F.method, &Class) ==
              JVMTI_ERROR_NONE &&
          S.isRegistry(className(Env.Jvmti, Class)))
        return true;
    }
  return false;
}

void OnDemand::findRegistries(JNIEnv *Jni, const Session &S) {
  bool Any = false;
  forEachLoadedClass(Env.Jvmti, Jni, [&](jclass C) {
    jint Status = 0;
    if (S.isRegistry(className(Env.Jvmti, C)) &&
        Env.Jvmti->GetClassStatus(C, &Status) == JVMTI_ERROR_NONE &&
        (Status & JVMTI_CLASS_STATUS_INITIALIZED)) {
      findIdle(Jni, S, C);
      Any = true;
    }
  });
  unsigned Left = Any ? 100 : 0;
  for (; Left && isInOldRegistry(Jni, S); --Left)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  if (Any && !Left)
    Env.TheLog.warning(
        "a thread is in the registry since before the agent came: "
        "what it does there counts when the registry is next told "
        "something");
  fitCode(Jni, nullptr);
}

void OnDemand::traceAlways(JNIEnv *Jni, const Session &S, StringRef Registry,
                           bool IsLoaded) {
  Env.TheLog.once(LogLevel::Warning,
                  Registry + ": does not tell of monitors: classes are traced "
                             "whether somebody monitors them or not");
  Traced.traceAll();
  // If it was loaded, the code that changes it looks at all classes next.
  if (IsLoaded)
    return;
  HookScope ToChange(InHook::No);
  Classes.changeTraced(Jni, S);
}
