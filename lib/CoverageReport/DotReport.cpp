//===- DotReport.cpp - Counts of edges, for Graphviz ----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "jopt/CoverageReport/EdgeReport.h"
#include "jopt/Support/ModifiedUTF8.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/GraphWriter.h"
#include "llvm/Support/raw_ostream.h"

using namespace jopt;
using namespace jopt::coverage;
using Edge = EdgeGraph::Edge;

/// Root is two nodes, so that a graph has a top and an end.
static std::string nodeOf(const EdgeGraph &G, uint32_t Run, bool IsFrom) {
  if (Run != G.root())
    return "r" + std::to_string(Run);
  return IsFrom ? "entry" : "exit";
}

void coverage::writeEdgesDot(const MethodEdges &M, llvm::raw_ostream &OS) {
  const EdgeGraph &G = M.Edges.Graph;
  OS << "digraph {\n  label=\""
     << llvm::DOT::EscapeString(
            toDisplayUTF8(M.Class + "." + M.Method + M.Descriptor))
     << "\";\n  labelloc=t;\n  node [shape=box];\n"
     << "  entry [shape=ellipse];\n  exit [shape=ellipse];\n";
  auto Draw = [&](uint32_t From, uint32_t To, int64_t Count,
                  llvm::StringRef Style) {
    OS << "  " << nodeOf(G, From, true) << " -> " << nodeOf(G, To, false)
       << " [label=\"" << Count << '"' << Style << "];\n";
  };
  for (uint32_t R = 0; R < G.root(); ++R) {
    const CodeEdges::Range &Own = M.Edges.Code[R];
    OS << "  r" << R << " [label=\"" << Own.Start;
    if (Own.Last != Own.Start)
      OS << " to " << Own.Last;
    if (Own.Line)
      OS << "\\nline " << Own.Line;
    OS << "\\n" << M.Counts.Runs[R] << "\"];\n";
  }
  // Those that are counted are thick.
  for (auto [E, Count] : llvm::zip(G.Edges, M.Counts.Edges))
    if (E.Kind != Edge::Throw)
      Draw(E.From, E.To, Count, E.IsCounted ? ", penwidth=3" : "");
  for (uint32_t R = 0; R < G.root(); ++R)
    if (M.Counts.Thrown[R])
      Draw(R, G.root(), M.Counts.Thrown[R], ", style=dashed");
  const std::vector<uint32_t> At = G.positions();
  for (auto [H, Caught] : llvm::zip(G.Handlers, M.Counts.Caught))
    for (size_t I = 0; I < Caught.size(); ++I)
      if (Caught[I])
        Draw(At[H.First + I], H.Run, Caught[I], ", style=dashed");
  OS << "}\n";
}
