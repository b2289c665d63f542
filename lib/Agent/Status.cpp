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

void Agent::publishStatus(JNIEnv *Jni, const Session *S, StringRef Error) {
  setProperty(Jni, "jopt.agent.state", S ? "active" : "off");
  setProperty(Jni, "jopt.agent.probes",
              S ? llvm::join(S->options().Probes, ":") : std::string());
  setProperty(Jni, "jopt.agent.seen", std::to_string(Count.Seen));
  setProperty(Jni, "jopt.agent.changed", std::to_string(Count.Changed));
  setProperty(Jni, "jopt.agent.traced",
              S && S->tracesOnDemand() ? std::to_string(Traced.count(Jni))
                                       : std::string());
  setProperty(Jni, "jopt.agent.failed", std::to_string(Count.Failed));
  setProperty(Jni, "jopt.agent.problems", std::to_string(Count.Problems));
  setProperty(Jni, "jopt.agent.error", Error);
}

void Agent::writeStats(JNIEnv *Jni) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  llvm::json::OStream J(OS, 2);
  auto Put = [&](StringRef Name, uint64_t Value) {
    J.attribute(Name, int64_t(Value));
  };
  J.object([&] {
    Put("classes.seen", Count.Seen);
    Put("classes.filtered", Count.Filtered);
    Put("classes.unmatched", Count.Unmatched);
    Put("classes.unchanged", Count.Unchanged);
    Put("classes.changed", Count.Changed);
    if (std::shared_ptr<const Session> S = current(); S && S->tracesOnDemand())
      Put("classes.traced", Traced.count(Jni));
    Put("classes.failed", Count.Failed);
    Put("classes.unreadable", Count.Unreadable);
    Put("classes.nested", Count.Nested);
    Put("problems", Count.Problems);
    Put("bytes.before", Count.BytesBefore);
    Put("bytes.after", Count.BytesAfter);
    Put("nanoseconds", Count.Nanoseconds);
    Put("log.lost", TheLog.lost());
  });
  OS << '\n';
  replaceFile(StatsFile, OS.str(), TheLog);
}

void Agent::writeReport(const Session *S, const std::string &File) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "state: " << (S ? "active" : "off") << '\n';
  OS << "classes: " << Count.Seen << " seen, " << Count.Changed << " changed, "
     << Count.Failed << " left as they were\n";
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
