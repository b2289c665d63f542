//===- Doctor.cpp - Why a JVM cannot be attached to -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Client/Doctor.h"
#include "jopt/Client/Jvms.h"
#include "jopt/Client/Target.h"
#include "jopt/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace jopt;
using namespace jopt::client;
using llvm::StringRef;
using llvm::Twine;

/// From this release on a JVM warns of agents that are attached (JEP 451).
static constexpr unsigned FirstThatWarns = 21;

namespace {

class Examination {
public:
  explicit Examination(const ProcessFindings &F);
  std::vector<AttachFinding> run();

private:
  void add(AttachFinding::Kind K, const Twine &What) {
    Found.push_back({K, What.str()});
  }
  std::optional<bool> flag(StringRef Name) const;
  void lookAtPlace();
  void lookAtLoading();
  void lookAtAgents();

  const ProcessFindings &F;
  std::vector<std::string> Words; ///< options of the JVM
  unsigned Release = 0;           ///< 0: not known
  std::vector<AttachFinding> Found;
};

} // namespace

/// The feature release of \p Version: 8 of "1.8.0_402", 17 of "17.0.15".
static unsigned releaseOf(StringRef Version) {
  Version.consume_front("1.");
  unsigned Release = 0;
  (void)Version.take_while(llvm::isDigit).getAsInteger(10, Release);
  return Release;
}

Examination::Examination(const ProcessFindings &F)
    : F(F), Release(releaseOf(F.javaVersion())) {
  auto Add = [&](StringRef Text) {
    llvm::SmallVector<StringRef> Parts;
    Text.split(Parts, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef Part : Parts)
      Words.push_back(Part.str());
  };
  if (F.Perf)
    Add(F.Perf->text("java.rt.vmArgs"));
  else
    for (const std::string &A : F.P.Arguments)
      Words.push_back(A);
  // The JVM takes these as well, and vmArgs may lack them.
  const std::string Environment =
      readProc("/proc/" + Twine(F.P.Pid) + "/environ");
  llvm::SmallVector<StringRef> Settings;
  StringRef(Environment).split(Settings, '\0');
  for (StringRef Setting : Settings)
    if (Setting.consume_front("JAVA_TOOL_OPTIONS=") ||
        Setting.consume_front("JDK_JAVA_OPTIONS="))
      Add(Setting);
}

/// What -XX:+NAME or -XX:-NAME says, of which the last counts; nothing if
/// neither is there.
std::optional<bool> Examination::flag(StringRef Name) const {
  std::optional<bool> Is;
  for (StringRef Word : Words)
    if (Word.consume_front("-XX:") && Word.size() > 1 &&
        Word.drop_front() == Name)
      Is = Word.front() == '+';
  return Is;
}

void Examination::lookAtPlace() {
  if (F.P.OwnPid != F.P.Pid)
    add(AttachFinding::Note,
        "it is in a container, where its number is " + Twine(F.P.OwnPid) +
            ": files that it writes, such as data=FOLDER, are in the "
            "container's view, /proc/" +
            Twine(F.P.Pid) + "/root from here");
  if (!F.Perf)
    add(AttachFinding::Note,
        "it keeps no performance data (-XX:-UsePerfData), so its version and "
        "options are read from its command line");
}

void Examination::lookAtLoading() {
  const std::optional<bool> Loads = flag("EnableDynamicAgentLoading");
  if (Loads && !*Loads)
    add(AttachFinding::Problem,
        "it was started with -XX:-EnableDynamicAgentLoading and loads no "
        "agent that is attached: start it without that option, or with "
        "-agentpath:");
  else if (Release >= FirstThatWarns && !Loads && F.Agent.empty())
    add(AttachFinding::Note,
        "the first attach makes it print a warning on its standard error "
        "(JEP 451): -XX:+EnableDynamicAgentLoading at its start prevents that");
  if (Release && Release < 8)
    add(AttachFinding::Problem,
        "it is of Java " + Twine(Release) +
            ": jopt's agent needs Java 8 or later; weave "
            "its files instead (jopt IN -o OUT)");
}

void Examination::lookAtAgents() {
  for (StringRef Word : Words) {
    if (!Word.starts_with("-javaagent:") && !Word.starts_with("-agentpath:") &&
        !Word.starts_with("-agentlib:"))
      continue;
    if (Word.contains("libjopt-agent"))
      continue;
    add(AttachFinding::Note,
        "another agent is at work: " + Word.split('=').first +
            ". It may change classes too, and have the JVM "
            "refuse later changes");
  }
  if (F.Agent.empty())
    return;
  const std::string State = valueIn(F.Told, "state");
  add(AttachFinding::Fine,
      "jopt's agent is there" +
          (State.empty() ? Twine() : " (" + Twine(State) + ")") + ": " +
          F.Agent);
}

std::vector<AttachFinding> Examination::run() {
  const std::string Name = "process " + std::to_string(F.P.Pid);
  if (llvm::Error E = whyNotAttachable(F)) {
    add(AttachFinding::Problem, toMessage(std::move(E)));
    if (!F.isJvm())
      return std::move(Found);
  } else {
    const std::string Version = F.javaVersion(), Program = F.program();
    add(AttachFinding::Fine,
        Twine(Name) + " is a JVM" +
            (Version.empty() ? Twine() : " of Java " + Twine(Version)) +
            (Program.empty() ? Twine() : ": " + Twine(Program)) +
            "; this user may attach to it");
  }
  lookAtPlace();
  lookAtLoading();
  lookAtAgents();
  return std::move(Found);
}

std::vector<AttachFinding> client::examine(pid_t Pid) {
  auto P = Process::read(Pid);
  if (!P)
    return {{AttachFinding::Problem, "there is no process " +
                                         std::to_string(Pid) +
                                         ": 'jopt ps' lists the JVMs here"}};
  const ProcessFindings F(std::move(*P));
  return Examination(F).run();
}
