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

std::optional<std::string>
BundlePlacement::classFolder(const ContainerEditor &C) const {
  const ContainerInfo &I = C.info();
  if (I.TheKind == ContainerInfo::Kind::Folder)
    return "";
  bool Web = false, Boot = false;
  for (size_t K = 0; K < C.size(); ++K) {
    Web |= C.name(K).starts_with("WEB-INF/");
    Boot |= C.name(K).starts_with("BOOT-INF/");
    if (C.name(K) == "META-INF/application.xml")
      return std::nullopt;
  }
  StringRef Ending = StringRef(I.Name).rsplit('.').second;
  if (Ending.equals_insensitive("ear"))
    return std::nullopt;
  if (Boot)
    return "BOOT-INF/classes/";
  if (Web)
    return "WEB-INF/classes/";
  if (Ending.equals_insensitive("jmod"))
    return "classes/";
  return "";
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
  if (KeepOriginal) {
    auto Kept = withOriginal(Data, *Old);
    if (!Kept)
      return Kept.takeError();
    Data = std::move(*Kept);
  }
  return C.replace(I, Data);
}

Error BundlePlacement::finish(ContainerEditor &C) {
  const ContainerInfo &I = C.info();
  if (I.TheKind == ContainerInfo::Kind::File || !C.changed())
    return Error::success();
  if (I.Parent && I.Parent->TheKind == ContainerInfo::Kind::Archive &&
      sharesLoaderWith(I.Name, *I.Parent))
    return Error::success(); // the outer one gets them

  std::optional<std::string> Folder = classFolder(C);
  if (!Folder) {
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
  if (!C.entriesChanged() && Folder->empty())
    return Error::success();

  for (const auto &[Path, Data] : Bundle.Classes)
    if (Error E = C.add(*Folder + Path, Data))
      return E;
  if (I.Parent && ++Copies[I.Parent->Id] == 2)
    Rep.note("archives in " + I.Parent->Display +
             " have no common class loader that jopt knows: each has its own "
             "copy of the probe classes, with state of its own");

  for (size_t K = 0; K < C.size(); ++K) {
    StringRef Name = C.name(K);
    bool Versioned = Name.starts_with("META-INF/versions/") &&
                     Name.ends_with("/module-info.class");
    if (Name != *Folder + "module-info.class" && !Versioned)
      continue;
    if (Error E = addPackages(C, K))
      return E;
  }
  return Error::success();
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
