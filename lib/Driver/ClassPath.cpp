//===- ClassPath.cpp - Classes on a class path ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClassPath.h"
#include "jopt/Driver/Containers.h"
#include <map>
#include <mutex>

using namespace jopt;
using llvm::Error;
using llvm::Expected;

namespace {
/// Collects the classes in the order of the walk, so that the first of a name
/// wins whatever the threads do.
class HierarchyReader : public ContainerClient {
public:
  Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override {
    std::lock_guard<std::mutex> Guard(Lock);
    Classes[E.Ordinal].assign(Data.begin(), Data.end());
    return EntryResult::unchanged();
  }
  Error unreadable(const EntryInfo &, Error Why) override {
    llvm::consumeError(std::move(Why));
    return Error::success();
  }

  std::map<uint64_t, llvm::SmallVector<uint8_t, 0>> Classes;

private:
  std::mutex Lock;
};
} // namespace

Expected<std::unique_ptr<MemoryHierarchy>>
jopt::readHierarchy(llvm::ArrayRef<std::string> Entries, unsigned Threads) {
  auto H = std::make_unique<MemoryHierarchy>();
  for (const std::string &Entry : Entries) {
    auto In = InputSet::open(Entry);
    if (!In)
      return In.takeError();
    HierarchyReader Reader;
    ProcessOptions PO;
    PO.Threads = Threads;
    if (Error E = processInputs(*In, Reader, nullptr, PO))
      return E;
    for (const auto &[Ordinal, Data] : Reader.Classes)
      llvm::consumeError(H->addClass(Data));
  }
  return H;
}
