//===- Telemetry.h - What the agent tells of itself -------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef JOPT_AGENT_TELEMETRY_TELEMETRY_H
#define JOPT_AGENT_TELEMETRY_TELEMETRY_H

#include "jopt/Agent/Attach/AttachReply.h"
#include "jopt/Agent/Attach/AuditEntry.h"
#include "jopt/Agent/Attach/StatusFile.h"
#include "jopt/Agent/Retransform/MemberMemory.h"
#include "jopt/Agent/Telemetry/EventServer.h"
#include "jopt/Weave/Report.h"

namespace jopt::agent {

/// The status in the properties of the system, `stats=FILE` and `report=FILE`.
/// Counters.def says where each counter appears. Failures to write go to the
/// log. Used by one thread at a time, but for addHidden().
class Telemetry {
public:
  Telemetry(Environment &Env, const MemberMemory &Memory)
      : Env(Env), Memory(Memory) {}

  /// The files that \p O names are those to write at the end, if it names any.
  /// Fails if one cannot be written: that is known at once.
  llvm::Error open(const AgentOptions &O);

  /// The probes at work are others now, or have other parameters: a line in the
  /// log, and in the status who did that.
  void record(AuditEntry Done);
  /// So many more exceptions of the probes of \p S were isolated, by probe.
  void addIsolated(const Session &S, llvm::ArrayRef<uint64_t> More);
  /// Stores facts for the report: the counts of fragments so far, by advice of
  /// the probes at work; how often control came to places, by their numbers;
  /// and which classes are left for later and why.
  void know(std::vector<std::optional<FragmentCalls>> Ran,
            std::vector<uint64_t> CameTo,
            std::vector<std::pair<std::string, std::string>> LeftForLater) {
    Calls = std::move(Ran);
    PlaceCalls = std::move(CameTo);
    Left = std::move(LeftForLater);
  }
  /// Sets `jopt.agent.…`, and the status file. \p S: the probes at work, or
  /// null.
  void publish(JNIEnv *Jni, const Session *S, llvm::StringRef Error);
  /// The status that was published last, a line "NAME: VALUE" for each counter
  /// that has a value.
  const std::string &published() const { return Published; }
  void writeStats() const;
  void writeReport(const Session *S) const;
  /// The text that writeReport() writes.
  std::string report(const Session *S) const;
  /// The same for programs, as Report::printJSON() does it, on one line. Walks
  /// over the loaded classes if some target matched nothing.
  std::string reportJSON(JNIEnv *Jni, const Session *S) const;
  /// Both, as far as they were asked for.
  void writeAll(const Session *S) const;

  /// \p A, or nothing, is the answer to the attach that lasts.
  void answer(AttachReply *A) { Asked = A; }
  /// Null if nobody asked.
  AttachReply *asked() const { return Asked; }

  /// Who reads along.
  EventServer &follower() { return Follows; }

  /// Notes a hidden class of that name that probes would match; false if it is
  /// known already. Thread-safe.
  bool addHidden(llvm::StringRef Name);

private:
  /// "NAME: 3", of each.
  static std::vector<std::string>
  describe(const llvm::StringMap<uint64_t> &Counts);
  std::vector<std::string> hiddenNames() const;

  Environment &Env;
  const MemberMemory &Memory;
  AuditEntry Last;
  AttachReply *Asked = nullptr;
  EventServer Follows{Env};
  StatusFile Status;
  std::string Published;
  llvm::StringMap<uint64_t> Isolated; ///< by the probe's name
  std::vector<std::optional<FragmentCalls>> Calls;
  std::vector<uint64_t> PlaceCalls;
  std::vector<std::pair<std::string, std::string>> Left;
  std::string StatsFile, ReportFile; ///< empty: none
  mutable std::mutex Lock;           ///< of what follows
  llvm::StringSet<> Hidden;
};

} // namespace jopt::agent

#endif
