//===- Jvms.cpp - The JVMs of a machine -----------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Client/Jvms.h"
#include "jopt/Client/Target.h"
#include "jopt/Support/SafeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>

using namespace jopt;
using namespace jopt::client;
using llvm::StringRef;

/// The name of the file that the agent keeps in memory (Agent/StatusFile.h).
static constexpr StringRef StatusLink = "/memfd:jopt-agent (deleted)";

/// How much a process that is no JVM may have ps look at.
static constexpr unsigned MaxEntries = 1 << 16;

static std::string readAgentStatus(const Process &P) {
  constexpr size_t Limit = 1 << 20;
  const std::string Folder = "/proc/" + std::to_string(P.Pid) + "/fd";
  DIR *D = ::opendir(Folder.c_str());
  if (!D)
    return {};
  std::string Found;
  unsigned Seen = 0;
  while (const dirent *E = ::readdir(D)) {
    const std::string Path = Folder + "/" + E->d_name;
    if (++Seen > MaxEntries)
      break;
    if (readLink(Path) != StatusLink)
      continue;
    // Any process can have something of that name.
    if (auto Text = readRegular(Path, {Limit, Links::Follow, P.User}))
      Found = std::move(*Text);
    else
      llvm::consumeError(Text.takeError());
    break;
  }
  ::closedir(D);
  return Found;
}

/// That of \p P in its /tmp, by whoever the JVM takes for its user.
static std::optional<PerfData> readPerfData(const Process &P, const View &V) {
  constexpr size_t Limit = 4 << 20;
  Descriptor Tmp = V.open("/tmp", O_RDONLY | O_DIRECTORY);
  DIR *D = Tmp ? ::fdopendir(::dup(Tmp.get())) : nullptr;
  if (!D)
    return std::nullopt;
  std::optional<PerfData> Found;
  unsigned Seen = 0;
  while (const dirent *E = ::readdir(D)) {
    if (Found || ++Seen > MaxEntries)
      break;
    if (!StringRef(E->d_name).starts_with("hsperfdata_"))
      continue;
    const std::string Path =
        std::string("/tmp/") + E->d_name + "/" + std::to_string(P.OwnPid);
    const std::string Data = V.read(Path, {Limit, Links::Refuse, P.User});
    if (!Data.empty())
      Found = PerfData::read(toBytes(StringRef(Data)));
  }
  ::closedir(D);
  return Found;
}

ProcessFindings::ProcessFindings(Process Of) : P(std::move(Of)), Files(P) {
  auto Maps = mappedFiles(P);
  MapsKnown = bool(Maps) && !Maps->empty();
  if (!Maps)
    llvm::consumeError(Maps.takeError());
  else
    for (StringRef File : *Maps) {
      StringRef Path = File;
      Path.consume_back(" (deleted)");
      const StringRef Name = llvm::sys::path::filename(Path);
      if (Name == "libjvm.so")
        Jvm = Path.str();
      else if (Name == "libjopt-agent.so")
        Agent = Path.str();
    }
  // The file of one that has ended may lie there for another of its number.
  if (!Jvm.empty() || !MapsKnown)
    Perf = readPerfData(P, Files);
  // Of one with another root the path may be ours.
  const std::string Root = readLink("/proc/" + std::to_string(P.Pid) + "/root");
  if (StringRef A = Agent; Root.size() > 1 && A.consume_front(Root))
    Agent = A.str();
  if (!Agent.empty())
    Told = readAgentStatus(P);
}

std::string ProcessFindings::javaVersion() const {
  if (Perf)
    if (StringRef V = Perf->text("java.property.java.version"); !V.empty())
      return V.str();
  namespace path = llvm::sys::path;
  // HOME/lib/server/libjvm.so, and on Java 8 a folder more.
  StringRef Home = path::parent_path(Jvm);
  for (int N = 0; N < 3 && !Home.empty(); ++N) {
    Home = path::parent_path(Home);
    const std::string Release =
        Files.read((Home + "/release").str(), {/*Limit=*/1 << 16});
    if (size_t At = Release.find("JAVA_VERSION=\""); At != std::string::npos)
      return StringRef(Release)
          .drop_front(At)
          .split('"')
          .second.split('"')
          .first.str();
  }
  return {};
}

/// The main class, module or archive: the argument behind `java`'s options.
static std::string programOf(llvm::ArrayRef<std::string> Arguments) {
  static constexpr StringRef WithValue[] = {"-cp",
                                            "-classpath",
                                            "--class-path",
                                            "-p",
                                            "--module-path",
                                            "--add-modules",
                                            "--add-exports",
                                            "--add-opens",
                                            "--add-reads",
                                            "--patch-module",
                                            "--upgrade-module-path",
                                            "--limit-modules"};
  for (size_t N = 1; N < Arguments.size(); ++N) {
    StringRef A = Arguments[N];
    if (A == "-jar" || A == "-m" || A == "--module")
      return N + 1 < Arguments.size() ? Arguments[N + 1] : std::string();
    if (llvm::is_contained(WithValue, A))
      ++N;
    else if (!A.starts_with("-") && !A.starts_with("@"))
      return A.str();
  }
  return {};
}

std::string ProcessFindings::program() const {
  std::string Name;
  if (Perf)
    Name = Perf->text("sun.rt.javaCommand").split(' ').first.str();
  if (Name.empty())
    Name = programOf(P.Arguments);
  return Name.empty() && !P.Arguments.empty() ? P.Arguments.front() : Name;
}

std::string client::valueIn(const std::string &Lines, const std::string &Name) {
  llvm::SmallVector<StringRef> All;
  StringRef(Lines).split(All, '\n');
  for (StringRef Line : All)
    if (Line.consume_front(Name) && Line.consume_front(": "))
      return Line.str();
  return {};
}

/// Whether probes are at work in \p F, and which.
static std::string describeProbes(const ProcessFindings &F) {
  if (!F.MapsKnown)
    return "not known: of another user";
  if (F.Agent.empty())
    return "-";
  if (F.Told.empty())
    return "agent loaded";
  if (valueIn(F.Told, "state") != "active")
    return "off";
  // Those of ready probes are many, and nobody's names.
  const std::string All = valueIn(F.Told, "names");
  llvm::SmallVector<StringRef> Names;
  StringRef(All).split(Names, ", ", /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  llvm::erase_if(
      Names, [](StringRef N) { return N.starts_with("jopt.probes.ready."); });
  std::string Probes = llvm::join(Names, ", ");
  const std::string Files = valueIn(F.Told, "probes");
  if (!Files.empty())
    Probes += (Probes.empty() ? "" : " of ") + Files;
  return Probes.empty() ? "active" : Probes;
}

/// Of \p P nobody says whether it is a JVM, but it was started as `java`.
static bool looksLikeJava(const ProcessFindings &F) {
  return !F.MapsKnown && !F.P.Arguments.empty() &&
         llvm::sys::path::filename(F.P.Arguments.front()) == "java";
}

std::string client::listJvms(bool AsJson) {
  constexpr size_t MaxCell = 4096;
  using Row = std::vector<std::string>;
  std::vector<Row> Rows = {{"PID", "USER", "JDK", "PROGRAM", "PROBES"}};
  for (pid_t Pid : allProcesses()) {
    auto P = Process::read(Pid);
    if (!P || P->hasEnded() || P->Arguments.empty())
      continue;
    ProcessFindings F(std::move(*P));
    if (!F.isJvm() && !looksLikeJava(F))
      continue;
    const std::string User = userName(F.P.User);
    const std::string Version = F.javaVersion();
    Rows.push_back({std::to_string(Pid), StringRef(User).split(' ').first.str(),
                    Version.empty() ? "?" : Version, F.program(),
                    describeProbes(F) + (F.P.isStopped() ? " (stopped)" : "")});
    // Its user chose what stands there, and may be another than this one.
    for (std::string &Cell : Rows.back())
      Cell = toSafeLine(StringRef(Cell).take_front(MaxCell));
  }
  std::string Text;
  if (AsJson) {
    llvm::raw_string_ostream OS(Text);
    for (const Row &R : llvm::ArrayRef(Rows).drop_front()) {
      llvm::json::OStream J(OS);
      J.object([&] {
        J.attribute("pid", std::stoll(R[0]));
        for (size_t C = 1; C < R.size(); ++C)
          J.attribute(StringRef(Rows[0][C]).lower(), llvm::json::fixUTF8(R[C]));
      });
      OS << '\n';
    }
    return Text;
  }
  std::vector<size_t> Widths(Rows.front().size());
  for (const Row &R : Rows)
    for (size_t C = 0; C + 1 < R.size(); ++C)
      Widths[C] = std::max(Widths[C], R[C].size());
  for (const Row &R : Rows)
    for (size_t C = 0; C < R.size(); ++C) {
      Text += R[C];
      if (C + 1 < R.size())
        Text.append(Widths[C] + 2 - R[C].size(), ' ');
      else
        Text += '\n';
    }
  return Text;
}
