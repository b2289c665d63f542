//===- PathReport.cpp - Which paths were taken, how often -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/PathReport.h"
#include "jopt/Archive/Containers.h"
#include "jopt/Coverage/ClassId.h"
#include "jopt/Coverage/PathLayout.h"
#include "jopt/CoverageReport/PointReport.h"
#include "jopt/Data/Coverage.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <mutex>

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

namespace {

using Recorded = std::multimap<uint64_t, data::CoveredClass>; ///< by id

/// Finds the paths of each class file that was recorded.
class PathFinder : public ContainerClient {
public:
  PathFinder(const Recorded &Ran, data::LeftOut Tell) : Ran(Ran), Tell(Tell) {}

  Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override {
    if (!E.Name.ends_with_insensitive(".class"))
      return EntryResult::unchanged();
    const uint64_t Id = classId(Data);
    const std::lock_guard<std::mutex> Guard(Lock);
    if (!Ran.count(Id) || !Seen.insert({Id, true}).second)
      return EntryResult::unchanged();
    if (Error Err = find(Id, Data, Found[E.Ordinal]))
      Tell(E.display() + ": " + toMessage(std::move(Err)));
    return EntryResult::unchanged();
  }

  Error unreadable(const EntryInfo &, Error Why) override {
    const std::lock_guard<std::mutex> Guard(Lock);
    Tell(toMessage(std::move(Why)));
    return Error::success();
  }

  std::vector<MethodPath> take();

private:
  Error find(uint64_t Id, Bytes Data, std::vector<MethodPath> &To);
  Error add(const ClassFile &F, const PathLayout::OfMethod &M, uint64_t Id,
            std::vector<MethodPath> &To);

  const Recorded &Ran;
  const data::LeftOut Tell;
  std::mutex Lock;
  std::map<uint64_t, bool> Seen;
  std::map<uint64_t, std::vector<MethodPath>> Found; ///< by ordinal
};

} // namespace

Error PathFinder::add(const ClassFile &F, const PathLayout::OfMethod &M,
                      uint64_t Id, std::vector<MethodPath> &To) {
  const Method &Of = F.Methods[M.Index];
  std::map<std::vector<uint32_t>, uint64_t> Counts;
  uint64_t Lost = 0;
  auto [First, Last] = Ran.equal_range(Id);
  for (auto I = First; I != Last; ++I) {
    auto Taken = findTaken(M, I->second.Values, I->second.Rules, Lost);
    if (!Taken)
      return Taken.takeError();
    for (const TakenPath &T : *Taken) {
      std::vector<uint32_t> Starts;
      for (uint32_t Block : M.Paths.path(T.Number).Blocks)
        Starts.push_back(M.Paths.blocks()[Block].Start);
      Counts[std::move(Starts)] += T.Count;
    }
  }
  if (Lost)
    Tell("class " + toDisplayUTF8(F.name()) + ", method " +
         toDisplayUTF8(F.name(Of)) + ": " + Twine(Lost) +
         " counts of more paths than its table has places");
  for (auto &[Starts, Count] : Counts)
    To.push_back({F.name().str(), F.name(Of).str(), F.descriptor(Of).str(),
                  Starts, Count});
  return Error::success();
}

Error PathFinder::find(uint64_t Id, Bytes Data, std::vector<MethodPath> &To) {
  auto F = readClass(Data);
  if (!F)
    return F.takeError();
  auto Layout = PathLayout::make(**F);
  if (!Layout)
    return Layout.takeError();
  for (const PathLayout::OfMethod &M : Layout->Methods)
    if (Error E = add(**F, M, Id, To))
      return E;
  return Error::success();
}

std::vector<MethodPath> PathFinder::take() {
  for (const auto &[Id, C] : Ran)
    if (!Seen.count(Id))
      Tell("class " + toDisplayUTF8(C.Name) +
           ": the class file that ran is not among those of -classes=");
  std::vector<MethodPath> All;
  for (auto &[Ordinal, Paths] : Found)
    std::move(Paths.begin(), Paths.end(), std::back_inserter(All));
  return All;
}

Expected<std::vector<MethodPath>>
coverage::findPaths(llvm::ArrayRef<data::Run> Runs,
                    llvm::ArrayRef<std::string> Classes, data::LeftOut Tell) {
  Recorded Ran;
  for (const data::Run &R : Runs) {
    auto All = data::readCoverage(R, Tell);
    if (!All)
      return All.takeError();
    for (data::CoveredClass &C : *All)
      if (findPathStrategy(C.Strategy)) {
        const uint64_t Id = C.Id;
        Ran.emplace(Id, std::move(C));
      }
  }
  auto In = InputSet::open(Classes);
  if (!In)
    return In.takeError();
  PathFinder Finder(Ran, Tell);
  if (Error E = processInputs(*In, Finder, nullptr, ProcessOptions()))
    return E;
  return Finder.take();
}

void coverage::writePathsCSV(llvm::ArrayRef<MethodPath> Paths,
                             llvm::raw_ostream &OS) {
  OS << "class,method,descriptor,path,count\n";
  for (const MethodPath &P : Paths) {
    OS << toCSV(P.Class) << ',' << toCSV(P.Method) << ',' << toCSV(P.Descriptor)
       << ',';
    for (size_t I = 0; I < P.Starts.size(); ++I)
      OS << (I ? " " : "") << P.Starts[I];
    OS << ',' << P.Count << '\n';
  }
}
