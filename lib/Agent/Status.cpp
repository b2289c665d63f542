//===- Status.cpp - What the agent tells of itself ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Agent.h"
#include "jopt/Archive/Transaction.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

/// Makes \p File anew, whole or not at all; what goes wrong is for the log.
static void replaceFile(StringRef File, StringRef Text, Log &TheLog) {
  Transaction T;
  llvm::Error E = T.stage(File, Rope(toBytes(Text)), /*Mode=*/0);
  if (E || (E = T.commit()))
    TheLog.error(toMessage(std::move(E)));
}

/// Sets the counters that are not counts of what was done.
void Agent::countNow(JNIEnv *Jni, const Session *S) {
  Count.Traced = S && S->tracesOnDemand() ? Traced.count(Jni) : Counters::None;
  Count.LogLost = TheLog.lost();
}

void Agent::publishStatus(JNIEnv *Jni, const Session *S, StringRef Error) {
  setProperty(Jni, "jopt.agent.state", S ? "active" : "off");
  setProperty(Jni, "jopt.agent.probes",
              S ? llvm::join(S->options().Probes, ":") : std::string());
  countNow(Jni, S);
  Count.forEach([&](const CounterRow &Row, uint64_t Value) {
    if (!Row.Property.empty())
      setProperty(Jni, ("jopt.agent." + Row.Property).str(),
                  Value == Counters::None ? "" : std::to_string(Value));
  });
  setProperty(Jni, "jopt.agent.error", Error);
}

void Agent::writeStats(JNIEnv *Jni) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  llvm::json::OStream J(OS, 2);
  countNow(Jni, current().get());
  J.object([&] {
    Count.forEach([&](const CounterRow &Row, uint64_t Value) {
      if (Value != Counters::None)
        J.attribute(Row.Stats, int64_t(Value));
    });
  });
  OS << '\n';
  replaceFile(StatsFile, OS.str(), TheLog);
}

void Agent::writeReport(const Session *S, const std::string &File) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "state: " << (S ? "active" : "off") << "\nclasses: ";
  llvm::ListSeparator Comma;
  Count.forEach([&](const CounterRow &Row, uint64_t Value) {
    if (!Row.Report.empty())
      OS << Comma << Value << ' ' << Row.Report;
  });
  OS << '\n';
  if (S) {
    const AdviceSet &A = S->bundle().Advices;
    for (unsigned P = 0; P < A.Probes.size(); ++P) {
      OS << "probe '" << A.Probes[P].Name << "': " << S->matcher().probeHits(P)
         << " methods or calls\n";
      for (unsigned R = 0; R < A.Probes[P].Rules.size(); ++R) {
        const TargetRule &Rule = A.Probes[P].Rules[R];
        if (!Rule.Include || S->matcher().ruleHits(P, R))
          continue;
        OS << "  matched nothing: target";
        if (!Rule.Where.File.empty())
          OS << " at " << Rule.Where.File << ':' << Rule.Where.Line;
        OS << ": " << Rule.Package << ' ' << Rule.Class << ' ' << Rule.Method
           << ' ' << Rule.Signature << '\n';
      }
    }
    OS << "jopt options:\n"
       << S->joptOptions({/*Loaded=*/false,
                          S->options().Dispatch == DispatchPolicy::Indy
                              ? Dispatch::Indy
                              : Dispatch::Direct,
                          /*Traced=*/true});
  }
  std::vector<StringRef> Names;
  std::lock_guard<std::mutex> Guard(ChangedLock);
  for (const auto &Entry : Changed)
    Names.push_back(Entry.getKey());
  llvm::sort(Names);
  OS << "changed classes: " << Names.size() << '\n';
  for (StringRef N : Names)
    OS << "  " << N << '\n';
  Names.clear();
  for (const auto &Entry : Hidden)
    Names.push_back(Entry.getKey());
  llvm::sort(Names);
  if (!Names.empty())
    OS << "hidden classes, which cannot be changed:\n";
  for (StringRef N : Names)
    OS << "  " << N << '\n';
  replaceFile(File, OS.str(), TheLog);
}
