//===- TimerThread.cpp - What the agent does later
//-----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Telemetry/TimerThread.h"
#include <algorithm>

using namespace jopt;
using namespace jopt::agent;

static constexpr const char *ThreadName = "jopt agent";

/// Owns the monitor while it lives.
class TimerThread::Owned {
public:
  explicit Owned(const TimerThread &T) : T(T) {
    T.Jvmti->RawMonitorEnter(T.Monitor);
  }
  ~Owned() { T.Jvmti->RawMonitorExit(T.Monitor); }
  Owned(const Owned &) = delete;
  Owned &operator=(const Owned &) = delete;
  /// Until somebody notifies, or so long; 0: for ever.
  void wait(std::chrono::milliseconds Time) {
    T.Jvmti->RawMonitorWait(T.Monitor, Time.count());
  }
  void notify() { T.Jvmti->RawMonitorNotify(T.Monitor); }

private:
  const TimerThread &T;
};

bool TimerThread::start(jvmtiEnv *TheJvmti, JNIEnv *Jni) {
  if (!Monitor) {
    jrawMonitorID New = nullptr;
    if (TheJvmti->CreateRawMonitor(ThreadName, &New) != JVMTI_ERROR_NONE)
      return false;
    Jvmti = TheJvmti;
    Monitor = New;
  }
  {
    Owned Guard(*this);
    Stopping = false;
    if (Running || Thread)
      return true;
  }
  return makeThread(Jni);
}

bool TimerThread::makeThread(JNIEnv *Jni) {
  LocalFrame Frame(Jni, 8);
  jthread Made = newThread(Jni, ThreadName);
  jthread New = Made ? Jni->NewGlobalRef(Made) : nullptr;
  Owned Guard(*this);
  Thread = New;
  return New != nullptr;
}

/// Where classes are loaded, with whatever locks: no Java runs on this thread.
void TimerThread::beginThread() {
  auto Run = [](jvmtiEnv *, JNIEnv *Jni, void *Self) {
    static_cast<TimerThread *>(Self)->run(Jni);
  };
  if (Jvmti->RunAgentThread(Thread, Run, this, JVMTI_THREAD_NORM_PRIORITY) ==
      JVMTI_ERROR_NONE)
    return;
  {
    Owned Guard(*this);
    Running = false;
  }
  TheLog.once(LogLevel::Warning, NoThread);
}

void TimerThread::stop() {
  if (!Monitor)
    return;
  Owned Guard(*this);
  Stopping = true;
  Guard.notify();
}

void TimerThread::runRest(JNIEnv *Jni) {
  if (!Monitor)
    return;
  {
    Owned Guard(*this);
    if (Running || Thread || Waiting.empty())
      return;
  }
  if (!makeThread(Jni))
    return;
  {
    Owned Guard(*this);
    Running = true;
  }
  beginThread();
}

void TimerThread::schedule(Owner Of, std::chrono::milliseconds Delay,
                           Task What) {
  if (!Monitor)
    return;
  {
    Owned Guard(*this);
    Waiting[Of] = {Clock::now() + Delay, std::move(What)};
    if (Running)
      return Guard.notify();
    if (!Thread)
      return;
    Running = true;
  }
  beginThread();
}

void TimerThread::cancel(Owner Of) {
  if (!Monitor)
    return;
  Owned Guard(*this);
  Waiting.erase(Of);
  Guard.notify();
}

/// The next task, once its time has come; none: the thread has to go.
TimerThread::Task TimerThread::next() {
  using std::chrono::milliseconds;
  Owned Guard(*this);
  while (true) {
    auto First = std::min_element(Waiting.begin(), Waiting.end(),
                                  [](const auto &A, const auto &B) {
                                    return A.second.When < B.second.When;
                                  });
    if (First == Waiting.end()) {
      if (Stopping) {
        Running = false;
        return nullptr;
      }
      Guard.wait(milliseconds(0));
      continue;
    }
    auto Rest =
        std::chrono::ceil<milliseconds>(First->second.When - Clock::now());
    if (Rest > milliseconds(0)) {
      Guard.wait(Rest);
      continue;
    }
    Task What = std::move(First->second.What);
    Waiting.erase(First);
    return What;
  }
}

static thread_local bool IsTimerThread = false;

bool TimerThread::isHere() { return IsTimerThread; }

void TimerThread::run(JNIEnv *Jni) {
  IsTimerThread = true;
  jthread Mine;
  {
    Owned Guard(*this);
    Mine = std::exchange(Thread, nullptr);
  }
  while (Task What = next()) {
    LocalFrame Frame(Jni, 16);
    What(Jni);
    Jni->ExceptionClear();
  }
  Jni->DeleteGlobalRef(Mine);
}
