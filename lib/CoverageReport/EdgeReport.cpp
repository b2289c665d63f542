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

static llvm::StringRef kindName(Edge::Kinds Kind) {
  switch (Kind) {
  case Edge::Entry:
    return "entry";
  case Edge::Jump:
    return "jump";
  case Edge::Fall:
    return "fall";
  case Edge::Return:
    return "return";
  case Edge::Throw:
    return "throw";
  }
  llvm_unreachable("all kinds are listed");
}

static void writeMethod(const MethodEdges &M, llvm::raw_ostream &OS) {
  const EdgeGraph &G = M.Edges.Graph;
  const std::string Head = toCSVCell(toDisplayUTF8(M.Class)) + ',' +
                           toCSVCell(toDisplayUTF8(M.Method)) + ',' +
                           toCSVCell(toDisplayUTF8(M.Descriptor)) + ',';
  auto Write = [&](llvm::StringRef Kind, uint32_t From, uint32_t To,
                   int64_t Count) {
    if (!Count)
      return;
    OS << Head << Kind << ',';
    if (From != G.root())
      OS << M.Edges.Code[From].Start;
    OS << ',';
    if (To != G.root())
      OS << M.Edges.Code[To].Start;
    OS << ',' << Count << '\n';
  };
  for (auto [E, Count] : llvm::zip(G.Edges, M.Counts.Edges))
    if (E.Kind != Edge::Throw)
      Write(kindName(E.Kind), E.From, E.To, Count);
  for (uint32_t R = 0; R < G.root(); ++R)
    Write(kindName(Edge::Throw), R, G.root(), M.Counts.Thrown[R]);
  const std::vector<uint32_t> At = G.positions();
  for (auto [H, Caught] : llvm::zip(G.Handlers, M.Counts.Caught))
    for (size_t I = 0; I < Caught.size(); ++I)
      Write("catch", At[H.First + I], H.Run, Caught[I]);
}

void coverage::writeEdgesCSV(llvm::ArrayRef<MethodEdges> Methods,
                             llvm::raw_ostream &OS) {
  OS << "class,method,descriptor,kind,from,to,count\n";
  for (const MethodEdges &M : Methods)
    writeMethod(M, OS);
}
