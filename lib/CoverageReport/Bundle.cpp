//===- Bundle.cpp - The coverage of a product -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/Bundle.h"
#include "Builds.h"
#include "jopt/Archive/Containers.h"
#include "jopt/Coverage/ClassId.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/Wildcards.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <mutex>

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static std::string binaryName(StringRef Internal) {
  std::string Name = Internal.str();
  std::replace(Name.begin(), Name.end(), '/', '.');
  return Name;
}

/// Lines from a comment `coverage:off` up to the next `coverage:on`, both
/// included; to the end if none follows.
static ExcludedLines findExcludedLines(StringRef Text) {
  ExcludedLines Found;
  int32_t Line = 0;
  for (StringRef Rest = Text; !Rest.empty();) {
    StringRef Own;
    std::tie(Own, Rest) = Rest.split('\n');
    ++Line;
    const bool IsOff = !Found.empty() && Found.back().second == INT32_MAX;
    const size_t Comment = Own.find("//");
    const StringRef Said =
        Comment == StringRef::npos ? "" : Own.drop_front(Comment + 2).trim();
    if (!IsOff && Said.starts_with("coverage:off"))
      Found.emplace_back(Line, INT32_MAX);
    else if (IsOff && Said.starts_with("coverage:on"))
      Found.back().second = Line;
  }
  return Found;
}

namespace {
/// Counts each class file where it is read.
class ClassCounter : public ContainerClient {
public:
  ClassCounter(const CoverageData &Ran, const BundleOptions &O)
      : Ran(Ran), O(O), Rules(O.Count.Rules) {}

  Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override {
    if (!E.Name.ends_with_insensitive(".class"))
      return EntryResult::unchanged();
    Found Own;
    Own.Ordinal = E.Ordinal;
    if (Error Err = count(Data, Own))
      Own.Wrong = E.display() + ": " + toMessage(std::move(Err));
    Own.Class.Input = E.Container->Input;
    const std::lock_guard<std::mutex> Guard(Lock);
    All.push_back(std::move(Own));
    return EntryResult::unchanged();
  }

  Error unreadable(const EntryInfo &E, Error Why) override {
    Found Own;
    Own.Ordinal = E.Ordinal;
    Own.Wrong = toMessage(std::move(Why));
    const std::lock_guard<std::mutex> Guard(Lock);
    All.push_back(std::move(Own));
    return Error::success();
  }

  struct Found {
    uint64_t Ordinal = 0;
    ClassCounters Class;
    std::string Wrong; ///< empty if it was counted
  };
  /// In the order of the inputs.
  std::vector<Found> take() {
    llvm::sort(All, [](const Found &A, const Found &B) {
      return A.Ordinal < B.Ordinal;
    });
    return std::move(All);
  }

private:
  Error count(Bytes Data, Found &Own) {
    auto F = readClass(Data);
    if (!F)
      return F.takeError();
    auto Has = [&](StringRef Name) {
      return ClassFile::findAttribute((*F)->Pool, (*F)->Attributes, Name);
    };
    // Nobody wrote a synthetic class, nor one that jopt put there. There may be
    // copies of inline functions in it, and JaCoCo 0.8.16 has it in its
    // reports.
    if ((*F)->Access & ACC_MODULE || Has("jopt.Added") ||
        (Rules == Filters::JaCoCo0816
             ? (*F)->name().ends_with("/package-info")
             : (*F)->Access & ACC_SYNTHETIC && !Has("SourceDebugExtension")))
      return Error::success();
    if (!O.ExcludedClasses.empty() &&
        matchesAnyWildcard(O.ExcludedClasses, binaryName((*F)->name())))
      return Error::success();
    const uint64_t Id = classId(Data);
    const ClassCoverage *Known = Ran.find(Id);
    auto C = countClass(**F, Id, Known, O.Count, excludedLines(**F));
    if (!C)
      return C.takeError();
    Own.Class = std::move(*C);
    return Error::success();
  }

  /// The lines of the source file of \p F that do not count.
  ExcludedLines excludedLines(const ClassFile &F) {
    const StringRef Source = sourceFile(F), Name = F.name();
    if (!O.TextOf || Source.empty())
      return {};
    const std::string Path =
        (Name.take_front(Name.rfind('/') + 1) + Source).str();
    const std::lock_guard<std::mutex> Guard(Lock);
    auto [It, IsNew] = Excluded.try_emplace(Path);
    if (IsNew)
      It->second = findExcludedLines(O.TextOf(toDisplayUTF8(Path)));
    return It->second;
  }

  const CoverageData &Ran;
  const BundleOptions &O;
  const Filters Rules;
  std::mutex Lock;
  std::vector<Found> All;
  llvm::StringMap<ExcludedLines> Excluded; ///< by source file
};
} // namespace

/// Those that count, by name, of all that were found.
static std::vector<ClassCounters>
chooseClasses(std::vector<ClassCounter::Found> All, const CarriedData &Data,
              llvm::function_ref<void(const Twine &)> Tell) {
  const CoverageData &Ran = Data.All;
  std::map<std::string, ClassCounter::Found *> Chosen;
  for (ClassCounter::Found &Own : All) {
    if (!Own.Wrong.empty()) {
      Tell(Own.Wrong);
      continue;
    }
    if (Own.Class.Name.empty())
      continue; // of no interest
    auto [It, IsNew] = Chosen.try_emplace(Own.Class.Name, &Own);
    if (!IsNew && Own.Class.HasRun && !It->second->Class.HasRun)
      It->second = &Own;
  }
  // Data of another class file says nothing about the chosen one.
  for (const ClassCoverage *C : Ran.classes())
    if (auto At = Chosen.find(C->Name);
        At != Chosen.end() && At->second->Class.Id != C->Id) {
      auto Kept = Data.Kept.find(C->Id);
      if (Kept != Data.Kept.end() && Kept->second.empty())
        continue;
      Tell("class " + toDisplayUTF8(C->Name) +
           ": another class file of the name ran" +
           (At->second->Class.HasRun ? " as well" : "") +
           (Kept != Data.Kept.end() ? Kept->second : ""));
    }
  std::vector<ClassCounters> Classes;
  for (auto &[Name, Own] : Chosen)
    if (Own->Class.HasRun || !Ran.hasName(Name))
      Classes.push_back(std::move(Own->Class));
  return Classes;
}

static void addToSource(PackageCounters &P, size_t Class,
                        llvm::StringMap<size_t> &Places) {
  ClassCounters &C = P.Classes[Class];
  if (C.SourceFile.empty()) {
    P.Counted += C.Counted;
    return;
  }
  auto [It, IsNew] = Places.try_emplace(C.SourceFile, P.Sources.size());
  if (IsNew)
    P.Sources.emplace_back().Name = C.SourceFile;
  SourceCounters &S = P.Sources[It->second];
  S.Counted += C.Counted;
  S.Lines.add(C.Lines);
  S.Classes.push_back(Class);
  C.Lines = LineTable();
}

/// Adds up the source files of \p P, whose classes are there.
static void finish(PackageCounters &P) {
  llvm::StringMap<size_t> Places;
  for (size_t I = 0; I < P.Classes.size(); ++I)
    addToSource(P, I, Places);
  for (SourceCounters &S : P.Sources) {
    S.Counted[Lines] = S.Lines.count();
    P.Counted += S.Counted;
  }
  llvm::sort(P.Sources, [](const SourceCounters &A, const SourceCounters &B) {
    return A.Name < B.Name;
  });
}

/// Adds the copies of inline functions that classes of \p Classes and of
/// \p Tests have to those that they are written in.
static void addAllCopies(std::vector<ClassCounters> &Classes,
                         llvm::ArrayRef<ClassCounters> Tests, Filters Rules) {
  llvm::StringMap<ClassCounters *> ByName;
  for (ClassCounters &C : Classes)
    ByName[C.Name] = &C;
  for (llvm::ArrayRef<ClassCounters> In :
       {llvm::ArrayRef<ClassCounters>(Classes), Tests})
    for (const ClassCounters &C : In)
      for (const auto &[Of, Lines] : C.Copies)
        if (auto At = ByName.find(Of); At != ByName.end()) {
          addCopies(*At->second, Lines);
          // JaCoCo counts a class that nobody wrote from then on.
          Counter &Class = At->second->Counted[coverage::Classes];
          if (Rules == Filters::JaCoCo0816 && !Class.total())
            Class.add(false);
        }
  if (Rules != Filters::JaCoCo0816)
    llvm::erase_if(Classes,
                   [](const ClassCounters &C) { return C.IsSynthetic; });
  for (ClassCounters &C : Classes) {
    C.Copies.clear();
    for (MethodCounters &M : C.Methods)
      M.Lines = LineTable();
  }
}

/// Counts the classes of \p Inputs, and chooses among those of one name.
static Expected<std::vector<ClassCounters>>
countAll(llvm::ArrayRef<std::string> Inputs, const CarriedData &Ran,
         const BundleOptions &Options,
         llvm::function_ref<void(const Twine &)> Tell) {
  auto In = InputSet::open(Inputs);
  if (!In)
    return In.takeError();
  ClassCounter Counter(Ran.All, Options);
  ProcessOptions O;
  O.Threads = Options.Threads;
  if (Error E = processInputs(*In, Counter, nullptr, O))
    return E;
  return chooseClasses(Counter.take(), Ran, Tell);
}

/// The packages of \p Classes, which are in order.
static std::vector<PackageCounters>
toPackages(std::vector<ClassCounters> Classes) {
  std::vector<PackageCounters> Packages;
  std::map<std::string, size_t> Places;
  for (ClassCounters &C : Classes) {
    const size_t Slash = C.Name.rfind('/');
    const std::string Package =
        Slash == std::string::npos ? "" : C.Name.substr(0, Slash);
    auto [It, IsNew] = Places.try_emplace(Package, Packages.size());
    if (IsNew)
      Packages.emplace_back().Name = Package;
    Packages[It->second].Classes.push_back(std::move(C));
  }
  for (PackageCounters &P : Packages)
    finish(P);
  llvm::sort(Packages, [](const PackageCounters &A, const PackageCounters &B) {
    return A.Name < B.Name;
  });
  return Packages;
}

/// A name for each of \p Inputs: its path without the folders with which all of
/// them begin, and without those with which all end.
static std::vector<std::string>
moduleNames(llvm::ArrayRef<std::string> Inputs) {
  std::vector<llvm::SmallVector<StringRef>> Paths;
  size_t Shortest = SIZE_MAX;
  for (StringRef Input : Inputs) {
    llvm::SmallVector<StringRef> &Parts = Paths.emplace_back();
    Input.split(Parts, '/', -1, /*KeepEmpty=*/false);
    Shortest = std::min(Shortest, Parts.size());
  }
  auto IsCommon = [&](auto PartOf) {
    return llvm::all_of(Paths, [&](llvm::ArrayRef<StringRef> Path) {
      return PartOf(Path) == PartOf(Paths.front());
    });
  };
  size_t Begin = 0, End = 0; // parts that all have
  while (Begin < Shortest &&
         IsCommon([&](llvm::ArrayRef<StringRef> P) { return P[Begin]; }))
    ++Begin;
  while (Begin + End < Shortest && IsCommon([&](llvm::ArrayRef<StringRef> P) {
           return P[P.size() - 1 - End];
         }))
    ++End;
  std::vector<std::string> Names;
  for (auto [Path, Input] : llvm::zip(Paths, Inputs)) {
    const auto Own = llvm::ArrayRef(Path).drop_front(Begin).drop_back(End);
    Names.push_back(Own.empty() ? Input : llvm::join(Own, "/"));
  }
  return Names;
}

/// The modules of \p Classes, one for each input that has classes.
static std::vector<ModuleCounters>
toModules(llvm::ArrayRef<ClassCounters> Classes,
          llvm::ArrayRef<std::string> Inputs) {
  std::vector<ModuleCounters> Modules;
  unsigned Input = 0;
  for (const std::string &Name : moduleNames(Inputs)) {
    std::vector<ClassCounters> Own;
    llvm::copy_if(Classes, std::back_inserter(Own),
                  [&](const ClassCounters &C) { return C.Input == Input; });
    ++Input;
    if (Own.empty())
      continue;
    ModuleCounters &M = Modules.emplace_back();
    M.Name = Name;
    M.Packages = toPackages(std::move(Own));
    for (const PackageCounters &P : M.Packages)
      M.Counted += P.Counted;
  }
  return Modules;
}

Expected<Bundle>
coverage::countClasses(llvm::ArrayRef<std::string> Inputs,
                       const CoverageData &Ran, const BundleOptions &Options,
                       llvm::function_ref<void(const Twine &)> Tell) {
  CarriedData Carried{Ran, {}};
  if (Error E = carryOverBuilds(Inputs, Options.Threads, Carried))
    return E;
  auto Classes = countAll(Inputs, Carried, Options, Tell);
  if (!Classes)
    return Classes.takeError();
  std::vector<ClassCounters> Tests;
  if (!Options.Tests.empty()) {
    auto Found = countAll(Options.Tests, Carried, Options, Tell);
    if (!Found)
      return Found.takeError();
    Tests = std::move(*Found);
  }
  addAllCopies(*Classes, Tests, Options.Count.Rules);
  Bundle B;
  B.Name = Options.Name;
  B.Sessions = Ran.sessions();
  if (Options.ByModule && Inputs.size() > 1)
    B.Modules = toModules(*Classes, Inputs);
  B.Packages = toPackages(std::move(*Classes));
  for (const PackageCounters &P : B.Packages)
    B.Counted += P.Counted;
  return B;
}
