//===- Bundle.cpp - The coverage of a product -----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/Bundle.h"
#include "jopt/Archive/Containers.h"
#include "jopt/Coverage/ClassId.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <mutex>

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {
/// Counts each class file where it is read.
class ClassCounter : public ContainerClient {
public:
  ClassCounter(const CoverageData &Ran, Filters Rules)
      : Ran(Ran), Rules(Rules) {}

  Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override {
    if (!E.Name.ends_with_insensitive(".class"))
      return EntryResult::unchanged();
    Found Own;
    Own.Ordinal = E.Ordinal;
    if (Error Err = count(Data, Own))
      Own.Wrong = E.display() + ": " + toMessage(std::move(Err));
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
    bool HasRun = false;
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
    // Nobody wrote a synthetic class, nor one that jopt put there.
    if ((*F)->Access & (ACC_MODULE | ACC_SYNTHETIC) ||
        ClassFile::findAttribute((*F)->Pool, (*F)->Attributes, "jopt.Added"))
      return Error::success();
    const uint64_t Id = classId(Data);
    const ClassCoverage *Known = Ran.find(Id);
    auto C = countClass(**F, Id, Known, Rules);
    if (!C)
      return C.takeError();
    Own.HasRun = Known;
    Own.Class = std::move(*C);
    return Error::success();
  }

  const CoverageData &Ran;
  const Filters Rules;
  std::mutex Lock;
  std::vector<Found> All;
};
} // namespace

/// Those that count, by name, of all that were found.
static std::vector<ClassCounters>
chooseClasses(std::vector<ClassCounter::Found> All, const CoverageData &Ran,
              llvm::function_ref<void(const Twine &)> Tell) {
  std::map<std::string, ClassCounter::Found *> Chosen;
  for (ClassCounter::Found &Own : All) {
    if (!Own.Wrong.empty()) {
      Tell(Own.Wrong);
      continue;
    }
    if (Own.Class.Name.empty())
      continue; // of no interest
    auto [It, IsNew] = Chosen.try_emplace(Own.Class.Name, &Own);
    if (!IsNew && Own.HasRun && !It->second->HasRun)
      It->second = &Own;
  }
  // Data of another class file says nothing about the chosen one.
  for (const ClassCoverage *C : Ran.classes())
    if (auto At = Chosen.find(C->Name);
        At != Chosen.end() && At->second->Class.Id != C->Id)
      Tell("class " + toDisplayUTF8(C->Name) +
           ": another class file of the name ran" +
           (At->second->HasRun ? " as well" : ""));
  std::vector<ClassCounters> Classes;
  for (auto &[Name, Own] : Chosen)
    if (Own->HasRun || !Ran.hasName(Name))
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

Expected<Bundle>
coverage::countClasses(llvm::ArrayRef<std::string> Inputs,
                       const CoverageData &Ran, const BundleOptions &Options,
                       llvm::function_ref<void(const Twine &)> Tell) {
  auto In = InputSet::open(Inputs);
  if (!In)
    return In.takeError();
  ClassCounter Counter(Ran, Options.Rules);
  ProcessOptions O;
  O.Threads = Options.Threads;
  if (Error E = processInputs(*In, Counter, nullptr, O))
    return E;
  Bundle B;
  B.Name = Options.Name;
  B.Sessions = Ran.sessions();
  std::map<std::string, size_t> Places;
  for (ClassCounters &C : chooseClasses(Counter.take(), Ran, Tell)) {
    const size_t Slash = C.Name.rfind('/');
    const std::string Package =
        Slash == std::string::npos ? "" : C.Name.substr(0, Slash);
    auto [It, IsNew] = Places.try_emplace(Package, B.Packages.size());
    if (IsNew)
      B.Packages.emplace_back().Name = Package;
    B.Packages[It->second].Classes.push_back(std::move(C));
  }
  for (PackageCounters &P : B.Packages) {
    finish(P);
    B.Counted += P.Counted;
  }
  llvm::sort(B.Packages,
             [](const PackageCounters &A, const PackageCounters &B) {
               return A.Name < B.Name;
             });
  return B;
}
