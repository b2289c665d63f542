//===- ClassPath.cpp - Classes on a class path ----------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/Archive/ClassPath.h"
#include "jopt/Archive/Containers.h"
#include <map>
#include <mutex>

using namespace jopt;
using llvm::Error;
using llvm::Expected;

namespace {
/// Collects the classes in the order of the walk, so that the first of a name
/// wins whatever the threads do.
class ClassCollector : public ContainerClient {
public:
  Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override {
    std::lock_guard<std::mutex> Guard(Lock);
    Classes[E.Ordinal] = {E.Name.str(), {Data.begin(), Data.end()}};
    return EntryResult::unchanged();
  }
  Error unreadable(const EntryInfo &, Error Why) override {
    llvm::consumeError(std::move(Why));
    return Error::success();
  }

  std::map<uint64_t, ClassContents::value_type> Classes;

private:
  std::mutex Lock;
};
} // namespace

Expected<ClassContents> jopt::readClassPath(llvm::ArrayRef<std::string> Entries,
                                            unsigned Threads) {
  ClassContents Contents;
  for (const std::string &Entry : Entries) {
    auto In = InputSet::open(Entry);
    if (!In)
      return In.takeError();
    ClassCollector Collector;
    ProcessOptions PO;
    PO.Threads = Threads;
    if (Error E = processInputs(*In, Collector, nullptr, PO))
      return E;
    for (auto &[Ordinal, Class] : Collector.Classes)
      Contents.push_back(std::move(Class));
  }
  return Contents;
}
