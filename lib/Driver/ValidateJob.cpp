//===- ValidateJob.cpp - A run of jopt -validate --------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Driver/ValidateJob.h"
#include "ClassFileMagic.h"
#include "jopt/Archive/Containers.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Validate/Validator.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include <map>
#include <mutex>

using namespace jopt;
using llvm::StringRef;

/// Where an entry is in the input that the user named; empty for a class file
/// that is the input.
static std::string placeOf(const EntryInfo &E) {
  if (E.Container->TheKind == ContainerInfo::Kind::File && !E.Container->Parent)
    return "";
  std::string Place = E.Name.str();
  for (const ContainerInfo *C = E.Container; C->Parent; C = C->Parent)
    Place = C->Name + "!/" + Place;
  return Place;
}

namespace {

/// Keeps the class files of an input.
class NewClasses : public ContainerClient {
public:
  llvm::Expected<EntryResult> transform(const EntryInfo &E,
                                        Bytes Data) override {
    if (!isClassFile(Data))
      return EntryResult::unchanged();
    std::lock_guard Lock(Mutex);
    Classes[placeOf(E)].assign(Data.begin(), Data.end());
    return EntryResult::unchanged();
  }

  llvm::StringMap<std::vector<uint8_t>> Classes;

private:
  std::mutex Mutex;
};

/// Compares the classes of the other input with them.
class Comparer : public ContainerClient {
public:
  explicit Comparer(const NewClasses &New) : New(New) {}

  llvm::Expected<EntryResult> transform(const EntryInfo &E,
                                        Bytes Data) override;

  struct OfClass {
    std::string Display;
    std::vector<MethodVerdict> Verdicts;
  };
  std::map<uint64_t, OfClass> All; ///< by EntryInfo::Ordinal
  llvm::StringMap<char> Found;     ///< places that both have

private:
  const NewClasses &New;
  std::mutex Mutex;
};

} // namespace

llvm::Expected<EntryResult> Comparer::transform(const EntryInfo &E,
                                                Bytes Data) {
  if (!isClassFile(Data))
    return EntryResult::unchanged();
  OfClass Of{E.display(), {}};
  const std::string Place = placeOf(E);
  auto It = New.Classes.find(Place);
  if (It == New.Classes.end()) {
    Of.Verdicts.push_back(
        {Verdict::Differs, Place, "there is no such class in the other input"});
  } else {
    auto Verdicts = validateClass(Data, It->second);
    if (!Verdicts)
      return inFile(Verdicts.takeError(), Of.Display);
    Of.Verdicts = std::move(*Verdicts);
  }
  std::lock_guard Lock(Mutex);
  All[E.Ordinal] = std::move(Of);
  Found[Place] = 1;
  return EntryResult::unchanged();
}

/// One walk over one input.
static llvm::Error walk(const std::string &Name, ContainerClient &Client,
                        unsigned Threads) {
  auto In = InputSet::open({Name}, Threads);
  if (!In)
    return In.takeError();
  ProcessOptions Options;
  Options.Threads = Threads;
  return processInputs(*In, Client, nullptr, Options);
}

JobStatus jopt::validateInputs(const std::string &Old, const std::string &New,
                               unsigned Threads, DiagnosticEngine &Diags,
                               ValidateCounts &Counts) {
  NewClasses Classes;
  Comparer Work(Classes);
  auto IsClass = [](llvm::StringRef Path) { return Path.ends_with(".class"); };
  llvm::Error E =
      IsClass(Old) == IsClass(New)
          ? walk(New, Classes, Threads)
          : makeError("one input is a class file and the other is not: give "
                      "two class files, or two archives or folders");
  if (!E && Classes.Classes.empty())
    E = makeError(Location(New), "there is no class file in it");
  if (!E)
    E = walk(Old, Work, Threads);
  if (!E && Work.All.empty())
    E = makeError(Location(Old), "there is no class file in it");
  if (E) {
    Diags.report(std::move(E));
    return JobStatus::Unusable;
  }
  for (const auto &[Ordinal, Of] : Work.All)
    for (const MethodVerdict &V : Of.Verdicts)
      switch (V.Found) {
      case Verdict::Equal:
        ++Counts.Equal;
        break;
      case Verdict::Proved:
        ++Counts.Proved;
        break;
      case Verdict::NotProved:
        ++Counts.NotProved;
        Diags.report(Severity::Undone, Location(Of.Display),
                     V.Where + ": not proved: " + V.Reason);
        break;
      case Verdict::Differs:
        ++Counts.Different;
        Diags.report(Severity::Error, Location(Of.Display),
                     V.Where + ": differs: " + V.Reason);
        break;
      }
  for (const std::string &Place : [&] {
         std::vector<std::string> More;
         for (const auto &Class : Classes.Classes)
           if (!Work.Found.count(Class.getKey()))
             More.push_back(Class.getKey().str());
         llvm::sort(More);
         return More;
       }()) {
    ++Counts.Different;
    Diags.report(Severity::Error, Location(New),
                 Place +
                     ": differs: there is no such class in the other input");
  }
  if (Counts.Different)
    return JobStatus::Unusable;
  return Counts.NotProved ? JobStatus::LeftUndone : JobStatus::Done;
}
