//===- LoadProbes.cpp - The probes of a run -------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Probes/LoadProbes.h"
#include "FrontEnds.h"
#include "jopt/Probes/Java/CompileFragments.h"
#include "jopt/Probes/ReadyProbes.h"
#include "jopt/Support/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

bool ProbeInput::hasExtension(StringRef Extension) const {
  return !IsFolder &&
         llvm::sys::path::extension(Path).equals_insensitive(Extension);
}

static const FrontEnd *const Rows[] = {
#define FRONT_END(NAME) &NAME##FrontEnd,
#include "FrontEnds.def"
};

static Expected<ProbePart> readPart(const std::string &File,
                                    const ProbeOptions &Options,
                                    DiagnosticEngine &Diags) {
  ProbeInput In;
  In.Path = File;
  const bool IsFile = !isNoProbeFile(File);
  In.IsFolder = IsFile && fs::is_directory(File);
  if (IsFile && !In.IsFolder) {
    Expected<std::string> Content = readAtMost(File, MaxProbeFileSize);
    if (!Content)
      return Content.takeError();
    In.Content = std::move(*Content);
  }
  for (const FrontEnd *F : Rows)
    if (F->Recognises(In))
      return F->Read(In, Options, Diags);
  llvm_unreachable("the last front-end takes every file, another folders");
}

void jopt::append(AdviceSet &To, AdviceSet From) {
  unsigned First = unsigned(To.Probes.size());
  llvm::append_range(To.Probes, std::move(From.Probes));
  for (Advice &A : From.Advices) {
    A.Probe += First;
    To.Advices.push_back(std::move(A));
  }
}

/// The advices of all \p Parts in their order, whose fragments \p P has.
static void takeAdvices(LoadedProbes &P, std::vector<ProbePart> Parts) {
  nameClasses(P.Fragments, P.Java);
  auto Next = P.Fragments.begin();
  for (ProbePart &Part : Parts)
    if (Part.Fragments)
      appendAdvices(P.Bundle.Advices, *Next++, P.Java);
    else
      append(P.Bundle.Advices, std::move(Part.Advices));
}

/// The parameters of \p P get the values \p Given, "NAME=VALUE": all probes
/// that have one of a name.
static Error giveParams(LoadedProbes &P, llvm::ArrayRef<std::string> Given) {
  for (java::SourceFile &F : P.Fragments)
    for (java::GeneratedClass &C : F.Probes)
      for (java::Param &Q : C.Params) {
        for (StringRef Item : Given)
          if (auto [Name, Value] = Item.split('='); Name == Q.Name)
            Q.Value = Value.str();
        P.Bundle.Params.push_back({Q.Name, Q.Type, Q.Value, C.Info.Name});
      }
  return java::checkParams(P.Bundle.Params, Given);
}

Expected<LoadedProbes> jopt::readProbes(llvm::ArrayRef<std::string> Files,
                                        const ProbeOptions &Options,
                                        DiagnosticEngine &Diags) {
  Error Errors = Error::success();
  std::vector<ProbePart> Parts;
  for (const std::string &File : Files)
    if (auto P = readPart(File, Options, Diags))
      Parts.push_back(std::move(*P));
    else
      Errors = llvm::joinErrors(std::move(Errors), P.takeError());
  if (Options.Package)
    Errors = llvm::joinErrors(std::move(Errors),
                              java::checkPackageName(*Options.Package));
  if (Errors)
    return Errors;
  if ((Options.Isolate || Options.GuardRecursion) &&
      llvm::any_of(Parts, [](const ProbePart &P) {
        return !P.Fragments && !hasTrace(P.Advices);
      }))
    Diags.report(Severity::Warning, Location(),
                 "'isolate' and 'guard' do not concern probes that came "
                 "compiled, as probe classes do: what these throw reaches the "
                 "program, unless they catch it");

  LoadedProbes P;
  for (ProbePart &Part : Parts) {
    if (Part.Fragments)
      P.Fragments.push_back(std::move(*Part.Fragments));
    llvm::append_range(P.Bundle.Classes, std::move(Part.Classes));
    P.Bundle.UsesApi |= Part.UsesApi;
    llvm::append_range(P.LeftOut, std::move(Part.LeftOut));
    if (!Part.Info.empty())
      P.Infos.push_back(std::move(Part.Info));
  }
  if (Error E = giveParams(P, Options.Params))
    return E;
  P.Java.Isolate = Options.Isolate;
  P.Java.GuardRecursion = Options.GuardRecursion;
  P.Java.CountEvents = Options.CountEvents;
  std::vector<std::string> Made;
  for (const java::SourceFile &F : P.Fragments) {
    Made.push_back(makePackageName(F, P.Java));
    std::replace(Made.back().begin(), Made.back().end(), '.', '/');
  }
  P.Java.Package =
      Options.Package ? *Options.Package : makePackageName(P.Fragments, P.Java);
  takeAdvices(P, std::move(Parts));
  P.Bundle.Made.resize(P.Bundle.Advices.Probes.size());
  for (java::SourceFile &F : P.Fragments)
    for (const java::GeneratedClass &C : F.Probes)
      if (!Options.Package)
        P.Bundle.Made[C.Index] = Made[size_t(&F - P.Fragments.data())];
  if (Error E = checkAdviceSet(P.Bundle.Advices))
    return E;
  return P;
}

Error jopt::addClasses(CompiledClasses &Classes, CompiledClasses More) {
  llvm::StringMap<size_t> Known;
  for (size_t I = 0; I < Classes.size(); ++I)
    Known[Classes[I].first] = I;
  for (auto &[Path, Content] : More) {
    auto [It, New] = Known.try_emplace(Path, Classes.size());
    if (New)
      Classes.emplace_back(Path, std::move(Content));
    else if (Classes[It->second].second != Content)
      return makeError("there are two different probe classes '" + Path +
                       "'; compile one of them into another package");
  }
  llvm::sort(Classes, [](auto &L, auto &R) { return L.first < R.first; });
  return Error::success();
}

Error jopt::compileProbes(LoadedProbes &Probes, const ProbeOptions &Options,
                          DiagnosticEngine &Diags) {
  ProbeBundle &B = Probes.Bundle;
  CompiledClasses Compiled;
  if (Probes.needsCompiler()) {
    auto Classes = java::compileFragments(Probes.Fragments, B.Advices,
                                          Probes.Java, Options, Diags);
    if (!Classes)
      return Classes.takeError();
    Compiled = std::move(*Classes);
  }
  std::swap(B.Classes, Compiled);
  return addClasses(B.Classes, std::move(Compiled));
}
