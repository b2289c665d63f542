//===- FrontEndFuzzer.h - Any bytes as fragments ----------------*- C++ -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the fuzzers of front-ends with fragments have in common: what one
/// accepts is taken up to javac (source, advices, places). Findings and places
/// have to lie in the input.
///
//===----------------------------------------------------------------------===//

#ifndef JOPT_FUZZ_FRONTENDFUZZER_H
#define JOPT_FUZZ_FRONTENDFUZZER_H

#include "../lib/Probes/FrontEnds.h"
#include "jopt/Probes/Java/JavaSource.h"
#include "jopt/Probes/Java/Javac.h"
#include <cstdlib>

namespace jopt::fuzz {

inline void require(bool Holds) {
  if (!Holds)
    abort();
}

/// The places that are in an input.
struct Inside {
  llvm::StringRef File;
  unsigned NumLines;

  void require(const Location &L) const {
    fuzz::require(L.File == File && L.Line <= NumLines);
  }
};

inline void checkFragments(java::SourceFile File, const Inside &In) {
  java::JavaOptions Options;
  Options.Package = makePackageName(File, Options);
  std::vector<java::JavaSource> Sources = generateJava(File, Options);
  // Switches share one more.
  require(Sources.size() == 1 || Sources.size() == 2);
  const java::JavaSource &S = Sources.front();
  for (unsigned Line = 0; Line < S.LineStarts.size() + 2; ++Line)
    for (unsigned Column : {0u, 1u, 7u, 1u << 31})
      if (java::JavaSource::Place P = S.locate(Line, Column); P.File)
        In.require(P.File->locate(P.Where));

  nameClasses(File, Options);
  AdviceSet Set;
  appendAdvices(Set, File, Options);
  require(Set.Probes.size() == File.Probes.size());
  require(!checkAdviceSet(Set));

  // The source text serves as output of javac too.
  java::JavacJob Job;
  Job.Sources = {{S.ClassName + ".java", S.Text}};
  for (const java::JavacMessage &M : parseJavacOutput(S.Text, Job))
    require(M.Source <= 0);
}

/// Reads \p Data as the file \p Name.
inline void run(const FrontEnd &Reader, llvm::StringRef Name,
                llvm::StringRef Data) {
  ProbeInput Input;
  Input.Path = Name.str();
  Input.Content = Data.str();
  // CR and LF end lines in XML; in UTF-16 they count in either half.
  Inside In{Name, unsigned(2 + Data.count('\n') + Data.count('\r'))};
  DiagnosticEngine Diags([&](const Diagnostic &D) { In.require(D.Where); });
  llvm::Expected<ProbePart> P = Reader.Read(Input, ProbeOptions(), Diags);
  if (P)
    return checkFragments(std::move(*P->Fragments), In);
  bool Any = false;
  llvm::handleAllErrors(P.takeError(), [&](const DiagnosticError &E) {
    In.require(E.diagnostic().Where);
    require(!E.diagnostic().Message.empty());
    Any = true;
  });
  require(Any);
}

} // namespace jopt::fuzz

#endif
