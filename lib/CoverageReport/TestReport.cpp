//===- TestReport.cpp - What tests reached, for others --------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/TestReport.h"
#include "jopt/CoverageReport/Selection.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/SafeText.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::StringRef;

/// The lines that \p Test reached, of \p S.
static std::vector<int32_t> linesOf(const TestedSource &S, unsigned Test) {
  std::vector<int32_t> Lines;
  for (size_t I = 0; I < S.Lines.size(); ++I)
    if (S.Tests[I][Test])
      Lines.push_back(S.Lines[I]);
  return Lines;
}

void TestSums::add(const TestedSource &S) {
  llvm::BitVector Any(unsigned(Lines.size()));
  for (const llvm::BitVector &Tests : S.Tests) {
    Any |= Tests;
    for (unsigned T : Tests.set_bits())
      ++Lines[T];
  }
  for (unsigned T : Any.set_bits())
    ++Sources[T];
}

void TestSums::print(llvm::raw_ostream &OS, bool HasSums) const {
  for (size_t I = 0; I < Lines.size(); ++I) {
    const TestCoverage::Test &T = Ran.tests()[I];
    OS << toDisplayUTF8(T.Name) << (T.IsAround ? " (around its tests)" : "");
    if (!T.HasEnded)
      OS << ": has not ended";
    else if (HasSums)
      OS << ": " << Lines[I] << " lines of " << Sources[I] << " source files";
    if (T.IsShared)
      OS << ", others ran at the same time";
    OS << '\n';
  }
}

void coverage::writeTestCSVHeader(llvm::raw_ostream &OS) {
  OS << "test,source,lines\n";
}

void coverage::writeTestCSV(const TestedSource &S, const TestCoverage &Ran,
                            llvm::raw_ostream &OS) {
  for (unsigned T = 0; T < Ran.tests().size(); ++T) {
    const std::vector<int32_t> Lines = linesOf(S, T);
    if (Lines.empty())
      continue;
    OS << toCSVCell(toDisplayUTF8(Ran.tests()[T].Name)) << ','
       << toCSVCell(toDisplayUTF8(S.Path)) << ',' << toRanges(Lines) << '\n';
  }
}

void coverage::writeTestLCOV(const TestedSource &S, const TestCoverage &Ran,
                             StringRef Path, llvm::raw_ostream &OS) {
  for (unsigned T = 0; T < Ran.tests().size(); ++T) {
    const size_t Reached = linesOf(S, T).size();
    if (!Reached)
      continue;
    std::string Name = toSafeLine(toDisplayUTF8(Ran.tests()[T].Name));
    // Readers take a name up to a comma.
    std::replace(Name.begin(), Name.end(), ',', '_');
    OS << "TN:" << Name << "\nSF:" << toSafeLine(Path) << '\n';
    for (size_t I = 0; I < S.Lines.size(); ++I)
      OS << "DA:" << S.Lines[I] << ',' << (S.Tests[I][T] ? 1 : 0) << '\n';
    OS << "LF:" << S.Lines.size() << "\nLH:" << Reached << "\nend_of_record\n";
  }
}
