//===- ProbeFiles.cpp - Probe files of a run ------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProbeFiles.h"
#include "jopt/Probes/Bundle/BundleArchive.h"
#include "jopt/Probes/Java/Javac.h"
#include "jopt/Probes/Script/Script.h"
#include "jopt/Reader/ClassReader.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// The folder in which the package of the class file \p Name begins; empty if
/// that is not known.
static std::string rootOf(StringRef Name) {
  auto Buffer = llvm::MemoryBuffer::getFile(Name);
  if (!Buffer)
    return {};
  auto Class = readClass(toBytes((*Buffer)->getBuffer()));
  if (!Class) {
    llvm::consumeError(Class.takeError());
    return {};
  }
  if (!Name.consume_back(((*Class)->name() + ".class").str()))
    return {};
  return Name.empty() ? "." : Name.str();
}

ProbeOptions jopt::makeProbeOptions(const JobOptions &Options) {
  ProbeOptions PO = makeProbeOptions(Options.Settings);
  PO.ClassPath.clear();
  for (const auto *Names : {&Options.Inputs, &Options.Settings.ClassPath})
    for (const std::string &Name : *Names) {
      if (Name == "-")
        continue;
      if (!StringRef(Name).ends_with(".class"))
        PO.ClassPath.push_back(Name);
      else if (std::string Root = rootOf(Name); !Root.empty())
        PO.Roots.push_back(Root);
    }
  return PO;
}

Expected<std::vector<std::pair<std::string, Rope>>>
jopt::makeProbeFiles(const JobOptions &Options, const LoadedProbes &Probes) {
  std::vector<std::pair<std::string, Rope>> Files;
  if (!Options.ScriptFile.empty() && Probes.Bundle.UsesApi)
    return makeError("no script can say what probe classes ask for; jopt and "
                     "the agent take their jar as it is");
  if (!Options.BundleFile.empty()) {
    // Without the script it is a jar of probe classes.
    auto Archive =
        makeBundleArchive(Probes.Bundle, /*WithScript=*/!Probes.Bundle.UsesApi);
    if (!Archive)
      return Archive.takeError();
    Files.emplace_back(Options.BundleFile, std::move(*Archive));
  }
  if (!Options.ScriptFile.empty())
    Files.emplace_back(Options.ScriptFile,
                       Rope(toBytes(writeScript(Probes.Bundle.Advices))));
  if (!Options.ProbeInfoFile.empty()) {
    if (Probes.Infos.size() != 1)
      return makeError("-emit-probeinfo needs exactly one probe file in XML");
    Files.emplace_back(Options.ProbeInfoFile,
                       Rope(toBytes(Probes.Infos.front())));
  }
  return Files;
}

JobStatus jopt::checkProbes(const JobOptions &Options,
                            DiagnosticEngine &Diags) {
  ProbeOptions PO = makeProbeOptions(Options);
  std::vector<std::string> Good = Options.Settings.Probes;
  auto Probes = readProbes(Good, PO, Diags);
  bool Failed = !Probes;
  if (Failed) {
    // Check the fragments of the other files even if one file has an error.
    Diags.report(Probes.takeError());
    DiagnosticEngine Heard([](const Diagnostic &) {});
    llvm::erase_if(Good, [&](const std::string &File) {
      auto One = readProbes(File, PO, Heard);
      bool Bad = !One;
      llvm::consumeError(One.takeError());
      return Bad;
    });
    Probes = readProbes(Good, PO, Heard);
    if (!Probes) {
      llvm::consumeError(Probes.takeError());
      return JobStatus::Unusable;
    }
  }
  for (const Diagnostic &D : Probes->LeftOut) {
    Diags.report(Severity::Error, D.Where, D.Message);
    Failed = true;
  }
  if (Probes->needsCompiler()) {
    auto Compiler = java::findJavac(PO.Javac, PO.TimeoutSeconds);
    if (!Compiler) {
      Diags.report(Severity::Note, Location(),
                   "fragments were not compiled: " +
                       toMessage(Compiler.takeError()));
      return Failed ? JobStatus::Unusable : JobStatus::Done;
    }
  }
  if (Error E = compileProbes(*Probes, PO, Diags)) {
    Diags.report(std::move(E));
    Failed = true;
  }
  return Failed ? JobStatus::Unusable : JobStatus::Done;
}
