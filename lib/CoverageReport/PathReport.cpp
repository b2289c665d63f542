//===- PathReport.cpp - Which paths were taken, how often -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/PathReport.h"
#include "ClassFinder.h"
#include "jopt/Coverage/Counters.h"
#include "jopt/Coverage/PathLayout.h"
#include "jopt/CoverageReport/PointReport.h"
#include "jopt/Reader/ClassReader.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/SafeText.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::coverage;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

namespace {

/// Finds the paths of each class file that was recorded.
class PathFinder : public ClassFinder {
public:
  using ClassFinder::ClassFinder;

  std::vector<MethodPath> take();

private:
  using Ran = llvm::ArrayRef<const data::CoveredClass *>;
  Error find(const ClassFile &F, Ran Recorded, uint64_t Ordinal) override;
  Error add(const ClassFile &F, const PathLayout::OfMethod &M, Ran Recorded,
            std::vector<MethodPath> &To);

  std::map<uint64_t, std::vector<MethodPath>> Found; ///< by ordinal
};

} // namespace

/// By the offset at which they begin.
static std::map<uint32_t, int32_t> linesOf(const ClassFile &F,
                                           const Method &M) {
  std::map<uint32_t, int32_t> Lines;
  CodeView Code;
  if (Error E = parseCode(F, M.Attributes[size_t(M.codeAttribute(F.Pool))].Data,
                          Code))
    llvm::consumeError(std::move(E));
  for (const LineEntry &L : lineEntries(F, Code))
    Lines[L.Start] = L.Line;
  return Lines;
}

/// Adds those of \p B, but one that \p To ends with.
static void addLines(const PathBlock &B,
                     const std::map<uint32_t, int32_t> &Lines,
                     std::vector<int32_t> &To) {
  auto L = Lines.upper_bound(B.Start);
  if (L != Lines.begin())
    --L;
  for (; L != Lines.end() && L->first <= B.Last; ++L)
    if (To.empty() || To.back() != L->second)
      To.push_back(L->second);
}

Error PathFinder::add(const ClassFile &F, const PathLayout::OfMethod &M,
                      Ran Recorded, std::vector<MethodPath> &To) {
  const Method &Of = F.Methods[M.Index];
  struct Way {
    uint64_t Count = 0;
    std::vector<int32_t> Lines;
  };
  std::map<std::vector<uint32_t>, Way> Ways;
  const std::map<uint32_t, int32_t> Lines = linesOf(F, Of);
  uint64_t Lost = 0;
  for (const data::CoveredClass *C : Recorded) {
    auto Taken = findTaken(M, C->Values, C->Rules, Lost);
    if (!Taken)
      return Taken.takeError();
    for (const TakenPath &T : *Taken) {
      const auto Blocks = M.Paths.path(T.Number).Blocks;
      std::vector<uint32_t> Starts;
      for (uint32_t Block : Blocks)
        Starts.push_back(M.Paths.blocks()[Block].Start);
      Way &Own = Ways[std::move(Starts)];
      Own.Count += T.Count;
      Own.Lines.clear();
      for (uint32_t Block : Blocks)
        addLines(M.Paths.blocks()[Block], Lines, Own.Lines);
    }
  }
  if (Lost)
    tell()("class " + toDisplayUTF8(F.name()) + ", method " +
           toDisplayUTF8(F.name(Of)) + ": " + Twine(Lost) +
           " counts of more paths than its table has places");
  for (auto &[Starts, Own] : Ways)
    To.push_back({F.name().str(), F.name(Of).str(), F.descriptor(Of).str(),
                  Starts, Own.Count, sourceFile(F).str(),
                  std::move(Own.Lines)});
  return Error::success();
}

Error PathFinder::find(const ClassFile &F, Ran Recorded, uint64_t Ordinal) {
  auto Layout = PathLayout::make(F);
  if (!Layout)
    return Layout.takeError();
  for (const PathLayout::OfMethod &M : Layout->Methods)
    if (Error E = add(F, M, Recorded, Found[Ordinal]))
      return E;
  return Error::success();
}

std::vector<MethodPath> PathFinder::take() {
  std::vector<MethodPath> All;
  for (auto &[Ordinal, Paths] : Found)
    std::move(Paths.begin(), Paths.end(), std::back_inserter(All));
  return All;
}

Expected<std::vector<MethodPath>>
coverage::findPaths(llvm::ArrayRef<data::Run> Runs,
                    llvm::ArrayRef<std::string> Classes, data::LeftOut Tell) {
  auto Ran = readRecorded(
      Runs,
      [](const data::CoveredClass &C) {
        return findPathStrategy(C.Strategy).has_value();
      },
      Tell);
  if (!Ran)
    return Ran.takeError();
  if (Ran->empty())
    return std::vector<MethodPath>();
  PathFinder Finder(*Ran, Tell);
  if (Error E = Finder.run(Classes))
    return E;
  return Finder.take();
}

void coverage::writePathsCSV(llvm::ArrayRef<MethodPath> Paths,
                             llvm::raw_ostream &OS) {
  OS << "class,method,descriptor,path,count\n";
  for (const MethodPath &P : Paths) {
    OS << toCSVCell(toDisplayUTF8(P.Class)) << ','
       << toCSVCell(toDisplayUTF8(P.Method)) << ','
       << toCSVCell(toDisplayUTF8(P.Descriptor)) << ',';
    for (size_t I = 0; I < P.Starts.size(); ++I)
      OS << (I ? " " : "") << P.Starts[I];
    OS << ',' << P.Count << '\n';
  }
}
