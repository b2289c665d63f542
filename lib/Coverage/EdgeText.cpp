//===- EdgeText.cpp - The graphs of a class as a text ---------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A method is its hash, twice the number of its runs (and one, if the entry is
/// counted), its runs, and its handlers. A run is a number of the bits below
/// and how many jumps it has; each of these is twice its distance from the run
/// after it, and two bits. A handler is its distance from the one before, the
/// first of its positions, and how many follow.
///
//===----------------------------------------------------------------------===//

#include "TextNumbers.h"
#include "jopt/Coverage/EdgeGraph.h"
#include "jopt/Support/Diagnostics.h"

using namespace jopt;
using namespace jopt::coverage;
using Edge = EdgeGraph::Edge;
using llvm::StringRef;

static constexpr StringRef Word = "edges ";

/// Of a run. Most are what most runs are not, so that a number is short.
static constexpr uint32_t NoPosition = 1,
                          NoFall = 2, ///< into the next run
    Counted = 4, HasProbe = 8,        ///< both of the fall or the return
    Returns = 16, IsOpen = 32, IsThrow = 64;
static constexpr unsigned RunBits = 7;
/// Of a jump.
static constexpr uint32_t JumpCounted = 1, JumpHasProbe = 2;
static constexpr unsigned JumpBits = 2;

static void putRun(std::string &Text, const EdgeGraph &G, uint32_t R,
                   llvm::ArrayRef<Edge> Own) {
  const EdgeGraph::Run &Run = G.Runs[R];
  uint32_t Head = NoFall | (Run.HasPosition ? 0 : NoPosition) |
                  (Run.IsOpen ? IsOpen : 0) | (Run.IsThrow ? IsThrow : 0);
  uint32_t NumJumps = 0;
  for (const Edge &E : Own) {
    if (E.Kind == Edge::Fall || E.Kind == Edge::Return) {
      Head &= E.Kind == Edge::Fall ? ~uint32_t(NoFall) : ~0u;
      Head |= (E.Kind == Edge::Return ? Returns : 0) |
              (E.IsCounted ? Counted : 0) | (E.HasProbe ? HasProbe : 0);
    }
    NumJumps += E.Kind == Edge::Jump;
  }
  putNumber(Text, uint64_t(NumJumps) << RunBits | Head);
  for (const Edge &E : Own.take_front(NumJumps))
    putNumber(Text, toDistance(R, E.To) << JumpBits |
                        (E.IsCounted ? JumpCounted : 0) |
                        (E.HasProbe ? JumpHasProbe : 0));
}

std::string coverage::encodeEdges(llvm::ArrayRef<const EdgeGraph *> Methods) {
  std::string Text = Word.str();
  putNumber(Text, Methods.size());
  for (const EdgeGraph *G : Methods) {
    llvm::ArrayRef<Edge> Rest = G->Edges;
    putNumber(Text, G->Hash);
    putNumber(Text, uint64_t(G->Runs.size()) << 1 |
                        (!Rest.empty() && Rest[0].IsCounted));
    Rest = Rest.drop_front(!Rest.empty());
    for (uint32_t R = 0; R < G->root(); ++R) {
      const llvm::ArrayRef<Edge> Own =
          Rest.take_while([&](const Edge &E) { return E.From == R; });
      putRun(Text, *G, R, Own);
      Rest = Rest.drop_front(Own.size());
    }
    putNumber(Text, G->Handlers.size());
    uint32_t Last = 0;
    for (const EdgeGraph::Handler &H : G->Handlers) {
      putNumber(Text, H.Run - Last);
      putNumber(Text, H.First);
      putNumber(Text, H.Last - H.First);
      Last = H.Run;
    }
  }
  return Text;
}

namespace {
class EdgeDecoder {
public:
  explicit EdgeDecoder(StringRef Text) : In(Text) {}

  llvm::Expected<std::vector<EdgeGraph>> run();

private:
  EdgeGraph method();
  void run(EdgeGraph &G, uint32_t R);
  void handlers(EdgeGraph &G);
  /// How many of something come, each of a character at least.
  uint32_t count(uint32_t N) {
    if (N > In.remaining())
      In.fail();
    return In.failed() ? 0 : N;
  }

  NumberReader In;
};
} // namespace

void EdgeDecoder::run(EdgeGraph &G, uint32_t R) {
  const uint32_t Head = In.number();
  EdgeGraph::Run &Run = G.Runs[R];
  Run.HasPosition = !(Head & NoPosition);
  Run.IsOpen = Head & IsOpen;
  Run.IsThrow = Head & IsThrow;
  for (uint32_t N = count(Head >> RunBits); N && !In.failed(); --N) {
    const uint32_t Jump = In.number();
    const int64_t To = fromDistance(R, Jump >> JumpBits);
    if (To < 0 || To >= int64_t(G.root()))
      In.fail();
    G.Edges.push_back({Edge::Jump, bool(Jump & JumpHasProbe),
                       bool(Jump & JumpCounted), R, uint32_t(To)});
  }
  const bool Falls = !(Head & NoFall);
  if ((Falls && (Head & Returns)) || (Falls && R + 1 == G.root()) ||
      (Run.IsOpen && !Run.HasPosition))
    In.fail();
  if (Falls || (Head & Returns))
    G.Edges.push_back({Falls ? Edge::Fall : Edge::Return, bool(Head & HasProbe),
                       bool(Head & Counted), R, Falls ? R + 1 : G.root()});
  if (Run.IsOpen)
    G.Edges.push_back({Edge::Throw, false, false, R, G.root()});
}

void EdgeDecoder::handlers(EdgeGraph &G) {
  const uint64_t NumPositions = uint64_t(llvm::count_if(
      G.Runs, [](const EdgeGraph::Run &R) { return R.HasPosition; }));
  uint64_t Last = 0;
  for (uint32_t N = count(In.number()); N && !In.failed(); --N) {
    Last += In.number();
    const uint64_t First = In.number(), End = First + In.number();
    if (Last >= G.root() || End >= NumPositions)
      In.fail();
    G.Handlers.push_back({uint32_t(Last), uint32_t(First), uint32_t(End)});
  }
}

EdgeGraph EdgeDecoder::method() {
  EdgeGraph G;
  G.Hash = In.number();
  const uint32_t Head = In.number();
  G.Runs.resize(count(Head >> 1));
  if (!G.Runs.empty())
    G.Edges.push_back({Edge::Entry, false, bool(Head & 1), G.root(), 0});
  for (uint32_t R = 0; R < G.root() && !In.failed(); ++R)
    run(G, R);
  handlers(G);
  return G;
}

llvm::Expected<std::vector<EdgeGraph>> EdgeDecoder::run() {
  std::vector<EdgeGraph> Methods;
  for (uint32_t N = count(In.number()); N && !In.failed(); --N)
    Methods.push_back(method());
  if (In.failed() || In.remaining())
    return makeError("the edges of a class are broken at character " +
                     llvm::Twine(In.offset()));
  return Methods;
}

bool coverage::isEdgesText(StringRef Text) { return Text.starts_with(Word); }

llvm::Expected<std::vector<EdgeGraph>> coverage::decodeEdges(StringRef Text) {
  Text.consume_front(Word);
  return EdgeDecoder(Text).run();
}
