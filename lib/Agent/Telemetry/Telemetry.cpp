//===- Telemetry.cpp - What the agent tells of itself ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Telemetry/Telemetry.h"
#include "jopt/Support/SharedPlaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

llvm::Error Telemetry::open(const AgentOptions &O) {
  for (const std::string *File : {&O.StatsFile, &O.ReportFile})
    if (!File->empty())
      if (auto Own = openOwn(*File); !Own)
        return Own.takeError();
  if (!O.StatsFile.empty())
    StatsFile = O.StatsFile;
  if (!O.ReportFile.empty())
    ReportFile = O.ReportFile;
  return llvm::Error::success();
}

/// Makes \p File anew; what goes wrong is for the log.
static void replaceFile(StringRef File, StringRef Text, Log &TheLog) {
  if (llvm::Error E = replaceOwn(File, Text))
    TheLog.error(toMessage(std::move(E)));
}

void Telemetry::record(AuditEntry Done) {
  Env.TheLog.info(Done.line());
  Last = std::move(Done);
}

void Telemetry::addIsolated(const Session &S, llvm::ArrayRef<uint64_t> More) {
  for (const auto &[P, Number] : llvm::zip(S.bundle().Advices.Probes, More)) {
    if (!Number)
      continue;
    Isolated[P.Name] += Number;
    Env.Count.Isolated += Number;
  }
}

std::vector<std::string>
Telemetry::describe(const llvm::StringMap<uint64_t> &Counts) {
  std::vector<std::string> Lines;
  for (const auto &Entry : Counts)
    Lines.push_back((Entry.getKey() + ": " + llvm::Twine(Entry.second)).str());
  llvm::sort(Lines);
  return Lines;
}

static constexpr llvm::StringLiteral PropertyPrefix = "jopt.agent.";

void Telemetry::publish(JNIEnv *Jni, const Session *S, StringRef Error) {
  StatusLines Lines;
  // The last property to be set: clients that wait for it read the others then.
  const std::pair<std::string, std::string> State("state",
                                                  S ? "active" : "off");
  Lines.emplace_back("probes", S ? llvm::join(S->options().Weave.Probes, ":")
                                 : std::string());
  Env.Count.forEach([&](const CounterRow &Row, uint64_t Value) {
    if (!Row.Property.empty())
      Lines.emplace_back(Row.Property.str(),
                         Value == Counters::None ? "" : std::to_string(Value));
  });
  Lines.emplace_back("classes", std::to_string(Memory.changedNames().size()));
  Lines.emplace_back("params", S ? describeParams(Jni, *S) : std::string());
  Lines.emplace_back("isolated.probes", llvm::join(describe(Isolated), ", "));
  Last.describe(Lines);
  Lines.emplace_back("error", Error.str());
  Published = "state: " + State.second + "\n";
  for (const auto &[Name, Value] : Lines) {
    std::string Line = Value;
    std::replace(Line.begin(), Line.end(), '\n', ' ');
    if (!Line.empty())
      Published += Name + ": " + Line + "\n";
  }
  Lines.push_back(State);
  // Where no probes are, nothing stays that has nothing to say.
  llvm::erase_if(Lines, [&](const auto &Line) {
    const bool Goes = !S && (Line.second.empty() || Line.second == "0");
    if (Goes)
      setProperty(Jni, (PropertyPrefix + Line.first).str(), std::nullopt);
    return Goes;
  });
  setProperties(Jni, PropertyPrefix, Lines);
  Status.write(Published);
}

void Telemetry::writeStats() const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  llvm::json::OStream J(OS, 2);
  J.object([&] {
    Env.Count.forEach([&](const CounterRow &Row, uint64_t Value) {
      if (Value != Counters::None)
        J.attribute(Row.Stats, int64_t(Value));
    });
    J.attributeObject("isolated.probes", [&] {
      for (const auto &Entry : Isolated)
        J.attribute(Entry.getKey(), int64_t(Entry.second));
    });
  });
  OS << '\n';
  replaceFile(StatsFile, OS.str(), Env.TheLog);
}

void Telemetry::writeReport(const Session *S) const {
  replaceFile(ReportFile, report(S), Env.TheLog);
}

void Telemetry::writeAll(const Session *S) const {
  if (!StatsFile.empty())
    writeStats();
  if (!ReportFile.empty())
    writeReport(S);
}

bool Telemetry::addHidden(StringRef Name) {
  std::lock_guard<std::mutex> Guard(Lock);
  return Hidden.insert(Name).second;
}
