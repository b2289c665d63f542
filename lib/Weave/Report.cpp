//===- Report.cpp - What a run tells of itself ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Weave/Report.h"
#include "jopt/Bytecode/HotSpot.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/SafeText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace jopt;
using llvm::StringRef;

void Report::add(uint64_t Ordinal, std::string Place,
                 std::vector<ReportRow> Rows) {
  if (Rows.empty())
    return;
  std::lock_guard<std::mutex> Guard(Lock);
  ClassRows &C = Classes[Ordinal];
  C.Place = std::move(Place);
  llvm::move(Rows, std::back_inserter(C.Rows));
}

void Report::leaveClass(uint64_t Ordinal, std::string Place,
                        std::vector<Diagnostic> Why) {
  for (Diagnostic &D : Why)
    if (D.Where.File == Place && !D.Where.Line)
      D.Where = {}; // said already
  add(Ordinal, std::move(Place),
      {ReportRow::problem(ReportRow::LeftAlone, std::move(Why))});
}

void Report::applied(const llvm::BitVector &Probes) {
  std::lock_guard<std::mutex> Guard(Lock);
  Applied |= Probes;
}

void Report::undone(Location Where, std::string Text) {
  std::lock_guard<std::mutex> Guard(Lock);
  Undone.emplace_back(std::move(Where), std::move(Text));
}

void Report::leaveFile(StringRef Place, std::string Why) {
  {
    std::lock_guard<std::mutex> Guard(Lock);
    for (auto It = Classes.begin(); It != Classes.end();) {
      StringRef Rest = It->second.Place;
      const bool IsThere =
          Rest.consume_front(Place) && (Rest.empty() || Rest.starts_with("!/"));
      It = IsThere ? Classes.erase(It) : std::next(It);
    }
  }
  undone(Location(Place), (Place + ": " + Why).str());
}

void Report::note(std::string Text) {
  std::lock_guard<std::mutex> Guard(Lock);
  Notes.push_back(std::move(Text));
}

void Report::counted(std::vector<std::optional<FragmentCalls>> ByAdvice) {
  Calls = std::move(ByAdvice);
}

void Report::countedPlaces(std::vector<uint64_t> ByNumber) {
  Ran = std::move(ByNumber);
}

bool Report::leftUndone() const {
  for (const auto &[Ordinal, C] : Classes)
    for (const ReportRow &R : C.Rows)
      if (R.What == ReportRow::LeftAlone || R.What == ReportRow::Undone)
        return true;
  return !Undone.empty();
}

/// "a/B.m()V", or the class alone.
static std::string unitName(const ReportRow &R) {
  return R.Method.empty() ? R.Class : R.Class + "." + R.Method;
}

/// Why rule \p R of probe \p P matched nothing, or nothing.
static StringRef reason(const UnmatchedReasons &Reasons, unsigned P,
                        unsigned R) {
  auto It = Reasons.find({P, R});
  return It == Reasons.end() ? StringRef() : It->second;
}

/// "java/util/List: not found, 2 classes below it, a/B the first"
static std::string missingText(StringRef Name, const Matcher::Unresolved &U) {
  return llvm::formatv("{0}: not found; {1} class{2} below it, {3} the first",
                       toDisplayUTF8(Name), U.Classes,
                       U.Classes == 1 ? "" : "es", toDisplayUTF8(U.First));
}

void Report::diagnoseLeft(Severity Left, DiagnosticEngine &Diags) const {
  size_t Methods = 0, Hosts = 0, Lines = 0;
  for (const auto &[Ordinal, C] : Classes) {
    // One message covers all methods of a class that have the same reason.
    std::map<std::string, std::vector<const ReportRow *>> ByReason;
    for (const ReportRow &R : C.Rows)
      if (R.What == ReportRow::LeftAlone)
        ByReason[toMessage(R.Reasons)].push_back(&R);
    for (const auto &[Reason, Rows] : ByReason) {
      std::string Unit = unitName(*Rows.front());
      if (Rows.size() > 1)
        Unit += llvm::formatv(" and {0} more method{1} of it", Rows.size() - 1,
                              Rows.size() == 2 ? "" : "s");
      Diags.report(Left, Location(C.Place),
                   Unit + (Unit.empty() ? "" : " ") + "left as " +
                       (Rows.size() > 1 ? "they were: " : "it was: ") + Reason);
      Methods += Rows.size();
    }
    Hosts += !ByReason.empty();
    Lines += ByReason.size();
  }
  if (Methods > Lines)
    Diags.report(Severity::Note, Location(),
                 llvm::formatv("{0} methods of {1} class{2} left as they were",
                               Methods, Hosts, Hosts == 1 ? "" : "es"));
}

std::vector<Report::Placed> Report::placed(size_t Probes) const {
  std::vector<Placed> All(Probes);
  for (const auto &[Ordinal, C] : Classes)
    for (const ReportRow &R : C.Rows)
      if (R.What == ReportRow::Applied && size_t(R.Probe) < Probes) {
        ++All[size_t(R.Probe)].Methods;
        All[size_t(R.Probe)].Places += R.Count;
      }
  return All;
}

/// The kinds of the advices of probe \p P, parted by commas.
static std::string kindsOf(const AdviceSet &A, unsigned P) {
  llvm::SmallVector<StringRef, 4> Kinds;
  for (const Advice &Ad : A.Advices)
    if (Ad.Probe == P && !llvm::is_contained(Kinds, getAdviceKindName(Ad.Kind)))
      Kinds.push_back(getAdviceKindName(Ad.Kind));
  return llvm::join(Kinds, ", ");
}

/// Methods may have no handler, no throw: then a probe of these runs nowhere,
/// whatever it matched.
bool Report::diagnoseWithoutPlace(const AdviceSet &A, const Matcher &Match,
                                  Severity Missed,
                                  DiagnosticEngine &Diags) const {
  if (leftUndone())
    return false; // as was said
  bool Any = false;
  for (unsigned P = 0; P < A.Probes.size(); ++P) {
    const std::string Kinds = kindsOf(A, P);
    const uint64_t Methods = Match.probeHits(P);
    if ((P < Applied.size() && Applied.test(P)) || !Methods || Kinds.empty() ||
        Match.callProbes().test(P))
      continue;
    Any = true;
    Diags.report(Missed, A.Probes[P].Where,
                 llvm::formatv("probe '{0}' has no place: in none of the {1} "
                               "methods that it matched is there one for {2}",
                               A.Probes[P].Name, Methods, Kinds));
  }
  return Any;
}

/// Names methods that HotSpot does not compile any more.
void Report::diagnoseOversize(DiagnosticEngine &Diags) const {
  constexpr size_t Most = 3;
  size_t Found = 0;
  for (const auto &[Ordinal, C] : Classes)
    for (const ReportRow &R : C.Rows)
      if (R.What == ReportRow::CrossedOversize &&
          hotspot::isWorthCompiling(R.Method) && ++Found <= Most)
        Diags.report(
            Severity::Warning, Location(C.Place),
            unitName(R) +
                llvm::formatv(": grew from {0} to {1} bytes of code: HotSpot "
                              "leaves it to its interpreter, which is slow, "
                              "unless the JVM has -XX:-DontCompileHugeMethods",
                              R.OldSize, R.NewSize)
                    .str());
  if (Found > Most)
    Diags.report(Severity::Warning, Location(),
                 llvm::Twine(Found - Most) +
                     " more methods grew over 8,000 bytes of code; "
                     "-probes-report=text names them");
}

bool Report::diagnose(const AdviceSet &A, const Matcher *Match,
                      const UnmatchedReasons &Reasons, bool Strict,
                      DiagnosticEngine &Diags) const {
  const Severity Left = Strict ? Severity::Error : Severity::Undone;
  const Severity Missed = Strict ? Severity::Error : Severity::Warning;
  for (const auto &[Where, Text] : Undone)
    Diags.report(Left, Where, Text);
  for (const auto &[Ordinal, C] : Classes)
    for (const ReportRow &R : C.Rows)
      if (R.What == ReportRow::Undone || R.What == ReportRow::Warned)
        Diags.report(R.What == ReportRow::Undone ? Left : Severity::Warning,
                     Location(C.Place),
                     unitName(R) + ": " + toMessage(R.Reasons));
  diagnoseLeft(Left, Diags);
  diagnoseOversize(Diags);
  if (!Match)
    return false;
  std::vector<Diagnostic> Unused =
      describeUnmatched(A, *Match, Reasons, Missed);
  bool Unmatched = !Unused.empty();
  for (Diagnostic &D : Unused)
    Diags.report(std::move(D));
  Unmatched |= diagnoseWithoutPlace(A, *Match, Missed, Diags);
  for (const std::string &Place : findJdkParts(A, *Match))
    Diags.report(Severity::Warning, Location(Place),
                 "what it has for classes of the JDK is not woven here; the "
                 "agent takes it");
  // A library without the classes of the JDK lacks very many.
  constexpr size_t MostMissing = 3;
  auto Missing = Match->unresolvedAncestors();
  Unmatched |= !Missing.empty();
  size_t Told = 0;
  for (const auto &[Name, U] : Missing) {
    if (Told == MostMissing) {
      Diags.report(
          Missed, Location(),
          "targetHierarchy: " + llvm::Twine(Missing.size() - Told) +
              " more ancestors not found; -probes-report=json names them");
      break;
    }
    Diags.report(Missed, Location(),
                 "targetHierarchy: " + missingText(Name, U) +
                     "; -classpath can give it");
    ++Told;
  }
  return Unmatched;
}

/// It counts, and how often control came there is known.
static bool isCounted(const ReportRow::Site &S, llvm::ArrayRef<uint64_t> Ran) {
  return S.Number && S.Number < Ran.size();
}

/// ": entry at line 3 7 times, exit at bytecode 17"; of many sites the first.
static std::string sitesText(llvm::ArrayRef<ReportRow::Site> Sites,
                             llvm::ArrayRef<uint64_t> Ran) {
  constexpr size_t MostSites = 8;
  std::string Text;
  llvm::ListSeparator Comma;
  for (const ReportRow::Site &S : Sites.take_front(MostSites)) {
    Text += StringRef(Comma);
    Text += getAdviceKindName(S.Kind);
    Text += S.Line      ? " at line " + std::to_string(S.Line)
            : S.BCI < 0 ? " in a handler"
                        : " at bytecode " + std::to_string(S.BCI);
    if (isCounted(S, Ran))
      Text += llvm::formatv(" {0} time{1}", Ran[S.Number],
                            Ran[S.Number] == 1 ? "" : "s");
  }
  if (Sites.size() > MostSites)
    Text += " and " + std::to_string(Sites.size() - MostSites) + " more";
  return Text.empty() ? Text : ": " + Text;
}

std::string jopt::describeRow(const ReportRow &R,
                              llvm::ArrayRef<uint64_t> Ran) {
  switch (R.What) {
  case ReportRow::Applied:
    return llvm::formatv("probe '{0}' at {1} place{2}{3}", R.ProbeName, R.Count,
                         R.Count == 1 ? "" : "s", sitesText(R.Sites, Ran));
  case ReportRow::LeftAlone:
    return "left as it was: " + toMessage(R.Reasons);
  case ReportRow::Undone:
  case ReportRow::Present:
  case ReportRow::Warned:
    return toMessage(R.Reasons);
  case ReportRow::NoSuperExit:
    return "no exit for exceptions out of super() or this(): the JVM allows no "
           "handler there";
  case ReportRow::NoSuperAfterCall:
    return "no afterCall for exceptions out of super() or this(): the JVM "
           "allows no handler there";
  case ReportRow::Outlined:
    return llvm::formatv("code of its probes is in {0} method{1} of its own; "
                         "grew from {2} to {3} bytes of code",
                         R.Count, R.Count == 1 ? "" : "s", R.OldSize,
                         R.NewSize);
  case ReportRow::CrossedOversize:
    return llvm::formatv(
        "grew from {0} to {1} bytes of code: over {2:N} "
        "HotSpot does not compile it{3}{4}",
        R.OldSize, R.NewSize, hotspot::HugeMethodLimit,
        R.Reasons.empty() ? "" : "; not outlined: ", toMessage(R.Reasons));
  case ReportRow::CrossedInline:
    return llvm::formatv("grew from {0} to {1} bytes of code: over {2} HotSpot "
                         "does not inline it where it is hot",
                         R.OldSize, R.NewSize, hotspot::FreqInlineSize);
  }
  return {};
}

static StringRef rowKind(ReportRow::Kind K) {
  switch (K) {
  case ReportRow::Applied:
    return "applied";
  case ReportRow::LeftAlone:
    return "left-alone";
  case ReportRow::Undone:
    return "undone";
  case ReportRow::Present:
    return "present";
  case ReportRow::Warned:
    return "warning";
  case ReportRow::NoSuperExit:
    return "no-super-exit";
  case ReportRow::NoSuperAfterCall:
    return "no-super-after-call";
  case ReportRow::Outlined:
    return "outlined";
  case ReportRow::CrossedOversize:
    return "crossed-8000";
  case ReportRow::CrossedInline:
    return "crossed-325";
  }
  return {};
}

/// The kind of thing that probe \p P selects.
static const char *hitUnit(const Matcher &Match, unsigned P) {
  return Match.callProbes().test(P) ? "calls" : "methods";
}

/// Calls \p Use for each advice of \p Probe, with how often it ran.
static void
forEachFragment(const AdviceSet &A, unsigned Probe,
                llvm::ArrayRef<std::optional<FragmentCalls>> Calls,
                llvm::function_ref<void(const Advice &,
                                        const std::optional<FragmentCalls> &)>
                    Use) {
  for (size_t N = 0; N < std::min(Calls.size(), A.Advices.size()); ++N)
    if (A.Advices[N].Probe == Probe)
      Use(A.Advices[N], Calls[N]);
}

void jopt::printCalls(const AdviceSet &A, unsigned Probe,
                      llvm::ArrayRef<std::optional<FragmentCalls>> Calls,
                      llvm::raw_ostream &OS) {
  auto Print = [&](const Advice &Of, const std::optional<FragmentCalls> &C) {
    OS << "  " << getAdviceKindName(Of.Kind) << ' ' << Of.Body.Name << ": ";
    if (C)
      OS << llvm::formatv("{0} call{1}, {2:f1} ms", C->Number,
                          C->Number == 1 ? "" : "s",
                          double(C->Nanoseconds) * 1e-6);
    else
      OS << "no calls counted";
    OS << '\n';
  };
  forEachFragment(A, Probe, Calls, Print);
}

void Report::printCalls(const AdviceSet &A, unsigned Probe,
                        llvm::json::OStream &J) const {
  if (Calls.empty())
    return;
  auto Print = [&](const Advice &Of, const std::optional<FragmentCalls> &C) {
    J.object([&] {
      J.attribute("kind", getAdviceKindName(Of.Kind));
      J.attribute("method", llvm::json::fixUTF8(Of.Body.Name));
      if (C) {
        J.attribute("calls", int64_t(C->Number));
        J.attribute("nanoseconds", int64_t(C->Nanoseconds));
      }
    });
  };
  J.attributeArray("fragments",
                   [&] { forEachFragment(A, Probe, Calls, Print); });
}

void Report::printText(const AdviceSet &A, const Matcher *Match,
                       const UnmatchedReasons &Reasons,
                       llvm::raw_ostream &OS) const {
  for (const auto &[Ordinal, C] : Classes) {
    OS << toSafeLine(C.Place) << '\n';
    for (const ReportRow &R : C.Rows)
      OS << "  " << toSafeLine(R.Method.empty() ? R.Class : R.Method)
         << (R.Method.empty() && R.Class.empty() ? "" : ": ")
         << toSafeLine(describeRow(R, Ran)) << '\n';
  }
  const std::vector<Placed> Where = placed(A.Probes.size());
  for (unsigned P = 0; Match && P < A.Probes.size(); ++P) {
    OS << "probe '" << A.Probes[P].Name << "': " << Match->probeHits(P) << ' '
       << hitUnit(*Match, P);
    if (!Match->callProbes().test(P))
      OS << ", " << Where[P].Places << " places in " << Where[P].Methods;
    OS << '\n';
    for (unsigned R = 0; R < A.Probes[P].Rules.size(); ++R)
      OS << "  " << ruleText(A.Probes[P].Rules[R]) << ": "
         << Match->ruleHits(P, R)
         << (reason(Reasons, P, R).empty() ? "" : ", as ")
         << reason(Reasons, P, R) << '\n';
    jopt::printCalls(A, P, Calls, OS);
  }
  if (Match)
    for (const auto &[Name, U] : Match->unresolvedAncestors())
      OS << "ancestor " << missingText(Name, U) << '\n';
  for (const auto &[Where, Text] : Undone)
    OS << "undone: " << Text << '\n';
  for (const std::string &N : Notes)
    OS << "note: " << N << '\n';
}

static void printSites(llvm::json::OStream &J,
                       llvm::ArrayRef<ReportRow::Site> Sites,
                       llvm::ArrayRef<uint64_t> Ran) {
  for (const ReportRow::Site &S : Sites)
    J.object([&] {
      J.attribute("kind", getAdviceKindName(S.Kind));
      if (S.BCI >= 0)
        J.attribute("bytecode", S.BCI);
      if (S.Line)
        J.attribute("line", S.Line);
      if (isCounted(S, Ran))
        J.attribute("calls", int64_t(Ran[S.Number]));
    });
}

static bool showsReasons(const ReportRow &R) {
  return isProblem(R.What) ||
         (R.What == ReportRow::CrossedOversize && !R.Reasons.empty());
}

void Report::printJSON(const AdviceSet &A, const Matcher *Match,
                       const UnmatchedReasons &Reasons, llvm::raw_ostream &OS,
                       unsigned Indent) const {
  llvm::json::OStream J(OS, Indent);
  const std::vector<Placed> Where = placed(A.Probes.size());
  auto Text = [](StringRef S) { return llvm::json::fixUTF8(S); };
  J.object([&] {
    J.attributeArray("classes", [&] {
      for (const auto &[Ordinal, C] : Classes)
        J.object([&] {
          J.attribute("place", Text(C.Place));
          J.attributeArray("rows", [&] {
            for (const ReportRow &R : C.Rows)
              J.object([&] {
                J.attribute("kind", rowKind(R.What));
                if (!R.Class.empty())
                  J.attribute("class", Text(R.Class));
                if (!R.Method.empty())
                  J.attribute("method", Text(R.Method));
                if (R.What == ReportRow::Applied) {
                  J.attribute("probe", Text(R.ProbeName));
                  J.attribute("places", R.Count);
                  J.attributeArray("at", [&] { printSites(J, R.Sites, Ran); });
                }
                if (R.What == ReportRow::Outlined)
                  J.attribute("methods", R.Count);
                if (R.NewSize) {
                  J.attribute("oldSize", R.OldSize);
                  J.attribute("newSize", R.NewSize);
                }
                if (showsReasons(R))
                  J.attribute("reason", Text(toMessage(R.Reasons)));
              });
          });
        });
    });
    J.attributeArray("probes", [&] {
      for (unsigned P = 0; Match && P < A.Probes.size(); ++P)
        J.object([&] {
          J.attribute("name", Text(A.Probes[P].Name));
          J.attribute(hitUnit(*Match, P), int64_t(Match->probeHits(P)));
          if (!Match->callProbes().test(P)) {
            J.attribute("methodsWithPlaces", int64_t(Where[P].Methods));
            J.attribute("places", int64_t(Where[P].Places));
          }
          J.attributeArray("targets", [&] {
            for (unsigned R = 0; R < A.Probes[P].Rules.size(); ++R)
              J.object([&] {
                J.attribute("target", Text(ruleText(A.Probes[P].Rules[R])));
                J.attribute("line", A.Probes[P].Rules[R].Where.Line);
                J.attribute("decided", int64_t(Match->ruleHits(P, R)));
                if (!reason(Reasons, P, R).empty())
                  J.attribute("reason", Text(reason(Reasons, P, R)));
              });
          });
          printCalls(A, P, J);
        });
    });
    if (Match && Match->needsHierarchy())
      J.attributeArray("missingAncestors", [&] {
        for (const auto &[Name, U] : Match->unresolvedAncestors())
          J.object([&, &Name = Name, &U = U] {
            J.attribute("class", Text(toDisplayUTF8(Name)));
            J.attribute("classesBelow", int64_t(U.Classes));
            J.attribute("first", Text(toDisplayUTF8(U.First)));
          });
      });
    if (!Undone.empty())
      J.attributeArray("undone", [&] {
        for (const auto &[Where, What] : Undone)
          J.value(Text(What));
      });
    J.attributeArray("notes", [&] {
      for (const std::string &N : Notes)
        J.value(Text(N));
    });
  });
  OS << '\n';
}
