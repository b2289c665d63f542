//===- PageLists.cpp - Pages about the whole report -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PageLists.h"
#include "ElementNames.h"
#include "jopt/CoverageReport/Check.h"
#include "jopt/CoverageReport/Selection.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/SafeText.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace jopt;
using namespace jopt::coverage;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Risks
//===----------------------------------------------------------------------===//

namespace {
struct Risk {
  uint64_t Score;
  const PageTree::Package *Package;
  size_t Class;
  const MethodCounters *Method;
};
} // namespace

/// complexity² × (share missed)³ + complexity, rounded: the number known as
/// CRAP (Change Risk Anti-Patterns).
static uint64_t riskOf(const CounterSet &C) {
  const uint64_t Complex = C[Complexity].total();
  const double Missed =
      double(C[Instructions].Missed) / double(C[Instructions].total());
  return uint64_t(
      std::llround(double(Complex * Complex) * Missed * Missed * Missed) +
      int64_t(Complex));
}

void coverage::writeRisks(Page &P, const PageTree &Tree) {
  constexpr size_t Most = 100;
  std::vector<Risk> Risks;
  Tree.forEachClass([&](const PageTree::Package &In, size_t Class) {
    for (const MethodCounters &M : In.Counters.Classes[Class].Methods)
      if (M.Counted[Instructions].Missed && M.Counted[Complexity].total() > 1)
        Risks.push_back({riskOf(M.Counted), &In, Class, &M});
  });
  llvm::stable_sort(
      Risks, [](const Risk &A, const Risk &B) { return A.Score > B.Score; });
  Risks.resize(std::min(Risks.size(), Most));
  P.OS << "<p>Methods with branches that are not fully covered. The risk is "
          "complexity\u00b2 \u00d7 (share of missed instructions)\u00b3 + "
          "complexity.</p>\n<div class=\"wide\"><table "
          "class=\"counters\">\n<caption>Risks</caption>\n<thead><tr><th "
          "scope=\"col\">Method<th scope=\"col\">Class<th scope=\"col\" "
          "aria-sort=\"descending\">risk<th scope=\"col\">complexity<th "
          "scope=\"col\">covered\n<tbody>\n";
  for (const Risk &R : Risks) {
    const ClassCounters &C = R.Package->Counters.Classes[R.Class];
    P.OS << "<tr><th scope=\"row\">";
    P.link({methodSignature(C.Name, *R.Method, /*IsShort=*/true),
            R.Package->linkTo(R.Class, *R.Method)});
    P.OS << "<td class=\"text\">";
    P.link({R.Package->Page.Text + "." + R.Package->Classes[R.Class].Text,
            R.Package->Classes[R.Class].Link});
    P.OS << "<td>" << R.Score << "<td>" << R.Method->Counted[Complexity].total()
         << "<td>" << percentText(R.Method->Counted[Instructions]) << '\n';
  }
  P.OS << "</table></div>\n";
}

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

void coverage::writeSessions(Page &P, llvm::ArrayRef<SessionInfo> Sessions) {
  P.OS << "<div class=\"wide\"><table class=\"counters\">\n<caption>Sessions"
          "</caption>\n<thead><tr><th scope=\"col\">Session<th "
          "scope=\"col\">start (UTC)<th scope=\"col\">dump "
          "(UTC)\n<tbody>\n";
  for (const SessionInfo &S : Sessions)
    P.OS << "<tr><th scope=\"row\">" << toXMLText(toDisplayUTF8(S.Id)) << "<td>"
         << timeText(S.Start) << "<td>" << timeText(S.Dump) << '\n';
  P.OS << "</table></div>\n";
}

//===----------------------------------------------------------------------===//
// History
//===----------------------------------------------------------------------===//

/// The shares of \p Kind as a line from left to right.
static void writeCurve(llvm::raw_ostream &OS, llvm::ArrayRef<HistoryEntry> All,
                       CounterKind Kind) {
  constexpr uint64_t Width = 900, Height = 200;
  OS << "<polyline class=\"" << StringRef(counterName(Kind)).lower()
     << "\" points=\"";
  llvm::ListSeparator Blank(" ");
  for (size_t I = 0; I < All.size(); ++I) {
    const Counter &C = All[I].Counted[Kind];
    const uint64_t Missed = C.total() ? C.Missed * Height / C.total() : 0;
    OS << Blank << (All.size() > 1 ? I * Width / (All.size() - 1) : 0) << ','
       << Missed;
  }
  OS << "\"/>\n";
}

void coverage::writeHistory(Page &P, llvm::ArrayRef<HistoryEntry> All) {
  static constexpr CounterKind Shown[] = {Lines, Branches};
  P.OS << "<svg class=\"curves\" viewBox=\"-5 -5 910 210\" role=\"img\" "
          "aria-label=\"Lines and branches, 0 to 100 %\">\n<rect width=\"900\" "
          "height=\"200\"/>\n";
  for (CounterKind K : Shown)
    writeCurve(P.OS, All, K);
  P.OS << "</svg>\n<p>Solid: lines; dashed: branches; from 0 to 100 "
          "%.</p>\n<div class=\"wide\"><table "
          "class=\"counters\">\n<caption>History</caption>\n<thead><tr><th "
          "scope=\"col\" aria-sort=\"descending\">time (UTC)";
  for (CounterKind K : Shown)
    P.OS << "<th scope=\"col\">" << StringRef(counterName(K)).lower()
         << " covered<th scope=\"col\">missed<th scope=\"col\">of";
  P.OS << "\n<tbody>\n";
  for (const HistoryEntry &E : llvm::reverse(All)) {
    P.OS << "<tr><th scope=\"row\">" << toXMLText(E.Time);
    for (CounterKind K : Shown)
      P.OS << "<td>" << percentText(E.Counted[K]) << "<td>"
           << E.Counted[K].Missed << "<td>" << E.Counted[K].total();
    P.OS << '\n';
  }
  P.OS << "</table></div>\n";
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

void coverage::writeChanges(Page &P, const ChangedCoverage &C,
                            llvm::function_ref<std::string(StringRef)> LinkTo) {
  P.summary(C.Counted);
  P.OS << "<div class=\"wide\"><table class=\"counters\">\n<caption>Changed "
          "lines that count</caption>\n<thead><tr><th scope=\"col\">Source "
          "file<th scope=\"col\">missed<th scope=\"col\">of<th "
          "scope=\"col\">lines missed<th scope=\"col\">lines with missed "
          "branches\n<tbody>\n";
  for (const ChangedCoverage::File &F : C.Files) {
    std::vector<int32_t> Missed, Part;
    for (const auto &[Line, L] : F.Lines)
      if (!L.Instructions.Covered)
        Missed.push_back(Line);
      else if (L.Branches.Missed)
        Part.push_back(Line);
    const std::string Link = LinkTo(F.Path);
    P.OS << "<tr><th scope=\"row\">";
    P.link({F.Path, Link});
    P.OS << "<td>" << Missed.size() << "<td>" << F.Lines.size();
    for (const std::vector<int32_t> &Lines : {Missed, Part}) {
      P.OS << "<td class=\"text\">";
      if (!Lines.empty())
        P.link({toRanges(Lines), Link + "#L" + std::to_string(Lines.front())});
    }
    P.OS << '\n';
  }
  const Counter &All = C.Counted[Lines];
  P.OS << "<tfoot><tr><th scope=\"row\">Total<td>" << All.Missed << "<td>"
       << All.total() << "<td><td>\n</table></div>\n";
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// A list of packages: name, page, classes. Of each class its name, its page,
/// that of its source file or 0, and its methods: each a name and a line, or 0.
/// Pages of classes and source files are in the folder of the package's page.
void coverage::writeNames(const PageTree &Tree, llvm::raw_ostream &OS) {
  OS << "NAMES(";
  json::OStream J(OS);
  auto InFolder = [](const PageLink &L) {
    return StringRef(L.Link).substr(L.Link.rfind('/') + 1);
  };
  auto WriteClass = [&](const PageTree::Package &P, size_t I) {
    const ClassCounters &C = P.Counters.Classes[I];
    const bool HasSource = P.SourceOf[I] != PageTree::None;
    J.value(json::fixUTF8(P.Classes[I].Text));
    J.value(InFolder(P.Classes[I]));
    if (HasSource)
      J.value(InFolder(P.Sources[P.SourceOf[I]]));
    else
      J.value(0);
    for (const MethodCounters &M : C.Methods) {
      J.value(json::fixUTF8(methodSignature(C.Name, M, /*IsShort=*/true)));
      J.value(HasSource && M.FirstLine > 0 ? M.FirstLine : 0);
    }
  };
  J.array([&] {
    for (const PageTree::Module &M : Tree.modules())
      for (const PageTree::Package &P : M.Packages)
        J.array([&] {
          J.value(json::fixUTF8(P.Page.Text));
          J.value(P.Page.Link);
          for (size_t C = 0; C < P.Classes.size(); ++C)
            if (!P.Counters.Classes[C].Methods.empty())
              J.array([&] { WriteClass(P, C); });
        });
  });
  J.flush();
  OS << ")\n";
}
