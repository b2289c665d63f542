//===- Builds.cpp - Data of several builds of a class ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builds.h"
#include "jopt/Archive/Containers.h"
#include "jopt/Coverage/ClassId.h"
#include "jopt/Coverage/EqualCode.h"
#include "jopt/Reader/ClassReader.h"
#include "llvm/ADT/StringSet.h"
#include <mutex>

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

namespace {
/// Finds the class files of several builds of a class that ran.
class BuildFinder : public ContainerClient {
public:
  explicit BuildFinder(const CoverageData &Ran) : Ran(Ran) {
    llvm::StringSet<> Names;
    for (const ClassCoverage *C : Ran.classes())
      if (!Names.insert(C->Name).second)
        Several.insert(C->Name);
  }

  bool isNeeded() const { return !Several.empty(); }

  Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override {
    const uint64_t Id =
        E.Name.ends_with_insensitive(".class") ? classId(Data) : uint64_t(0);
    const ClassCoverage *Known = Ran.find(Id);
    if (!Known || !Several.contains(Known->Name))
      return EntryResult::unchanged();
    auto F = readClass(Data);
    auto Methods =
        F ? readMethods(**F, Id) : Expected<ClassMethods>(F.takeError());
    if (!Methods) {
      llvm::consumeError(Methods.takeError()); // told where it is counted
      return EntryResult::unchanged();
    }
    const std::lock_guard<std::mutex> Guard(Lock);
    Builds[Known->Name].emplace(E.Ordinal, std::move(*Methods));
    return EntryResult::unchanged();
  }

  Error unreadable(const EntryInfo &, Error Why) override {
    llvm::consumeError(std::move(Why)); // told where it is counted
    return Error::success();
  }

  /// By name, in the order of the inputs.
  std::map<std::string, std::map<uint64_t, ClassMethods>> Builds;

private:
  const CoverageData &Ran;
  llvm::StringSet<> Several; ///< names of which several class files ran
  std::mutex Lock;
};
} // namespace

Error coverage::carryOverBuilds(llvm::ArrayRef<std::string> Inputs,
                                unsigned Threads, CarriedData &To) {
  BuildFinder Finder(To.All);
  if (!Finder.isNeeded())
    return Error::success();
  auto In = InputSet::open(Inputs);
  if (!In)
    return In.takeError();
  ProcessOptions O;
  O.Threads = Threads;
  if (Error E = processInputs(*In, Finder, nullptr, O))
    return E;
  for (const auto &[Name, Builds] : Finder.Builds) {
    const ClassMethods &First = Builds.begin()->second;
    for (const auto &[Ordinal, Other] : Builds) {
      if (Other.Id == First.Id || To.Kept.count(Other.Id))
        continue;
      size_t NumEqual = 0;
      ClassCoverage Own =
          carryOver(*To.All.find(Other.Id), Other, First, NumEqual);
      if (To.All.find(First.Id)->Edges.empty())
        Own.Edges.clear();
      if (Error E = To.All.add(Own))
        return E;
      To.Kept[Other.Id] =
          NumEqual == Other.Methods.size()
              ? std::string()
              : ("; of its " + Twine(Other.Methods.size()) + " methods " +
                 Twine(NumEqual) + " have equal code and keep their data")
                    .str();
    }
  }
  return Error::success();
}
