//===- ClassFinder.cpp - The class files that were recorded ---------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClassFinder.h"
#include "jopt/Coverage/ClassId.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;

Expected<RecordedClasses> coverage::readRecorded(
    llvm::ArrayRef<data::Run> Runs,
    llvm::function_ref<bool(const data::CoveredClass &)> Wants,
    data::LeftOut Tell) {
  RecordedClasses Ran;
  for (const data::Run &R : Runs) {
    auto All = data::readCoverage(R, Tell);
    if (!All)
      return All.takeError();
    for (data::CoveredClass &C : *All)
      if (Wants(C)) {
        const uint64_t Id = C.Id;
        Ran.emplace(Id, std::move(C));
      }
  }
  return Ran;
}

Expected<EntryResult> ClassFinder::transform(const EntryInfo &E, Bytes Data) {
  if (!E.Name.ends_with_insensitive(".class"))
    return EntryResult::unchanged();
  const uint64_t Id = classId(Data);
  const std::lock_guard<std::mutex> Guard(Lock);
  if (!Ran.count(Id) || !Seen.insert({Id, true}).second)
    return EntryResult::unchanged();
  auto F = readClass(Data);
  Error Err = F ? Error::success() : F.takeError();
  if (!Err) {
    std::vector<const data::CoveredClass *> Recorded;
    auto [First, Last] = Ran.equal_range(Id);
    for (auto I = First; I != Last; ++I)
      Recorded.push_back(&I->second);
    Err = find(**F, Recorded, E.Ordinal);
  }
  if (Err)
    Tell(E.display() + ": " + toMessage(std::move(Err)));
  return EntryResult::unchanged();
}

Error ClassFinder::unreadable(const EntryInfo &, Error Why) {
  const std::lock_guard<std::mutex> Guard(Lock);
  Tell(toMessage(std::move(Why)));
  return Error::success();
}

Error ClassFinder::run(llvm::ArrayRef<std::string> Classes) {
  auto In = InputSet::open(Classes);
  if (!In)
    return In.takeError();
  if (Error E = processInputs(*In, *this, nullptr, ProcessOptions()))
    return E;
  uint64_t Last = 0;
  for (const auto &[Id, C] : Ran)
    if (!Seen.count(Id) && Id != Last) {
      Last = Id;
      Tell("class " + toDisplayUTF8(C.Name) +
           ": the class file that ran is not among those of -classes=");
    }
  return Error::success();
}
