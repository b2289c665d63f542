//===- XML.cpp - Coverage as JaCoCo's XML ---------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "XMLWriter.h"
#include "jopt/CoverageReport/Report.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::StringRef;

static void writeCounters(XMLWriter &W, const CounterSet &C) {
  for (unsigned K = 0; K < NumCounters; ++K) {
    if (!C[K].total())
      continue;
    W.begin("counter");
    W.attribute("type", counterName(CounterKind(K)));
    W.attribute("missed", C[K].Missed);
    W.attribute("covered", C[K].Covered);
    W.end();
  }
}

static void writeClass(XMLWriter &W, const ClassCounters &C) {
  W.begin("class");
  W.attribute("name", C.Name);
  if (!C.SourceFile.empty())
    W.attribute("sourcefilename", C.SourceFile);
  for (const MethodCounters &M : C.Methods) {
    W.begin("method");
    W.attribute("name", M.Name);
    W.attribute("desc", M.Descriptor);
    if (M.FirstLine >= 0)
      W.attribute("line", uint64_t(M.FirstLine));
    writeCounters(W, M.Counted);
    W.end();
  }
  writeCounters(W, C.Counted);
  W.end();
}

static void writeSource(XMLWriter &W, const SourceCounters &S) {
  W.begin("sourcefile");
  W.attribute("name", S.Name);
  int32_t Line = S.Lines.first();
  for (const LineCounters &L : S.Lines.lines()) {
    if (L.Instructions.total()) {
      W.begin("line");
      W.attribute("nr", uint64_t(Line));
      W.attribute("mi", L.Instructions.Missed);
      W.attribute("ci", L.Instructions.Covered);
      W.attribute("mb", L.Branches.Missed);
      W.attribute("cb", L.Branches.Covered);
      if (L.Times)
        W.attribute("count", uint64_t(std::max<int64_t>(*L.Times, 0)));
      W.end();
    }
    ++Line;
  }
  writeCounters(W, S.Counted);
  W.end();
}

static bool hasTimes(const Bundle &B) {
  return llvm::any_of(B.Packages, [](const PackageCounters &P) {
    return llvm::any_of(P.Sources, [](const SourceCounters &S) {
      return llvm::any_of(S.Lines.lines(), [](const LineCounters &L) {
        return L.Times.has_value();
      });
    });
  });
}

static void writePackages(XMLWriter &W,
                          llvm::ArrayRef<PackageCounters> Packages) {
  for (const PackageCounters &P : Packages) {
    W.begin("package");
    W.attribute("name", P.Name);
    for (const ClassCounters &C : P.Classes)
      writeClass(W, C);
    for (const SourceCounters &S : P.Sources)
      writeSource(W, S);
    writeCounters(W, P.Counted);
    W.end();
  }
}

void coverage::writeXML(const Bundle &B, llvm::raw_ostream &OS,
                        bool HasGroups) {
  OS << "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>"
        "<!DOCTYPE report PUBLIC \"-//JACOCO//DTD Report 1.1//EN\" "
        "\"report.dtd\"";
  // JaCoCo's document type does not know it.
  if (hasTimes(B))
    OS << " [<!ATTLIST line count CDATA #IMPLIED>]";
  OS << '>';
  XMLWriter W(OS);
  W.begin("report");
  W.attribute("name", B.Name);
  for (const SessionInfo &S : B.Sessions) {
    W.begin("sessioninfo");
    W.attribute("id", S.Id);
    W.attribute("start", uint64_t(S.Start));
    W.attribute("dump", uint64_t(S.Dump));
    W.end();
  }
  if (HasGroups && !B.Modules.empty()) {
    for (const ModuleCounters &M : B.Modules) {
      W.begin("group");
      W.attribute("name", M.Name);
      writePackages(W, M.Packages);
      writeCounters(W, M.Counted);
      W.end();
    }
  } else {
    writePackages(W, B.Packages);
  }
  writeCounters(W, B.Counted);
  W.end();
}
