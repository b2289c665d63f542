//===- HotReport.cpp - What runs most -------------------------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/HotReport.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace jopt;
using namespace jopt::coverage;
using llvm::StringRef;

namespace {

/// A row: how often, what, and the lines that it is about.
struct HotSpotRow {
  int64_t Count;
  std::string What, Source; ///< Source: the path of the source file
  std::vector<int32_t> Lines;
};

class HotWriter {
public:
  HotWriter(const HotOptions &O, llvm::raw_ostream &OS) : O(O), OS(OS) {}

  void write(StringRef Title, std::vector<HotSpotRow> Rows);

private:
  /// Line \p Number of a source file; empty if it is not there.
  StringRef line(const std::string &Source, int32_t Number);

  const HotOptions &O;
  llvm::raw_ostream &OS;
  struct File {
    std::string Text;
    llvm::SmallVector<StringRef, 0> Lines; ///< of Text
  };
  std::map<std::string, File> Files;
};

} // namespace

StringRef HotWriter::line(const std::string &Source, int32_t Number) {
  auto [At, IsNew] = Files.try_emplace(Source);
  File &F = At->second;
  if (IsNew && !Source.empty()) {
    F.Text = O.TextOf(Source);
    StringRef(F.Text).split(F.Lines, '\n');
  }
  return Number > 0 && size_t(Number) <= F.Lines.size()
             ? F.Lines[size_t(Number) - 1].rtrim()
             : StringRef();
}

void HotWriter::write(StringRef Title, std::vector<HotSpotRow> Rows) {
  llvm::stable_sort(Rows, [](const HotSpotRow &A, const HotSpotRow &B) {
    return A.Count > B.Count;
  });
  if (Rows.size() > O.Most)
    Rows.resize(O.Most);
  if (Rows.empty())
    return;
  OS << Title << '\n';
  for (const HotSpotRow &R : Rows) {
    OS << llvm::format("%12lld  ", static_cast<long long>(R.Count)) << R.What
       << '\n';
    for (int32_t Number : R.Lines)
      if (const StringRef Text = line(R.Source, Number); !Text.empty())
        OS << llvm::format("%20d  ", Number) << Text << '\n';
  }
}

static std::string sourceOf(StringRef Class, StringRef File) {
  const size_t Slash = Class.rfind('/');
  return toDisplayUTF8(File.empty() || Slash == StringRef::npos
                           ? File.str()
                           : (Class.take_front(Slash + 1) + File).str());
}

static std::string nameOf(StringRef Class, StringRef Method,
                          StringRef Descriptor) {
  return toDisplayUTF8((Class + "." + Method + Descriptor).str());
}

/// `12 to 14`, or the offsets where no lines are known.
static std::string wayOf(const CodeEdges &E, const EdgeGraph::Edge &Edge) {
  const CodeEdges::Range &From = E.Code[Edge.From], &To = E.Code[Edge.To];
  return From.Line && To.Line
             ? (llvm::Twine(From.Line) + " to " + llvm::Twine(To.Line)).str()
             : ("offset " + llvm::Twine(From.Start) + " to " +
                llvm::Twine(To.Start))
                   .str();
}

static void addRows(const MethodEdges &M, std::vector<HotSpotRow> &Methods,
                    std::vector<HotSpotRow> &Edges) {
  const std::string Name = nameOf(M.Class, M.Method, M.Descriptor),
                    Source = sourceOf(M.Class, M.SourceFile);
  const EdgeGraph &G = M.Edges.Graph;
  for (auto [E, Count] : llvm::zip(G.Edges, M.Counts.Edges)) {
    if (Count <= 0)
      continue;
    if (E.From == G.root()) {
      const int32_t Line = M.Edges.Code[E.To].Line;
      Methods.push_back({Count, Name, Source, {Line}});
      continue;
    }
    if (E.To == G.root())
      continue;
    const int32_t From = M.Edges.Code[E.From].Line,
                  To = M.Edges.Code[E.To].Line;
    if (From != To)
      Edges.push_back(
          {Count, Name + " " + wayOf(M.Edges, E), Source, {From, To}});
    else if (M.Edges.Code[E.To].Start <= M.Edges.Code[E.From].Start)
      Edges.push_back({Count, Name + " " + wayOf(M.Edges, E), Source, {To}});
  }
}

void coverage::writeHot(llvm::ArrayRef<MethodEdges> Methods,
                        llvm::ArrayRef<MethodPath> Paths, const HotOptions &O,
                        llvm::raw_ostream &OS) {
  std::vector<HotSpotRow> Entered, Edges, Ways;
  for (const MethodEdges &M : Methods)
    addRows(M, Entered, Edges);
  for (const MethodPath &P : Paths) {
    std::string What = nameOf(P.Class, P.Method, P.Descriptor);
    for (int32_t Line : P.Lines)
      What += ' ' + llvm::itostr(Line);
    Ways.push_back({int64_t(P.Count), std::move(What),
                    sourceOf(P.Class, P.SourceFile), P.Lines});
  }
  HotWriter W(O, OS);
  W.write("methods, by how often they are entered", std::move(Entered));
  W.write("edges, by how often they are taken", std::move(Edges));
  W.write("paths, by how often they are taken", std::move(Ways));
}
