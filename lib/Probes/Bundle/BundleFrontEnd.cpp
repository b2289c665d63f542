//===- BundleFrontEnd.cpp - Bundles as probes -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../CompiledParts.h"
#include "../FrontEnds.h"
#include "jopt/Probes/Bundle/BundleArchive.h"
#include "jopt/Probes/Script/Script.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using llvm::StringRef;

static llvm::Expected<ProbePart>
readBundleFile(const ProbeInput &In, const ProbeOptions &, DiagnosticEngine &) {
  const std::string &File = In.Path;
  auto Entries = readBundleArchive(File);
  if (!Entries)
    return Entries.takeError();
  ProbePart P;
  std::vector<std::pair<std::string, std::string>> Scripts;
  for (auto &[Name, Content] : *Entries) {
    if (Name == ScriptInBundle || StringRef(Name).ends_with(".probescript"))
      Scripts.emplace_back(Name, std::string(Content.begin(), Content.end()));
    else if (StringRef(Name).ends_with(".class") &&
             !StringRef(Name).starts_with("META-INF/") &&
             Name != "module-info.class")
      P.Classes.emplace_back(Name, std::move(Content));
  }
  auto Script =
      llvm::find_if(Scripts, [](auto &S) { return S.first == ScriptInBundle; });
  if (Script == Scripts.end() && Scripts.size() == 1)
    Script = Scripts.begin();
  if (Script == Scripts.end())
    return makeError(Location(File),
                     Scripts.empty()
                         ? "no bundle of probes: there is no '" +
                               ScriptInBundle + "' in it"
                         : "there are several scripts in it, and none is '" +
                               ScriptInBundle + "'");
  llvm::Expected<AdviceSet> Set =
      readScript(Script->second, File + "!/" + Script->first);
  if (!Set)
    return Set.takeError();
  P.Advices = std::move(*Set);
  if (llvm::Error E = checkCalls(P, File))
    return E;
  return P;
}

static bool recognises(const ProbeInput &In) {
  return StringRef(In.Content).starts_with("PK\3\4");
}

const FrontEnd jopt::BundleFrontEnd = {recognises, readBundleFile};
