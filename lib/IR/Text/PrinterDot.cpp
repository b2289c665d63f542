//===- PrinterDot.cpp - Bodies as graphs to look at -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BodyPrinter.h"
#include "jopt/IR/Model/CFG.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/GraphWriter.h"

using namespace jopt;

/// Writes when \p I goes to its successor \p N; nothing for always.
static void printCondition(const Instruction &I, size_t N,
                           llvm::raw_ostream &OS) {
  if (I.op() == irop::If)
    OS << (N ? "no" : "yes");
  else if (N)
    OS << I.keys()[N - 1];
  else if (I.successors().size() > 1)
    OS << "default";
}

/// Writes what \p Handler catches out of \p B.
static void printCaught(const Block &B, const Block &Handler, TextWriter &W) {
  const char *Separator = "";
  forEachTry(B.throwEdges(), [&](const TryEntry *T) {
    if (T->Handler != &Handler)
      return;
    W.OS << Separator;
    Separator = ", ";
    if (T->CatchType)
      W.entry(T->CatchType, tagBit(CPTag::Class));
    else
      W.OS << "any";
  });
}

void jopt::printDot(FlowGraph &G, llvm::StringRef Title, llvm::raw_ostream &OS,
                    const FlowCounts &Counts) {
  // GraphWriter names nodes by their addresses, which differ from run to run:
  // here they are called by their numbers.
  auto Id = [&](const FlowNode &N) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    return reinterpret_cast<const void *>(&N - G.nodes().data() + 1);
  };
  const Body &F = G.front().block().body();
  std::string Text;
  llvm::raw_string_ostream Stream(Text);
  TextWriter Writer(Stream, F.classFile());
  BodyPrinter Printer(F, Writer);
  llvm::GraphWriter<FlowGraph *> Out(OS, &G, /*SN=*/false);
  Out.writeHeader(Title.str());
  for (const FlowNode &N : G.nodes()) {
    Text.clear();
    Printer.wholeBlock(N.block(), 0);
    // `\l` ends a line that begins on the left.
    std::string Label;
    for (llvm::StringRef Line :
         llvm::split(llvm::StringRef(Text).rtrim(), '\n'))
      Label += (Line + "\\l").str();
    if (auto Count = Counts.OfBlock(N.block()))
      Label = ("run " + llvm::Twine(*Count) + " times\\l" + Label).str();
    Out.emitSimpleNode(Id(N), "shape=box,fontname=monospace", Label);
    for (auto [I, To] : llvm::enumerate(N.successors())) {
      Text.clear();
      if (N.isThrow(I)) {
        printCaught(N.block(), To->block(), Writer);
      } else {
        printCondition(*N.block().terminator(), I, Stream);
        if (auto Count = Counts.OfWay(N.block(), I))
          Stream << (Text.empty() ? "" : ": ") << *Count;
      }
      std::string Style = "label=\"" + llvm::DOT::EscapeString(Text) + "\"";
      if (N.isThrow(I))
        Style += ",style=dashed";
      Out.emitEdge(Id(N), -1, Id(*To), -1, Text.empty() ? "" : Style);
    }
  }
  Out.writeFooter();
}
