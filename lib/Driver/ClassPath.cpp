//===- ClassPath.cpp - Classes on a class path ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClassPath.h"
#include "jopt/Archive/Containers.h"
#include "jopt/Reader/ClassReader.h"
#include <map>
#include <mutex>

using namespace jopt;
using llvm::Error;
using llvm::Expected;

Expected<std::unique_ptr<MemoryHierarchy>>
jopt::readHierarchy(llvm::ArrayRef<std::string> Entries, unsigned Threads) {
  auto H = std::make_unique<MemoryHierarchy>();
  for (const std::string &Entry : Entries) {
    auto Contents = readClassPath(Entry, Threads);
    if (!Contents)
      return Contents.takeError();
    for (const auto &[Path, Data] : *Contents)
      llvm::consumeError(H->addClass(Data));
  }
  return H;
}

namespace {
/// As HierarchyReader; keeps names only, since inputs may be large.
class AncestryReader : public ContainerClient {
public:
  Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override {
    auto Class = readClass(Data);
    if (!Class) {
      llvm::consumeError(Class.takeError());
      return EntryResult::unchanged();
    }
    const ClassFile &F = **Class;
    Names N{F.name().str(), F.superName().str(), {}};
    for (uint16_t I : F.Interfaces)
      N.Interfaces.push_back(F.Pool.className(I).str());
    std::lock_guard<std::mutex> Guard(Lock);
    Classes[E.Ordinal] = std::move(N);
    return EntryResult::unchanged();
  }
  Error unreadable(const EntryInfo &, Error Why) override {
    llvm::consumeError(std::move(Why));
    return Error::success();
  }

  Error read(const InputSet &In, unsigned Threads, MemoryHierarchy &Into) {
    ProcessOptions PO;
    PO.Threads = Threads;
    if (Error E = processInputs(In, *this, nullptr, PO))
      return E;
    for (const auto &[Ordinal, N] : Classes) {
      llvm::SmallVector<llvm::StringRef, 8> Interfaces(N.Interfaces.begin(),
                                                       N.Interfaces.end());
      ClassInfo Info;
      Info.Name = N.Name;
      Info.Super = N.Super;
      Info.Interfaces = Interfaces;
      Into.addAncestry(Info);
    }
    return Error::success();
  }

private:
  struct Names {
    std::string Name, Super;
    std::vector<std::string> Interfaces;
  };
  std::mutex Lock;
  std::map<uint64_t, Names> Classes;
};
} // namespace

Expected<std::unique_ptr<MemoryHierarchy>>
jopt::readAncestry(const InputSet &In, llvm::ArrayRef<std::string> ClassPath,
                   unsigned Threads) {
  auto H = std::make_unique<MemoryHierarchy>();
  if (Error E = AncestryReader().read(In, Threads, *H))
    return E;
  for (const std::string &Entry : ClassPath) {
    auto Set = InputSet::open(Entry);
    if (!Set)
      return Set.takeError();
    if (Error E = AncestryReader().read(*Set, Threads, *H))
      return E;
  }
  return H;
}
