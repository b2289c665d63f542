//===- BundleChoice.cpp - Which probe classes a run writes ----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BundleChoice.h"
#include "ClassNames.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Weave/Original.h"
#include <map>
#include <mutex>

using namespace jopt;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static StringRef withoutEnd(StringRef Path) {
  Path.consume_back(".class");
  return Path;
}

/// Whether the class file \p Data belongs at \p Path.
static bool isNamed(Bytes Data, StringRef Path) {
  auto Class = readClass(Data);
  if (Class)
    return (*Class)->name() == withoutEnd(Path);
  llvm::consumeError(Class.takeError());
  return false;
}

namespace {
/// Looks for classes in the inputs by their paths, below whatever folder, that
/// no earlier run put there.
class OwnClasses : public ContainerClient {
public:
  explicit OwnClasses(const llvm::StringMap<Bytes> &Wanted) : Wanted(Wanted) {}

  EntryPlan plan(const EntryInfo &E) override {
    const EntryPlan P = planByName(E);
    return P == EntryPlan::Transform && !find(E) ? EntryPlan::Copy : P;
  }
  Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override {
    const auto *Found = find(E);
    if (!Found || isAdded(Data) || !isNamed(Data, Found->first()))
      return EntryResult::unchanged();
    bool Same = Data.equals(Found->second);
    if (!Same) {
      if (auto Original = readOriginal(Data))
        Same = *Original && Bytes(**Original).equals(Found->second);
      else
        llvm::consumeError(Original.takeError());
    }
    const std::lock_guard<std::mutex> Guard(Lock);
    auto [It, IsNew] = Here.try_emplace(Found->first().str(), Same);
    It->second |= Same;
    return EntryResult::unchanged();
  }
  Error unreadable(const EntryInfo &, Error Why) override {
    llvm::consumeError(std::move(Why)); // the walk that weaves reports it
    return Error::success();
  }

  std::map<std::string, bool> Here; ///< by path: it is the one that is wanted

private:
  /// Of a single file only its content says where it belongs.
  const llvm::StringMapEntry<Bytes> *find(const EntryInfo &E) const {
    for (StringRef Path = E.Name;; Path = Path.split('/').second) {
      if (auto At = Wanted.find(Path); At != Wanted.end())
        return &*At;
      if (!Path.contains('/'))
        break;
    }
    if (E.Container->TheKind == ContainerInfo::Kind::File)
      for (const auto &Each : Wanted)
        if (Each.first().rsplit('/').second == E.Name)
          return &Each;
    return nullptr;
  }

  const llvm::StringMap<Bytes> &Wanted;
  std::mutex Lock;
};
} // namespace

/// It has the annotation that makes a class one of probes, in whatever package
/// that is: the program may register it.
static bool isProbeClass(const ClassFile &F) {
  return llvm::any_of(F.Pool.entries(), [](const CPEntry &E) {
    return E.Tag == CPTag::Utf8 && E.text().ends_with("/MethodPattern;");
  });
}

Expected<BundleChoice>
jopt::chooseClasses(const ProbeBundle &B, const llvm::StringSet<> &CameCompiled,
                    const InputSet &In, const ProcessOptions &Options) {
  BundleChoice Choice;
  if (CameCompiled.empty())
    return Choice;
  NamedClasses Named;
  std::vector<std::string> Roots;
  for (const Advice &A : B.Advices.Advices)
    Roots.push_back(A.Body.Owner);
  for (const Probe &P : B.Advices.Probes)
    Roots.push_back(P.StaticField);
  for (const auto &[Path, Data] : B.Classes) {
    const StringRef Name = withoutEnd(Path);
    auto Class = readClass(Data);
    if (!Class)
      return inFile(Class.takeError(), Path);
    Named[Name] = namesIn(**Class);
    if (!CameCompiled.contains(Path) || isProbeClass(**Class))
      Roots.push_back(Name.str());
  }
  const llvm::StringSet<> Needed = reachableClasses(Named, std::move(Roots));
  llvm::StringMap<Bytes> Wanted;
  for (const auto &[Path, Data] : B.Classes)
    if (!Needed.contains(withoutEnd(Path)))
      Choice.LeftOut.insert(Path);
    else if (CameCompiled.contains(Path))
      Wanted[Path] = Data;
  OwnClasses Own(Wanted);
  if (Error E = processInputs(In, Own, nullptr, Options))
    return E;
  for (const auto &[Path, Same] : Own.Here) {
    Choice.LeftOut.insert(Path);
    Choice.OfInputs.push_back(Path);
    if (!Same)
      Choice.Different.push_back(Path);
  }
  return Choice;
}
