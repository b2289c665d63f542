//===- LeftWoven.cpp - Classes that cannot be taken back ------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LeftWoven.h"
#include "ClassNames.h"
#include "jopt/Reader/ClassReader.h"
#include <mutex>

using namespace jopt;
using llvm::Error;
using llvm::Expected;

namespace {
class LeftWoven : public ContainerClient {
public:
  explicit LeftWoven(bool KeepsWoven) : KeepsWoven(KeepsWoven) {}

  Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override {
    if (mayBeWoven(Data))
      look(E, Data);
    return EntryResult::unchanged();
  }
  Error unreadable(const EntryInfo &, Error Why) override {
    llvm::consumeError(std::move(Why)); // the walk that writes reports it
    return Error::success();
  }

  NamedClasses Added; ///< by what they are called
  std::vector<std::pair<std::string, unsigned>> Places; ///< of these
  std::vector<std::string> Named; ///< by classes that stay woven

private:
  void look(const EntryInfo &E, Bytes Data) {
    auto Class = readClass(Data);
    if (!Class)
      return llvm::consumeError(Class.takeError());
    const std::optional<std::string> Name = addedName(Data);
    if (!Name) {
      auto Original = readOriginal(Data);
      const bool IsLost = !Original;
      llvm::consumeError(Original.takeError());
      if (!IsLost &&
          ((!KeepsWoven && hasOriginal(**Class)) || !isWoven(**Class)))
        return;
    }
    std::vector<std::string> Names = namesIn(**Class);
    const std::lock_guard<std::mutex> Guard(Lock);
    if (!Name) {
      Named.insert(Named.end(), Names.begin(), Names.end());
      return;
    }
    Places.emplace_back(*Name, E.Container->Id);
    std::vector<std::string> &All = Added[*Name];
    All.insert(All.end(), Names.begin(), Names.end());
  }

  const bool KeepsWoven;
  std::mutex Lock;
};
} // namespace

Error jopt::keepForLeftWoven(const InputSet &In, OriginalView &View,
                             const ProcessOptions &Options) {
  LeftWoven Client(View.keepsWoven());
  if (Error E = processInputs(In, Client, nullptr, Options))
    return E;
  const llvm::StringSet<> Kept =
      reachableClasses(Client.Added, std::move(Client.Named));
  for (const auto &[Name, Id] : Client.Places)
    if (Kept.contains(Name))
      View.keep(Name, Id);
  return Error::success();
}
