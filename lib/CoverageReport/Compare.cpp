//===- Compare.cpp - The coverage of changes, and its changes -------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/Compare.h"
#include "ElementNames.h"
#include "jopt/CoverageReport/Selection.h"
#include "jopt/CoverageReport/TestReport.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/SafeText.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace jopt;
using namespace jopt::coverage;
using llvm::StringRef;

double coverage::percent(const Counter &C) {
  return C.total() ? 100.0 * C.Covered / C.total() : 100.0;
}

/// The counters of \p Line; all zero if the table does not have it.
static LineCounters lineOf(const LineTable *T, int32_t Line) {
  const int64_t At = T && !T->empty() ? int64_t(Line) - T->first() : -1;
  return At >= 0 && At < int64_t(T->lines().size()) ? T->lines()[size_t(At)]
                                                    : LineCounters();
}

/// All source files by `p/A.java`, in UTF-8.
static std::map<std::string, const SourceCounters *>
sourcesOf(const Bundle &B) {
  std::map<std::string, const SourceCounters *> All;
  for (const PackageCounters &P : B.Packages)
    for (const SourceCounters &S : P.Sources)
      All[sourceName(P, S)] = &S;
  return All;
}

//===----------------------------------------------------------------------===//
// The coverage of changes
//===----------------------------------------------------------------------===//

ChangedCoverage coverage::coverChanges(llvm::ArrayRef<ChangedFile> Changes,
                                       const Bundle &B) {
  const auto Sources = sourcesOf(B);
  ChangedCoverage C;
  for (const ChangedFile &F : Changes) {
    if (F.New.empty())
      continue; // nothing of it is left
    const StringRef Path = matchSource(
        F.New, [&](StringRef P) { return Sources.count(P.str()) != 0; });
    if (Path.empty()) {
      (isSource(F.New) ? C.Unknown : C.Others).push_back(F.New);
      continue;
    }
    ++C.Known;
    const LineTable &Lines = Sources.find(Path.str())->second->Lines;
    ChangedCoverage::File Own{Path.str(), {}};
    for (const ChangedLine &L : F.Lines) {
      const LineCounters Found =
          L.IsAdded ? lineOf(&Lines, int32_t(L.New)) : LineCounters();
      if (!Found.Instructions.total())
        continue;
      Own.Lines.emplace_back(int32_t(L.New), Found);
      C.Counted[Instructions] += Found.Instructions;
      C.Counted[Branches] += Found.Branches;
      C.Counted[coverage::Lines].add(Found.Instructions.Covered);
    }
    if (!Own.Lines.empty())
      C.Files.push_back(std::move(Own));
  }
  return C;
}

void coverage::printChanges(const ChangedCoverage &C, llvm::raw_ostream &OS) {
  for (const ChangedCoverage::File &F : C.Files) {
    std::vector<int32_t> Missed;
    for (const auto &[Line, Found] : F.Lines)
      if (!Found.Instructions.Covered)
        Missed.push_back(Line);
    OS << F.Path << ": " << F.Lines.size() - Missed.size() << " of "
       << F.Lines.size() << " changed lines were run\n";
    if (!Missed.empty())
      OS << "  not run: " << toRanges(Missed) << '\n';
    for (const auto &[Line, Found] : F.Lines)
      if (Found.Instructions.Covered && Found.Branches.Missed)
        OS << "  " << Line << ": " << Found.Branches.Covered << " of "
           << Found.Branches.total() << " branches\n";
  }
}

//===----------------------------------------------------------------------===//
// Differences of two
//===----------------------------------------------------------------------===//

/// Calls \p Use with each line that is covered otherwise, by source file.
static void forEachDifference(
    const Bundle &A, const Bundle &B,
    llvm::function_ref<void(const std::string &Path, int32_t Line,
                            const LineCounters &, const LineCounters &)>
        Use) {
  auto Before = sourcesOf(A), After = sourcesOf(B);
  std::map<std::string, std::pair<const LineTable *, const LineTable *>> All;
  for (const auto &[Path, S] : Before)
    All[Path].first = &S->Lines;
  for (const auto &[Path, S] : After)
    All[Path].second = &S->Lines;
  for (const auto &[Path, Tables] : All) {
    int32_t First = INT32_MAX, End = 0;
    for (const LineTable *T : {Tables.first, Tables.second})
      if (T && !T->empty()) {
        First = std::min(First, T->first());
        End = std::max(End, T->first() + int32_t(T->lines().size()));
      }
    for (int32_t Line = First; Line < End; ++Line) {
      const LineCounters Old = lineOf(Tables.first, Line),
                         New = lineOf(Tables.second, Line);
      if (Old.Instructions.Covered != New.Instructions.Covered ||
          Old.Branches.Covered != New.Branches.Covered)
        Use(Path, Line, Old, New);
    }
  }
}

void coverage::printDifference(const Bundle &A, const Bundle &B,
                               llvm::raw_ostream &OS) {
  for (unsigned K = 0; K < NumCounters; ++K) {
    const Counter &Old = A.Counted[K], &New = B.Counted[K];
    OS << StringRef(counterName(CounterKind(K))).lower() << ": " << Old.Covered
       << " of " << Old.total() << " and " << New.Covered << " of "
       << New.total()
       << llvm::format(", %.1f %% and %.1f %%", percent(Old), percent(New))
       << '\n';
  }
  std::string Path, Branches;
  std::vector<int32_t> More, Less;
  auto Flush = [&] {
    if (Path.empty())
      return;
    OS << Path << '\n';
    if (!More.empty())
      OS << "  + " << toRanges(More) << '\n';
    if (!Less.empty())
      OS << "  - " << toRanges(Less) << '\n';
    OS << Branches;
    More.clear();
    Less.clear();
    Branches.clear();
  };
  forEachDifference(A, B,
                    [&](const std::string &Of, int32_t Line,
                        const LineCounters &Old, const LineCounters &New) {
                      if (Of != Path)
                        Flush();
                      Path = Of;
                      if (!Old.Instructions.Covered)
                        More.push_back(Line);
                      else if (!New.Instructions.Covered)
                        Less.push_back(Line);
                      else
                        Branches += llvm::formatv(
                            "  {0}: {1} and {2} of {3} {4}\n", Line,
                            Old.Branches.total() ? Old.Branches.Covered
                                                 : Old.Instructions.Covered,
                            Old.Branches.total() ? New.Branches.Covered
                                                 : New.Instructions.Covered,
                            Old.Branches.total() ? Old.Branches.total()
                                                 : Old.Instructions.total(),
                            Old.Branches.total() ? "branches" : "instructions");
                    });
  Flush();
  if (Path.empty())
    OS << "no differences\n";
}

void coverage::writeDifferenceCSV(const Bundle &A, const Bundle &B,
                                  llvm::raw_ostream &OS) {
  OS << "source,line,instructions before,instructions after,instructions,"
        "branches before,branches after,branches\n";
  forEachDifference(A, B,
                    [&](const std::string &Path, int32_t Line,
                        const LineCounters &Old, const LineCounters &New) {
                      OS << toCSVCell(Path) << ',' << Line << ','
                         << Old.Instructions.Covered << ','
                         << New.Instructions.Covered << ','
                         << New.Instructions.total() << ','
                         << Old.Branches.Covered << ',' << New.Branches.Covered
                         << ',' << New.Branches.total() << '\n';
                    });
}

void coverage::writeDifferenceJSON(const Bundle &A, const Bundle &B,
                                   llvm::raw_ostream &OS) {
  llvm::json::OStream J(OS, /*IndentSize=*/1);
  J.objectBegin();
  J.attributeObject("counters", [&] {
    for (unsigned K = 0; K < NumCounters; ++K)
      J.attributeObject(StringRef(counterName(CounterKind(K))).lower(), [&] {
        for (auto [Name, Of] : {std::pair("before", &A), {"after", &B}})
          J.attributeObject(Name, [&, Of = Of] {
            J.attribute("covered", Of->Counted[K].Covered);
            J.attribute("total", Of->Counted[K].total());
          });
      });
  });
  J.attributeBegin("lines");
  J.arrayBegin();
  forEachDifference(
      A, B,
      [&](const std::string &Path, int32_t Line, const LineCounters &Old,
          const LineCounters &New) {
        auto Write = [&](StringRef Name, Counter Before, Counter After) {
          J.attributeObject(Name, [&] {
            J.attribute("before", Before.Covered);
            J.attribute("after", After.Covered);
            J.attribute("total", After.total());
          });
        };
        J.object([&] {
          J.attribute("source", llvm::json::fixUTF8(Path));
          J.attribute("line", Line);
          Write("instructions", Old.Instructions, New.Instructions);
          Write("branches", Old.Branches, New.Branches);
        });
      });
  J.arrayEnd();
  J.attributeEnd();
  J.objectEnd();
  OS << '\n';
}
