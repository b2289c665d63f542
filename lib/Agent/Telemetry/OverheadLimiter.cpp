//===- OverheadLimiter.cpp - What probes may cost
//----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Telemetry/OverheadLimiter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <time.h>

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

/// Where a process does next to nothing a few events are no burden to it.
static constexpr double LeastCPU = 0.1; // of a second

/// A sample that was not typical, as of a thread that had to wait, is one
/// second's.
static constexpr unsigned SecondsOfOverhead = 3;

static OverheadLimiter::Moment now() {
  timespec Used = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Used);
  return {TimerThread::Clock::now(),
          double(Used.tv_sec) + double(Used.tv_nsec) * 1e-9};
}

void OverheadLimiter::start(Moment Now) {
  Begin = Last = Now;
  TooSlow = 0;
}

void OverheadLimiter::start(Environment &Env, JNIEnv *Jni, const Session &S,
                            const ProbeClasses &Probes) {
  count(Env, Jni, S, Probes); // of before
  Counted.clear();
  SinceLook.clear();
  start(now());
}

const std::vector<std::optional<FragmentCalls>> &
OverheadLimiter::count(Environment &Env, JNIEnv *Jni, const Session &S,
                       const ProbeClasses &Probes) {
  if (!S.options().Weave.CountEvents)
    return Counted;
  const AdviceSet &A = S.bundle().Advices;
  // Those that the program registers come behind the others, and do not count.
  Counted.resize(A.Advices.size());
  SinceLook.resize(A.Probes.size());
  const auto Taken = Probes.takeEvents(Env, Jni, A);
  for (size_t N = 0; N < Taken.size(); ++N) {
    if (!Taken[N])
      continue;
    Counted[N] = Counted[N].value_or(FragmentCalls());
    for (FragmentCalls *To : {&*Counted[N], &SinceLook[A.Advices[N].Probe]}) {
      To->Number += Taken[N]->Number;
      To->Nanoseconds += Taken[N]->Nanoseconds;
    }
  }
  return Counted;
}

/// "820 of probe 'A'", of the probe with the most of \p Of.
static std::string busiest(const AdviceSet &Advices,
                           llvm::ArrayRef<FragmentCalls> Taken,
                           uint64_t FragmentCalls::*Of,
                           llvm::function_ref<std::string(uint64_t)> Print) {
  auto Most = llvm::max_element(
      Taken, [Of](const auto &A, const auto &B) { return A.*Of < B.*Of; });
  return Print((*Most).*Of) + " of probe '" +
         Advices.Probes[size_t(Most - Taken.begin())].Name + "'";
}

static std::string percent(double Share) {
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format("%.1f%%", Share * 100);
  return Text;
}

std::string OverheadLimiter::summary(Environment &Env, JNIEnv *Jni,
                                     const Session &S,
                                     const ProbeClasses &Probes,
                                     llvm::ArrayRef<std::string> Names) {
  count(Env, Jni, S, Probes);
  const AdviceSet &A = S.bundle().Advices;
  FragmentCalls All;
  for (size_t N = 0; N < Counted.size(); ++N)
    if (Counted[N] &&
        (Names.empty() ||
         llvm::is_contained(Names, A.Probes[A.Advices[N].Probe].Name))) {
      All.Number += Counted[N]->Number;
      All.Nanoseconds += Counted[N]->Nanoseconds;
    }
  if (!All.Number)
    return {};
  const double Took = double(All.Nanoseconds) * 1e-9,
               Used = now().CPU - Begin.CPU;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "probes ran " << All.Number << " times";
  // A thread that waits for a processor is measured as if it ran.
  if (Took > Used)
    OS << "; how long that took cannot be told, as threads waited for a "
          "processor meanwhile";
  else
    OS << ", about " << llvm::format("%.1f", Took * 1000) << " ms of "
       << llvm::format("%.1f", Used) << " s of processor time ("
       << percent(Used > 0 ? Took / Used : 0) << ")";
  return OS.str();
}

std::string OverheadLimiter::look(Environment &Env, JNIEnv *Jni,
                                  const Session &S,
                                  const ProbeClasses &Probes) {
  const Moment Now = now();
  count(Env, Jni, S, Probes);
  return look(S.options(), S.bundle().Advices, std::exchange(SinceLook, {}),
              Now);
}

std::string OverheadLimiter::look(const AgentOptions &O, const AdviceSet &A,
                                  llvm::ArrayRef<FragmentCalls> Taken,
                                  Moment Now) {
  const double Elapsed =
      std::chrono::duration<double>(Now.Time - Last.Time).count();
  const double Used = std::max(Now.CPU - Last.CPU, LeastCPU * Elapsed);
  Last = Now;
  if (Taken.empty() || Elapsed <= 0)
    return {};
  FragmentCalls All;
  for (const FragmentCalls &E : Taken) {
    All.Number += E.Number;
    All.Nanoseconds += E.Nanoseconds;
  }
  auto Rate = [&](uint64_t Number) {
    return std::to_string(uint64_t(double(Number) / Elapsed));
  };
  if (O.MaxRate && double(All.Number) > double(*O.MaxRate) * Elapsed)
    return "max-rate=" + std::to_string(*O.MaxRate) +
           " is passed: " + Rate(All.Number) + " events in a second, " +
           busiest(A, Taken, &FragmentCalls::Number, Rate);
  auto Share = [&](uint64_t Nanoseconds) {
    return percent(double(Nanoseconds) * 1e-9 / Used);
  };
  auto Most = parsePercent(O.MaxOverhead);
  const bool Over = Most && double(All.Nanoseconds) * 1e-9 > *Most / 100 * Used;
  TooSlow = Over ? TooSlow + 1 : 0;
  if (TooSlow < SecondsOfOverhead)
    return {};
  return "max-overhead=" + O.MaxOverhead + " is passed: fragments took " +
         Share(All.Nanoseconds) + " of the CPU time, " +
         busiest(A, Taken, &FragmentCalls::Nanoseconds, Share);
}
