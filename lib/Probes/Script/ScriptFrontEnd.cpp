//===- ScriptFrontEnd.cpp - Scripts as probes -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../CompiledParts.h"
#include "../FrontEnds.h"
#include "jopt/Probes/Script/Script.h"
#include "jopt/Support/Files.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Adds to \p P the classes that its advices call, and those nested beside
/// them, from \p Folder. Names of classes that it lacks go to \p Missing.
static llvm::Error findClasses(ProbePart &P, StringRef Folder,
                               std::vector<std::string> &Missing) {
  llvm::StringSet<> Done;
  for (const Advice &A : P.Advices.Advices) {
    StringRef Outer = outerClass(A.Body.Owner);
    if (!Done.insert(Outer).second)
      continue;
    StringRef Package = Outer.take_front(Outer.rfind('/') + 1);
    StringRef Simple = Outer.drop_front(Package.size());
    llvm::SmallString<128> Where(Folder);
    path::append(Where, Package.empty() ? "." : Package);
    size_t Before = P.Classes.size();
    std::error_code EC;
    for (fs::directory_iterator It(Where, EC), End; It != End && !EC;
         It.increment(EC)) {
      StringRef Name = path::filename(It->path());
      StringRef Rest = Name;
      if (!Rest.consume_front(Simple) || !Name.ends_with(".class") ||
          (Rest != ".class" && !Rest.starts_with("$")))
        continue;
      llvm::Expected<std::string> Content =
          readAtMost(It->path(), MaxProbeFileSize);
      if (!Content)
        return Content.takeError();
      P.Classes.emplace_back(
          (Package + Name).str(),
          llvm::SmallVector<uint8_t, 0>(Content->begin(), Content->end()));
    }
    if (P.Classes.size() == Before)
      Missing.push_back(Outer.str());
  }
  return llvm::Error::success();
}

static llvm::Expected<ProbePart> readScriptFile(const ProbeInput &In,
                                                const ProbeOptions &,
                                                DiagnosticEngine &Diags) {
  const std::string &File = In.Path;
  if (In.isTooLarge())
    return makeError(Location(File), "script of more than " +
                                         Twine(MaxProbeFileSize >> 20) +
                                         " MiB");
  llvm::Expected<AdviceSet> Set = readScript(In.Content, File);
  if (!Set)
    return Set.takeError();
  ProbePart P;
  P.Advices = std::move(*Set);
  if (P.Advices.Probes.empty())
    Diags.report(Severity::Warning, Location(File), "the script has no PROBE");
  std::vector<std::string> Missing;
  if (llvm::Error E = findClasses(P, path::parent_path(File), Missing))
    return E;
  for (const std::string &Class : Missing)
    Diags.report(Severity::Note, Location(File),
                 "class '" + Class +
                     "' is not beside the script; the program must have it");
  if (llvm::Error E = checkCalls(P, File))
    return E;
  return P;
}

static bool recognises(const ProbeInput &In) {
  return In.hasExtension(".probescript");
}

const FrontEnd jopt::ScriptFrontEnd = {recognises, readScriptFile};
