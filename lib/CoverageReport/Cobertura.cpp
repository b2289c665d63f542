//===- Cobertura.cpp - Coverage as Cobertura's XML ------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Cobertura's document has lines in methods and classes, the bundle has them
/// by source file. Each line of a file goes to one method, so sums over a file
/// are exact.
///
//===----------------------------------------------------------------------===//

#include "XMLWriter.h"
#include "jopt/CoverageReport/Check.h"
#include "jopt/CoverageReport/Report.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <map>

using namespace jopt;
using namespace jopt::coverage;
using llvm::StringRef;

namespace {
/// A line of a source file, by its number.
using NumberedLine = std::pair<int32_t, const LineCounters *>;

/// Which lines go to a class, and to which of its methods.
struct SharedLines {
  std::vector<NumberedLine> All;
  std::map<const MethodCounters *, std::vector<NumberedLine>> OfMethods;
};

class CoberturaWriter {
public:
  explicit CoberturaWriter(llvm::raw_ostream &OS) : W(OS) {}

  void run(const Bundle &B, llvm::ArrayRef<std::string> Sources);

private:
  void rates(const CounterSet &C);
  void line(const NumberedLine &L);
  void lines(llvm::ArrayRef<NumberedLine> Own);
  void package(const PackageCounters &P);
  void classOf(const PackageCounters &P, const ClassCounters &C,
               const SharedLines &Own);

  XMLWriter W;
};
} // namespace

/// A ratio with four digits; that of nothing is 1, as Cobertura has it.
static std::string rateOf(const Counter &C) {
  return C.total() ? Decimal::ratio(C.Covered, C.total(), 4, false).text()
                   : "1";
}

/// `a.b.C$D` of an internal name.
static std::string binaryName(std::string Internal) {
  std::replace(Internal.begin(), Internal.end(), '/', '.');
  return Internal;
}

/// Shares the lines of \p S among its classes: a line belongs to the method
/// that begins last before it.
static void shareLines(const PackageCounters &P, const SourceCounters &S,
                       std::map<const ClassCounters *, SharedLines> &To) {
  using Begin = std::pair<const ClassCounters *, const MethodCounters *>;
  std::map<int32_t, Begin> Begins;
  for (size_t I : S.Classes)
    for (const MethodCounters &M : P.Classes[I].Methods)
      if (M.FirstLine >= 0)
        Begins.try_emplace(M.FirstLine, &P.Classes[I], &M);
  if (Begins.empty())
    return;
  int32_t Number = S.Lines.first();
  for (const LineCounters &L : S.Lines.lines()) {
    const NumberedLine Own(Number++, &L);
    if (!L.Instructions.total())
      continue;
    auto At = Begins.upper_bound(Own.first);
    if (At != Begins.begin())
      --At;
    SharedLines &C = To[At->second.first];
    C.All.push_back(Own);
    C.OfMethods[At->second.second].push_back(Own);
  }
}

void CoberturaWriter::rates(const CounterSet &C) {
  W.attribute("line-rate", rateOf(C[Lines]));
  W.attribute("branch-rate", rateOf(C[Branches]));
  W.attribute("complexity", C[Complexity].total());
}

void CoberturaWriter::line(const NumberedLine &L) {
  const LineCounters &C = *L.second;
  const int64_t Times =
      C.Instructions.Covered ? std::max<int64_t>(C.Times.value_or(1), 1) : 0;
  W.begin("line");
  W.attribute("number", uint64_t(L.first));
  W.attribute("hits", uint64_t(Times));
  if (const uint32_t All = C.Branches.total()) {
    const uint64_t Percent = uint64_t(C.Branches.Covered) * 100 / All;
    W.attribute("branch", StringRef("true"));
    W.attribute("condition-coverage", (llvm::utostr(Percent) + "% (" +
                                       llvm::utostr(C.Branches.Covered) + "/" +
                                       llvm::utostr(All) + ")"));
    W.begin("conditions");
    W.begin("condition");
    W.attribute("number", uint64_t(0));
    W.attribute("type", StringRef(All == 2 ? "jump" : "switch"));
    W.attribute("coverage", llvm::utostr(Percent) + "%");
    W.end();
    W.end();
  } else {
    W.attribute("branch", StringRef("false"));
  }
  W.end();
}

void CoberturaWriter::lines(llvm::ArrayRef<NumberedLine> Own) {
  W.begin("lines");
  for (const NumberedLine &L : Own)
    line(L);
  W.end();
}

void CoberturaWriter::classOf(const PackageCounters &P, const ClassCounters &C,
                              const SharedLines &Own) {
  W.begin("class");
  W.attribute("name", binaryName(C.Name));
  const std::string &File = C.SourceFile.empty() ? C.Name : C.SourceFile;
  W.attribute("filename", C.SourceFile.empty() || P.Name.empty()
                              ? File
                              : P.Name + "/" + File);
  rates(C.Counted);
  W.begin("methods");
  for (const MethodCounters &M : C.Methods) {
    W.begin("method");
    W.attribute("name", M.Name);
    W.attribute("signature", M.Descriptor);
    rates(M.Counted);
    auto At = Own.OfMethods.find(&M);
    lines(At == Own.OfMethods.end() ? std::vector<NumberedLine>() : At->second);
    W.end();
  }
  W.end();
  lines(Own.All);
  W.end();
}

void CoberturaWriter::package(const PackageCounters &P) {
  std::map<const ClassCounters *, SharedLines> Shared;
  for (const SourceCounters &S : P.Sources)
    shareLines(P, S, Shared);
  W.begin("package");
  W.attribute("name", binaryName(P.Name));
  rates(P.Counted);
  W.begin("classes");
  for (const ClassCounters &C : P.Classes)
    if (C.Counted[Instructions].total())
      classOf(P, C, Shared[&C]);
  W.end();
  W.end();
}

void CoberturaWriter::run(const Bundle &B,
                          llvm::ArrayRef<std::string> Sources) {
  uint64_t Newest = 0;
  for (const SessionInfo &S : B.Sessions)
    Newest = std::max(Newest, uint64_t(S.Dump));
  W.begin("coverage");
  W.attribute("line-rate", rateOf(B.Counted[Lines]));
  W.attribute("branch-rate", rateOf(B.Counted[Branches]));
  W.attribute("lines-covered", B.Counted[Lines].Covered);
  W.attribute("lines-valid", B.Counted[Lines].total());
  W.attribute("branches-covered", B.Counted[Branches].Covered);
  W.attribute("branches-valid", B.Counted[Branches].total());
  W.attribute("complexity", B.Counted[Complexity].total());
  W.attribute("version", StringRef("jopt"));
  W.attribute("timestamp", Newest);
  W.begin("sources");
  for (const std::string &Folder : Sources) {
    W.begin("source");
    W.text(Folder);
    W.end();
  }
  W.end();
  W.begin("packages");
  for (const PackageCounters &P : B.Packages)
    package(P);
  W.end();
  W.end();
}

void coverage::writeCobertura(const Bundle &B,
                              llvm::ArrayRef<std::string> Sources,
                              llvm::raw_ostream &OS) {
  OS << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<!DOCTYPE coverage SYSTEM "
        "\"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n";
  CoberturaWriter(OS).run(B, Sources);
  OS << '\n';
}
