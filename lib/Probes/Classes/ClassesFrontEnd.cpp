//===- ClassesFrontEnd.cpp - Probe classes --------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Probes that are ordinary Java classes with annotations, as in YourKit's
/// probe API: a class file, a folder or archive of them, or a source. No code
/// of them runs here. docs/ProbeClasses.md is the page for users.
///
//===----------------------------------------------------------------------===//

#include "../CompiledParts.h"
#include "../FrontEnds.h"
#include "MakeProbe.h"
#include "SourceFile.h"
#include "jopt/Advice/Matcher.h"
#include "jopt/Probes/Bundle/BundleArchive.h"
#include "jopt/Probes/ProbeModes.h"
#include "jopt/Probes/ReadyProbes.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace jopt;
using namespace jopt::classes;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static bool isClassFile(StringRef Content) {
  return Content.starts_with("\xca\xfe\xba\xbe");
}

static bool isArchive(StringRef Content) {
  return Content.starts_with("PK\3\4");
}

static bool recognises(const ProbeInput &In) {
  if (In.IsFolder || In.hasExtension(".java") || isClassFile(In.Content) ||
      StringRef(In.Path).starts_with(ReadyProbePrefix))
    return true;
  // The names of entries stand in an archive as they are. One with a script is
  // a bundle.
  return isArchive(In.Content) &&
         !StringRef(In.Content).contains(".probescript") &&
         StringRef(In.Content).contains(".class");
}

/// Adds the class file \p File as \p Path.
static Error addFile(CompiledClasses &Classes, const Twine &Path,
                     const std::string &File) {
  Expected<std::string> Content = readAtMost(File, MaxProbeFileSize);
  if (!Content)
    return Content.takeError();
  Classes.emplace_back(Path.str(), llvm::SmallVector<uint8_t, 0>(
                                       Content->begin(), Content->end()));
  return Error::success();
}

/// All class files below \p Folder.
static Expected<CompiledClasses> readFolder(const std::string &Folder) {
  CompiledClasses Classes;
  std::error_code EC;
  fs::recursive_directory_iterator It(Folder, EC, /*follow_symlinks=*/false);
  for (; !EC && It != fs::recursive_directory_iterator(); It.increment(EC)) {
    StringRef File = It->path();
    if (path::extension(File) != ".class" ||
        path::filename(File) == "module-info.class")
      continue;
    StringRef Path = File.drop_front(Folder.size()).ltrim('/');
    if (Error E = addFile(Classes, Path, File.str()))
      return E;
  }
  if (EC)
    return makeError(Location(Folder), EC.message());
  return Classes;
}

/// The class in \p File, of content \p Content, and those that are nested in
/// it, which lie beside it.
static Expected<CompiledClasses> readClassFile(const std::string &File,
                                               StringRef Content) {
  auto Class = readClass(toBytes(Content));
  if (!Class)
    return inFile(Class.takeError(), File);
  const std::string Name = (*Class)->name().str();
  auto [Package, Simple] = StringRef(Name).rsplit('/');
  if (Simple.empty())
    std::swap(Package, Simple);
  const std::string Prefix = Package.empty() ? "" : (Package + "/").str();
  CompiledClasses Classes;
  Classes.emplace_back(Name + ".class", llvm::SmallVector<uint8_t, 0>(
                                            Content.begin(), Content.end()));
  StringRef Folder = path::parent_path(File);
  std::error_code EC;
  fs::directory_iterator It(Folder.empty() ? "." : Folder, EC);
  for (; !EC && It != fs::directory_iterator(); It.increment(EC)) {
    StringRef Beside = path::filename(It->path());
    if (Beside.starts_with((Simple + "$").str()) && Beside.ends_with(".class"))
      if (Error E = addFile(Classes, Prefix + Beside, It->path()))
        return E;
  }
  return Classes;
}

static Expected<CompiledClasses> readArchive(const std::string &File) {
  auto Entries = readBundleArchive(File);
  if (!Entries)
    return Entries.takeError();
  // Of a jar for several releases the classes for the lowest.
  llvm::erase_if(*Entries, [](auto &E) {
    StringRef Name = E.first;
    return Name.starts_with("META-INF/") || Name == "module-info.class";
  });
  return Entries;
}

static Expected<CompiledClasses> readClasses(const ProbeInput &In,
                                             const ProbeOptions &Options,
                                             DiagnosticEngine &Diags) {
  if (StringRef Name = In.Path; Name.consume_front(ReadyProbePrefix))
    return readReadyProbe(Name);
  if (In.IsFolder)
    return readFolder(In.Path);
  if (In.isTooLarge())
    return makeError(Location(In.Path), "the file is too large for probes");
  if (isArchive(In.Content))
    return readArchive(In.Path);
  if (isClassFile(In.Content))
    return readClassFile(In.Path, In.Content);
  return compileSource(In.Path, In.Content, Options, Diags);
}

/// By their names: a class comes before those that are nested in it, which it
/// would not by its path with ".class".
static void sortByName(CompiledClasses &Classes) {
  auto Name = [](const auto &Class) {
    return StringRef(Class.first).take_until([](char C) { return C == '.'; });
  };
  llvm::stable_sort(
      Classes, [&](const auto &L, const auto &R) { return Name(L) < Name(R); });
}

/// Where messages about the class of path \p Class in \p In are.
static std::string placeOf(const ProbeInput &In, StringRef Class) {
  if (StringRef(In.Path).starts_with(ReadyProbePrefix))
    return In.Path;
  if (In.IsFolder) {
    llvm::SmallString<128> Path(In.Path);
    path::append(Path, Class);
    return Path.str().str();
  }
  return isArchive(In.Content) ? In.Path + "!/" + Class.str() : In.Path;
}

/// The packages of the annotations.
static std::vector<std::string> apiPackages(const ProbeOptions &Options) {
  std::vector<std::string> Packages = {"jopt.probes", "com.yourkit.probes"};
  llvm::append_range(Packages, Options.ProbeApi);
  return Packages;
}

static constexpr llvm::StringLiteral ModeNames[] = {"on", "off", "auto",
                                                    "disable"};

/// Checks the modes.
static Error checkModes(const ProbeOptions &Options) {
  for (StringRef Mode : Options.Modes)
    if (!llvm::is_contained(ModeNames, Mode.split(':').first))
      return makeError("'" + Mode +
                       "' is no mode of probe classes, as "
                       "off:com.example.*");
  return Error::success();
}

ProbeMode jopt::findMode(llvm::ArrayRef<std::string> Modes, StringRef Name) {
  for (StringRef Mode : llvm::reverse(Modes)) {
    auto [Word, Glob] = Mode.split(':');
    if (matchesWildcard(Glob, Name))
      return ProbeMode(llvm::find(ModeNames, Word) - ModeNames);
  }
  return ProbeMode::On;
}

AdviceSet jopt::selectProbes(const AdviceSet &From,
                             llvm::function_ref<bool(const Probe &)> Stays) {
  AdviceSet Set;
  std::vector<std::optional<unsigned>> Numbers;
  for (const Probe &P : From.Probes) {
    Numbers.emplace_back();
    if (!Stays(P))
      continue;
    Numbers.back() = unsigned(Set.Probes.size());
    Set.Probes.push_back(P);
  }
  for (const Advice &A : From.Advices)
    if (std::optional<unsigned> N = Numbers[A.Probe]) {
      Set.Advices.push_back(A);
      Set.Advices.back().Probe = *N;
    }
  return Set;
}

static Error noProbes(const ProbeInput &In,
                      llvm::ArrayRef<std::string> Packages) {
  StringRef Is = In.IsFolder               ? "is a folder, and none"
                 : isArchive(In.Content)   ? "is an archive without a script, "
                                             "and none"
                 : isClassFile(In.Content) ? "is a class file, and none"
                                           : "none";
  return makeError(Location(In.Path),
                   Is + " of its classes has @MethodPattern of " +
                       llvm::join(Packages, " or ") +
                       "; probes of other kinds are files: Probekit XML, lines "
                       "(*.probes), engine scripts or bundles");
}

namespace {

/// What the probe classes of one input come to.
struct Found {
  ProbePart Part;
  bool IsAnyOff = false;
};

} // namespace

/// \p PlaceOf says where a class, by its path, is for messages; \p HasLines,
/// whether its lines are those of that place.
static Expected<Found>
findProbes(const CompiledClasses &Classes,
           llvm::function_ref<std::string(StringRef)> PlaceOf, bool HasLines,
           const ProbeOptions &Options) {
  Found All;
  const std::vector<std::string> Packages = apiPackages(Options);
  for (const auto &[Path, Content] : Classes) {
    const std::string Place = PlaceOf(Path);
    auto Class = readClass(Content);
    if (!Class)
      return inFile(Class.takeError(), Place);
    auto Probe = readProbeClass(**Class, Packages);
    if (!Probe)
      continue;
    if (!isOn(Options.Modes, Probe->displayName())) {
      All.IsAnyOff = true;
      if (!Options.KeepsOff)
        continue;
    }
    auto Violations = findViolations(*Probe);
    for (Violation &V : Violations)
      All.Part.LeftOut.push_back({Severity::Undone,
                                  Location(Place, HasLines ? V.Line : 0), "",
                                  std::move(V.Message), ""});
    if (Violations.empty())
      appendProbe(All.Part.Advices, *Probe, Location(Place));
  }
  All.Part.UsesApi = true;
  return All;
}

Expected<ProbePart> jopt::readProbeClasses(CompiledClasses Classes,
                                           const ProbeOptions &Options) {
  ProbeOptions All = Options;
  All.KeepsOff = true;
  auto Found = findProbes(
      Classes, [](StringRef Path) { return Path.str(); }, /*HasLines=*/false,
      All);
  if (!Found)
    return Found.takeError();
  Found->Part.Classes = std::move(Classes);
  return std::move(Found->Part);
}

static Expected<ProbePart> read(const ProbeInput &In,
                                const ProbeOptions &Options,
                                DiagnosticEngine &Diags) {
  auto Classes = readClasses(In, Options, Diags);
  if (!Classes)
    return Classes.takeError();
  sortByName(*Classes);
  if (Error E = checkModes(Options))
    return E;
  auto All = findProbes(
      *Classes, [&](StringRef Path) { return placeOf(In, Path); },
      In.hasExtension(".java"), Options);
  if (!All)
    return All.takeError();
  ProbePart &Part = All->Part;
  std::vector<Diagnostic> &Wrong = Part.LeftOut;
  if (Part.Advices.Probes.empty() && !(All->IsAnyOff && Wrong.empty())) {
    Error Errors = Error::success();
    for (const Diagnostic &D : Wrong)
      Errors =
          llvm::joinErrors(std::move(Errors), makeError(D.Where, D.Message));
    return Wrong.empty() ? noProbes(In, apiPackages(Options))
                         : std::move(Errors);
  }
  for (Diagnostic &D : Wrong)
    D.Message += "; this probe class is applied nowhere";
  Part.Classes = std::move(*Classes);
  if (Error E = checkCalls(Part, In.Path))
    return E;
  return std::move(Part);
}

const FrontEnd jopt::ClassesFrontEnd = {recognises, read};
