//===- CodeBlocks.cpp - The blocks of original code -----------------------===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeFlow.h"
#include "jopt/Coverage/CodePaths.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace jopt;
using namespace jopt::coverage;

namespace {

class BlockFinder {
public:
  BlockFinder(const ClassFile &F, const Method &M, CodeFlow &Flow)
      : Flow(Flow), Of(Flow.size()), Throws(Flow.throwing(F, M)) {}

  std::vector<PathBlock> run();

private:
  void findStarts();
  void makeBlocks();
  void connect(uint32_t B);
  void reach();

  CodeFlow &Flow;
  llvm::BitVector Starts;
  std::vector<uint32_t> Of; ///< by instruction: its block
  std::vector<bool> Throws; ///< by instruction: mayThrow
  std::vector<PathBlock> Blocks;
  std::vector<size_t> Lasts; ///< by block: its last instruction
};

} // namespace

void BlockFinder::findStarts() {
  Starts.resize(unsigned(Flow.size() + 1));
  Starts.set(0);
  for (size_t I = 0; I < Flow.size(); ++I) {
    if (Flow.isSwitch(I))
      Flow.forEachTarget(I, [&](size_t To) { Starts.set(unsigned(To)); });
    else if (Flow.isJump(I))
      Starts.set(unsigned(Flow.target(I)));
    if (Flow.isJump(I) || Flow.endsBlock(I))
      Starts.set(unsigned(I + 1));
  }
  for (const CodeFlow::Handler &H : Flow.handlers())
    Starts.set(H.Target);
}

void BlockFinder::makeBlocks() {
  for (size_t I = 0; I < Flow.size(); ++I) {
    if (Starts[unsigned(I)]) {
      Blocks.emplace_back().Start = Flow.bci(I);
      Lasts.push_back(I);
    }
    Of[I] = uint32_t(Blocks.size() - 1);
    Blocks.back().Last = Flow.bci(I);
    Blocks.back().MayThrow |= Throws[I];
    Lasts.back() = I;
  }
  for (const CodeFlow::Handler &H : Flow.handlers())
    Blocks[Of[H.Target]].IsHandler = true;
}

void BlockFinder::connect(uint32_t N) {
  PathBlock &B = Blocks[N];
  const size_t I = Lasts[N];
  const OpcodeInfo &Info = Flow.info(I);
  auto Add = [&](size_t To, PathBlock::Edge::Kinds Kind) {
    if (llvm::none_of(B.Next,
                      [&](const PathBlock::Edge &E) { return E.To == Of[To]; }))
      B.Next.push_back({Of[To], Kind});
  };
  if (!Info.EndsBlock && I + 1 < Flow.size())
    Add(I + 1, PathBlock::Edge::Fall);
  if (Flow.isSwitch(I))
    Flow.forEachTarget(I, [&](size_t To) { Add(To, PathBlock::Edge::Switch); });
  else if (Flow.isJump(I))
    Add(Flow.target(I), PathBlock::Edge::Jump);
  // What falls out of the code is no class file.
  B.Returns = (Flow.leaves(I) && Info.Canonical != op::ATHROW) ||
              (!Info.EndsBlock && I + 1 == Flow.size());
}

/// Handlers of whatever the machine throws are reached too: nothing may come
/// to them with the number of another path.
void BlockFinder::reach() {
  for (const CodeFlow::Handler &H : Flow.handlers())
    for (size_t I = H.Start; I < H.End; ++I)
      if (auto &To = Blocks[Of[I]].Handlers;
          !llvm::is_contained(To, Of[H.Target])) {
        To.push_back(Of[H.Target]);
        I = Lasts[Of[I]];
      }
  llvm::SmallVector<uint32_t, 16> Work;
  auto Reach = [&](uint32_t B) {
    if (!Blocks[B].IsReached) {
      Blocks[B].IsReached = true;
      Work.push_back(B);
    }
  };
  if (!Blocks.empty())
    Reach(0);
  while (!Work.empty()) {
    const PathBlock &B = Blocks[Work.pop_back_val()];
    for (const PathBlock::Edge &E : B.Next)
      Reach(E.To);
    for (uint32_t H : B.Handlers)
      Reach(H);
  }
}

std::vector<PathBlock> BlockFinder::run() {
  findStarts();
  makeBlocks();
  for (uint32_t B = 0; B < Blocks.size(); ++B)
    connect(B);
  reach();
  return std::move(Blocks);
}

llvm::Expected<std::vector<PathBlock>>
jopt::coverage::findBlocks(const ClassFile &F, const Method &M,
                           const CodeView &Code) {
  auto Flow = CodeFlow::create(F, Code);
  if (!Flow)
    return Flow.takeError();
  return BlockFinder(F, M, *Flow).run();
}
