//===- ProbekitXMLFuzzer.cpp - Any bytes as a Probekit file ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads any bytes as a Probekit file, and takes what is accepted up to javac:
/// source, advices, places. Findings and places have to lie in the input.
///
//===----------------------------------------------------------------------===//

#include "jopt/Probes/Java/JavaSource.h"
#include "jopt/Probes/Java/Javac.h"
#include "jopt/Probes/Probekit/Reader.h"
#include <cstdlib>

using namespace jopt;
using namespace jopt::java;
using namespace jopt::probekit;

static void require(bool Holds) {
  if (!Holds)
    abort();
}

static void requireInside(const Location &L, unsigned NumLines) {
  require(L.File == "x.xml" && L.Line <= NumLines);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  llvm::StringRef Xml(reinterpret_cast<const char *>(Data), Size);
  // CR and LF end lines in XML; in UTF-16 they count in either half.
  unsigned NumLines = 2 + Xml.count('\n') + Xml.count('\r');
  DiagnosticEngine Diags(
      [&](const Diagnostic &D) { requireInside(D.Where, NumLines); });

  llvm::Expected<Document> Doc = readDocument(Xml, "x.xml", Diags);
  if (!Doc) {
    bool Any = false;
    llvm::handleAllErrors(Doc.takeError(), [&](const DiagnosticError &E) {
      requireInside(E.diagnostic().Where, NumLines);
      require(!E.diagnostic().Message.empty());
      Any = true;
    });
    require(Any);
    return 0;
  }

  SourceFile File = makeFragments(*Doc);
  JavaOptions Options;
  Options.Package = makePackageName(File, Options);
  std::vector<JavaSource> Sources = generateJava(File, Options);
  // Switches share one more.
  require(Sources.size() == 1 || Sources.size() == 2);
  const JavaSource &S = Sources.front();
  for (unsigned Line = 0; Line < S.LineStarts.size() + 2; ++Line)
    for (unsigned Column : {0u, 1u, 7u, 1u << 31})
      requireInside(S.locate(Line, Column), NumLines);

  nameClasses(File, Options);
  AdviceSet Set;
  appendAdvices(Set, File, Options);
  require(Set.Probes.size() == Doc->Probes.size());
  require(!checkAdviceSet(Set));

  // The source text serves as output of javac too.
  JavacJob Job;
  Job.Sources = {{"x_probe.java", S.Text}};
  for (const JavacMessage &M : parseJavacOutput(S.Text, Job))
    require(M.Source <= 0);
  return 0;
}
