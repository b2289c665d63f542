//===- Log.cpp - What the agent says --------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Telemetry/Log.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/SafeText.h"
#include "jopt/Support/SharedPlaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <ctime>
#include <pthread.h>
#include <unistd.h>

using namespace jopt;
using namespace jopt::agent;

/// How many lines once() remembers.
static constexpr size_t MaxRemembered = 10000;

Log::~Log() {
  if (FD > 2)
    ::close(FD);
}

llvm::Error Log::open(llvm::StringRef File) {
  int New = 2;
  if (!File.empty()) {
    auto Own = openOwn(File);
    if (!Own)
      return Own.takeError();
    New = Own->release();
  }
  // The old descriptor stays open where there was one: another thread may be
  // about to write to it. It takes its place.
  int Old = FD;
  if (Old > 2 && New > 2) {
    ::dup2(New, Old);
    ::close(New);
  } else {
    FD = New;
  }
  return llvm::Error::success();
}

std::string agent::timeNow() {
  timespec Now = {};
  ::clock_gettime(CLOCK_REALTIME, &Now);
  tm Parts = {};
  ::gmtime_r(&Now.tv_sec, &Parts);
  char Time[32] = "";
  std::strftime(Time, sizeof(Time), "%Y-%m-%dT%H:%M:%S", &Parts);
  std::string Text;
  llvm::raw_string_ostream(Text)
      << Time << llvm::format(".%03dZ", int(Now.tv_nsec / 1000000));
  return Text;
}

std::string agent::threadNow() {
  char Name[16] = "";
  ::pthread_getname_np(::pthread_self(), Name, sizeof(Name));
  return std::string(Name) + " " + std::to_string(::gettid());
}

static std::string stamp() { return timeNow() + " [" + threadNow() + "] "; }

/// Does not write the rest of a torn write: it would become a line of its own.
static bool writeOnce(int To, llvm::StringRef Text) {
  return llvm::sys::RetryAfterSignal(-1, ::write, To, Text.data(),
                                     Text.size()) == ssize_t(Text.size());
}

void Log::writeLine(int To, const llvm::Twine &Prefix,
                    const llvm::Twine &Message) {
  std::string Text = (Prefix + Message).str();
  std::replace(Text.begin(), Text.end(), '\n', ' ');
  const std::string Line = toSafeLine(Text) + '\n';
  if (!writeOnce(To, Line))
    ++Lost;
}

void Log::write(LogLevel L, const llvm::Twine &Message) {
  static constexpr const char *Names[] = {"error: ", "warning: ", "",
                                          "debug: "};
  if (shows(L))
    writeLine(FD, stamp() + "jopt: " + Names[unsigned(L)], Message);
  tell(L, Names[unsigned(L)] + Message);
}

void Log::tell(LogLevel L, const llvm::Twine &Message) {
  if (!NumListeners)
    return;
  const std::string Line = Message.str();
  std::lock_guard<std::mutex> Guard(ListenersLock);
  for (LogListener *To : Listeners)
    To->onLine(L, Line, shows(L));
}

void Log::add(LogListener &L) {
  std::lock_guard<std::mutex> Guard(ListenersLock);
  Listeners.push_back(&L);
  NumListeners = unsigned(Listeners.size());
}

void Log::remove(LogListener &L) {
  std::lock_guard<std::mutex> Guard(ListenersLock);
  llvm::erase(Listeners, &L);
  NumListeners = unsigned(Listeners.size());
}

void Log::announce(const llvm::Twine &Message, LogLevel As) {
  writeLine(/*To=*/2, "jopt: ", Message);
  if (FD != 2)
    write(As, Message);
  else
    tell(As, Message);
}

void Log::writePage(llvm::StringRef Text) {
  const std::string Safe = toSafeLines(Text);
  if (!writeOnce(FD, Safe))
    ++Lost;
}

void Log::once(LogLevel L, const llvm::Twine &Message) {
  if (!shows(L))
    return;
  std::string Text = Message.str();
  {
    std::lock_guard<std::mutex> Guard(Lock);
    if (Said.size() >= MaxRemembered || !Said.insert(Text).second)
      return;
  }
  write(L, Text);
}

void Log::forget() {
  std::lock_guard<std::mutex> Guard(Lock);
  Said.clear();
}
