//===- ProbeFiles.cpp - Probe files of a run ------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProbeFiles.h"
#include "jopt/Probes/BundleArchive.h"
#include "jopt/Probes/Probekit/ProbeInfo.h"
#include "jopt/Probes/Probekit/Script.h"
#include "jopt/Reader/ClassReader.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// What javac can read of input \p Name: folders and archives themselves, for a
/// class file the folder that its package is in.
static std::string classPathEntry(StringRef Name) {
  if (Name == "-" || !Name.ends_with(".class"))
    return Name == "-" ? std::string() : Name.str();
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

ProbekitOptions jopt::makeProbekitOptions(const JobOptions &Options) {
  ProbekitOptions PO = makeProbekitOptions(Options.Settings);
  PO.ClassPath.clear();
  for (const std::string &I : Options.Inputs)
    if (std::string Root = classPathEntry(I); !Root.empty())
      PO.ClassPath.push_back(Root);
  llvm::append_range(PO.ClassPath, Options.Settings.ClassPath);
  return PO;
}

Expected<std::vector<std::pair<std::string, Rope>>>
jopt::makeProbeFiles(const JobOptions &Options, const ProbekitSources &Sources,
                     const ProbeBundle &Bundle) {
  std::vector<std::pair<std::string, Rope>> Files;
  if (!Options.BundleFile.empty()) {
    auto Archive = makeBundleArchive(Bundle, /*WithScript=*/true);
    if (!Archive)
      return Archive.takeError();
    Files.emplace_back(Options.BundleFile, std::move(*Archive));
  }
  if (!Options.ScriptFile.empty())
    Files.emplace_back(Options.ScriptFile,
                       Rope(toBytes(probekit::writeScript(Bundle.Advices))));
  if (!Options.ProbeInfoFile.empty()) {
    if (Sources.Documents.size() != 1)
      return makeError("-emit-probeinfo needs exactly one probe file in XML");
    Files.emplace_back(
        Options.ProbeInfoFile,
        Rope(toBytes(probekit::writeProbeInfo(Sources.Documents.front()))));
  }
  return Files;
}

JobStatus jopt::checkProbes(const JobOptions &Options,
                            DiagnosticEngine &Diags) {
  ProbekitOptions PO = makeProbekitOptions(Options);
  std::vector<std::string> Good = Options.Settings.Probes;
  auto Sources = readProbekit(Good, PO, Diags);
  bool Failed = !Sources;
  if (Failed) {
    // What is wrong in one file does not keep the fragments of the others from
    // being looked at.
    Diags.report(Sources.takeError());
    DiagnosticEngine Heard([](const Diagnostic &) {});
    llvm::erase_if(Good, [&](const std::string &File) {
      auto One = readProbekit(File, PO, Heard);
      bool Bad = !One;
      llvm::consumeError(One.takeError());
      return Bad;
    });
    Sources = readProbekit(Good, PO, Heard);
    if (!Sources) {
      llvm::consumeError(Sources.takeError());
      return JobStatus::Unusable;
    }
  }
  if (!Sources->Documents.empty()) {
    auto Compiler = probekit::findJavac(PO.Javac, PO.TimeoutSeconds);
    if (!Compiler) {
      Diags.report(Severity::Note, Location(),
                   "fragments were not compiled: " +
                       toMessage(Compiler.takeError()));
      return Failed ? JobStatus::Unusable : JobStatus::Done;
    }
  }
  auto Bundle = compileProbekit(*Sources, PO, Diags);
  if (!Bundle) {
    Diags.report(Bundle.takeError());
    Failed = true;
  }
  return Failed ? JobStatus::Unusable : JobStatus::Done;
}
