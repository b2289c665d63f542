//===- TelemetryReport.cpp - What probes are where, and what they do ------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Agent/Telemetry/Telemetry.h"
#include "jopt/Agent/Telemetry/UnmatchedTargets.h"
#include "jopt/Support/SafeText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

/// What each probe of \p S matched, which of its targets nothing, and how often
/// its fragments ran.
static void writeMatches(const Session &S,
                         llvm::ArrayRef<std::optional<FragmentCalls>> Calls,
                         llvm::raw_ostream &OS) {
  const AdviceSet &A = S.bundle().Advices;
  for (unsigned P = 0; P < A.Probes.size(); ++P) {
    OS << "probe '" << A.Probes[P].Name << "': " << S.matcher().probeHits(P)
       << " methods or calls\n";
    for (unsigned R = 0; R < A.Probes[P].Rules.size(); ++R) {
      const TargetRule &Rule = A.Probes[P].Rules[R];
      if (!Rule.Include || S.matcher().ruleHits(P, R))
        continue;
      OS << "  matched nothing: target";
      if (!Rule.Where.File.empty())
        OS << " at " << Rule.Where.File << ':' << Rule.Where.Line;
      OS << ": ";
      if (Rule.Text.empty())
        OS << Rule.Package << ' ' << Rule.Class << ' ' << Rule.Method << ' '
           << Rule.Signature;
      else
        OS << Rule.Text;
      OS << '\n';
    }
    printCalls(A, P, Calls, OS);
  }
}

static void writeNames(llvm::ArrayRef<std::string> Names,
                       llvm::raw_ostream &OS) {
  for (StringRef N : Names)
    OS << "  " << toSafeLine(N) << '\n';
}

static void writeRows(llvm::ArrayRef<ReportRow> Rows,
                      llvm::ArrayRef<uint64_t> Ran, llvm::raw_ostream &OS) {
  for (const ReportRow &R : Rows)
    OS << "    " << toSafeLine(R.Method) << (R.Method.empty() ? "" : ": ")
       << toSafeLine(describeRow(R, Ran)) << '\n';
}

static std::string omittedText(uint64_t Classes) {
  return std::to_string(Classes) + " more classes: where probes are in them "
                                   "was not kept, for want of room";
}

std::vector<std::string> Telemetry::hiddenNames() const {
  std::vector<std::string> Names;
  std::lock_guard<std::mutex> Guard(Lock);
  for (const auto &Entry : Hidden)
    Names.push_back(Entry.getKey().str());
  llvm::sort(Names);
  return Names;
}

std::string Telemetry::report(const Session *S) const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "state: " << (S ? "active" : "off") << "\nclasses: ";
  llvm::ListSeparator Comma;
  Env.Count.forEach([&](const CounterRow &Row, uint64_t Value) {
    if (!Row.Report.empty())
      OS << Comma << Value << ' ' << Row.Report;
  });
  OS << '\n';
  if (S) {
    writeMatches(*S, Calls, OS);
    OS << "jopt options:\n"
       << S->joptOptions({/*Loaded=*/false,
                          S->options().Weave.How == DispatchPolicy::Indy
                              ? Dispatch::Indy
                              : Dispatch::Direct,
                          /*Traced=*/true});
  }
  const std::vector<std::string> Names = Memory.changedNames();
  OS << "changed classes: " << Names.size() << '\n';
  for (const std::string &N : Names) {
    OS << "  " << toSafeLine(N) << '\n';
    writeRows(Env.Rows.find(N), PlaceCalls, OS);
  }
  if (uint64_t Omitted = Env.Rows.omitted())
    OS << omittedText(Omitted) << '\n';
  bool IsFirst = true;
  Env.Rows.forEach([&](StringRef Name, std::vector<ReportRow> Rows) {
    if (std::binary_search(Names.begin(), Names.end(), Name))
      return;
    llvm::erase_if(Rows, [](const ReportRow &R) { return !isProblem(R.What); });
    if (!Rows.empty() && std::exchange(IsFirst, false))
      OS << "not changed, or no more:\n";
    if (!Rows.empty())
      OS << "  " << toSafeLine(Name) << '\n';
    writeRows(Rows, PlaceCalls, OS);
  });
  if (!Left.empty())
    OS << "left for later:\n";
  for (const auto &[Name, Why] : Left)
    OS << "  " << toSafeLine(Name) << ": " << toSafeLine(Why) << '\n';
  if (!Isolated.empty())
    OS << "exceptions of fragments, kept from the program:\n";
  writeNames(describe(Isolated), OS);
  const std::vector<std::string> Hidden = hiddenNames();
  if (!Hidden.empty())
    OS << "hidden classes, which cannot be changed:\n";
  writeNames(Hidden, OS);
  return Text;
}

/// The probe of \p A that \p R is about: those that the program registers and
/// takes out again give the others other numbers.
static int findProbe(const AdviceSet &A, const ReportRow &R) {
  const auto &Probes = A.Probes;
  if (size_t(R.Probe) < Probes.size() &&
      Probes[size_t(R.Probe)].Name == R.ProbeName)
    return R.Probe;
  auto At = llvm::find_if(
      Probes, [&](const Probe &P) { return P.Name == R.ProbeName; });
  return At == Probes.end() ? -1 : int(At - Probes.begin());
}

std::string Telemetry::reportJSON(JNIEnv *Jni, const Session *S) const {
  const AdviceSet None;
  const AdviceSet &A = S ? S->bundle().Advices : None;
  Report All;
  uint64_t Number = 0;
  Env.Rows.forEach([&](StringRef Name, std::vector<ReportRow> Rows) {
    for (ReportRow &R : Rows)
      R.Probe = findProbe(A, R);
    All.add(Number++, Name.str(), std::move(Rows));
  });
  for (const auto &[Name, Why] : Left)
    All.leaveClass(Number++, Name, toDiagnostics(makeError(Why)));
  All.counted(Calls);
  All.countedPlaces(PlaceCalls);
  llvm::SmallVector<StringRef> Lines;
  StringRef(Published).split(Lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines)
    All.note(Line.str());
  if (uint64_t Omitted = Env.Rows.omitted())
    All.note(omittedText(Omitted));
  for (const std::string &Line : describe(Isolated))
    All.note("exceptions of fragments, kept from the program: " + Line);
  for (const std::string &Name : hiddenNames())
    All.note("hidden class, which cannot be changed: " + Name);
  UnmatchedReasons Reasons;
  if (S)
    Reasons = explainUnmatched(Env, Jni, *S);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  All.printJSON(A, S ? &S->matcher() : nullptr, Reasons, OS, /*Indent=*/0);
  return Text;
}
