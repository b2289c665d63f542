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
  llvm::sort(Classes);
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
  llvm::sort(Classes);
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
  llvm::sort(*Entries);
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

/// What is wrong with the modes.
static Error checkModes(const ProbeOptions &Options) {
  for (StringRef Mode : Options.Modes)
    if (StringRef Word = Mode.split(':').first;
        !llvm::is_contained({"on", "off", "auto", "disable"}, Word))
      return makeError("'" + Mode +
                       "' is no mode of probe classes, as "
                       "off:com.example.*");
  return Error::success();
}

/// Whether the probe class \p Name (dotted) is to be put in.
static bool isOn(const ProbeOptions &Options, StringRef Name) {
  for (StringRef Mode : llvm::reverse(Options.Modes)) {
    auto [Word, Glob] = Mode.split(':');
    if (matchesWildcard(Glob, Name))
      return Word == "on" || Word == "auto";
  }
  return true;
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

static Expected<ProbePart> read(const ProbeInput &In,
                                const ProbeOptions &Options,
                                DiagnosticEngine &Diags) {
  auto Classes = readClasses(In, Options, Diags);
  if (!Classes)
    return Classes.takeError();
  if (Error E = checkModes(Options))
    return E;
  ProbePart Part;
  bool IsAnyOff = false;
  const std::vector<std::string> Packages = apiPackages(Options);
  const bool FromSource = In.hasExtension(".java");
  std::vector<Diagnostic> Wrong;
  for (const auto &[Path, Content] : *Classes) {
    const std::string Place = placeOf(In, Path);
    auto Class = readClass(Content);
    if (!Class)
      return inFile(Class.takeError(), Place);
    auto Probe = readProbeClass(**Class, Packages);
    if (!Probe)
      continue;
    if (!isOn(Options, Probe->displayName())) {
      IsAnyOff = true;
      continue;
    }
    auto Violations = findViolations(*Probe);
    for (Violation &V : Violations)
      Wrong.push_back({Severity::Undone,
                       Location(Place, FromSource ? V.Line : 0), "",
                       std::move(V.Message), ""});
    if (Violations.empty())
      appendProbe(Part.Advices, *Probe, Location(Place));
  }
  if (Part.Advices.Probes.empty() && !(IsAnyOff && Wrong.empty())) {
    Error Errors = Error::success();
    for (const Diagnostic &D : Wrong)
      Errors =
          llvm::joinErrors(std::move(Errors), makeError(D.Where, D.Message));
    return Wrong.empty() ? noProbes(In, Packages) : std::move(Errors);
  }
  for (Diagnostic &D : Wrong)
    D.Message += "; this probe class is applied nowhere";
  Part.LeftOut = std::move(Wrong);
  Part.Classes = std::move(*Classes);
  Part.UsesApi = true;
  if (Error E = checkCalls(Part, In.Path))
    return E;
  return Part;
}

const FrontEnd jopt::ClassesFrontEnd = {recognises, read};
