//===- PointReport.cpp - Methods, code and lines that were begun ----------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/PointReport.h"
#include "jopt/Archive/Containers.h"
#include "jopt/Coverage/ClassId.h"
#include "jopt/Coverage/Plan.h"
#include "jopt/Coverage/Rules.h"
#include "jopt/Data/Coverage.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/SafeText.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <mutex>

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;

namespace {

/// By class and strategy: the points that were reached, probes too.
using Reached = std::map<std::pair<uint64_t, unsigned>, std::vector<uint64_t>>;

/// Finds the points of each class file that was recorded.
class PointFinder : public ContainerClient {
public:
  PointFinder(const Reached &Ran, data::LeftOut Tell) : Ran(Ran), Tell(Tell) {}

  Expected<EntryResult> transform(const EntryInfo &E, Bytes Data) override {
    if (!E.Name.ends_with_insensitive(".class"))
      return EntryResult::unchanged();
    const uint64_t Id = classId(Data);
    const std::lock_guard<std::mutex> Guard(Lock);
    const auto First = Ran.lower_bound({Id, 0});
    if (First == Ran.end() || First->first.first != Id ||
        !Seen.insert({Id, true}).second)
      return EntryResult::unchanged();
    for (auto I = First; I != Ran.end() && I->first.first == Id; ++I)
      if (Error Err = find(Strategy(I->first.second), I->second, Data,
                           Found[E.Ordinal]))
        Tell(E.display() + ": " + toMessage(std::move(Err)));
    return EntryResult::unchanged();
  }

  Error unreadable(const EntryInfo &, Error Why) override {
    const std::lock_guard<std::mutex> Guard(Lock);
    Tell(toMessage(std::move(Why)));
    return Error::success();
  }

  bool hasSeen(uint64_t Id) const { return Seen.count(Id); }
  std::vector<RecordedPoint> take() {
    std::vector<RecordedPoint> All;
    for (auto &[Ordinal, Points] : Found)
      std::move(Points.begin(), Points.end(), std::back_inserter(All));
    return All;
  }

private:
  Error find(Strategy S, llvm::ArrayRef<uint64_t> Values, Bytes Data,
             std::vector<RecordedPoint> &To);

  const Reached &Ran;
  const data::LeftOut Tell;
  std::mutex Lock;
  std::map<uint64_t, bool> Seen;
  std::map<uint64_t, std::vector<RecordedPoint>> Found; ///< by ordinal
};

} // namespace

/// The line of the instruction at \p Offset of \p M; -1 if it is not known.
static int32_t lineAt(llvm::ArrayRef<LineEntry> Lines, uint32_t Offset) {
  int32_t Line = -1, Start = -1;
  for (const LineEntry &E : Lines)
    if (E.Start <= Offset && E.Start >= Start) {
      Start = E.Start;
      Line = E.Line;
    }
  return Line;
}

Error PointFinder::find(Strategy S, llvm::ArrayRef<uint64_t> Values, Bytes Data,
                        std::vector<RecordedPoint> &To) {
  auto F = readClass(Data);
  if (!F)
    return F.takeError();
  auto All = findPoints(getStrategyInfo(S).Points, **F);
  if (!All)
    return All.takeError();
  if (All->Count != Values.size())
    return makeError("another class file was recorded");
  for (size_t I = 0; I < All->Methods.size(); ++I) {
    const MethodPoints &Points = All->Methods[I];
    const Method &M = (*F)->Methods[I];
    const int At = M.codeAttribute((*F)->Pool);
    if (At < 0)
      continue;
    CodeView Code;
    if (Error E = parseCode(**F, M.Attributes[size_t(At)].Data, Code))
      return E;
    const auto Lines = lineEntries(**F, Code);
    for (uint32_t N = Points.NumProbes; N < Points.Points.size(); ++N)
      To.push_back({getStrategyInfo(S).Name, (*F)->name().str(),
                    (*F)->name(M).str(), (*F)->descriptor(M).str(),
                    Points.Points[N].From, lineAt(Lines, Points.Points[N].From),
                    Values[Points.numberOf(N)] != 0});
  }
  return Error::success();
}

/// Adds the points that \p C reached to \p To, if its strategy has such.
static Error add(const data::CoveredClass &C, Reached &To) {
  const std::optional<Strategy> S = findStrategy(C.Strategy);
  if (!S || getStrategyInfo(*S).Points == PointSet::Probes)
    return Error::success();
  auto Rules = decodeRules(C.Rules, uint32_t(C.Values.size()));
  if (!Rules)
    return Rules.takeError();
  const std::vector<uint64_t> Own = inflate(Rules->Rules, C.Values);
  auto [It, IsNew] = To.try_emplace({C.Id, *S}, Own);
  if (It->second.size() != Own.size())
    return makeError("it was recorded with " + llvm::Twine(Own.size()) +
                     " and " + llvm::Twine(It->second.size()) + " points");
  for (size_t I = 0; I < Own.size(); ++I)
    It->second[I] |= Own[I];
  return Error::success();
}

Expected<std::vector<RecordedPoint>>
coverage::findRecordedPoints(llvm::ArrayRef<data::Run> Runs,
                             llvm::ArrayRef<std::string> Classes,
                             data::LeftOut Tell) {
  Reached Ran;
  std::map<uint64_t, std::string> Names;
  for (const data::Run &R : Runs) {
    auto All = data::readCoverage(R, Tell);
    if (!All)
      return All.takeError();
    for (const data::CoveredClass &C : *All) {
      if (Error E = add(C, Ran))
        Tell("class " + toDisplayUTF8(C.Name) + ": " + toMessage(std::move(E)));
      Names[C.Id] = C.Name;
    }
  }
  auto In = InputSet::open(Classes);
  if (!In)
    return In.takeError();
  PointFinder Finder(Ran, Tell);
  if (Error E = processInputs(*In, Finder, nullptr, ProcessOptions()))
    return E;
  for (const auto &[Of, Values] : Ran)
    if (!Finder.hasSeen(Of.first))
      Tell("class " + toDisplayUTF8(Names[Of.first]) +
           ": the class file that ran is not among those of -classes=");
  return Finder.take();
}

/// A name of a class file.
static std::string cell(llvm::StringRef Name) {
  return toCSVCell(toDisplayUTF8(Name));
}

void coverage::writePointsCSV(llvm::ArrayRef<RecordedPoint> Points,
                              llvm::raw_ostream &OS) {
  OS << "strategy,class,method,descriptor,offset,line,reached\n";
  for (const RecordedPoint &P : Points) {
    OS << P.Strategy << ',' << cell(P.Class) << ',' << cell(P.Method) << ','
       << cell(P.Descriptor) << ',' << P.Offset << ',';
    if (P.Line >= 0)
      OS << P.Line;
    OS << ',' << P.IsReached << '\n';
  }
}
