//===- Tables.cpp - Coverage as CSV and LCOV ------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementNames.h"
#include "jopt/CoverageReport/Report.h"
#include "jopt/CoverageReport/TestReport.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/SafeText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// CSV
//===----------------------------------------------------------------------===//

/// The rows of the classes of \p Packages.
static void writeRows(llvm::ArrayRef<PackageCounters> Packages,
                      const std::string &Group, llvm::raw_ostream &OS) {
  for (const PackageCounters &P : Packages) {
    const std::string Package = packageName(P.Name);
    for (const ClassCounters &C : P.Classes) {
      if (!C.Counted[Instructions].total())
        continue;
      OS << toCSVCell(Group) << ',' << toCSVCell(Package) << ','
         << toCSVCell(shortClassName(C));
      for (unsigned K = 0; K < Classes; ++K)
        OS << ',' << C.Counted[K].Missed << ',' << C.Counted[K].Covered;
      OS << '\n';
    }
  }
}

void coverage::writeCSV(const Bundle &B, llvm::raw_ostream &OS,
                        bool HasGroups) {
  OS << "GROUP,PACKAGE,CLASS";
  for (unsigned K = 0; K < Classes; ++K)
    for (StringRef What : {"_MISSED", "_COVERED"})
      OS << ',' << counterName(CounterKind(K)) << What;
  OS << '\n';
  if (!HasGroups || B.Modules.empty())
    return writeRows(B.Packages, B.Name, OS);
  for (const ModuleCounters &M : B.Modules)
    writeRows(M.Packages, B.Name + "/" + M.Name, OS);
}

//===----------------------------------------------------------------------===//
// LCOV
//===----------------------------------------------------------------------===//

static void writeFunctions(const PackageCounters &P, const SourceCounters &S,
                           llvm::raw_ostream &OS) {
  auto ForEach = [&](auto Write) {
    for (size_t I : S.Classes)
      for (const MethodCounters &M : P.Classes[I].Methods)
        if (M.FirstLine >= 0)
          Write(M, toSafeLine(nameInPackage(P.Classes[I].Name) + "." +
                              toDisplayUTF8(M.Name + M.Descriptor)));
  };
  Counter All;
  ForEach([&](const MethodCounters &M, const std::string &Name) {
    OS << "FN:" << M.FirstLine << ',' << Name << '\n';
  });
  ForEach([&](const MethodCounters &M, const std::string &Name) {
    OS << "FNDA:" << M.Counted[Methods].Covered << ',' << Name << '\n';
    All += M.Counted[Methods];
  });
  OS << "FNF:" << All.total() << "\nFNH:" << All.Covered << '\n';
}

/// Once, if it is not known.
static int64_t timesOf(const LineCounters &L) {
  return L.Instructions.Covered ? std::max<int64_t>(L.Times.value_or(1), 1) : 0;
}

static void writeLines(const SourceCounters &S, llvm::raw_ostream &OS) {
  Counter Ways, Own;
  int32_t Number = S.Lines.first();
  for (const LineCounters &L : S.Lines.lines()) {
    for (uint32_t I = 0; I < L.Branches.total(); ++I)
      OS << "BRDA:" << Number << ",0," << I << ','
         << (!L.Instructions.Covered  ? "-"
             : I < L.Branches.Covered ? "1"
                                      : "0")
         << '\n';
    Ways += L.Branches;
    ++Number;
  }
  OS << "BRF:" << Ways.total() << "\nBRH:" << Ways.Covered << '\n';
  Number = S.Lines.first();
  for (const LineCounters &L : S.Lines.lines()) {
    if (L.Instructions.total()) {
      OS << "DA:" << Number << ',' << timesOf(L) << '\n';
      Own.add(L.Instructions.Covered);
    }
    ++Number;
  }
  OS << "LF:" << Own.total() << "\nLH:" << Own.Covered << '\n';
}

void coverage::writeLCOV(const Bundle &B, PathOfSource PathOf,
                         llvm::raw_ostream &OS) {
  for (const PackageCounters &P : B.Packages)
    for (const SourceCounters &S : P.Sources) {
      if (S.Lines.empty())
        continue;
      OS << "TN:\nSF:" << toSafeLine(PathOf(P, S)) << '\n';
      writeFunctions(P, S, OS);
      writeLines(S, OS);
      OS << "end_of_record\n";
    }
}
