//===- SourceFile.cpp - Probe classes as source ---------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceFile.h"
#include "jopt/Probes/Java/Javac.h"
#include "jopt/Support/Files.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using namespace jopt::java;
using llvm::StringRef;

llvm::Expected<CompiledClasses>
classes::compileSource(StringRef File, StringRef Text,
                       const ProbeOptions &Options, DiagnosticEngine &Diags) {
  auto Compiler = findJavac(Options.Javac, Options.TimeoutSeconds);
  if (!Compiler)
    return Compiler.takeError();
  JavacJob Job;
  Job.Sources.emplace_back(llvm::sys::path::filename(File).str(), Text.str());
  Job.ClassPath = Options.ClassPath;
  Job.Roots = Options.Roots;
  for (StringRef Jar : {ProbeApiJar, RuntimeJar})
    if (std::string Path = findInstalled(Jar); !Path.empty())
      Job.ClassPath.push_back(std::move(Path));
  auto Release = chooseRelease(Options, *Compiler);
  if (!Release)
    return Release.takeError();
  Job.Release = *Release;
  Job.TimeoutSeconds = Options.TimeoutSeconds;
  auto Result = runJavac(*Compiler, Job);
  if (!Result)
    return Result.takeError();
  llvm::Error Errors = llvm::Error::success();
  for (const JavacMessage &M : parseJavacOutput(Result->Output, Job)) {
    Location Where(File, M.Line, M.Line ? M.Column + 1 : 0);
    if (M.Level == Severity::Error)
      Errors = llvm::joinErrors(std::move(Errors), makeError(Where, M.Text));
    else
      Diags.report(M.Level, Where, M.Text);
  }
  if (Errors)
    return Errors;
  if (Result->Status)
    return makeError(Location(File), "javac failed: " + Result->Output);
  return std::move(Result->Classes);
}
