//===- SessionChange.cpp - Probes that come to others, or leave them ------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Hosts/DefineClasses.h"
#include "jopt/Agent/Attach/Session.h"
#include "jopt/Agent/Telemetry/Log.h"
#include "jopt/Probes/Bundle/BundleArchive.h"
#include "jopt/Probes/LoadProbes.h"
#include "jopt/Probes/ProbeModes.h"
#include "jopt/Support/Files.h"
#include "jopt/Support/SharedPlaces.h"
#include "llvm/Support/FileSystem.h"

using namespace jopt;
using namespace jopt::agent;
using llvm::StringRef;

/// Those of \p Classes that probes of \p Advices still need: with all of their
/// package, and all that refer to one another, so that what stays is the same
/// as before.
static llvm::Expected<CompiledClasses>
neededClasses(const CompiledClasses &Classes, const AdviceSet &Advices) {
  Parts All;
  for (const auto &[Path, Data] : Classes) {
    auto P = readPart(Path, Data);
    if (!P)
      return P.takeError();
    std::string Name = P->Name;
    All.emplace(std::move(Name), std::move(*P));
  }
  llvm::StringSet<> Needed;
  for (const Parts &Group : divide(All))
    if (llvm::any_of(Advices.Advices, [&](const Advice &A) {
          return Group.count(A.Body.Owner);
        }))
      for (const auto &[Name, P] : Group)
        Needed.insert(Name);
  CompiledClasses Kept;
  for (const auto &Class : Classes)
    if (StringRef Name = Class.first;
        Name.consume_back(".class") && Needed.contains(Name))
      Kept.push_back(Class);
  return Kept;
}

/// The probes of \p Of that \p Stays accepts, with what is theirs.
static llvm::Expected<ProbeBundle>
selectBundle(const ProbeBundle &Of,
             llvm::function_ref<bool(const Probe &)> Stays) {
  ProbeBundle B;
  B.Advices = selectProbes(Of.Advices, Stays);
  B.UsesApi = Of.UsesApi;
  for (const ProbeBundle::Param &P : Of.Params)
    if (llvm::any_of(B.Advices.Probes,
                     [&](const Probe &Q) { return Q.Name == P.Probe; }))
      B.Params.push_back(P);
  auto Classes = neededClasses(Of.Classes, B.Advices);
  if (!Classes)
    return Classes.takeError();
  B.Classes = std::move(*Classes);
  return B;
}

/// Adds \p More to the end of \p To; entries that are there already move.
static void addLast(std::vector<std::string> &To,
                    llvm::ArrayRef<std::string> More) {
  llvm::erase_if(
      To, [&](const std::string &Is) { return llvm::is_contained(More, Is); });
  llvm::append_range(To, More);
}

/// Drops from \p Paths the files that had probes in \p Before and have none in
/// \p Now.
static void dropFiles(std::vector<std::string> &Paths, const AdviceSet &Before,
                      const AdviceSet &Now) {
  auto HasProbe = [](const AdviceSet &Of, StringRef Path) {
    return llvm::any_of(Of.Probes,
                        [&](const Probe &P) { return P.Where.File == Path; });
  };
  llvm::erase_if(Paths, [&](StringRef Path) {
    return HasProbe(Before, Path) && !HasProbe(Now, Path);
  });
}

/// Writes the probes to where classes are dumped, so that jopt can do what is
/// done here.
llvm::Error Session::dumpBundle() {
  auto Archive = makeBundleArchive(*Given.Files, /*WithScript=*/true);
  if (!Archive)
    return Archive.takeError();
  std::string Content;
  if (llvm::Error E = Archive->forEachChunk([&](Bytes Chunk) {
        Content += toStringRef(Chunk);
        return llvm::Error::success();
      }))
    return E;
  for (unsigned N = 1;; ++N) {
    Given.Bundle = Options.DumpFolder + "/probes-" + std::to_string(N) + ".jar";
    if (llvm::sys::fs::exists(Given.Bundle))
      continue;
    auto File = createOwn(Given.Bundle);
    if (!File)
      return File.takeError();
    return writeAll(*File, Content, Given.Bundle);
  }
}

llvm::Expected<std::shared_ptr<const Session>>
Session::change(const Session &Base, const Session *More,
                llvm::function_ref<bool(const Probe &)> Leaves) {
  auto IsReplaced = [&](const Probe &P) {
    return More &&
           llvm::any_of(More->files().Advices.Probes,
                        [&](const Probe &New) { return New.Name == P.Name; });
  };
  auto Files = selectBundle(Base.files(), [&](const Probe &P) {
    return !IsReplaced(P) && !Leaves(P);
  });
  if (!Files)
    return Files.takeError();
  std::shared_ptr<Session> S(new Session);
  S->Options = Base.Options;
  S->Given = Base.Given;
  dropFiles(S->Options.Weave.Probes, Base.files().Advices, Files->Advices);
  if (More) {
    append(Files->Advices, More->files().Advices);
    llvm::append_range(Files->Params, More->files().Params);
    Files->UsesApi |= More->files().UsesApi;
    if (llvm::Error E = addClasses(Files->Classes, More->files().Classes))
      return E;
    addLast(S->Options.Weave.Probes, More->Options.Weave.Probes);
    llvm::append_range(S->Options.Weave.Modes, More->Options.Weave.Modes);
    S->Given.OwnClasses = More->Given.OwnClasses;
  }
  S->Given.Files = std::make_shared<const ProbeBundle>(std::move(*Files));
  if (!S->Options.DumpFolder.empty())
    if (llvm::Error E = S->dumpBundle())
      return E;
  S->take({});
  if (llvm::Error E = S->finish())
    return E;
  return S;
}
