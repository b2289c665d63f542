//===- EdgeReport.cpp - Which edges were taken, how often -----------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/EdgeReport.h"
#include "ClassFinder.h"
#include "jopt/Coverage/Counters.h"
#include "jopt/CoverageReport/PointReport.h"
#include "jopt/Support/Diagnostics.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "jopt/Support/SafeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <numeric>

using namespace jopt;
using namespace jopt::coverage;
using Edge = EdgeGraph::Edge;
using llvm::Error;
using llvm::Expected;

namespace {

/// Finds the methods of each class file that was recorded.
class RecordedEdgeFinder : public ClassFinder {
public:
  using ClassFinder::ClassFinder;

  std::vector<MethodEdges> take();

private:
  Error find(const ClassFile &F,
             llvm::ArrayRef<const data::CoveredClass *> Recorded,
             uint64_t Ordinal) override;

  std::map<uint64_t, std::vector<MethodEdges>> Found; ///< by ordinal
};

} // namespace

Expected<std::vector<std::pair<EdgeGraph, EdgeCounts>>>
coverage::countEdges(const data::CoveredClass &C) {
  auto Graphs = decodeEdges(C.Rules);
  if (!Graphs)
    return Graphs.takeError();
  std::vector<std::pair<EdgeGraph, EdgeCounts>> All;
  uint64_t Next = FirstOfEdges;
  for (EdgeGraph &G : *Graphs) {
    const EdgeElements Elements(G, Next);
    auto Counts = solve(G, Elements, C.Values);
    if (!Counts)
      return Counts.takeError();
    Next = Elements.End;
    All.emplace_back(std::move(G), std::move(*Counts));
  }
  return All;
}

Error RecordedEdgeFinder::find(
    const ClassFile &F, llvm::ArrayRef<const data::CoveredClass *> Recorded,
    uint64_t Ordinal) {
  auto Layout = EdgeLayout::make(
      F, [](const Method &, const EdgeGraph &) { return std::nullopt; });
  if (!Layout)
    return Layout.takeError();
  std::vector<MethodEdges> Methods;
  for (EdgeLayout::OfMethod &M : Layout->Methods) {
    const Method &Of = F.Methods[M.Index];
    Methods.push_back({F.name().str(), F.name(Of).str(), F.descriptor(Of).str(),
                       sourceFile(F).str(), std::move(M.Edges), EdgeCounts()});
  }
  for (const data::CoveredClass *C : Recorded) {
    auto All = countEdges(*C);
    if (!All)
      return All.takeError();
    if (All->size() != Methods.size())
      return makeError("another class file was recorded");
    for (auto &&[M, Own] : llvm::zip(Methods, *All)) {
      if (!Own.first.isLike(M.Edges.Graph))
        return makeError("another class file was recorded");
      M.Counts += Own.second;
      M.Edges.Graph = std::move(Own.first);
    }
  }
  Found[Ordinal] = std::move(Methods);
  return Error::success();
}

std::vector<MethodEdges> RecordedEdgeFinder::take() {
  std::vector<MethodEdges> All;
  for (auto &[Ordinal, Methods] : Found)
    std::move(Methods.begin(), Methods.end(), std::back_inserter(All));
  return All;
}

Expected<std::vector<MethodEdges>>
coverage::findMethodEdges(llvm::ArrayRef<data::Run> Runs,
                          llvm::ArrayRef<std::string> Classes,
                          data::LeftOut Tell) {
  auto Ran = readRecorded(
      Runs, [](const data::CoveredClass &C) { return isEdgesText(C.Rules); },
      Tell);
  if (!Ran)
    return Ran.takeError();
  if (Ran->empty())
    return std::vector<MethodEdges>();
  RecordedEdgeFinder Finder(*Ran, Tell);
  if (Error E = Finder.run(Classes))
    return E;
  return Finder.take();
}

Expected<EdgeProfile> coverage::readProfile(llvm::StringRef Folder) {
  std::string Damaged;
  auto Tell = [&](const llvm::Twine &What) { Damaged = What.str(); };
  auto Runs = data::openRuns(Folder, Tell);
  if (!Runs)
    return Runs.takeError();
  EdgeProfile Profile;
  for (const data::Run &R : *Runs) {
    auto Classes = data::readCoverage(R, Tell);
    if (!Classes)
      return Classes.takeError();
    for (const data::CoveredClass &C : *Classes) {
      if (!isEdgesText(C.Rules))
        continue;
      auto Methods = countEdges(C);
      if (!Methods)
        return makeError(Location(Folder.str()),
                         toMessage(Methods.takeError()));
      for (const auto &[Graph, Counts] : *Methods)
        Profile.add(C.Name, Graph, Counts);
    }
  }
  if (Damaged.empty() && Profile.empty())
    Damaged = "there are no counts of edges, which -coverage=edges records";
  if (!Damaged.empty())
    return makeError(Location(Folder.str()), Damaged);
  return Profile;
}

/// By run of \p G: it begins a block. Other runs are fallen into from a run
/// that ends with no jump: a line or a range of the exception table begins
/// there.
static std::vector<bool> findBlockStarts(const EdgeGraph &G) {
  std::vector<bool> Starts(G.Runs.size()), Jumps(G.Runs.size());
  for (const Edge &E : G.Edges) {
    if (E.Kind == Edge::Jump)
      Jumps[E.From] = Starts[E.To] = true;
    else if (E.Kind == Edge::Entry)
      Starts[E.To] = true;
  }
  for (const EdgeGraph::Handler &H : G.Handlers)
    Starts[H.Run] = true;
  for (const Edge &E : G.Edges)
    if (E.Kind == Edge::Fall && Jumps[E.From])
      Starts[E.To] = true;
  return Starts;
}

static void writeMethod(const MethodEdges &M, llvm::raw_ostream &OS) {
  const EdgeGraph &G = M.Edges.Graph;
  const std::string Head = toCSVCell(toDisplayUTF8(M.Class)) + ',' +
                           toCSVCell(toDisplayUTF8(M.Method)) + ',' +
                           toCSVCell(toDisplayUTF8(M.Descriptor)) + ',';
  auto Write = [&](int64_t From, int64_t To, llvm::StringRef Kind,
                   int64_t Count) {
    if (Count)
      OS << Head << From << ',' << To << ',' << Kind << ',' << Count << '\n';
  };
  const std::vector<bool> Starts = findBlockStarts(G);
  // A jump may lead to where control falls, too.
  std::map<std::pair<int64_t, int64_t>, int64_t> Normal;
  for (auto [E, Count] : llvm::zip(G.Edges, M.Counts.Edges))
    if (E.Kind != Edge::Throw && (E.To == G.root() || Starts[E.To]))
      Normal[{E.From == G.root() ? -1 : int64_t(M.Edges.Code[E.From].Last),
              E.To == G.root() ? -1 : int64_t(M.Edges.Code[E.To].Start)}] +=
          Count;
  for (const auto &[Of, Count] : Normal)
    Write(Of.first, Of.second, "normal", Count);
  auto Sum = [](llvm::ArrayRef<int64_t> Counts) {
    return std::accumulate(Counts.begin(), Counts.end(), int64_t(0));
  };
  for (auto [H, Caught] : llvm::zip(G.Handlers, M.Counts.Caught))
    Write(-1, M.Edges.Code[H.Run].Start, "exception", Sum(Caught));
  Write(-1, -1, "exception", Sum(M.Counts.Thrown));
}

void coverage::writeEdgesCSV(llvm::ArrayRef<MethodEdges> Methods,
                             llvm::raw_ostream &OS) {
  OS << "class,method,descriptor,from,to,kind,count\n";
  for (const MethodEdges &M : Methods)
    writeMethod(M, OS);
}
