//===- BundlePlacement.cpp - Where probe classes go -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BundlePlacement.h"
#include "jopt/Probes/Bundle/BundleArchive.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Weave/Original.h"
#include "jopt/Weave/ProbeMark.h"
#include "jopt/Writer/ClassWriter.h"
#include <algorithm>
#include <set>

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

bool jopt::sharesLoaderWith(StringRef Name, const ContainerInfo &Outer) {
  StringRef Ending = StringRef(Outer.Name).rsplit('.').second;
  if (Name.starts_with("WEB-INF/lib/") || Name.starts_with("BOOT-INF/lib/") ||
      Name.starts_with("WEB-INF/lib-provided/"))
    return true;
  // Every module of an EAR sees what lies in its lib/.
  return Ending.equals_insensitive("ear");
}

static bool isIn(StringRef Name, StringRef Folder) {
  return Name.starts_with(Folder);
}

std::vector<std::string>
BundlePlacement::classFolders(const ContainerEditor &C) const {
  const ContainerInfo &I = C.info();
  if (I.TheKind == ContainerInfo::Kind::Folder)
    return {""};
  bool Web = false, Boot = false;
  for (size_t K = 0; K < C.size(); ++K) {
    Web |= isIn(C.name(K), "WEB-INF/");
    Boot |= isIn(C.name(K), "BOOT-INF/");
    if (C.name(K) == "META-INF/application.xml")
      return {};
  }
  StringRef Ending = StringRef(I.Name).rsplit('.').second;
  if (Ending.equals_insensitive("ear"))
    return {};
  if (!Boot && !Web)
    return {Ending.equals_insensitive("jmod") ? "classes/" : ""};
  // Classes of the root are loaded by the parent of the loader of the others.
  bool OfRoot = false;
  for (size_t K = 0; K < C.size() && !OfRoot; ++K)
    OfRoot = C.isReplaced(K) && C.name(K).ends_with(".class") &&
             !isIn(C.name(K), "WEB-INF/") && !isIn(C.name(K), "BOOT-INF/");
  if (Boot)
    return {OfRoot ? "" : "BOOT-INF/classes/"};
  // In a server nobody sees the root; started by itself, the root comes first.
  if (OfRoot)
    return {"", "WEB-INF/classes/"};
  return {"WEB-INF/classes/"};
}

/// The packages of the classes of \p B, dotted.
static std::set<std::string> packagesOf(const ProbeBundle &B) {
  std::set<std::string> Packages;
  for (const auto &[Path, Data] : B.Classes) {
    std::string Package =
        StringRef(Path)
            .take_front(Path.rfind('/') == std::string::npos ? 0
                                                             : Path.rfind('/'))
            .str();
    std::replace(Package.begin(), Package.end(), '/', '.');
    Packages.insert(std::move(Package));
  }
  return Packages;
}

Expected<std::unique_ptr<BundlePlacement>>
BundlePlacement::create(const ProbeBundle &B, bool KeepOriginal, Report &R) {
  std::unique_ptr<BundlePlacement> P(new BundlePlacement(KeepOriginal, R));
  P->Bundle.Advices = B.Advices;
  for (const auto &[Path, Data] : B.Classes) {
    auto Marked = markAdded(Data);
    if (!Marked)
      return inFile(Marked.takeError(), Path);
    P->Bundle.Classes.emplace_back(Path, std::move(*Marked));
  }
  return P;
}

/// The module descriptor \p I of \p C gets the packages of the probe classes.
Error BundlePlacement::addPackages(ContainerEditor &C, size_t I) {
  auto Old = C.read(I);
  if (!Old)
    return Old.takeError();
  llvm::SmallVector<uint8_t, 0> Data = *Old;
  bool Changed = false;
  for (const std::string &Package : packagesOf(Bundle)) {
    if (Package.empty()) {
      Rep.note(C.info().Display +
               " is a module: it cannot see probe classes in the unnamed "
               "package");
      continue;
    }
    auto New = withModulePackage(Data, Package);
    if (!New)
      return inFile(New.takeError(), C.info().Display + "!/" + C.name(I).str());
    Changed |= !New->empty();
    if (!New->empty())
      Data = std::move(*New);
  }
  if (!Changed)
    return Error::success();
  return replace(C, I, Data, *Old);
}

Error BundlePlacement::replace(ContainerEditor &C, size_t I, Bytes New,
                               Bytes Old) {
  if (!KeepOriginal)
    return C.replace(I, New);
  // A class that was woven before still has its original.
  auto First = readOriginal(Old);
  if (!First)
    llvm::consumeError(First.takeError());
  auto Kept = withOriginal(New, First && *First ? Bytes(**First) : Old);
  return Kept ? C.replace(I, *Kept) : Kept.takeError();
}

Error BundlePlacement::markOwn(ContainerEditor &C, StringRef Path,
                               bool BySites) {
  std::optional<size_t> I = C.find(Path);
  if (!I)
    return Error::success();
  auto Old = C.read(*I);
  if (!Old)
    return Old.takeError();
  auto New = markWoven(*Old, BySites);
  if (!New)
    return inFile(New.takeError(), C.info().Display + "!/" + Path.str());
  return replace(C, *I, *New, *Old);
}

Error BundlePlacement::addTo(ContainerEditor &C, const std::string &Folder) {
  for (const auto &[Path, Data] : Bundle.Classes)
    if (Error E = C.add(Folder + Path, Data))
      return E;
  for (const auto &[Path, BySites] : Own)
    if (Error E = markOwn(C, Folder + Path, BySites))
      return E;
  return Error::success();
}

/// Quarkus starts with this one on the class path. Its loader finds packages by
/// an index, and asks the one above it for others.
static bool isLauncher(const ContainerInfo &I) {
  return I.Name == "quarkus-run.jar" && I.Parent;
}

Error BundlePlacement::addToLauncher(ContainerEditor &C) {
  if (!isLauncher(C.info()) || Bundle.Classes.empty())
    return Error::success();
  HaveCopyAbove.insert(C.info().Parent->Display);
  return addTo(C, "");
}

Error BundlePlacement::finish(ContainerEditor &C) {
  const ContainerInfo &I = C.info();
  if (I.TheKind == ContainerInfo::Kind::File || !C.changed() || isLauncher(I))
    return Error::success();
  if (I.TheKind == ContainerInfo::Kind::Folder && !Bundle.Classes.empty())
    for (size_t K = 0; K < C.size(); ++K)
      if (C.name(K) == "quarkus/quarkus-application.dat")
        Indexed.insert(I.Display);
  if (I.Parent && I.Parent->TheKind == ContainerInfo::Kind::Archive &&
      sharesLoaderWith(I.Name, *I.Parent))
    return Error::success(); // the outer one gets them

  const std::vector<std::string> Folders = classFolders(C);
  if (Folders.empty()) {
    auto Archive = makeBundleArchive(Bundle);
    if (!Archive)
      return Archive.takeError();
    llvm::SmallVector<uint8_t, 0> Data;
    if (Error E = Archive->forEachChunk([&](Bytes Chunk) {
          Data.append(Chunk.begin(), Chunk.end());
          return Error::success();
        }))
      return E;
    Rep.note("probe classes of " + I.Display + " are in lib/jopt-probes.jar");
    return C.add("lib/jopt-probes.jar", Data, /*Deflate=*/false);
  }
  // A container needs no copy if none of its own classes changed, but only
  // those of an inner archive that does not share its loader.
  const std::string &Folder = Folders.front();
  if (!C.entriesChanged() && Folder.empty())
    return Error::success();

  for (const std::string &To : Folders)
    if (Error E = addTo(C, To))
      return E;
  if (I.Parent && ++Copies[I.Parent->Id] == 2)
    Rep.note("archives in " + I.Parent->Display +
             " have no common class loader that jopt knows: each has its own "
             "copy of the probe classes, with state of its own");

  std::string Module;
  for (size_t K = 0; K < C.size(); ++K) {
    StringRef Name = C.name(K);
    bool Versioned = Name.starts_with("META-INF/versions/") &&
                     Name.ends_with("/module-info.class");
    if (Name != Folder + "module-info.class" && !Versioned)
      continue;
    auto Data = C.read(K);
    if (!Data)
      return Data.takeError();
    Module = moduleName(*Data);
    if (Error E = addPackages(C, K))
      return E;
  }
  // No module path leads into an archive.
  const bool IsOuter =
      !I.Parent || I.Parent->TheKind == ContainerInfo::Kind::Folder;
  if (Bundle.Classes.empty() || !IsOuter)
    return Error::success();
  if (!Module.empty())
    Modules.insert(Module);
  else if (I.TheKind == ContainerInfo::Kind::Archive)
    Others.insert(I.Display);
  return Error::success();
}

/// "a, b, c"; of many the first.
static std::string listed(const std::set<std::string> &Names) {
  constexpr size_t Most = 3;
  std::string Text;
  size_t Told = 0;
  for (const std::string &Name : Names) {
    if (Told == Most)
      return Text + " and " + std::to_string(Names.size() - Most) + " more";
    Text += (Told++ ? ", " : "") + Name;
  }
  return Text;
}

void BundlePlacement::reportCopies(DiagnosticEngine &Diags) {
  constexpr StringRef Remedy =
      "-emit-bundle=FILE writes one copy, to a jar for the class path or, with "
      "java -jar and where a loader has an index, for -Xbootclasspath/a:FILE";
  for (const std::string &Place : Indexed) {
    if (HaveCopyAbove.count(Place))
      continue;
    Rep.undone(Location(Place),
               ("Quarkus' loader finds classes by quarkus-application.dat, "
                "which does not have the probe classes, so the program does "
                "not start; " +
                Remedy)
                   .str());
  }
  const size_t Count = Modules.size() + Others.size();
  if (Count < 2 || !Indexed.empty())
    return;
  std::string Packages;
  for (const std::string &P : packagesOf(Bundle))
    Packages += (Packages.empty() ? "" : ", ") + P;
  if (Modules.empty()) {
    Diags.report(Severity::Note, Location(),
                 std::to_string(Count) +
                     " archives have a copy of the probe classes each. On a "
                     "module path, or where a loader knows beforehand what is "
                     "in which archive, the program would not find them: " +
                     Remedy);
    return;
  }
  std::string Text = "module";
  Text += Modules.size() == 1 ? " " : "s ";
  Text += listed(Modules);
  if (!Others.empty())
    Text += " and " + listed(Others);
  Text +=
      " each have the package " + Packages +
      " of the probe classes: as modules of one program they do not start; " +
      Remedy.str();
  Rep.undone(Location(), std::move(Text));
}

Expected<llvm::SmallVector<uint8_t, 0>>
jopt::withModulePackage(Bytes ModuleInfo, StringRef Package) {
  auto Class = readClass(ModuleInfo);
  if (!Class)
    return Class.takeError();
  ClassFile &F = **Class;
  for (Attribute &A : F.Attributes) {
    if (F.Pool.utf8(A.NameIndex) != "ModulePackages")
      continue;
    std::string Internal = Package.str();
    std::replace(Internal.begin(), Internal.end(), '.', '/');
    CPEntry E;
    E.Tag = CPTag::Package;
    E.A = F.Pool.addUtf8(Internal);
    uint16_t Index = F.Pool.addEntry(E);
    ByteCursor C(A.Data);
    unsigned Count = C.u2();
    if (C.remaining() != size_t(Count) * 2 || Count == 65535)
      return makeError("malformed ModulePackages attribute");
    ByteWriter W;
    W.u2(uint16_t(Count + 1));
    W.bytes(C.bytes(size_t(Count) * 2));
    W.u2(Index);
    A.Data = F.save(W.data());
    F.Changed = true;
    return writeClass(F);
  }
  return llvm::SmallVector<uint8_t, 0>();
}

Expected<llvm::SmallVector<uint8_t, 0>>
jopt::withoutModuleHashes(Bytes ModuleInfo) {
  auto Class = readClass(ModuleInfo);
  if (!Class)
    return Class.takeError();
  ClassFile &F = **Class;
  if (!ClassFile::findAttribute(F.Pool, F.Attributes, "ModuleHashes"))
    return llvm::SmallVector<uint8_t, 0>();
  F.dropAttribute("ModuleHashes");
  F.Changed = true;
  return writeClass(F);
}

std::string jopt::moduleName(Bytes ModuleInfo) {
  auto Class = readClass(ModuleInfo);
  if (!Class) {
    llvm::consumeError(Class.takeError());
    return {};
  }
  ClassFile &F = **Class;
  const Attribute *A = ClassFile::findAttribute(F.Pool, F.Attributes, "Module");
  if (!A || A->Data.size() < 2)
    return {};
  return toDisplayUTF8(F.Pool.name(readU2(A->Data.data())));
}
