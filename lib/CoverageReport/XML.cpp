//===- XML.cpp - Coverage as JaCoCo's XML ---------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/Report.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/SafeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::StringRef;

namespace {
/// Writes elements, with no white space between them.
class XMLWriter {
public:
  explicit XMLWriter(llvm::raw_ostream &OS) : OS(OS) {}

  void begin(StringRef Name) {
    endTag();
    OS << '<' << Name;
    Open.push_back(Name);
    InTag = true;
  }
  void attribute(StringRef Name, uint64_t Value) {
    OS << ' ' << Name << "=\"" << Value << '"';
  }
  /// \p Value is modified UTF-8.
  void attribute(StringRef Name, StringRef Value) {
    OS << ' ' << Name << "=\"" << toXMLText(toDisplayUTF8(Value)) << '"';
  }
  void end() {
    if (InTag)
      OS << "/>";
    else
      OS << "</" << Open.back() << '>';
    InTag = false;
    Open.pop_back();
  }

private:
  void endTag() {
    if (InTag)
      OS << '>';
  }
  llvm::raw_ostream &OS;
  std::vector<StringRef> Open;
  bool InTag = false;
};
} // namespace

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

void coverage::writeXML(const Bundle &B, llvm::raw_ostream &OS) {
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
  for (const PackageCounters &P : B.Packages) {
    W.begin("package");
    W.attribute("name", P.Name);
    for (const ClassCounters &C : P.Classes)
      writeClass(W, C);
    for (const SourceCounters &S : P.Sources)
      writeSource(W, S);
    writeCounters(W, P.Counted);
    W.end();
  }
  writeCounters(W, B.Counted);
  W.end();
}
